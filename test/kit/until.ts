import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Milliseconds of the machine's time until a wait fails: many times what any takes, for the machine may be
 * busy.
 */
const longest = 120_000;
const now = () => Number(process.hrtime.bigint()) / 1e6;
/** Rests before the next look, which costs a request: no less where the timers of this process run fast. */
const rest = (turn: number) => pause(Math.min(50, turn * 2) * Number(process.env['SCALED_CLOCK'] ?? 1));

/** Calls `look` until it gives something other than `false` or `undefined`, and returns that. */
export async function until<T>(
  look: () => Promise<T | false | undefined> | T | false | undefined,
  description = String(look),
): Promise<T> {
  const last = now() + longest;
  for (let turn = 1; ; turn += 1) {
    const found = await look();
    if (found !== false && found !== undefined) return found;
    if (now() > last) throw new Error(`not within ${longest / 1_000} s: ${description}`);
    await rest(turn);
  }
}

/** Calls `check` until it throws nothing; at last throws its error. */
export async function eventually<T>(check: () => Promise<T> | T): Promise<T> {
  const last = now() + longest;
  for (let turn = 1; ; turn += 1) {
    try {
      return await check();
    } catch (fault) {
      if (now() > last) throw fault;
    }
    await rest(turn);
  }
}
