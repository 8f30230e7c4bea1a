import { Problem } from '../core/model/problem.ts';

/**
 * A cap on calls in flight, with a bounded queue. Withdrawals, and other calls with priority, have a queue of their
 * own, which is served first.
 */
export function createBulkhead({ capacity, queueLimit }: { capacity: number; queueLimit: number }) {
  const first: (() => void)[] = [];
  const ordinary: (() => void)[] = [];
  let inFlight = 0;

  return {
    /**
     * Resolves when the call may run; call `leave` after it. undefined: at once. Throws overloaded, or platform-slow
     * when the signal ends first.
     */
    enter({ priority, signal }: { priority: boolean; signal: AbortSignal }): Promise<void> | undefined {
      if (inFlight < capacity) {
        inFlight += 1;
        return undefined;
      }
      const line = priority ? first : ordinary;
      if (line.length >= queueLimit) throw new Problem('overloaded', { retryAfter: 1 });
      return new Promise((resolve, reject) => {
        function admit() {
          signal.removeEventListener('abort', giveUp);
          resolve();
        }
        function giveUp() {
          const at = line.indexOf(admit);
          if (at >= 0) line.splice(at, 1);
          reject(new Problem('platform-slow', { cause: new Error('waited for a free place') }));
        }
        line.push(admit);
        signal.addEventListener('abort', giveUp, { once: true });
        if (signal.aborted) giveUp();
      });
    },
    leave(): void {
      const next = first.shift() ?? ordinary.shift();
      if (next === undefined) inFlight -= 1;
      else next();
    },
  };
}
