import { isIPv6 } from 'node:net';
import type { Request } from 'express';

/**
 * Where a client is, for logs: the /24 of IPv4, the /48 of IPv6. Enough to see an attack and where it comes from, too
 * little to tell a person by.
 */
export function networkOf({ ip = '' }: Pick<Request, 'ip'>): string {
  const start = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(ip)?.[1];
  if (start !== undefined) return `${start}.0/24`;
  if (!isIPv6(ip)) return 'unknown';
  const [before = [], after = []] = ip
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = ip.includes('::') ? Array.from({ length: 8 - before.length - after.length }, () => '0') : [];
  const groups = [...before, ...zeros, ...after].slice(0, 3);
  return `${groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}::/48`;
}
