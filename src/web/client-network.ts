import { isIPv6 } from 'node:net';
import type { Request } from 'express';

/**
 * The network of a client for logs: /24 of IPv4, /48 of IPv6. It shows where an attack comes from, but
 * identifies no person.
 */
export function networkOf({ ip = '' }: Pick<Request, 'ip'>): string {
  const widest = networksOf(ip).at(-1)?.key ?? '';
  return widest.includes('/') ? widest : 'unknown';
}

/** A network that holds an address. `times`: its limit, as a multiple of the smallest network's limit. */
export interface Network {
  readonly key: string;
  readonly times: number;
}

/**
 * The networks of a client, the narrowest first. A client with one IPv6 address usually has the whole /64 and
 * often a /56; a site has a /48. In IPv4 the smallest routed network is a /24.
 */
export function networksOf(address: string): readonly Network[] {
  const ip = withoutPort(address);
  const dotted = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.(\d+)$/i.exec(ip);
  if (dotted !== null) return ofFour(String(dotted[1]), String(dotted[2]));
  if (!isIPv6(ip)) return [{ key: 'unknown', times: 1 }];
  const groups = expand(ip);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const isMapped = [a, b, c, d, e].every((group) => group === 0) && f === 0xffff;
  // RFC 6052 translation: on an IPv6-only server, all IPv4 clients come from this one /96.
  const isTranslated = a === 0x64 && b === 0xff9b && [c, d, e, f].every((group) => group === 0);
  // IPv4 in IPv6, in hexadecimal.
  if (isMapped || isTranslated) return ofFour(`${g >> 8}.${g & 0xff}.${h >> 8}`, String(h & 0xff));
  const hex = (...parts: number[]) => parts.map((part) => part.toString(16)).join(':');
  return [
    { key: `${hex(a, b, c, d)}::/64`, times: 1 },
    { key: `${hex(a, b, c, d & 0xff00)}::/56`, times: 2 },
    { key: `${hex(a, b, c)}::/48`, times: 4 },
  ];
}

/** Some proxies send a client's address with its port, which differs for each connection. */
function withoutPort(address: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(address) ?? [];
  return bracketed ?? address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}

function ofFour(network: string, last: string): readonly Network[] {
  return [
    { key: `${network}.${last}`, times: 1 },
    { key: `${network}.0/24`, times: 4 },
  ];
}

/** The eight groups of an IPv6 address. */
function expand(ip: string): readonly number[] {
  const plain = new URL(`http://[${ip.split('%')[0]}]`).hostname.slice(1, -1);
  const [head = '', tail] = plain.split('::');
  const read = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const before = read(head);
  if (tail === undefined) return before;
  const after = read(tail);
  return [
    ...before,
    ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => 0),
    ...after,
  ];
}
