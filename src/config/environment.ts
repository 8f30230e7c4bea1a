import { faultCode } from '../core/model/fault-code.ts';
import { createIdentifiers } from '../core/model/person/identifiers.ts';
import { isLoopback } from '../core/model/web-address.ts';
import { readCentersFile } from './centers-file.ts';
import { readPlatform, readQuota, sandboxFaultOf } from './platform.ts';
import { createReading, type Environment, type Reading } from './reading.ts';
import { isRandomSecret, Secret, secretRule } from './setting.ts';
import { settings } from './settings.ts';

/** All settings, read. */
export type Config = Readonly<ReturnType<typeof configOf>>;

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
  const config = configOf(reading, Object.keys(env));
  if (reading.faults.length > 0) throw new ConfigFaults(reading.faults);
  return config;
}

function configOf(reading: Reading, names: readonly string[]) {
  const { read, has, textIn, faults, warnings } = reading;
  const port = read('PORT');
  const found = readPlatform(reading);
  const isSandbox = found === undefined;
  const publicUrl = readPublicUrl(reading, port);
  const allowsPlaintext = read('ALLOW_PLAINTEXT');
  if (publicUrl.protocol === 'http:' && !isLoopback(publicUrl)) {
    const isFault = !isSandbox && !allowsPlaintext;
    (isFault ? faults : warnings).push(
      `PUBLIC_URL is http, and not of this machine: links, passcodes and sessions can be read on the way${isFault ? '. Use https, or set ALLOW_PLAINTEXT=on in a closed network' : ''}`,
    );
  }
  const sandboxFault = sandboxFaultOf(reading, {
    hasPlatform: !isSandbox,
    production: [
      ...(isLoopback(publicUrl) ? [] : ['PUBLIC_URL']),
      ...(has('CENTERS_FILE') ? ['CENTERS_FILE'] : []),
      ...(has('SECRET') ? ['SECRET'] : []),
      ...(isOfThisMachine(textIn('HOST')) ? [] : ['HOST']),
      ...(textIn('NODE_ENV')?.toLowerCase() === 'production' ? ['NODE_ENV'] : []),
      ...names.filter((name) => speaksOfProduction(name, textIn(name))),
    ],
  });
  if (sandboxFault !== undefined) faults.push(sandboxFault);
  const mail = readMail(reading, { publicHost: publicUrl.hostname, allowsPlaintext });
  const sandbox = readSandbox(reading, publicUrl);
  const identifierEncoding = read('PLATFORM_IDENTIFIER_ENCODING');
  // By default the sandbox is open to its own machine only.
  const host = read('HOST') ?? (isSandbox ? '127.0.0.1' : 'all');
  return {
    port,
    /** undefined: all addresses of this machine. */
    host: host === 'all' ? undefined : host,
    /** The address of the product, without a trailing slash. */
    publicUrl,
    trustProxy: read('TRUST_PROXY'),
    dataDir: read('DATA_DIR'),
    /** The list of people who were erased; undefined: in the data folder. */
    erasedFile: read('ERASED_FILE'),
    /** undefined: files in the data folder. */
    database: readDatabase(reading),
    /** The first secret seals, all open. undefined: generated and kept in the data folder (sandbox only). */
    secrets: readSecrets(reading, !isSandbox),
    /** undefined: the built-in sandbox. */
    platform: found === 'faulty' ? undefined : found,
    identifierEncoding,
    identifiers: createIdentifiers(identifierEncoding),
    /** undefined: the platform allows any number of calls. */
    quota: readQuota(reading, isSandbox ? sandbox.quota : undefined),
    /** undefined: every center of the platform is served at its GUID. */
    centers: readCentersFile(reading, isSandbox),
    eventsToPrivateNetworks: read('EVENTS_TO_PRIVATE_NETWORKS'),
    sandbox,
    /** undefined: staff sign in by one-time addresses only. */
    staff: readStaff(reading),
    /** Messages in an hour to unknown browsers; known browsers have the same number again. */
    signInMailsPerHour: read('SIGN_IN_MAILS_PER_HOUR'),
    /** undefined: the sandbox keeps its messages, a tenant's centers offer no sign-in by mail. */
    mail,
    /** Milliseconds between the stop signal and the end of new connections. */
    drain: (read('DRAIN_SECONDS') ?? (isSandbox ? 1 : 5)) * 1_000,
    traces: readTraces(reading),
    /** Port of the metrics; undefined: at the port of the pages, with a token only. */
    metricsPort: read('METRICS_PORT'),
    /** undefined: metrics have a port of their own, or are off. */
    metricsToken: read('METRICS_TOKEN'),
    logLevel: read('LOG_LEVEL'),
    serverTiming: read('SERVER_TIMING'),
    /** Milliseconds after which a waiting withdrawal becomes a task of the organization below. */
    stuckAfter: read('STUCK_HOURS') * 3_600_000,
    taskOrganization: read('TASK_ORGANIZATION')?.toLowerCase(),
    /** Days that evidence is kept: My record and its signed copy. */
    evidenceDays: read('EVIDENCE_DAYS'),
    /** Days that reasons for leaving are kept. */
    reasonDays: read('REASON_DAYS'),
    /** Days that the audit log is kept. */
    auditDays: read('AUDIT_DAYS'),
    /** Port of the demo's customer site, with the sandbox; undefined: the one after `port`. */
    demoPort: read('DEMO_PORT'),
    /** Advice for the operator, logged at the start. */
    warnings,
  };
}

