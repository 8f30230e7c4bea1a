import type { Clock, Timer } from '../../src/ports/clock.ts';

/** A clock and its timers that only move when told to. */
export class FakeTime implements Clock, Timer {
  #now: number;
  #next = 0;
  readonly #timers = new Map<number, { readonly at: number; readonly run: () => void }>();

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const id = this.#next++;
    this.#timers.set(id, { at: this.#now + Math.max(0, milliseconds), run });
    return () => void this.#timers.delete(id);
  }

  /** Runs what falls due on the way, and lets promises settle after each. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settled();
    for (;;) {
      const due = [...this.#timers]
        .filter(([, timer]) => timer.at <= end)
        .sort(([, a], [, b]) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due[0]);
      this.#now = Math.max(this.#now, due[1].at);
      due[1].run();
      await settled();
    }
    this.#now = end;
  }

  /** Moves the clock alone, as while the process is not running. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** Everything that needs no time has happened, in so many turns of the event loop. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 80; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
