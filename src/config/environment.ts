import { isLoopback } from '../core/model/web-address.ts';
import { readCentersFile } from './centers-file.ts';
import { readDatabaseSettings } from './database.ts';
import { readMailSettings } from './mail.ts';
import { readOperationSettings, readRetentionSettings } from './operation.ts';
import { readPlatform, readQuota, sandboxFaultOf } from './platform.ts';
import { createReading, type Environment, givenIn, type Reading } from './reading.ts';
import { readSecrets } from './secrets.ts';
import { Secret } from './setting.ts';

/** All settings, read. */
export type Config = Readonly<ReturnType<typeof configOf>>;

/** OpenID Connect. */
export interface StaffConfig {
  readonly issuer: URL;
  readonly clientId: string;
  /** undefined: a public client, which proves itself by PKCE alone. */
  readonly clientSecret: Secret | undefined;
  /** The ID token's claim that holds the roles; dots lead into objects (`realm_access.roles`). */
  readonly rolesClaim: string;
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

/** Reads the settings. `readFile` gives a file's text or throws. Throws ConfigFaults with every fault. */
export function readConfig(env: Environment, readFile: (path: string) => string): Config {
  const reading = createReading(env, readFile);
  const config = configOf(env, readFile, reading);
  if (reading.faults.length > 0) throw new ConfigFaults(reading.faults);
  return config;
}

function configOf(env: Environment, readFile: (path: string) => string, reading: Reading) {
  const warnings: string[] = [];
  const { read, faults } = reading;

  const port = read('PORT');
  const platform = readPlatform(reading);
  const centersFile = read('CENTERS_FILE');
  const metricsToken = read('METRICS_TOKEN');
  const sandboxData = read('SANDBOX_DATA');
  if (sandboxData !== undefined && isMissing(sandboxData, readFile)) {
    faults.push('SANDBOX_DATA names a folder that is not there');
  }
  const givenUrl = read('PUBLIC_URL');
  const publicUrl = givenUrl ?? new URL(`http://localhost:${port}`);
  if (port === 0 && givenUrl === undefined) {
    warnings.push('PUBLIC_URL is missing beside PORT=0, which takes any port: what is sent leads nowhere');
  }
  const allowsPlaintext = read('ALLOW_PLAINTEXT') === 'on';
  if (publicUrl.protocol === 'http:' && !isLoopback(publicUrl)) {
    const isFault = platform !== undefined && !allowsPlaintext;
    (isFault ? faults : warnings).push(
      `PUBLIC_URL is http, and not of this machine: links, passcodes and sessions can be read on the way${isFault ? '. Use https, or set ALLOW_PLAINTEXT=on in a closed network' : ''}`,
    );
  }
  const secretText = read('SECRET');
  const sandboxFault = sandboxFaultOf({
    asked: read('SANDBOX'),
    hasPlatform: platform !== undefined,
    production: [
      ...(isLoopback(publicUrl) ? [] : ['PUBLIC_URL']),
      ...(centersFile === undefined ? [] : ['CENTERS_FILE']),
      ...(secretText === undefined ? [] : ['SECRET']),
      ...(isOfThisMachine(givenIn(env, 'HOST')) ? [] : ['HOST']),
      ...(givenIn(env, 'NODE_ENV')?.toLowerCase() === 'production' ? ['NODE_ENV'] : []),
      ...Object.keys(env).filter((name) => speaksOfProduction(name, givenIn(env, name))),
    ],
  });
  if (sandboxFault !== undefined) faults.push(sandboxFault);
  const sending = { url: read('SMTP_URL'), from: read('MAIL_FROM'), host: publicUrl.hostname };
  const mail = readMailSettings({ ...sending, allowsPlaintext }, { faults, warnings });
  const centers =
    centersFile === undefined
      ? undefined
      : readCentersFile(centersFile, {
          ...{ read: readFile, faults, isSandbox: platform === undefined },
          canMail: platform === undefined || sending.url !== undefined,
        });
  const sandbox = {
    port: read('SANDBOX_PORT'),
    clientId: read('SANDBOX_CLIENT_ID'),
    clientSecret: new Secret(read('SANDBOX_CLIENT_SECRET')),
    seedDir: sandboxData,
    /** Host names of the sandbox, and of the product on it, besides localhost. */
    hosts: [...read('SANDBOX_HOSTS'), publicUrl.hostname, ...hostNamed(givenIn(env, 'HOST'))],
    headerPrefix: read('SANDBOX_RATE_LIMIT_PREFIX'),
    /** Requests of one operation, and of all together; undefined: no limit. */
    quota: { perMinute: read('SANDBOX_REQUESTS_PER_MINUTE'), perHour: read('SANDBOX_REQUESTS_PER_HOUR') },
    consent: read('SANDBOX_CONSENT'),
    /** undefined: all scopes. */
    scopes: read('SANDBOX_SCOPES'),
    /** Seconds. */
    tokenLife: read('SANDBOX_TOKEN_SECONDS'),
  };
  return {
    port,
    /** Without a trailing slash. */
    publicUrl,
    dataDir: read('DATA_DIR'),
    /** The list of people who were erased; undefined: in the data folder. */
    erasedFile: read('ERASED_FILE'),
    /** undefined: files in the data folder. */
    database: readDatabaseSettings(reading, { hasSecret: secretText !== undefined, warnings }),
    /** The first seals, all open. undefined: generated and kept in the data folder (sandbox only). */
    secrets: readSecrets(secretText, { isNeeded: platform !== undefined, faults, warnings }),
    /** undefined: the built-in sandbox. */
    platform: platform === 'faulty' ? undefined : platform,
    identifierEncoding: read('PLATFORM_IDENTIFIER_ENCODING'),
    /** undefined: the platform allows any number of calls. */
    quota: readQuota(reading, { sandbox: platform === undefined ? sandbox.quota : undefined, warnings }),
    /** undefined: every center of the platform is served at its GUID. */
    centers,
    eventsToPrivateNetworks: read('EVENTS_TO_PRIVATE_NETWORKS') === 'on',
    sandbox,
    /** undefined: staff sign in by one-time addresses only. */
    staff: readStaff(reading),
    /** For unknown browsers; the same number again for known ones. */
    signInMailsPerHour: read('SIGN_IN_MAILS_PER_HOUR'),
    /** undefined: the sandbox keeps its messages, a tenant's centers offer no sign-in by mail. */
    mail: mail === undefined ? undefined : { ...mail, url: new Secret(mail.url) },
    ...readOperationSettings(reading, { isSandbox: platform === undefined }),
    ...readRetentionSettings(reading),
    /** undefined: metrics have a port of their own, or are off. */
    metricsToken: metricsToken === undefined ? undefined : new Secret(metricsToken),
    /** Port of the demo's customer site, with the sandbox; undefined: the one after `port`. */
    demoPort: read('DEMO_PORT'),
    /** Advice to the operator, logged at the start. Names settings, never their values. */
    warnings,
  };
}

/** Also with `_FILE`, although only the secret may be a file: any of them names a tenant. */
const ofPlatform =
  /^PLATFORM_(URL|MOVED_FROM|CLIENT_ID|CLIENT_SECRET|TOKEN_STYLE|TOKEN_PER_SCOPE|RATE_LIMIT_PREFIX|REQUESTS_PER_MINUTE|REQUESTS_PER_HOUR|DATA_ELEMENTS_KEY|IDENTIFIER_ENCODING)(_FILE)?$/;

/** Also a tenant's setting that is set and empty: the value that should fill it is missing. */
function speaksOfProduction(name: string, value: string | undefined): boolean {
  if (ofPlatform.test(name)) return true;
  return value !== undefined && /^(STAFF_OIDC_.+|SMTP_URL(_FILE)?|TRUST_PROXY)$/.test(name);
}

function isOfThisMachine(host: string | undefined): boolean {
  return host === undefined || /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);
}

