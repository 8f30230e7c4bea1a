import { isSafeAddress } from '../core/model/web-address.ts';
import { type Reading, readUrl, Secret } from './setting.ts';

export interface PlatformConfig {
  readonly url: URL;
  /** Where the same tenant was before: a journal of that address is taken over. */
  readonly movedFrom: URL | undefined;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly tokenStyle: (typeof tokenStyles)[number];
  readonly tokenPerScope: boolean;
  readonly rateLimitPrefix: 'ot' | 'svc';
  readonly dataElementsKey: 'dsDataElements' | 'DsDataElements';
  readonly identifierEncoding: 'refuse' | 'utf-8' | 'percent';
}

const tokenStyles = ['multipart', 'urlencoded', 'basic'] as const;

const needed = 'a tenant needs PLATFORM_URL, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET';

/**
 * Production whose platform is missing must not become the sandbox, which takes withdrawals and carries out none.
 * `production`: the settings that only a real installation has.
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

/** `faulty`: named in the faults. */
export function readPlatform({
  setting,
  secret,
  oneOf,
  faults,
}: Reading): PlatformConfig | undefined | 'faulty' {
  const url = setting('PLATFORM_URL');
  const clientId = setting('PLATFORM_CLIENT_ID');
  const clientSecret = secret('PLATFORM_CLIENT_SECRET');
  const styles = {
    tokenStyle: oneOf('PLATFORM_TOKEN_STYLE', tokenStyles, 'multipart'),
    tokenPerScope: oneOf('PLATFORM_TOKEN_PER_SCOPE', ['off', 'on'], 'off') === 'on',
    rateLimitPrefix: oneOf('PLATFORM_RATE_LIMIT_PREFIX', ['ot', 'svc'], 'ot'),
    dataElementsKey: oneOf(
      'PLATFORM_DATA_ELEMENTS_KEY',
      ['dsDataElements', 'DsDataElements'] as const,
      'dsDataElements',
    ),
    identifierEncoding: oneOf('PLATFORM_IDENTIFIER_ENCODING', ['refuse', 'utf-8', 'percent'], 'refuse'),
  };
  if (url === undefined && clientId === undefined && clientSecret === undefined) return undefined;
  const missing = Object.entries({
    PLATFORM_URL: url,
    PLATFORM_CLIENT_ID: clientId,
    PLATFORM_CLIENT_SECRET: clientSecret,
  })
    .filter(([, value]) => value === undefined)
    .map(([name]) => name);
  for (const name of missing) faults.push(`${name} is missing: ${needed}`);
  const parsed = url === undefined ? undefined : readUrl(url);
  if (url !== undefined && (parsed === undefined || !isSafeAddress(parsed))) {
    faults.push('PLATFORM_URL must be an https address, or http on loopback');
  }
  const before = setting('PLATFORM_MOVED_FROM');
  const movedFrom = before === undefined ? undefined : readUrl(before);
  if (before !== undefined && movedFrom === undefined) {
    faults.push('PLATFORM_MOVED_FROM must be the address that PLATFORM_URL was before');
  }
  if (parsed === undefined || clientId === undefined || clientSecret === undefined) return 'faulty';
  return { url: parsed, movedFrom, clientId, clientSecret: new Secret(clientSecret), ...styles };
}