function readPublicUrl({ read, has, warnings }: Reading, port: number): URL {
  if (port === 0 && !has('PUBLIC_URL'))
    warnings.push('PUBLIC_URL is missing beside PORT=0, which takes any port: what is sent leads nowhere');
  return read('PUBLIC_URL') ?? new URL(`http://localhost:${port}`);
}

function readSandbox({ read, textIn, readFile, faults }: Reading, publicUrl: URL) {
  const seedDir = read('SANDBOX_DATA');
  if (seedDir !== undefined && isMissing(seedDir, readFile))
    faults.push('SANDBOX_DATA names a folder that is not there');
  return {
    port: read('SANDBOX_PORT'),
    clientId: read('SANDBOX_CLIENT_ID'),
    clientSecret: read('SANDBOX_CLIENT_SECRET'),
    seedDir,
    /** Host names of the sandbox, and of the product on it, besides localhost. */
    hosts: [...read('SANDBOX_HOSTS'), publicUrl.hostname, ...hostNamed(textIn('HOST'))],
    headerPrefix: read('SANDBOX_RATE_LIMIT_PREFIX'),
    /** Requests of one operation in a minute, and of all together in an hour; undefined: no limit. */
    quota: { perMinute: read('SANDBOX_REQUESTS_PER_MINUTE'), perHour: read('SANDBOX_REQUESTS_PER_HOUR') },
    consent: read('SANDBOX_CONSENT'),
    /** undefined: all scopes. */
    scopes: read('SANDBOX_SCOPES'),
    /** Seconds that an access token lasts. */
    tokenLife: read('SANDBOX_TOKEN_SECONDS'),
  };
}

/**
 * True for a setting that only a real installation has. A tenant's setting counts even if it is empty: the
 * value that should fill it is missing. It counts with `_FILE`, too, although only the secret may be a file.
 */
