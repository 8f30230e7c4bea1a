import type { IdentifierEncoding } from '../core/model/person/identifiers.ts';
import type { Clock } from '../ports/clock.ts';
import type { CallPriority } from '../ports/platform.ts';
import type { Left } from './quota.ts';
import type { SaidQuota } from './quota-said.ts';

export interface PlatformOptions {
  readonly url: string | URL;
  readonly clientId: string;
  /** Wrapped, so that it never prints. */
  readonly clientSecret: { reveal(): string };
  readonly clock: Clock;
  readonly tokenStyle?: 'multipart' | 'urlencoded' | 'basic' | undefined;
  /** Both prefixes are read; this one wins. */
  readonly rateLimitPrefix?: 'ot' | 'svc' | undefined;
  readonly dataElementsKey?: 'dsDataElements' | 'DsDataElements' | undefined;
  readonly identifierEncoding?: IdentifierEncoding | undefined;
  /** Asks for one token per need (CONSENT, POLICY, ISSUE) by the `scope` parameter, instead of one for all. */
  readonly tokenPerScope?: boolean | undefined;
  /** Hosts whose images a center may show, by its id, beside the platform's own. */
  readonly imageHosts?: ((center: string) => readonly string[]) | undefined;
  /** `named-centers`: only ids of a centers file are asked for, so the list is not read. */
  readonly serves?: 'listed-centers' | 'named-centers' | undefined;
  /** Keeps calls within the quota; without it they are not held back. */
  readonly pacer?: Pacer | undefined;
  readonly log?: PlatformLog | undefined;
  readonly metrics?: PlatformMetrics | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** 0 ≤ x < 1; given, a test can be replayed. */
  readonly random?: (() => number) | undefined;
}

/** Fields never hold an identifier, a token or content of an answer, except names of a schema's members. */
export interface PlatformLog {
  warn(event: string, fields: Readonly<Record<string, string | number>>): void;
}

export interface PlatformMetrics {
  /** `outcome`: `ok` or a ProblemCode. */
  call(operation: OperationName, outcome: string, ms: number): void;
  breaker(operation: OperationName, state: 'closed' | 'open' | 'half-open'): void;
  /** A call found no room in the quota: it `waited` for some, or was `refused` and not sent. */
  paced?(operation: OperationName, priority: CallPriority, outcome: 'waited' | 'refused'): void;
  /** Items of a center's schema that could not be read. */
  dropped(center: string, count: number): void;
  /** The platform lists the center. */
  listed?(center: string): void;
}

/** Keeps calls within the platform's quota, over all processes that share its store. */
export interface Pacer {
  /**
   * Resolves with the time of admission: the call must go out at once (`isFresh`). Throws without a call: quota-used-up
   * with the seconds until there is room, platform-slow when the signal ends first, draining.
   */
  admit(
    endpoint: OperationName,
    asked: {
      readonly priority: CallPriority;
      /** 2: for a withdrawal's call and the one that must follow it at once; both get room, or neither. */
      readonly calls?: 1 | 2 | undefined;
      /** Key of the person's turn, which is kept over all tries and nodes while there is no room. */
      readonly turnOf?: string | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<number>;
  isFresh(admittedAt: number): boolean;
  /** Notes what an answer said about the quota. */
  hear(endpoint: OperationName, said: SaidQuota): void;
  /** The quota as this process knows it; undefined before the first call. */
  look(): QuotaLeft | undefined;
  close(): void;
}

export interface QuotaLeft {
  /** The account's hour. */
  readonly account: Left;
  /** The minute of each operation, by name. */
  readonly endpoints: ReadonlyMap<string, Left>;
}

/** Milliseconds, each over the whole exchange: waiting, token, headers, body, and repetitions of a read. */
export interface Timeouts {
  readonly connect: number;
  readonly token: number;
  readonly schema: number;
  /** How long one visitor waits for a center that is not cached; the reading goes on. */
  readonly center: number;
  readonly subjectRead: number;
  readonly subjectWrite: number;
  readonly staff: number;
  /** How long a breaker stays open before it lets one call try. */
  readonly breakerOpen: number;
}

export interface Limits {
  /** Calls in flight in each bulkhead. */
  readonly tokens: number;
  readonly schemas: number;
  readonly subjectReads: number;
  /** Apart from records, because a page works without them. */
  readonly profiles: number;
  readonly subjectWrites: number;
  readonly staff: number;
  /** Waiting calls in each bulkhead. */
  readonly waiting: number;
  /** Milliseconds a center counts as fresh. */
  readonly centerFresh: number;
  /** Milliseconds a center is kept while the platform cannot be asked. */
  readonly centerKept: number;
  /** Bytes of one answer, and of one that is a schema. */
  readonly answerBytes: number;
  readonly schemaBytes: number;
}

export const defaultTimeouts: Timeouts = {
  connect: 3_000,
  token: 4_000,
  schema: 6_000,
  center: 4_900,
  subjectRead: 4_900,
  subjectWrite: 7_900,
  staff: 7_900,
  breakerOpen: 3_000,
};

export const defaultLimits: Limits = {
  tokens: 2,
  schemas: 8,
  subjectReads: 48,
  profiles: 8,
  subjectWrites: 16,
  staff: 6,
  waiting: 1_024,
  centerFresh: 60_000,
  centerKept: 24 * 3_600_000,
  answerBytes: 2 * 1024 * 1024,
  schemaBytes: 4 * 1024 * 1024,
};

/** Operations; each has a breaker of its own. */
export type OperationName =
  | 'token'
  | 'center-schema'
  | 'root-schema'
  | 'page-schema'
  | 'list-centers'
  | 'list-link-tokens'
  | 'read-profile'
  | 'read-subject'
  | 'update-consent'
  | 'withdraw-all'
  | 'list-notices'
  | 'find-notice-version'
  | 'list-notice-versions'
  | 'create-task'
  | 'find-task'
  | 'update-task';
