import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, SignJWT } from 'jose';
import { books } from './sandbox-ids.ts';
import type { Visitor } from './visitor.ts';

/** The origin of the customer's shop. */
export const host = 'https://shop.example';
/** The secret by which the shop signs links and tickets. */
export const secret = '0HOdeR5ktL2QYJq1MgTpKsYzBgzRDrVZT0Q20dot4ws';
/** The secret before the shop changed it. */
export const older = '8VOvyC5P32Vqy51GnhTY2AWPp1Au9y246iossESesnk';
export const linkKeys = [{ issuer: host, secret }];
/** The shop's entry in the centers file. */
export const shop = { address: 'shop', center: books, embedOrigins: [host], linkKeys };

export const bytes = (text: string) => new TextEncoder().encode(text);

type Claims = Readonly<Record<string, unknown>>;

/** The claims of a token, and the key that signs it; by default the shop's secret. */
export interface Signing {
  readonly claims?: Claims;
  readonly alg?: string;
  readonly kid?: string;
  readonly key?: CryptoKey | Uint8Array;
}

/** A token for the shop; a claim that is undefined is left out. */
export function sign({ claims, alg = 'HS256', kid, key = bytes(secret) }: Signing): Promise<string> {
  const all = { iss: host, aud: 'shop', scope: 'manage', ...claims };
  const defined = Object.entries(all).filter(([, value]) => value !== undefined);
  return new SignJWT(Object.fromEntries(defined))
    .setProtectedHeader({ alg, ...(kid === undefined ? {} : { kid }) })
    .sign(key);
}

/** A link or ticket of the shop, valid once within two minutes; `claims` may say otherwise. */
export function signed(sub: string, claims: Claims = {}): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 120;
  return sign({ claims: { jti: randomUUID(), sub, exp, ...claims } });
}

/**
 * Leads the visitor into the shop by a new token; returns the query (`?…`) of every address there, empty for
 * links.
 */
export async function enterShop(
  visitor: Visitor,
  mount: '/centers' | '/embed',
  { subject, scope }: { readonly subject: string; readonly scope: 'manage' | 'withdraw' },
): Promise<string> {
  const token = await signed(subject, { scope });
  const { url } = await visitor.open(`${mount}/shop?${mount === '/embed' ? 'ticket' : 't'}=${token}`);
  return mount === '/embed' ? new URL(url).search : '';
}

/** A server where a customer publishes keys; `asked` counts the requests. */
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
