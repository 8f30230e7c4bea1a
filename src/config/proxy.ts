import { BlockList, isIP } from 'node:net';

/** Refuses entries that crash express, or that would trust any client as a proxy. */
export function proxyFaultOf(entry: string): string | undefined {
  const [, address = '', prefix] = /^([^/]*)(?:\/(.*))?$/.exec(entry) ?? [];
  const version = isIP(address);
  const isOdd = version === 6 && /[.%]/.test(address);
  if (version === 0 || isOdd)
    return 'is no address or CIDR range: write them as 192.0.2.1, 10.0.0.0/8 or fd00::/8, separated by commas, never a name';
  if (prefix === undefined) return undefined;
  const bits = version === 4 ? 32 : 128;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits)
    return `has a prefix that is no number from 1 to ${bits}`;
  const isWide =
    version === 4 ? Number(prefix) < leastBits.v4 : isWideV6({ address, prefix: Number(prefix) });
  return isWide
    ? 'is the whole internet, or a large part of it: any caller there could claim to be any client'
    : undefined;
}

/** A few wider ranges together would be everybody. `v6`: all of the private range (fc00::/7) is allowed. */
const leastBits = { v4: 8, v6: 7 };

/** Also true for a range that contains all of IPv4 as IPv6 writes it. */
function isWideV6({ address, prefix }: { readonly address: string; readonly prefix: number }): boolean {
  if (prefix < leastBits.v6) return true;
  if (prefix >= 96 + leastBits.v4) return false;
  const range = new BlockList();
  range.addSubnet(address, prefix, 'ipv6');
  return range.check('::ffff:0:1', 'ipv6') || range.check('::ffff:ffff:ffff', 'ipv6');
}
