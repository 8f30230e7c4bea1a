import type { Reading } from './reading.ts';

/**
 * The product's default share of the account's hour. Other programs use the account, too, and a program over
 * its quota is refused for the rest of the hour.
 */
const usualShare = 1 / 4;

/**
 * Calls that the product may make: to one endpoint in a minute, and to all endpoints in an hour. `hourShare`
 * is set if no setting gives the hour: the share of the account's hour, once the platform says how large that
 * is. `sandbox` holds the sandbox's limits, if it is the platform. undefined: no limit.
 */
export function readQuota(
  { read, has, warnings }: Reading,
  sandbox: { readonly perMinute: number | undefined; readonly perHour: number | undefined } | undefined,
): { readonly perMinute: number; readonly perHour: number; readonly hourShare?: number } | undefined {
  const [perMinute, perHour] = [read('PLATFORM_REQUESTS_PER_MINUTE'), read('PLATFORM_REQUESTS_PER_HOUR')];
  const isSaid = has('PLATFORM_REQUESTS_PER_MINUTE') || has('PLATFORM_REQUESTS_PER_HOUR');
  if (perHour < perMinute) {
    warnings.push(
      'PLATFORM_REQUESTS_PER_HOUR is less than PLATFORM_REQUESTS_PER_MINUTE: an hour is used up within a minute',
    );
  }
  const share = has('PLATFORM_REQUESTS_PER_HOUR') ? {} : { hourShare: usualShare };
  if (sandbox === undefined || isSaid) return { perMinute, perHour, ...share };
  if (sandbox.perMinute === undefined && sandbox.perHour === undefined) return undefined;
  return { perMinute: sandbox.perMinute ?? unlimited, perHour: sandbox.perHour ?? unlimited };
}

const unlimited = 1_000_000_000;

const needed = 'a tenant needs PLATFORM_URL, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET';

/**
 * Production without a platform must not become the sandbox, which accepts withdrawals and sends none.
 * `production` lists settings that only a real installation has.
 */
export function sandboxFaultOf(
  { read }: Reading,
  { hasPlatform, production }: { readonly hasPlatform: boolean; readonly production: readonly string[] },
): string | undefined {
  const asked = read('SANDBOX');
  if (asked === 'on')
    return hasPlatform ? 'SANDBOX is on beside PLATFORM_URL and its like: keep one' : undefined;
  if (hasPlatform) return undefined;
  if (asked === 'off') return `SANDBOX is off, and no platform is named: ${needed}`;
  if (production.length === 0) return undefined;
  return `PLATFORM_URL is missing beside ${production.join(', ')}: ${needed}; who wants the sandbox of made-up people sets SANDBOX=on`;
}

/** `faulty` means that a setting is missing or wrong; the faults say why. undefined: no platform is named. */
export function readPlatform({ read, has, faults }: Reading) {
  const styles = {
    tokenStyle: read('PLATFORM_TOKEN_STYLE'),
    tokenPerScope: read('PLATFORM_TOKEN_PER_SCOPE'),
    rateLimitPrefix: read('PLATFORM_RATE_LIMIT_PREFIX'),
    dataElementsKey: read('PLATFORM_DATA_ELEMENTS_KEY'),
  };
  const missing = credentials.filter((name) => !has(name));
  const url = read('PLATFORM_URL');
  const clientId = read('PLATFORM_CLIENT_ID');
  const clientSecret = read('PLATFORM_CLIENT_SECRET');
  if (missing.length === credentials.length) return undefined;
  for (const name of missing) faults.push(`${name} is missing: ${needed}`);
  /** The former address of the same tenant. The journal that belongs to that address goes on. */
  const movedFrom = read('PLATFORM_MOVED_FROM');
  if (url === undefined || clientId === undefined || clientSecret === undefined) return 'faulty';
  return { url, movedFrom, clientId, clientSecret, ...styles };
}

const credentials = ['PLATFORM_URL', 'PLATFORM_CLIENT_ID', 'PLATFORM_CLIENT_SECRET'] as const;
