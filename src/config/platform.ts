import type { Reading } from './reading.ts';
import { Secret } from './setting.ts';
import type { SettingValue } from './settings.ts';

export interface PlatformConfig {
  readonly url: URL;
  /** The former address of the same tenant: its journal is taken over. */
  readonly movedFrom: URL | undefined;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly tokenStyle: SettingValue<'PLATFORM_TOKEN_STYLE'>;
  readonly tokenPerScope: boolean;
  readonly rateLimitPrefix: 'ot' | 'svc';
  readonly dataElementsKey: 'dsDataElements' | 'DsDataElements';
}

/** Allowed calls: of one endpoint in a minute, and of all endpoints in an hour. */
export interface QuotaConfig {
  readonly perMinute: number;
  readonly perHour: number;
  /** If no setting gives `perHour`: our share of the account's hour, once the platform says how large that is. */
  readonly hourShare?: number | undefined;
}

type SandboxQuota = { readonly [Name in 'perMinute' | 'perHour']: number | undefined };

/** Other programs use the account, too, and a program over its quota is refused for the rest of the hour. */
const usualShare = 1 / 4;

/** `sandbox`: its limits, if it is the platform. undefined: no limit. */
export function readQuota(
  { read, has }: Reading,
  { sandbox, warnings }: { readonly sandbox: SandboxQuota | undefined; readonly warnings: string[] },
): QuotaConfig | undefined {
  const own = {
    perMinute: read('PLATFORM_REQUESTS_PER_MINUTE'),
    perHour: read('PLATFORM_REQUESTS_PER_HOUR'),
  };
  const isSaid = has('PLATFORM_REQUESTS_PER_MINUTE') || has('PLATFORM_REQUESTS_PER_HOUR');
  if (own.perHour < own.perMinute) {
    warnings.push(
      'PLATFORM_REQUESTS_PER_HOUR is less than PLATFORM_REQUESTS_PER_MINUTE: an hour is used up within a minute',
    );
  }
  const share = has('PLATFORM_REQUESTS_PER_HOUR') ? {} : { hourShare: usualShare };
  if (sandbox === undefined || isSaid) return { ...own, ...share };
  const { perMinute, perHour } = sandbox;
  if (perMinute === undefined && perHour === undefined) return undefined;
  return { perMinute: perMinute ?? unlimited, perHour: perHour ?? unlimited };
}

const unlimited = 1_000_000_000;

const needed = 'a tenant needs PLATFORM_URL, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET';

/**
 * Production without a platform must not become the sandbox, which accepts withdrawals and carries out none.
 * `production`: settings that only a real installation has.
 */
export function sandboxFaultOf(given: {
  readonly asked: 'on' | 'off' | undefined;
  readonly hasPlatform: boolean;
  readonly production: readonly string[];
}): string | undefined {
  const { asked, hasPlatform, production } = given;
  if (asked === 'on')
    return hasPlatform ? 'SANDBOX is on beside PLATFORM_URL and its like: keep one' : undefined;
  if (hasPlatform) return undefined;
  if (asked === 'off') return `SANDBOX is off, and no platform is named: ${needed}`;
  if (production.length === 0) return undefined;
  return `PLATFORM_URL is missing beside ${production.join(', ')}: ${needed}; who wants the sandbox of made-up people sets SANDBOX=on`;
}

/** `faulty`: the faults say why. */
export function readPlatform({ read, has, faults }: Reading): PlatformConfig | undefined | 'faulty' {
  const styles = {
    tokenStyle: read('PLATFORM_TOKEN_STYLE'),
    tokenPerScope: read('PLATFORM_TOKEN_PER_SCOPE') === 'on',
    rateLimitPrefix: read('PLATFORM_RATE_LIMIT_PREFIX'),
    dataElementsKey: read('PLATFORM_DATA_ELEMENTS_KEY'),
  };
  const missing = credentials.filter((name) => !has(name));
  const [url, clientId, clientSecret] = [
    read('PLATFORM_URL'),
    read('PLATFORM_CLIENT_ID'),
    read('PLATFORM_CLIENT_SECRET'),
  ];
  if (missing.length === credentials.length) return undefined;
  for (const name of missing) faults.push(`${name} is missing: ${needed}`);
  const movedFrom = read('PLATFORM_MOVED_FROM');
  if (url === undefined || clientId === undefined || clientSecret === undefined) return 'faulty';
  return { url, movedFrom, clientId, clientSecret: new Secret(clientSecret), ...styles };
}

const credentials = ['PLATFORM_URL', 'PLATFORM_CLIENT_ID', 'PLATFORM_CLIENT_SECRET'] as const;
