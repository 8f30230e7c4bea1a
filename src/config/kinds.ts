import { BlockList, isIP } from 'node:net';
import * as z from 'zod';
import { isSafeAddress } from '../core/model/web-address.ts';
import { isRandomSecret, readUrl, Secret, secretRule } from './setting.ts';

/** Kinds of values. Messages say what a value must be, never the value. They follow the setting's name. */
export const text = z.string().optional();
export const secret = z.string().transform((value) => new Secret(value));
export const ownSecret = z.string().refine(isRandomSecret, secretRule).pipe(secret).optional();
export const guid = z.guid('must be a GUID').optional();

/**
 * The value that `read` makes of the text. undefined: the text is wrong, and `message` says what it must be.
 */
export function readBy<T>(message: string, read: (text: string) => T | undefined) {
  return z
    .string()
    .transform((text, context) => {
      const value = read(text);
      if (value !== undefined) return value;
      context.addIssue(message);
      return z.NEVER;
    })
    .optional();
}

/** Ignores case, unless two values differ in case alone. */
export function choice<const T extends string>(...values: readonly T[]) {
  return readBy(`must be one of ${values.join(', ')}`, (text) => {
    const exact = values.find((value) => value === text);
    return exact ?? values.find((value) => value.toLowerCase() === text.toLowerCase());
  });
}

export const offOrOn = choice('off', 'on').transform((value) => value === 'on');

const number = z.string().transform(Number);

export function numberFrom(least: number, most: number) {
  return number.refine(
    (value) => value >= least && value <= most,
    `must be a number from ${least} to ${most}`,
  );
}

export function wholeFrom(least: number, most: number, what = 'a whole number') {
  return number.refine(
    (value) => Number.isInteger(value) && value >= least && value <= most,
    `must be ${what} from ${least} to ${most}`,
  );
}

export function days(least: number) {
  return wholeFrom(least, 36_500, 'a whole number of days');
}

export const hours = number.refine(
  (value) => value > 0 && value <= 720,
  'must be a number of hours, more than 0 and at most 720',
);
export const quota = number
  .refine((value) => Number.isSafeInteger(value) && value >= 1, 'must be a whole number, 1 or more')
  .optional();

const isPort = (value: number | 'off') =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65535;
const portMessage = 'must be a port number (0 to 65535)';
export const port = number.refine(isPort, portMessage).optional();
export const portOrOff = z
  .string()
  .transform((text) => (text === 'off' ? ('off' as const) : Number(text)))
  .refine((value) => value === 'off' || isPort(value), portMessage)
  .optional();

/** An http or https address that meets a condition. */
function address(message: string, isGood: (url: URL) => boolean = () => true) {
  return readBy(message, (text) => {
    const url = readUrl(text);
    return url !== undefined && isGood(url) ? url : undefined;
  });
}

export const safeAddress = address('must be an https address, or http on loopback', isSafeAddress);
export const formerAddress = address('must be the address that PLATFORM_URL was before');
export const origin = address(
  'must be an http or https origin without a path, such as https://preferences.example.org',
  ({ search, hash, pathname }) => search === '' && hash === '' && pathname === '/',
);

/** The address of a collector; it may contain a user and a password. */
export const collector = readBy('must be an http or https address without a query', (text) => {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined;
  return url.search === '' && url.hash === '' ? url : undefined;
});

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];
export const databaseAddress = z
  .string()
  .refine(
    (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text),
    'must be an address such as postgres://user:password@host/database',
  )
  .refine(
    (text) => sslModes.includes(URL.parse(text)?.searchParams.get('sslmode') ?? 'disable'),
    `: sslmode must be one of ${sslModes.join(', ')}`,
  )
  .optional();

export const host = z
  .string()
  .refine(
    (text) => text === 'all' || text === 'localhost' || isIP(text) !== 0,
    'must be an address of this machine, such as 127.0.0.1, or all',
  )
  .optional();

function list(separator: RegExp | string) {
  return z.string().transform((text) =>
    text
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
}

export const proxies = list(',')
  .superRefine((parts, context) => {
    for (const [index, part] of parts.entries()) {
      const fault = proxyFaultOf(part);
      if (fault !== undefined) context.addIssue(`: number ${index + 1} of the list ${fault}`);
    }
  })
  .default([]);

export const hostNames = list(/[\s,]+/)
  .refine(
    (names) => names.every((name) => URL.parse(`http://${name}`)?.host === name),
    'must be names of hosts in small letters, without a port, separated by commas',
  )
  .default([]);

const sandboxScopes = ['CONSENT', 'CONSENT_READ', 'POLICY', 'ISSUE', 'ISSUE_READ'];
export const scopes = list(/[\s,]+/)
  .refine(
    (names) => names.length > 0 && names.every((name) => sandboxScopes.includes(name)),
    `must name some of ${sandboxScopes.join(', ')}`,
  )
  .optional();

/** Refuses entries that crash express, or that would trust any client as a proxy. */
function proxyFaultOf(entry: string): string | undefined {
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

/**
 * The shortest prefixes that are allowed: a few wider ranges together would be the whole internet. `v6`
 * allows all of the private range (fc00::/7).
 */
const leastBits = { v4: 8, v6: 7 };

/** True for a range with a short prefix, and for one that contains all of IPv4 as IPv6 writes it. */
function isWideV6({ address, prefix }: { readonly address: string; readonly prefix: number }): boolean {
  if (prefix < leastBits.v6) return true;
  if (prefix >= 96 + leastBits.v4) return false;
  const range = new BlockList();
  range.addSubnet(address, prefix, 'ipv6');
  return range.check('::ffff:0:1', 'ipv6') || range.check('::ffff:ffff:ffff', 'ipv6');
}
