import type { IdentifierEncoding } from '../core/model/person/identifiers.ts';
import type { Clock } from '../ports/clock.ts';
import { defaultLimits, defaultTimeouts, type Limits, type Timeouts } from './limits.ts';
import type { Pacer } from './pacer.ts';
import type { PlatformLog, PlatformMetrics } from './watch.ts';

export interface PlatformOptions {
  readonly url: string | URL;
  readonly clientId: string;
  /** The client secret, wrapped so that it is never printed. */
  readonly clientSecret: { reveal(): string };
  /** A clock that never goes back. */
  readonly clock: Clock;
  readonly tokenStyle?: 'multipart' | 'urlencoded' | 'basic' | undefined;
  /** The preferred prefix of the limit headers; headers of either prefix are read. */
  readonly rateLimitPrefix?: 'ot' | 'svc' | undefined;
  readonly dataElementsKey?: 'dsDataElements' | 'DsDataElements' | undefined;
  readonly identifierEncoding?: IdentifierEncoding | undefined;
  /** True to ask for one token per scope (CONSENT, POLICY, ISSUE) instead of one token for all. */
  readonly tokenPerScope?: boolean | undefined;
  /** Hosts, beside the platform's own, whose images a center may show, by the center's id. */
  readonly imageHosts?: ((center: string) => readonly string[]) | undefined;
  /** `named-centers`: only ids of a centers file are asked for, so the list is not read. */
  readonly serves?: 'listed-centers' | 'named-centers' | undefined;
  /** Keeps calls within the quota; without a pacer no call is held back. */
  readonly pacer?: Pacer | undefined;
  readonly log?: PlatformLog | undefined;
  readonly metrics?: PlatformMetrics | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Gives numbers from 0 to below 1; a test that passes its own can be replayed. */
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
