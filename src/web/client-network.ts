import { isIPv4, isIPv6 } from 'node:net';
import type { Request } from 'express';

/**
 * The network of a client for logs: /24 of IPv4, /48 of IPv6. It shows where an attack comes from, but
 * identifies no person.
 */
export function networkOf({ ip = '' }: Pick<Request, 'ip'>): string {
  const widest = networksOf(ip).at(-1)?.key ?? '';
  return widest.includes('/') ? widest : 'unknown';
}

/**
 * The prefixes of IPv4 addresses in IPv6: mapped addresses, and translated ones (RFC 6052). On an IPv6-only
 * server, all IPv4 clients come from the translated /96.
 */
const prefixesOfIpv4 = new Set(['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0']);

/**
 * The networks of a client, the narrowest first. A client with one IPv6 address usually has the whole /64 and
 * often a /56; a site has a /48. In IPv4 the smallest routed network is a /24. `times`: the limit of a
 * network, as a multiple of the smallest network's.
 */
export function networksOf(address: string) {
  const bare = withoutPort(address);
  const ip = isIPv4(bare) ? `::ffff:${bare}` : bare;
  if (!isIPv6(ip)) return [{ key: 'unknown', times: 1 }];
  const groups = expand(ip);
  if (prefixesOfIpv4.has(groups.slice(0, 6).join(':'))) {
    const [a, b, c, d] = groups.slice(6).flatMap((group) => {
      const number = Number.parseInt(group, 16);
      return [number >> 8, number & 0xff];
    });
    return [
      { key: `${a}.${b}.${c}.${d}`, times: 1 },
      { key: `${a}.${b}.${c}.0/24`, times: 4 },
    ];
  }
  const site = groups.slice(0, 3).join(':');
  const [, , , subnet = ''] = groups;
  const block = (Number.parseInt(subnet, 16) & 0xff00).toString(16);
  return [
    { key: `${site}:${subnet}::/64`, times: 1 },
    { key: `${site}:${block}::/56`, times: 2 },
    { key: `${site}::/48`, times: 4 },
  ];
}

/** Some proxies send a client's address with its port, which differs for each connection. */
function withoutPort(address: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(address) ?? [];
  return bracketed ?? address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}

/** The eight groups of an IPv6 address, in hexadecimal. */
function expand(ip: string): readonly string[] {
  const plain = new URL(`http://[${ip.split('%')[0]}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = plain.split('::').map((half) => half.split(':').filter(Boolean));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}
