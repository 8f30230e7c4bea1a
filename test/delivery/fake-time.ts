import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Timer } from '../../src/ports/clock.ts';

/** A clock and its timers that only move when told to. */
export class FakeTime implements Clock, Timer {
  /** Questions to a real database: while one is not answered no time passes. */
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

  /** Runs what falls due on the way, and lets promises settle after each. */
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

  /** Moves the clock alone, as while the process is not running. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** How many wait until everything is settled, one within another's. */
let waiting = 0;

/** Everything that needs no time has happened: nothing waits for a turn of the event loop, three turns on end. */
export async function settled(): Promise<void> {
  waiting += 1;
  const outer = waiting - 1;
  for (let turns = 0, quiet = 0; quiet < 3; turns += 1) {
    await nextTurn();
    // Each outer one waits for a turn, too.
    quiet = waiting > outer + 1 || turnsAwaited() > outer ? 0 : quiet + 1;
    if (turns > 10_000) throw new Error('it does not come to rest');
  }
  waiting -= 1;
}

function turnsAwaited(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Immediate' || kind.startsWith('FS'))
    .length;
}
