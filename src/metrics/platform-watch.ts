import type { PlatformState } from '../core/model/center/platform-state.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Outcomes that are no fault of the platform. */
const ours = new Set(['platform-refused', 'identifier-refused', 'wrong-subject']);

/** Watches the calls to the platform, and counts them by minute for an hour. */
export function watchPlatform(clock: { now(): number }) {
  const minutes = new Map<number, number>();
  const paused = new Set<string>();
  let answeredAt: number | undefined;
  let limitedAt: number | undefined;
  let fault: PlatformState['fault'];

  return {
    call(operation: string, outcome: string): void {
      const now = clock.now();
      if (outcome === 'quota-used-up') {
        // Such a call was not sent, so it is not counted.
        fault = { code: outcome, at: now };
        return;
      }
      const at = Math.floor(now / minute);
      minutes.set(at, (minutes.get(at) ?? 0) + 1);
      for (const [old] of minutes) if (old <= at - 60 || old > at) minutes.delete(old);
      if (outcome === 'platform-busy') limitedAt = now;
      if (outcome === 'ok' || ours.has(outcome)) {
        answeredAt = now;
        // A good token proves nothing about other operations.
        if (operation !== 'token') fault = undefined;
      } else fault = { code: outcome, at: now };
    },
    breaker(operation: string, state: 'closed' | 'open' | 'half-open'): void {
      if (state === 'closed') paused.delete(operation);
      else paused.add(operation);
    },
    state(): PlatformState {
      const now = clock.now();
      const at = Math.floor(now / minute);
      let lastHour = 0;
      for (const [when, count] of minutes) if (when > at - 60 && when <= at) lastHour += count;
      return {
        answeredAt,
        fault,
        paused: [...paused].sort(),
        lastHour,
        limitedAt: limitedAt !== undefined && now - limitedAt < hour ? limitedAt : undefined,
      };
    },
  };
}