function speaksOfProduction(name: string, value: string | undefined): boolean {
  if (name.startsWith('PLATFORM_') && Object.hasOwn(settings, name.replace(/_FILE$/, ''))) return true;
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

/** True if there is no such file or folder. Reading a folder fails, too, but not with ENOENT. */
function isMissing(path: string, readFile: (path: string) => string): boolean {
  try {
    readFile(path);
    return false;
  } catch (fault) {
    return faultCode(fault) === 'ENOENT';
  }
}

/**
 * Reads SECRET: the first secret seals, all open. The first must be random. An older one that is not random
 * still opens what it sealed.
 */
function readSecrets({ read, faults, warnings }: Reading, isNeeded: boolean): readonly Secret[] | undefined {
  const text = read('SECRET');
  if (text === undefined) {
    if (isNeeded) faults.push(`SECRET is missing: it ${secretRule}; the same on every process`);
    return undefined;
  }
  const [first = '', ...others] = text.split(/[\s,]+/).filter((part) => part !== '');
  if (!isRandomSecret(first))
    faults.push(
      `SECRET ${secretRule}. Several are separated by commas, the newest first: what an older one sealed still opens`,
    );
  if (!others.every(isRandomSecret))
    warnings.push(
      'SECRET: an older one is not of 32 random bytes, so it can be guessed, and opens links and sessions: remove it as soon as nothing waits that it sealed',
    );
  return [first, ...others].map((part) => new Secret(part));
}

/** The settings of OpenID Connect for staff. */
function readStaff({ read, has, faults }: Reading) {
  const issuer = read('STAFF_OIDC_ISSUER');
  const clientId = read('STAFF_OIDC_CLIENT_ID');
  /** undefined: a public client, which proves itself by PKCE alone. */
  const clientSecret = read('STAFF_OIDC_CLIENT_SECRET');
  /** The ID token's claim that holds the roles; dots lead into objects (`realm_access.roles`). */
  const rolesClaim = read('STAFF_OIDC_ROLES_CLAIM');
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
  return { issuer, clientId, clientSecret, rolesClaim };
}

export type DatabaseSettings = NonNullable<ReturnType<typeof readDatabase>>;

const encrypted = ['require', 'verify-ca', 'verify-full'];

/** The PostgreSQL that all nodes share; undefined: files of this machine. */
function readDatabase({ read, has, faults, warnings }: Reading) {
  const text = read('DATABASE_URL');
  /** Connections of this process, besides the one that listens. */
  const poolSize = read('DATABASE_POOL');
  /** Milliseconds for a statement, and for waiting for a connection. */
  const deadlineMs = read('DATABASE_TIMEOUT_SECONDS') * 1_000;
  if (!has('DATABASE_URL')) return undefined;
  if (!has('SECRET')) faults.push('SECRET is missing beside DATABASE_URL: every node must have the same');
  if (text === undefined) return undefined;
  const url = new URL(text);
  const mode = url.searchParams.get('sslmode') ?? 'disable';
  if (!encrypted.includes(mode) && !isLocal(url)) {
    warnings.push(
      'DATABASE_URL is without encryption, and not of this machine: only a closed network may lie between. Use sslmode=verify-full',
    );
  }
  if (mode === 'require' && !url.searchParams.has('sslrootcert')) {
    warnings.push('DATABASE_URL: sslmode=require trusts any server that answers. Use sslmode=verify-full');
  }
  return { url: new Secret(text), poolSize, deadlineMs };
}

function isLocal({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? hostname;
  return host === '' || host.startsWith('/') || isLoopback({ protocol: 'http:', hostname: host });
}

const sender = /^(?:[^<>\r\n]*<)?[^<>\s@]+@[^<>\s@]+>?$/;
/** Query parameters that weaken the encryption. */
const loosening = /^(ignoretls|requiretls|opportunistictls|secure|tls\.rejectunauthorized)$/i;

/**
 * undefined: no mail can be sent. The default sender is at the public host. Messages contain links and
 * passcodes, so they leave this machine encrypted unless `allowsPlaintext`.
 */
function readMail(
  { read, faults, warnings }: Reading,
  { publicHost, allowsPlaintext }: { readonly publicHost: string; readonly allowsPlaintext: boolean },
) {
  const text = read('SMTP_URL');
  /** An address, or `Name <address>`. */
  const from = read('MAIL_FROM') ?? `no-reply@${publicHost}`;
  if (!sender.test(from)) faults.push('MAIL_FROM must be an address, or a name followed by <address>');
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol)) {
    faults.push('SMTP_URL must be an smtp:// or smtps:// address');
    return undefined;
  }
  const leaves = !isLoopback({ protocol: 'http:', hostname: url.hostname });
  const isLoosened = [...url.searchParams.keys()].some((name) => loosening.test(name));
  if (leaves && isLoosened && !allowsPlaintext) {
    faults.push('SMTP_URL loosens its encryption by its query: leave that out, or set ALLOW_PLAINTEXT=on');
  }
  if (leaves && allowsPlaintext && (url.protocol === 'smtp:' || isLoosened)) {
    warnings.push(
      'SMTP_URL is no smtps:// address, and ALLOW_PLAINTEXT is on: links and passcodes may leave unencrypted',
    );
  }
  return { url: new Secret(text), from, requiresTls: leaves && !allowsPlaintext };
}

/** undefined: no traces. */
function readTraces({ read }: Reading) {
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT');
  const own = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const sampler = read('OTEL_TRACES_SAMPLER').replace('parentbased_', '');
  const ratio = read('OTEL_TRACES_SAMPLER_ARG');
  const isOff = read('OTEL_SDK_DISABLED') === 'true' || read('OTEL_TRACES_EXPORTER') === 'none';
  const name = read('OTEL_SERVICE_NAME');
  /** Attributes that the operator gives this installation. */
  const resource = {
    ...read('OTEL_RESOURCE_ATTRIBUTES'),
    ...(name === undefined ? {} : { 'service.name': name }),
  };
  const timeoutMs = read('OTEL_EXPORTER_OTLP_TIMEOUT');
  // The protocol is read only to refuse any other value.
  read('OTEL_EXPORTER_OTLP_PROTOCOL');
  const url = own ?? (base && new URL(`${base.href.replace(/\/$/, '')}/v1/traces`));
  if (url === undefined || isOff) return undefined;
  /** The share of traces that is sent, 0 to 1. */
  const share = sampler === 'always_off' ? 0 : sampler === 'always_on' ? 1 : ratio;
  return { url, resource, timeoutMs, share };
}
