import { BlockList, isIP } from 'node:net';

/**
 * Addresses that are not of the public internet: IANA's special-purpose registries, and IPv6 ranges that can
 * carry any IPv4 address. An IPv4 address mapped into IPv6 is checked as IPv4.
 */
const refused = networks([
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's own services.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** Only 2000::/3 is assigned. */
const given = networks([['2000::', 3]]);

/**
 * Addresses that are never a receiver, even in private networks: this host, link-local addresses, the
 * metadata services of clouds (Alibaba, Azure, Oracle, Amazon and Google), multicast, and IPv6 ranges that
 * can carry any of these.
 */
const never = networks([
  ['0.0.0.0', 8],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['192.0.0.192', 32],
  ['224.0.0.0', 3],
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
  ['fe80::', 10],
  ['ff00::', 8],
]);

function networks(all: readonly (readonly [network: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of all) list.addSubnet(network, prefix, isIP(network) === 4 ? 'ipv4' : 'ipv6');
  return list;
}

const mapped = /^::ffff:(?:0:)?(\d+\.\d+\.\d+\.\d+)$/i;

/** Whether an address is outside of the networks of this installation. */
export function isPublicAddress(address: string): boolean {
  const plain = unmapped(address);
  const family = isIP(plain);
  if (family === 4) return !refused.check(plain, 'ipv4');
  return family === 6 && given.check(plain, 'ipv6') && !refused.check(plain, 'ipv6');
}

/** Whether an address may be a receiver if private networks are allowed. */
export function isReceiverAddress(address: string): boolean {
  const plain = unmapped(address);
  const family = isIP(plain);
  if (family === 4) return !never.check(plain, 'ipv4');
  const isLoopback = plain === '::1';
  return family === 6 && (isLoopback || !never.check(plain, 'ipv6'));
}

/** An address without its zone; an IPv4 address mapped into IPv6 as IPv4. */
function unmapped(address: string): string {
  const plain = address.split('%')[0] ?? '';
  return mapped.exec(plain)?.[1] ?? plain;
}
