import type { CenterConfig } from '../core/model/center-config.ts';
import { isLoopback, isSafeAddress } from '../core/model/web-address.ts';
import { readCentersFile } from './centers-file.ts';
import { type MailSettings, readMailSettings } from './mail.ts';
import { type OperationSettings, readOperationSettings } from './operation.ts';
import { type PlatformConfig, readPlatform, sandboxFaultOf } from './platform.ts';
import { type RetentionSettings, readRetentionSettings } from './retention.ts';
import { isWeak, readSecrets } from './secrets.ts';
import { type Reading, readUrl, Secret } from './setting.ts';

export interface Config extends OperationSettings, RetentionSettings {
  readonly port: number;
  /** Without a trailing slash. */
  readonly publicUrl: URL;
  readonly dataDir: string;
  /** The first seals, all open. undefined: made and kept in the data folder (sandbox mode only). */
  readonly secrets: readonly Secret[] | undefined;
  /** undefined: the built-in sandbox. */
  readonly platform: PlatformConfig | undefined;
  /** undefined: every center of the platform is served at its GUID. */
  readonly centers: readonly CenterConfig[] | undefined;
  readonly sandbox: SandboxConfig;
  /** undefined: the sandbox keeps its messages, a tenant's centers offer no sign-in by mail. */
  readonly mail: (Omit<MailSettings, 'url'> & { readonly url: Secret }) | undefined;
  /** Messages that let somebody in, to browsers that nobody knows; as many again to all others. */
  readonly signInMailsPerHour: number;
  /** How staff sign in; undefined: only by the one-time address of the sandbox, and not at all with a tenant. */
  readonly staff: StaffConfig | undefined;
  /** undefined: metrics are shown at a port of their own, or not at all. */
  readonly metricsToken: Secret | undefined;
  /** Of the demo's customer site, beside the sandbox; undefined: the next one after `port`. */
  readonly demoPort: number | 'off' | undefined;
  /** What an operator should change, said at the start. Names settings, never their values. */
  readonly warnings: readonly string[];
}

/** OpenID Connect. */
export interface StaffConfig {
  readonly issuer: URL;
  readonly clientId: string;
  /** undefined: a public client, which proves itself by PKCE alone. */
  readonly clientSecret: Secret | undefined;
  /** The ID token's claim that holds the roles; dots lead into objects (`realm_access.roles`). */
  readonly rolesClaim: string;
}

export interface SandboxConfig {
  readonly port: number | undefined;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly dataDir: string | undefined;
  readonly rateLimitPrefix: 'ot' | 'svc';
  /** Requests of one operation; undefined: as many as come. */
  readonly perMinute: number | undefined;
  /** Requests of every operation together; undefined: as many as come. */
  readonly perHour: number | undefined;
  /** Whether one purpose in two centers is one consent. */
  readonly consent: 'shared' | 'by-center';
  /** What its client may do; undefined: everything. */
  readonly scopes: readonly string[] | undefined;
  /** Seconds that a token lives. */
  readonly tokenLife: number | undefined;
}