/** The address in HOST, as a Host header writes it. */
function hostNamed(host: string | undefined): readonly string[] {
  if (host === undefined || host === 'all') return [];
  return [host.includes(':') ? `[${host}]` : host];
}

/** Reading a folder fails, too, but not with ENOENT. */
function isMissing(path: string, readFile: (path: string) => string): boolean {
  try {
    readFile(path);
    return false;
  } catch (fault) {
    return fault instanceof Error && 'code' in fault && fault.code === 'ENOENT';
  }
}

function readStaff({ read, has, faults }: Reading): StaffConfig | undefined {
  const issuer = read('STAFF_OIDC_ISSUER');
  const clientId = read('STAFF_OIDC_CLIENT_ID');
  const clientSecret = read('STAFF_OIDC_CLIENT_SECRET');
  if (!has('STAFF_OIDC_ISSUER') && clientId === undefined) {
    if (clientSecret !== undefined || has('STAFF_OIDC_ROLES_CLAIM')) {
      faults.push(
        'STAFF_OIDC_ISSUER and STAFF_OIDC_CLIENT_ID are missing: staff cannot sign in without them',
      );
    }
    return undefined;
  }
  if (!has('STAFF_OIDC_ISSUER')) faults.push('STAFF_OIDC_ISSUER is missing beside STAFF_OIDC_CLIENT_ID');
  if (clientId === undefined) faults.push('STAFF_OIDC_CLIENT_ID is missing beside STAFF_OIDC_ISSUER');
  if (issuer === undefined || clientId === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret: clientSecret === undefined ? undefined : new Secret(clientSecret),
    rolesClaim: read('STAFF_OIDC_ROLES_CLAIM'),
  };
}
