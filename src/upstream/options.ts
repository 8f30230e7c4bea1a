import type { IdentifierEncoding } from '../core/model/person/identifiers.ts';
import type { Clock } from '../ports/clock.ts';
import type { CallPriority } from '../ports/platform.ts';
import type { Limits, Timeouts } from './limits.ts';
import type { OperationName } from './operations.ts';
import type { Left } from './quota.ts';
import type { SaidQuota } from './quota-said.ts';

export interface PlatformOptions {
  readonly url: string | URL;
  readonly clientId: string;
  /** Wrapped, so that it never prints. */
  readonly clientSecret: { reveal(): string };
  /** It never goes back. */
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