/** Every fault of the settings at once. Names settings, never their values. */
export class ConfigFaults extends Error {
  override readonly name = 'ConfigFaults';
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(
      `The settings have ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
    this.faults = faults;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings. `read` gives a file's text and throws when it cannot.
 * Throws ConfigFaults, which names every fault.
 */
export function readConfig(env: Environment, read: (path: string) => string): Config {
  const faults: string[] = [];
  const warnings: string[] = [];
  const setting = (name: string): string | undefined => {
    const value = env[name]?.trim();
    return value === '' ? undefined : value;
  };
  const secret = (name: string): string | undefined => {
    const file = setting(`${name}_FILE`);
    if (file === undefined) return setting(name);
    if (setting(name) !== undefined) faults.push(`${name} and ${name}_FILE are both set: keep one`);
    try {
      return read(file).trim() || undefined;
    } catch {
      faults.push(`${name}_FILE names a file that cannot be read`);
      return undefined;
    }
  };
  const oneOf = <T extends string>(name: string, values: readonly T[], otherwise: T): T => {
    const value = setting(name);
    if (value === undefined) return otherwise;
    // Two values may differ in their capitals alone.
    const exact = values.find((candidate) => candidate === value);
    const known = exact ?? values.find((candidate) => candidate.toLowerCase() === value.toLowerCase());
    if (known === undefined) faults.push(`${name} must be one of ${values.join(', ')}`);
    return known ?? otherwise;
  };
  const port = (name: string): number | undefined => {
    const value = setting(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (Number.isInteger(number) && number >= 0 && number <= 65535) return number;
    faults.push(`${name} must be a port number (0 to 65535)`);
    return undefined;
  };
  const quota = (name: string): number | undefined => {
    const value = setting(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (Number.isSafeInteger(number) && number >= 1) return number;
    faults.push(`${name} must be a whole number, 1 or more`);
    return undefined;
  };

  const listenPort = port('PORT') ?? 3000;
  const platform = readPlatform({ setting, secret, oneOf, faults });
  const centersFile = setting('CENTERS_FILE');
  const metricsToken = secret('METRICS_TOKEN');
  const sandboxData = setting('SANDBOX_DATA');
  if (sandboxData !== undefined && isMissing(sandboxData, read)) {
    faults.push('SANDBOX_DATA names a folder that is not there');
  }
  if (metricsToken !== undefined && metricsToken.length < 16) {
    faults.push('METRICS_TOKEN must have at least 16 characters');
  }
  const publicUrl = readPublicUrl(setting('PUBLIC_URL'), listenPort, faults);
  const allowsPlaintext = oneOf('ALLOW_PLAINTEXT', ['off', 'on'], 'off') === 'on';
  if (publicUrl.protocol === 'http:' && !isLoopback(publicUrl)) {
    const isFault = platform !== undefined && !allowsPlaintext;
    (isFault ? faults : warnings).push(
      `PUBLIC_URL is http, and not of this machine: links, passcodes and sessions can be read on the way${isFault ? '. Use https, or set ALLOW_PLAINTEXT=on in a closed network' : ''}`,
    );
  }
  const secretText = secret('SECRET');
  const sandboxFault = sandboxFaultOf({
    asked:
      setting('SANDBOX') === undefined ? undefined : oneOf<'off' | 'on'>('SANDBOX', ['off', 'on'], 'off'),
    hasPlatform: platform !== undefined,
    production: [
      ...(isLoopback(publicUrl) ? [] : ['PUBLIC_URL']),
      ...(centersFile === undefined ? [] : ['CENTERS_FILE']),
      ...(secretText === undefined ? [] : ['SECRET']),
      ...(isOfThisMachine(setting('HOST')) ? [] : ['HOST']),
      ...(setting('NODE_ENV')?.toLowerCase() === 'production' ? ['NODE_ENV'] : []),
      ...Object.keys(env).filter((name) => speaksOfProduction(name, setting(name))),
    ],
  });
  if (sandboxFault !== undefined) faults.push(sandboxFault);
  const sending = { url: secret('SMTP_URL'), from: setting('MAIL_FROM'), host: publicUrl.hostname };
  const mail = readMailSettings({ ...sending, allowsPlaintext }, { faults, warnings });
  const centers = centersFile === undefined ? undefined : readCentersFile(centersFile, read, faults);
  for (const { name, linkKeys } of centers ?? []) {
    if (linkKeys.some((key) => key.kind === 'secret' && isWeak(key.secret))) {
      warnings.push(
        `CENTERS_FILE: a secret of linkKeys of ${name} can be guessed, and so can its links be made`,
      );
    }
  }
  if (metricsToken !== undefined && isWeak(metricsToken)) warnings.push('METRICS_TOKEN can be guessed');
  const config: Config = {
    port: listenPort,
    publicUrl,
    dataDir: setting('DATA_DIR') ?? './data',
    secrets: readSecrets(secretText, { isNeeded: platform !== undefined, faults, warnings }),
    platform: platform === 'faulty' ? undefined : platform,
    centers,
    sandbox: {
      port: port('SANDBOX_PORT'),
      clientId: setting('SANDBOX_CLIENT_ID') ?? 'sandbox',
      clientSecret: new Secret(secret('SANDBOX_CLIENT_SECRET') ?? 'sandbox-secret'),
      dataDir: sandboxData,
      rateLimitPrefix: oneOf('SANDBOX_RATE_LIMIT_PREFIX', ['svc', 'ot'], 'svc'),
      perMinute: quota('SANDBOX_REQUESTS_PER_MINUTE'),
      perHour: quota('SANDBOX_REQUESTS_PER_HOUR'),
      consent: oneOf('SANDBOX_CONSENT', ['shared', 'by-center'], 'shared'),
      scopes: readScopes(setting('SANDBOX_SCOPES'), faults),
      tokenLife: quota('SANDBOX_TOKEN_SECONDS'),
    },
    staff: readStaff({ setting, secret, oneOf, faults }),
    signInMailsPerHour: quota('SIGN_IN_MAILS_PER_HOUR') ?? 2_000,
    mail: mail === undefined ? undefined : { ...mail, url: new Secret(mail.url) },
    ...readOperationSettings({
      setting,
      oneOf,
      port,
      drain: platform === undefined ? 1 : 5,
      isSandbox: platform === undefined,
      faults,
    }),
    ...readRetentionSettings({ setting, faults }),
    metricsToken: metricsToken === undefined ? undefined : new Secret(metricsToken),
    demoPort: setting('DEMO_PORT') === 'off' ? 'off' : port('DEMO_PORT'),
    warnings,
  };
  if (faults.length > 0) throw new ConfigFaults(faults);
  return config;
}

const ofPlatform =
  /^PLATFORM_(URL|MOVED_FROM|CLIENT_ID|CLIENT_SECRET(_FILE)?|TOKEN_STYLE|TOKEN_PER_SCOPE|RATE_LIMIT_PREFIX|DATA_ELEMENTS_KEY|IDENTIFIER_ENCODING)$/;

/** Also a tenant's setting that is there and empty: what should have filled it did not. */
function speaksOfProduction(name: string, value: string | undefined): boolean {
  if (ofPlatform.test(name)) return true;
  return value !== undefined && /^(STAFF_OIDC_.+|SMTP_URL(_FILE)?|TRUST_PROXY)$/.test(name);
}

function isOfThisMachine(host: string | undefined): boolean {
  return host === undefined || /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);
}

const sandboxScopes = ['CONSENT', 'CONSENT_READ', 'POLICY', 'ISSUE', 'ISSUE_READ'];

function readScopes(value: string | undefined, faults: string[]): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const scopes = value.split(/[\s,]+/).filter((scope) => scope !== '');
  if (scopes.length > 0 && scopes.every((scope) => sandboxScopes.includes(scope))) return scopes;
  faults.push(`SANDBOX_SCOPES must name some of ${sandboxScopes.join(', ')}`);
  return undefined;
}

/** Reading a folder fails too, but otherwise. */
function isMissing(path: string, read: (path: string) => string): boolean {
  try {
    read(path);
    return false;
  } catch (fault) {
    return fault instanceof Error && 'code' in fault && fault.code === 'ENOENT';
  }
}

function readStaff({ setting, secret, faults }: Reading): StaffConfig | undefined {
  const address = setting('STAFF_OIDC_ISSUER');
  const clientId = setting('STAFF_OIDC_CLIENT_ID');
  const clientSecret = secret('STAFF_OIDC_CLIENT_SECRET');
  const rolesClaim = setting('STAFF_OIDC_ROLES_CLAIM');
  if (address === undefined && clientId === undefined) {
    if (clientSecret !== undefined || rolesClaim !== undefined) {
      faults.push(
        'STAFF_OIDC_ISSUER and STAFF_OIDC_CLIENT_ID are missing: staff cannot sign in without them',
      );
    }
    return undefined;
  }
  if (address === undefined) faults.push('STAFF_OIDC_ISSUER is missing beside STAFF_OIDC_CLIENT_ID');
  if (clientId === undefined) faults.push('STAFF_OIDC_CLIENT_ID is missing beside STAFF_OIDC_ISSUER');
  const issuer = address === undefined ? undefined : readUrl(address);
  if (address !== undefined && (issuer === undefined || !isSafeAddress(issuer))) {
    faults.push('STAFF_OIDC_ISSUER must be an https address, or http on loopback');
  }
  if (issuer === undefined || clientId === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret: clientSecret === undefined ? undefined : new Secret(clientSecret),
    rolesClaim: rolesClaim ?? 'roles',
  };
}

function readPublicUrl(text: string | undefined, port: number, faults: string[]): URL {
  const fallback = new URL(`http://localhost:${port}`);
  if (text === undefined) return fallback;
  const url = readUrl(text);
  if (url === undefined || url.search !== '' || url.hash !== '' || url.pathname !== '/') {
    faults.push(
      'PUBLIC_URL must be an http or https origin without a path, such as https://preferences.example.org',
    );
    return fallback;
  }
  return url;
}
