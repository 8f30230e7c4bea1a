import type { IdentifierEncoding } from '../core/model/person/identifiers.ts';
import type { Clock } from '../ports/clock.ts';
import { defaultLimits, defaultTimeouts, type Limits, type Timeouts } from './limits.ts';
import type { Pacer } from './pacer.ts';
import type { PlatformLog, PlatformMetrics } from './watch.ts';

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

/** The options with their defaults. */
export type Settings = ReturnType<typeof withDefaults>;

export function withDefaults(options: PlatformOptions) {
  return {
    ...options,
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    limits: { ...defaultLimits, ...options.limits },
  };
}
