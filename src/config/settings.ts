import * as z from 'zod';
import { isSafeAddress } from '../core/model/web-address.ts';
import { databaseAddress, poolSize, timeoutSeconds } from './database-kinds.ts';
import { collector, host, hostNames, proxies, scopes } from './network-kinds.ts';
import { isRandomSecret, secretRule } from './secrets.ts';
import { readUrl } from './setting.ts';

/** A message says what a value must be, never what it is. It stands behind the setting's name. */
const text = z.string().optional();

const number = z.string().transform(Number);
const isPort = (value: number) => Number.isInteger(value) && value >= 0 && value <= 65535;
const portMessage = 'must be a port number (0 to 65535)';
const port = number.refine(isPort, portMessage).optional();
const portOrOff = z
  .string()
  .transform((text) => (text === 'off' ? text : Number(text)))
  .refine((value) => value === 'off' || isPort(value), portMessage)
  .optional();
const quota = number
  .refine((value) => Number.isSafeInteger(value) && value >= 1, 'must be a whole number, 1 or more')
  .optional();
const drainSeconds = number
  .refine((value) => value >= 0 && value <= 10, 'must be a number from 0 to 10')
  .optional();

const longestDays = 36_500;

function days(least: number) {
  const isGood = (value: number) => Number.isInteger(value) && value >= least && value <= longestDays;
  return number.refine(isGood, `must be a whole number of days from ${least} to ${longestDays}`).optional();
}

/** In any capitals; two values may differ in their capitals alone. */
function choice<const T extends string>(...values: readonly T[]) {
  return z
    .string()
    .transform((text, context) => {
      const exact = values.find((value) => value === text);
      const known = exact ?? values.find((value) => value.toLowerCase() === text.toLowerCase());
      if (known !== undefined) return known;
      context.addIssue(`must be one of ${values.join(', ')}`);
      return z.NEVER;
    })
    .optional();
}

/** An http or https address of which more is asked. */
function address(message: string, isGood: (url: URL) => boolean = () => true) {
  return z
    .string()
    .transform((text, context) => {
      const url = readUrl(text);
      if (url !== undefined && isGood(url)) return url;
      context.addIssue(message);
      return z.NEVER;
    })
    .optional();
}

const safeAddress = address('must be an https address, or http on loopback', isSafeAddress);
const formerAddress = address('must be the address that PLATFORM_URL was before');
const origin = address(
  'must be an http or https origin without a path, such as https://preferences.example.org',
  ({ search, hash, pathname }) => search === '' && hash === '' && pathname === '/',
);
const ownSecret = z.string().refine(isRandomSecret, secretRule).optional();

export interface Setting {
  /** Reads its text, trimmed; an absent or empty one is undefined. */
  readonly kind: z.ZodType<unknown, string | undefined>;
  /** It may be given as a file, too, named by `<name>_FILE`. */
  readonly isSecret?: true;
  /** What holds without it, where that is no fixed value. Markdown, like `about`. */
  readonly unset?: string;
  readonly about: string;
}

