import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { books } from './sandbox-ids.ts';

/** Where the customer's shop is, and what it signs links and tickets with. */
export const host = 'https://shop.example';
export const linkKeys = [{ issuer: host, secret: '0HOdeR5ktL2QYJq1MgTpKsYzBgzRDrVZT0Q20dot4ws' }];
/** Its entry in the centers file. */
export const shop = { address: 'shop', center: books, embedOrigins: [host], linkKeys };

/** A link or ticket of the shop, for two minutes and once, but for what `claims` say; undefined leaves one out. */
export function signed(sub: string, claims: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const usual = { iss: host, aud: 'shop', scope: 'manage', jti: randomUUID() };
  const all = { ...usual, sub, exp: Math.floor(Date.now() / 1000) + 120, ...claims };
  const said = Object.entries(all).filter(([, value]) => value !== undefined);
  return new SignJWT(Object.fromEntries(said))
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(linkKeys[0]?.secret));
}
