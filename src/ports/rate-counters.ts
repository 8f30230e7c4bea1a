import type { Maintained } from './maintained.ts';

/** Counters shared by all processes, which outlive them. */
export interface RateCounters extends Maintained {
  /**
   * Counts one more, unless that exceeds `most` within a period, also for concurrent callers. A period begins
   * with its first count; one that would end later than `withinMs` from now (a clock was set back) is over.
   */
  count(use: string, key: string, allowed: Allowed): Promise<Counted>;
  /** Undoes a count; does nothing if a new period has begun since. */
  giveBack(use: string, key: string, counted: { readonly endsAt: number }): Promise<void>;
  /** The count, and the milliseconds until its period ends; writes nothing. */
  look(
    use: string,
    key: string,
    withinMs: number,
  ): Promise<{ readonly count: number; readonly leftMs: number }>;
}

export interface Allowed {
  readonly most: number;
  readonly withinMs: number;
}

export type Counted =
  | {
      readonly kind: 'counted';
      /** Including this one. */
      readonly count: number;
      /** End of its period, epoch milliseconds. */
      readonly endsAt: number;
    }
  | {
      readonly kind: 'full';
      /** Milliseconds until the next one is allowed. */
      readonly waitMs: number;
    };