/** Every setting there is; docs/settings.md is made from it (`node scripts/settings.mjs`). */
export const settings = {
  PORT: {
    kind: port.default(3000),
    about: 'where the product listens',
  },
  HOST: {
    kind: host,
    unset: '127.0.0.1 in the sandbox, else `all`',
    about: "the address it listens at, or `all` of this machine's (the image: `all`)",
  },
  PUBLIC_URL: {
    kind: origin,
    unset: '`http://localhost:$PORT`',
    about: 'the address people see; https in production. Never taken from a request',
  },
  DATA_DIR: {
    kind: text.default('./data'),
    about:
      "journal, sessions, sandbox; one volume. With `DATABASE_URL` only the sandbox. Its owner's alone (0700, files 0600) whatever the umask; one that was more open is closed at the start, and said in the log",
  },
  DATABASE_URL: {
    kind: databaseAddress,
    isSecret: true,
    unset: 'files in `DATA_DIR`',
    about:
      'a PostgreSQL (15 or later) for everything that is kept, shared by any number of nodes: `postgres://user:password@host/database`, with `sslmode` as PostgreSQL knows it (`verify-full`, and `sslrootcert`, which names a file). Every node needs the same, and the same `SECRET`',
  },
  DATABASE_POOL: {
    kind: poolSize.default(10),
    about:
      'how many connections to it a node uses at most, beside the one that listens; of two or more a quarter, at least one, is kept for withdrawals',
  },
  DATABASE_TIMEOUT_SECONDS: {
    kind: timeoutSeconds.default(1),
    about:
      'how long a statement may take, and a connection be waited for, before people are told to try later',
  },
  EVIDENCE_DAYS: {
    kind: days(30).default(1_095),
    about:
      'how long what a person changed stays in *My record*, after it was done; 30 or more. What it took to carry it out, and what was typed, is deleted after 30 days',
  },
  REASON_DAYS: {
    kind: days(1).default(365),
    about: 'how long reasons for leaving are kept',
  },
  AUDIT_DAYS: {
    kind: days(30).default(1_095),
    about: 'how long what staff did is kept',
  },
  SECRET: {
    kind: text,
    isSecret: true,
    unset: 'made in the sandbox',
    about:
      '32 random bytes in base64 or hex (`openssl rand -base64 32`), and nothing else; seals forms, links and the journal. Several, separated by commas, rotate: the first seals, all open',
  },
  ALLOW_PLAINTEXT: {
    kind: choice('off', 'on').default('off'),
    about:
      '`on`, for a closed network: a tenant at a `PUBLIC_URL` of http, and mails to a server without encryption. Warned of at each start',
  },
  PLATFORM_URL: {
    kind: safeAddress,
    unset: 'none: the sandbox',
    about: "the tenant's address; https, or http on loopback",
  },
  PLATFORM_CLIENT_ID: {
    kind: text,
    unset: 'none: the sandbox',
    about: "the tenant's credentials: all three of these or none",
  },
  PLATFORM_CLIENT_SECRET: {
    kind: text,
    isSecret: true,
    unset: 'none: the sandbox',
    about: 'its secret',
  },
  PLATFORM_MOVED_FROM: {
    kind: formerAddress,
    about:
      'what `PLATFORM_URL` was before, when the same tenant has got a new address: its unfinished submissions go on at the new one. A journal of any other address stops the start',
  },
  SANDBOX: {
    kind: choice('off', 'on'),
    unset: '`on` where nothing speaks of production',
    about:
      "the sandbox must be asked for, `on`, beside whatever only a real installation has: a `PUBLIC_URL` or `HOST` that is not this machine's alone, `CENTERS_FILE`, `SECRET`, `STAFF_OIDC_…`, `SMTP_URL`, `TRUST_PROXY`, `NODE_ENV=production` (as in the image), or any `PLATFORM_…`, be it empty. `off` is never the sandbox",
  },
  PLATFORM_TOKEN_STYLE: {
    kind: choice('multipart', 'urlencoded', 'basic').default('multipart'),
    about: 'how the token is asked for: `multipart`, `urlencoded`, `basic`',
  },
  PLATFORM_TOKEN_PER_SCOPE: {
    kind: choice('off', 'on').default('off'),
    about:
      '`on` asks for one token each for consents (`CONSENT`), notices (`POLICY`) and tasks (`ISSUE`), by the `scope` parameter',
  },
  PLATFORM_RATE_LIMIT_PREFIX: {
    kind: choice('ot', 'svc').default('ot'),
    about: 'prefix of the rate-limit headers: `ot`, `svc`',
  },
  PLATFORM_REQUESTS_PER_MINUTE: {
    kind: quota.default(1_000),
    about:
      'how many requests of one endpoint the tenant allows in a minute. All nodes together stay below it; what the platform itself says is less counts instead. See [the quota](runbook.md#when)',
  },
  PLATFORM_REQUESTS_PER_HOUR: {
    kind: quota.default(200_000),
    about: 'how many of all endpoints together it allows in an hour. Leave out what other programs need',
  },
  PLATFORM_DATA_ELEMENTS_KEY: {
    kind: choice('dsDataElements', 'DsDataElements').default('dsDataElements'),
    about: 'or `DsDataElements`',
  },
  PLATFORM_IDENTIFIER_ENCODING: {
    kind: choice('refuse', 'utf-8', 'percent').default('refuse'),
    about: 'identifiers beyond ASCII, in the sandbox too: `refuse`, `utf-8`, `percent`',
  },
  CENTERS_FILE: {
    kind: text,
    unset: 'every center that the platform lists, at its id',
    about: 'JSON, see [the centers file](#the-centers-file)',
  },
  EVENTS_TO_PRIVATE_NETWORKS: {
    kind: choice('off', 'on').default('off'),
    about:
      'whether receivers of [events](events.md) may have addresses that are not of the public internet (loopback and private; link-local, where clouds keep their metadata, never): `on` only where every one of them is yours. In the sandbox loopback always may',
  },
  SIGN_IN_MAILS_PER_HOUR: {
    kind: quota.default(2_000),
    about:
      'how many sign-in messages strangers may cause in an hour, all together; as many again for browsers and links that are known',
  },
  SMTP_URL: {
    kind: text,
    isSecret: true,
    about:
      "how messages are sent: `smtp://` (STARTTLS, which the server must offer unless it is on this machine) or `smtps://` with user and password; without it a tenant's centers offer no sign-in by mail",
  },
  MAIL_FROM: {
    kind: text,
    unset: '`no-reply@` the host of `PUBLIC_URL`',
    about: 'who the messages are from: an address, or a name followed by `<address>`',
  },
  STAFF_OIDC_ISSUER: {
    kind: safeAddress,
    about:
      'staff sign in here, by OpenID Connect; without it there are no staff pages, except in the sandbox',
  },
  STAFF_OIDC_CLIENT_ID: {
    kind: text,
    about: 'this client of the issuer, which goes with it',
  },
  STAFF_OIDC_CLIENT_SECRET: {
    kind: text,
    isSecret: true,
    unset: 'none: a public client',
    about: 'its secret',
  },
  STAFF_OIDC_ROLES_CLAIM: {
    kind: text.default('roles'),
    about: 'the claim that lists `viewer`, `editor`, `auditor`',
  },
  METRICS_PORT: {
    kind: port,
    about:
      'shows `/metrics` at this port, at the address of `HOST`, and no longer beside the pages: keep it from the internet',
  },
  METRICS_TOKEN: {
    kind: ownSecret,
    isSecret: true,
    about:
      '32 random bytes as in `SECRET`: who sends it as a bearer token is shown `/metrics`. Without it and `METRICS_PORT` there are none, whatever address asks',
  },
  SERVER_TIMING: {
    kind: choice('off', 'on').default('off'),
    about: "`on` says in each answer's headers where the time went",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    kind: collector,
    unset: 'no traces',
    about:
      "a collector of OpenTelemetry (OTLP over HTTP, without `/v1/traces`); other `OTEL_EXPORTER_OTLP_…` settings, such as its headers, are OpenTelemetry's own",
  },
  DRAIN_SECONDS: {
    kind: drainSeconds,
    unset: '5; 1 in the sandbox',
    about: 'how long a stopping process says that it is leaving before it closes',
  },
  DEMO_PORT: {
    kind: portOrOff,
    unset: '`PORT` + 1',
    about: 'where the demo customer site listens (sandbox only, without a centers file); `off` for none',
  },
  TRUST_PROXY: {
    kind: proxies,
    about:
      'addresses or CIDR ranges of proxies in front, never names, nor ranges wider than /8 (IPv6: /7); behind one that is not listed, all visitors share what one client may do to sign in',
  },
  SANDBOX_PORT: {
    kind: port,
    unset: 'free; 4010 alone',
    about: 'where the sandbox listens, on 127.0.0.1',
  },
  SANDBOX_HOSTS: {
    kind: hostNames,
    unset: 'none',
    about:
      'names by which the sandbox, and the product on it, answer beside `localhost`, `127.0.0.1`, `[::1]`, `HOST` and the host of `PUBLIC_URL`; separated by commas. Others get 403: see [from other machines](sandbox.md#from-other-machines)',
  },
  SANDBOX_CLIENT_ID: {
    kind: text.default('sandbox'),
    about: 'its credentials',
  },
  SANDBOX_CLIENT_SECRET: {
    kind: text.default('sandbox-secret'),
    isSecret: true,
    about: 'their secret',
  },
  SANDBOX_DATA: {
    kind: text,
    unset: 'the demo',
    about: 'a folder to serve, see [the sandbox](sandbox.md#its-data)',
  },
  SANDBOX_REQUESTS_PER_MINUTE: {
    kind: quota,
    unset: 'no limit',
    about: 'after how many requests of one operation in a minute it answers 429',
  },
  SANDBOX_REQUESTS_PER_HOUR: {
    kind: quota,
    unset: 'no limit',
    about: 'after how many requests of all together in an hour it answers 429',
  },
  SANDBOX_CONSENT: {
    kind: choice('shared', 'by-center').default('shared'),
    about:
      'whether a purpose that stands in two centers is one consent (`shared`), or one in each (`by-center`)',
  },
  SANDBOX_SCOPES: {
    kind: scopes,
    unset: 'all',
    about: 'what its client may do: some of `CONSENT`, `CONSENT_READ`, `POLICY`, `ISSUE`, `ISSUE_READ`',
  },
  SANDBOX_TOKEN_SECONDS: {
    kind: quota,
    unset: '3600',
    about: 'how long its tokens live',
  },
  SANDBOX_RATE_LIMIT_PREFIX: {
    kind: choice('svc', 'ot').default('svc'),
    about: 'prefix of the headers of its 429: `svc`, `ot`',
  },
  NODE_PERMISSION: {
    kind: choice('off', 'on').default('on'),
    about:
      "`off`: `npm start` without Node's permission model, under which the product may read itself, its data and the files that its settings name, write its data, and use the network. On Linux; elsewhere it is never used",
  },
  LOG_LEVEL: {
    kind: choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
    about: '`trace` … `fatal`, `silent`',
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof settings;
export type SettingValue<Name extends SettingName> = z.output<(typeof settings)[Name]['kind']>;

/** The settings as a table of Markdown, and which of them may be files. */
export function settingsTable(): string {
  const all: readonly (readonly [string, Setting])[] = Object.entries(settings);
  const rows = all.map(([name, setting]) => `| \`${name}\` | ${unsetOf(setting)} | ${setting.about} |`);
  const secrets = all.flatMap(([name, { isSecret }]) => (isSecret ? [`\`${name}\``] : []));
  return [
    '| name | default | what it does |',
    '|---|---|---|',
    ...rows,
    '',
    `${secrets.slice(0, -1).join(', ')} and ${secrets.at(-1)} may be given as files: \`SECRET_FILE\` and so on.`,
  ].join('\n');
}

function unsetOf({ unset, kind }: Setting): string {
  const value = kind.parse(undefined);
  if (unset !== undefined) return unset;
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? `\`${value}\`` : 'none';
}
