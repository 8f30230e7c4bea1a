import { Problem } from '../core/model/problem.ts';

/**
 * A cap on calls in flight, with a bounded line of those that wait; withdrawals (and what must not starve) stand
 * in a line of their own that is served first.
 */
export class Lane {
  readonly #capacity: number;
  readonly #room: number;
  readonly #first: Waiting[] = [];
  readonly #ordinary: Waiting[] = [];
  #inFlight = 0;

  constructor({ capacity, room }: { capacity: number; room: number }) {
    this.#capacity = capacity;
    this.#room = room;
  }

  /** Resolves with a place, which `leave` gives back. Throws overloaded, or platform-slow when the signal ends first. */
  enter({ first, signal }: { first: boolean; signal: AbortSignal }): Promise<void> | undefined {
    if (this.#inFlight < this.#capacity) {
      this.#inFlight += 1;
      return undefined;
    }
    const line = first ? this.#first : this.#ordinary;
    if (line.length >= this.#room) throw new Problem('overloaded', { retryAfter: 1 });
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { admit };
      function admit() {
        signal.removeEventListener('abort', giveUp);
        resolve();
      }
      function giveUp() {
        const at = line.indexOf(waiting);
        if (at >= 0) line.splice(at, 1);
        reject(new Problem('platform-slow', { cause: new Error('waited for a free place') }));
      }
      line.push(waiting);
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
    });
  }

  leave(): void {
    const next = this.#first.shift() ?? this.#ordinary.shift();
    if (next === undefined) this.#inFlight -= 1;
    else next.admit();
  }
}

interface Waiting {
  admit(): void;
}
