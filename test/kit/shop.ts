import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, SignJWT } from 'jose';
import { books } from './sandbox-ids.ts';
import type { Visitor } from './visitor.ts';

/** Where the customer's shop is, and what it signs links and tickets with. */
export const host = 'https://shop.example';
export const secret = '0HOdeR5ktL2QYJq1MgTpKsYzBgzRDrVZT0Q20dot4ws';
/** Of before it was changed. */
export const older = '8VOvyC5P32Vqy51GnhTY2AWPp1Au9y246iossESesnk';
export const linkKeys = [{ issuer: host, secret }];
/** Its entry in the centers file. */
export const shop = { address: 'shop', center: books, embedOrigins: [host], linkKeys };

export const bytes = (text: string) => new TextEncoder().encode(text);

type Claims = Readonly<Record<string, unknown>>;

/** By whom a token is signed, and with which claims; by the shop's secret, unless something else is said. */
export interface Signing {
  readonly claims?: Claims;
  readonly alg?: string;
  readonly kid?: string;
  readonly key?: CryptoKey | Uint8Array;
}

/** A token for the shop; undefined leaves a claim out. */
export function sign({ claims, alg = 'HS256', kid, key = bytes(secret) }: Signing): Promise<string> {
  const all = { iss: host, aud: 'shop', scope: 'manage', ...claims };
  const said = Object.entries(all).filter(([, value]) => value !== undefined);
  return new SignJWT(Object.fromEntries(said))
    .setProtectedHeader({ alg, ...(kid === undefined ? {} : { kid }) })
    .sign(key);
}

/** A link or ticket of the shop, for two minutes and once, but for what `claims` say. */
export function signed(sub: string, claims: Claims = {}): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 120;
  return sign({ claims: { jti: randomUUID(), sub, exp, ...claims } });
}

/** A visitor's way into the shop by a token of its own; gives what stands behind `?` in every address there. */
export async function enterShop(
  visitor: Visitor,
  mount: '/centers' | '/embed',
  { subject, scope }: { readonly subject: string; readonly scope: 'manage' | 'withdraw' },
): Promise<string> {
  const token = await signed(subject, { scope });
  const { url } = await visitor.open(`${mount}/shop?${mount === '/embed' ? 'ticket' : 't'}=${token}`);
  return mount === '/embed' ? new URL(url).search : '';
}

/** Where a customer publishes keys; `asked` counts who came for them. */
export async function startKeyServer(keys: readonly object[]) {
  const server = createServer((_request, response) => {
    started.asked += 1;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  const started = { url, asked: 0, close: () => void server.close() };
  return started;
}
