import { Problem } from '../core/model/problem.ts';
import type { OperationName } from './operations.ts';
import type { Settings } from './options.ts';

const failuresInARow = 5;

/**
 * The circuit breaker of one operation: after five failures in a row calls fail at once, until a trial call
 * succeeds.
 */
export function createBreaker(operation: OperationName, { timeouts, metrics }: Settings) {
  let state: 'closed' | 'open' | 'half-open' = 'closed';
  let failures = 0;
  // Monotonic: the wall clock may be set back.
  let openedAt = 0;

  function enter(next: typeof state): void {
    if (next === 'open') openedAt = performance.now();
    failures = 0;
    state = next;
    metrics?.breaker(operation, next);
  }

  /** Throws platform-unreachable while open. */
  function check(): void {
    const isOpen = state === 'open' && performance.now() - openedAt < timeouts.breakerOpen;
    if (isOpen || state === 'half-open')
      throw new Problem('platform-unreachable', { cause: new BreakerOpen('the circuit is open') });
  }

  /** Counts the result of a call. Results of calls that began before the breaker opened are ignored. */
  function note(isFailure: boolean, isTrial: boolean): void {
    if (isTrial) enter(isFailure ? 'open' : 'closed');
    else if (state === 'closed') {
      failures = isFailure ? failures + 1 : 0;
      if (failures === failuresInARow) enter('open');
    }
  }

  return {
    check,
    /** Runs a call. If the caller aborts it (`caller`), that is no failure of the platform. */
    async run<T>(call: () => Promise<T>, caller?: AbortSignal): Promise<T> {
      check();
      const isTrial = state === 'open';
      if (isTrial) enter('half-open');
      try {
        const result = await call();
        note(false, isTrial);
        return result;
      } catch (fault) {
        if (caller?.aborted !== true && isFailure(fault)) note(true, isTrial);
        else if (isTrial) note(false, isTrial);
        throw fault;
      }
    },
  };
}

/** A refusal is no failure: the platform answers. */
function isFailure(fault: unknown): boolean {
  return fault instanceof Problem && failureCodes.includes(fault.code);
}

const failureCodes: readonly string[] = ['platform-unreachable', 'platform-unreadable', 'platform-slow'];

export class BreakerOpen extends Error {
  override readonly name = 'BreakerOpen';
}
