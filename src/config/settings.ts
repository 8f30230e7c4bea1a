import type * as z from 'zod';
import * as kinds from './kinds.ts';
import { Secret } from './setting.ts';
import { traceSettings } from './trace-settings.ts';

export interface Setting {
  /** Reads the trimmed text; undefined means absent or empty. */
  readonly kind: z.ZodType<unknown, string | undefined>;
  /** The value may also be in a file that `<name>_FILE` names. */
  readonly isSecret?: true;
  /** The default in words, if it is no fixed value. Markdown, like `about`. */
  readonly unset?: string;
  readonly about: string;
}

/** The secret is public, because the sandbox holds only made-up data. */
export const usualSandboxSecret = 'sandbox-secret';

/** All settings; docs/settings.md is generated from them (`node scripts/settings.mjs`). */
export const settings = {
  PORT: {
    kind: kinds.port.default(3000),
    about: 'where the product listens',
  },
  HOST: {
    kind: kinds.host,
    unset: '127.0.0.1 in the sandbox, else `all`',
    about: "the address it listens at, or `all` of this machine's (the image: `all`)",
  },
  PUBLIC_URL: {
    kind: kinds.origin,
    unset: '`http://localhost:$PORT`',
    about: 'the address people see; https in production. Never taken from a request',
  },
  DATA_DIR: {
    kind: kinds.text.default('./data'),
    about:
      'journal, sessions, sandbox; one volume. With `DATABASE_URL` only the sandbox. Made 0700, files 0600',
  },
  DATABASE_URL: {
    kind: kinds.databaseAddress,
    isSecret: true,
    unset: 'files in `DATA_DIR`',
    about:
      'a PostgreSQL (15 or later), shared by all nodes: `postgres://user:password@host/database`, with `sslmode` as in PostgreSQL (`verify-full`, and the file `sslrootcert`). All nodes need the same, and the same `SECRET`',
  },
  DATABASE_POOL: {
    kind: kinds.wholeFrom(2, 200).default(10),
    about: 'connections of a node to it, beside the one that listens; a quarter is kept for withdrawals',
  },
  DATABASE_TIMEOUT_SECONDS: {
    kind: kinds.numberFrom(0.2, 30).default(1),
    about: 'time-out of a statement, and of waiting for a connection',
  },
  ERASED_FILE: {
    kind: kinds.text,
    unset: '`erased.jsonl` in `DATA_DIR`; with `DATABASE_URL` none',
    about:
      'the list of people who were erased, as keyed hashes, so that a restored backup is erased again at the start: on a disk that restoring leaves alone. Each node keeps one; each may have its own',
  },
  EVIDENCE_DAYS: {
    kind: kinds.days(30).default(1_095),
    about:
      'how long *My record* shows a change; 30 or more. The work, and what was typed, is deleted after 30 days',
  },
  REASON_DAYS: {
    kind: kinds.days(1).default(365),
    about: 'how long reasons for leaving are kept',
  },
  AUDIT_DAYS: {
    kind: kinds.days(30).default(1_095),
    about: 'how long what staff did is kept',
  },
  STUCK_HOURS: {
    kind: kinds.hours.default(4),
    about:
      'how long a withdrawal may wait before it becomes a task on the platform, due one month after the request and closed when the withdrawal is on record',
  },
  TASK_ORGANIZATION: {
    kind: kinds.guid,
    unset: 'that of the first privacy notice',
    about: 'the GUID of the organization of the platform for which such tasks are made',
  },
  SECRET: {
    kind: kinds.text,
    isSecret: true,
    unset: 'made in the sandbox',
    about:
      '32 random bytes in base64 or hex (`openssl rand -base64 32`); seals forms, links and the journal. Several, separated by commas, rotate: the first seals, all open',
  },
  ALLOW_PLAINTEXT: {
    kind: kinds.offOrOn,
    about:
      '`on`, for a closed network: a tenant at a `PUBLIC_URL` of http, and mails to a server without encryption. Warned of at each start',
  },
  PLATFORM_URL: {
    kind: kinds.safeAddress,
    unset: 'none: the sandbox',
    about: "the tenant's address; https, or http on loopback",
  },
  PLATFORM_CLIENT_ID: {
    kind: kinds.text,
    unset: 'none: the sandbox',
    about: "the tenant's credentials: all three of these or none",
  },
  PLATFORM_CLIENT_SECRET: {
    kind: kinds.secret.optional(),
    isSecret: true,
    unset: 'none: the sandbox',
    about: 'its secret',
  },
  PLATFORM_MOVED_FROM: {
    kind: kinds.formerAddress,
    about:
      'the earlier `PLATFORM_URL` of the same tenant: its unfinished submissions go on at the new one. A journal of another address stops the start',
  },
  SANDBOX: {
    kind: kinds.choice('off', 'on'),
    unset: '`on` where nothing speaks of production',
    about:
      '`on` is required for the sandbox beside settings of production: a `PUBLIC_URL` or `HOST` of more than this machine, `CENTERS_FILE`, `SECRET`, `STAFF_OIDC_…`, `SMTP_URL`, `TRUST_PROXY`, `NODE_ENV=production` (as in the image), any `PLATFORM_…`, even empty. `off`: never',
  },
  PLATFORM_TOKEN_STYLE: {
    kind: kinds.choice('multipart', 'urlencoded', 'basic').default('multipart'),
    about: 'how the token is asked for: `multipart`, `urlencoded`, `basic`',
  },
  PLATFORM_TOKEN_PER_SCOPE: {
    kind: kinds.offOrOn,
    about: '`on`: one token each for `CONSENT`, `POLICY` and `ISSUE`, by the `scope` parameter',
  },
  PLATFORM_RATE_LIMIT_PREFIX: {
    kind: kinds.choice('ot', 'svc').default('ot'),
    about: 'prefix of the rate-limit headers: `ot`, `svc`',
  },
  PLATFORM_REQUESTS_PER_MINUTE: {
    kind: kinds.quota.default(1_000),
    about:
      'requests of one endpoint in a minute, by all nodes together; less, if the platform says so. See [the quota](runbook.md#when)',
  },
  PLATFORM_REQUESTS_PER_HOUR: {
    kind: kinds.quota.default(50_000),
    about:
      'requests of all endpoints in an hour. By default a quarter of what is published, or of what the platform says: other programs use the same account, and one over its quota is refused for the rest of the hour',
  },
  PLATFORM_DATA_ELEMENTS_KEY: {
    kind: kinds.choice('dsDataElements', 'DsDataElements').default('dsDataElements'),
    about: 'or `DsDataElements`',
  },
  PLATFORM_IDENTIFIER_ENCODING: {
    kind: kinds.choice('refuse', 'utf-8', 'percent').default('refuse'),
    about: 'identifiers beyond ASCII, in the sandbox too: `refuse`, `utf-8`, `percent`',
  },
  CENTERS_FILE: {
    kind: kinds.text,
    unset: 'every center that the platform lists, at its id',
    about: 'JSON, see [the centers file](#the-centers-file)',
  },
  EVENTS_TO_PRIVATE_NETWORKS: {
    kind: kinds.offOrOn,
    about:
      '`on`: receivers of [events](events.md) may have loopback and private addresses (never link-local), where all are yours. In the sandbox loopback always may',
  },
  SIGN_IN_MAILS_PER_HOUR: {
    kind: kinds.quota.default(2_000),
    about:
      'sign-in messages that all strangers may cause in an hour; as many again for known browsers and links',
  },
  SMTP_URL: {
    kind: kinds.text,
    isSecret: true,
    about:
      '`smtp://` (STARTTLS, required unless on this machine) or `smtps://` with user and password; without it no sign-in by mail',
  },
  MAIL_FROM: {
    kind: kinds.text,
    unset: '`no-reply@` the host of `PUBLIC_URL`',
    about: 'who the messages are from: an address, or a name followed by `<address>`',
  },
  STAFF_OIDC_ISSUER: {
    kind: kinds.safeAddress,
    about:
      'staff sign in here, by OpenID Connect; without it by `npm run staff-key`, in the sandbox by the address that is printed',
  },
  STAFF_OIDC_CLIENT_ID: {
    kind: kinds.text,
    about: 'this client of the issuer, which goes with it',
  },
  STAFF_OIDC_CLIENT_SECRET: {
    kind: kinds.secret.optional(),
    isSecret: true,
    unset: 'none: a public client',
    about: 'its secret',
  },
  STAFF_OIDC_ROLES_CLAIM: {
    kind: kinds.text.default('roles'),
    about: 'the claim that lists `viewer`, `editor`, `auditor`, `privacy`',
  },
  METRICS_PORT: {
    kind: kinds.port,
    about: '`/metrics` at this port of `HOST`; keep it from the internet',
  },
  METRICS_TOKEN: {
    kind: kinds.ownSecret,
    isSecret: true,
    about:
      '32 random bytes as in `SECRET`: the bearer token of `/metrics`. Without it and `METRICS_PORT` there are no metrics',
  },
  SERVER_TIMING: {
    kind: kinds.offOrOn,
    about: "`on` says in each answer's headers where the time went",
  },
  ...traceSettings,
  DRAIN_SECONDS: {
    kind: kinds.numberFrom(0, 10).optional(),
    unset: '5; 1 in the sandbox',
    about: 'how long a stopping process is not ready before it closes',
  },
  DEMO_PORT: {
    kind: kinds.portOrOff,
    unset: '`PORT` + 1',
    about: 'where the demo customer site listens (sandbox only, without a centers file); `off` for none',
  },
  TRUST_PROXY: {
    kind: kinds.proxies,
    about:
      "addresses or CIDR ranges of proxies in front, no names, nothing wider than /8 (IPv6: /7); behind another one all visitors share one client's sign-in limits",
  },
  SANDBOX_PORT: {
    kind: kinds.port,
    unset: 'free; 4010 alone',
    about: 'where the sandbox listens, on 127.0.0.1',
  },
  SANDBOX_HOSTS: {
    kind: kinds.hostNames,
    unset: 'none',
    about:
      'more names of the sandbox and the product on it, separated by commas: see [from other machines](sandbox.md#from-other-machines)',
  },
  SANDBOX_CLIENT_ID: {
    kind: kinds.text.default('sandbox'),
    about: 'its credentials',
  },
  SANDBOX_CLIENT_SECRET: {
    kind: kinds.secret.default(new Secret(usualSandboxSecret)),
    isSecret: true,
    unset: `\`${usualSandboxSecret}\``,
    about: 'their secret',
  },
  SANDBOX_DATA: {
    kind: kinds.text,
    unset: 'the demo',
    about: 'a folder to serve, see [the sandbox](sandbox.md#its-data)',
  },
  SANDBOX_REQUESTS_PER_MINUTE: {
    kind: kinds.quota,
    unset: 'no limit',
    about: 'after how many requests of one operation in a minute it answers 429',
  },
  SANDBOX_REQUESTS_PER_HOUR: {
    kind: kinds.quota,
    unset: 'no limit',
    about: 'after how many requests of all together in an hour it answers 429',
  },
  SANDBOX_CONSENT: {
    kind: kinds.choice('shared', 'by-center').default('shared'),
    about: 'a purpose in two centers is one consent (`shared`) or two (`by-center`)',
  },
  SANDBOX_SCOPES: {
    kind: kinds.scopes,
    unset: 'all',
    about: 'what its client may do: some of `CONSENT`, `CONSENT_READ`, `POLICY`, `ISSUE`, `ISSUE_READ`',
  },
  SANDBOX_TOKEN_SECONDS: {
    kind: kinds.quota,
    unset: '3600',
    about: 'how long its tokens live',
  },
  SANDBOX_RATE_LIMIT_PREFIX: {
    kind: kinds.choice('svc', 'ot').default('svc'),
    about: 'prefix of the headers of its 429: `svc`, `ot`',
  },
  NODE_PERMISSION: {
    kind: kinds.choice('off', 'on').default('on'),
    about: "`off`: `npm start` without Node's permission model (Linux only)",
  },
  LOG_LEVEL: {
    kind: kinds.choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
    about: '`trace` … `fatal`, `silent`',
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof settings;
export type SettingValue<Name extends SettingName> = z.output<(typeof settings)[Name]['kind']>;
