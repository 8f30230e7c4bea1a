import { isIPv6 } from 'node:net';
import type { Request } from 'express';

/**
 * Where a client is, for logs: the /24 of IPv4, the /48 of IPv6. Enough to see an attack and where it comes from, too
 * little to tell a person by.
 */
export function networkOf({ ip = '' }: Pick<Request, 'ip'>): string {
  const widest = networksOf(ip).at(-1)?.key ?? '';
  return widest.includes('/') ? widest : 'unknown';
}

/** One of the networks that an address is in. `times`: how much more than its smallest it may do. */
export interface Network {
  readonly key: string;
  readonly times: number;
}

/**
 * The networks of a client, the narrowest first. Who has one address of IPv6 has its whole /64, often a /56, and a
 * site has a /48; of IPv4 a /24 is what is routed by itself.
 */
export function networksOf(address: string): readonly Network[] {
  const ip = withoutPort(address);
  const dotted = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.(\d+)$/i.exec(ip);
  if (dotted !== null) return ofFour(String(dotted[1]), String(dotted[2]));
  if (!isIPv6(ip)) return [{ key: 'unknown', times: 1 }];
  const groups = expand(ip);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const isMapped = [a, b, c, d, e].every((group) => group === 0) && f === 0xffff;
  // What RFC 6052 translates: where servers have no IPv4, all who have nothing else come from this one /96.
  const isTranslated = a === 0x64 && b === 0xff9b && [c, d, e, f].every((group) => group === 0);
  // IPv4 within IPv6, written in hexadecimal.
  if (isMapped || isTranslated) return ofFour(`${g >> 8}.${g & 0xff}.${h >> 8}`, String(h & 0xff));
  const hex = (...parts: number[]) => parts.map((part) => part.toString(16)).join(':');
  return [
    { key: `${hex(a, b, c, d)}::/64`, times: 1 },
    { key: `${hex(a, b, c, d & 0xff00)}::/56`, times: 2 },
    { key: `${hex(a, b, c)}::/48`, times: 4 },
  ];
}

/** Some proxies name a client with its port, which is another one for each connection. */
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

/** Its eight groups; what cannot be read is 0. */
function expand(ip: string): readonly number[] {
  const plain = (ip.split('%')[0] ?? '').replace(
    /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/,
    (_all, ...bytes) => {
      const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
      return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
    },
  );
  const [head = '', tail] = plain.split('::');
  const read = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16) || 0);
  const before = read(head);
  if (tail === undefined) return before;
  const after = read(tail);
  return [
    ...before,
    ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => 0),
    ...after,
  ];
}
