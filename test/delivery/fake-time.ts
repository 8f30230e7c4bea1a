import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Timer } from '../../src/ports/clock.ts';

/** A clock with timers that moves only when a test advances it. */
export class FakeTime implements Clock, Timer {
  /** The number of open queries of a real database; time stands still until they are answered. */
  asked = 0;
  #now = Date.UTC(2026, 0, 1);
  #next = 0;
  readonly #timers = new Map<number, { readonly at: number; readonly run: () => void }>();

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const id = this.#next++;
    this.#timers.set(id, { at: this.#now + Math.max(0, milliseconds), run });
    return () => void this.#timers.delete(id);
  }

  /** Moves the clock forward, runs each timer when it is due, and lets promises settle after each. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await this.#settled();
    for (;;) {
      const due = [...this.#timers]
        .filter(([, timer]) => timer.at <= end)
        .sort(([, a], [, b]) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due[0]);
      this.#now = Math.max(this.#now, due[1].at);
      due[1].run();
      await this.#settled();
    }
    this.#now = end;
  }

  async #settled(): Promise<void> {
    do {
      while (this.asked > 0) await nextTurn();
      await settled();
    } while (this.asked > 0);
  }

  /** Moves the clock and runs no timer, like the time in which a process is down. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** The number of calls of `settled` that are in progress. */
let waiting = 0;

/** Waits until the event loop has been idle for three turns, so that all work that needs no time is done. */
export async function settled(): Promise<void> {
  waiting += 1;
  const outer = waiting - 1;
  for (let turns = 0, quiet = 0; quiet < 3; turns += 1) {
    await nextTurn();
    // An outer call of `settled` always waits for a turn, and must not count as work.
    quiet = waiting > outer + 1 || turnsAwaited() > outer ? 0 : quiet + 1;
    if (turns > 10_000) throw new Error('it does not come to rest');
  }
  waiting -= 1;
}

function turnsAwaited(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Immediate' || kind.startsWith('FS'))
    .length;
}
