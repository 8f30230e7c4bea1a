import { Problem } from '../core/model/problem.ts';

/**
 * A cap on calls in flight, with a bounded queue. Withdrawals, and other calls with priority, have a queue of their
 * own, which is served first.
 */
export class Bulkhead {
  readonly #capacity: number;
  readonly #queueLimit: number;
  readonly #priority: (() => void)[] = [];
  readonly #ordinary: (() => void)[] = [];
  #inFlight = 0;

  constructor({ capacity, queueLimit }: { capacity: number; queueLimit: number }) {
    this.#capacity = capacity;
    this.#queueLimit = queueLimit;
  }

  /**
   * Resolves when the call may run; call `leave` after it. undefined: at once. Throws overloaded, or platform-slow when
   * the signal ends first.
   */
  enter({ priority, signal }: { priority: boolean; signal: AbortSignal }): Promise<void> | undefined {
    if (this.#inFlight < this.#capacity) {
      this.#inFlight += 1;
      return undefined;
    }
    const line = priority ? this.#priority : this.#ordinary;
    if (line.length >= this.#queueLimit) throw new Problem('overloaded', { retryAfter: 1 });
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
  }

  leave(): void {
    const next = this.#priority.shift() ?? this.#ordinary.shift();
    if (next === undefined) this.#inFlight -= 1;
    else next();
  }
}
