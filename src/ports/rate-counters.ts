import type { Maintained } from './maintained.ts';

/** Counts that outlive the process, and hold for all of them. */
export interface RateCounters extends Maintained {
  /**
   * Counts one more, unless that is one too many: never more than `most` in a while, however many ask at once. A while
   * begins with its first; one that would end later than `withinMs` from now (a clock was set back) is over.
   */
  count(
    use: string,
    key: string,
    allowed: { readonly most: number; readonly withinMs: number },
  ): Promise<Counted>;
  /** Takes one back that was counted; nothing where another while has begun since. */
  giveBack(use: string, key: string, counted: { readonly endsAt: number }): Promise<void>;
  /** What was counted, and the milliseconds until it is forgotten; nothing is written. */
  look(
    use: string,
    key: string,
    withinMs: number,
  ): Promise<{ readonly count: number; readonly leftMs: number }>;
}

export type Counted =
  | {
      readonly kind: 'counted';
      /** With this one. */
      readonly count: number;
      /** Of its while, epoch milliseconds. */
      readonly endsAt: number;
    }
  | {
      readonly kind: 'full';
      /** Until there may be another. */
      readonly waitMs: number;
    };
