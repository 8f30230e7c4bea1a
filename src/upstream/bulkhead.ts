import { Problem } from '../core/model/problem.ts';

/**
 * Caps the calls in flight; further calls wait in bounded queues. Withdrawals and other calls with priority
 * wait in their own queue, which is served first.
 */
export function createBulkhead({ capacity, queueLimit }: { capacity: number; queueLimit: number }) {
  const first: (() => void)[] = [];
  const ordinary: (() => void)[] = [];
  let inFlight = 0;

  return {
    /**
     * Resolves when the call may run; returns undefined if the call may run at once. The caller calls `leave`
     * after it. Throws overloaded if the queue is full, and platform-slow if the signal ends first.
     */
    enter({ priority, signal }: { priority: boolean; signal: AbortSignal }): Promise<void> | undefined {
      if (inFlight < capacity) {
        inFlight += 1;
        return undefined;
      }
      const queue = priority ? first : ordinary;
      if (queue.length >= queueLimit) throw new Problem('overloaded', { retryAfter: 1 });
      return new Promise((resolve, reject) => {
        function admit() {
          signal.removeEventListener('abort', giveUp);
          resolve();
        }
        function giveUp() {
          const at = queue.indexOf(admit);
          if (at >= 0) queue.splice(at, 1);
          reject(new Problem('platform-slow', { cause: new Error('waited for a free place') }));
        }
        queue.push(admit);
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
