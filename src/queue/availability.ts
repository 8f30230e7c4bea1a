import type { Clock } from '../ports/clock.ts';
import { type Backoff, backoffMs } from './backoff.ts';

/** After so many misses in a row the other side is only probed: one call at a time, with a back-off. */
const missesBeforeProbing = 5;

/** Whether another system answers. */
export function createAvailability(clock: Clock, probes: Backoff) {
  let misses = 0;
  let failingSince: number | undefined;
  let heldUntil = 0;
  let probedAt = 0;
  return {
    /** `isMiss`: the other side seems to be away. */
    failed({ isMiss }: { readonly isMiss: boolean }): void {
      const now = clock.now();
      failingSince ??= now;
      misses = isMiss ? misses + 1 : 0;
      const tries = misses - missesBeforeProbing;
      probedAt = tries < 0 ? 0 : now + backoffMs(probes, tries);
    },
    answered(): void {
      misses = 0;
      failingSince = undefined;
      probedAt = 0;
    },
    /** A Retry-After, which an answer meanwhile does not shorten. */
    hold(milliseconds: number): void {
      heldUntil = Math.max(heldUntil, clock.now() + milliseconds);
    },
    heldUntil: () => heldUntil,
    probedAt: () => probedAt,
    isProbing: () => misses >= missesBeforeProbing,
    /** The first failure since the last answer. */
    failingSince: () => failingSince,
  };
}
