import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

/** Many times what anything here takes, for a busy machine is no fault of the product's. In the machine's own time. */
const longest = 120_000;
const now = () => Number(process.hrtime.bigint()) / 1e6;
/** Each look costs a request: not more of them where the timers of this process run fast (fast-here.ts). */
const rest = (turn: number) => pause(Math.min(50, turn * 2) * Number(process.env['SCALED_CLOCK'] ?? 1));

/** Looks until there is something other than `false` or `undefined`, and gives it. */
export async function until<T>(
  look: () => Promise<T | false | undefined> | T | false | undefined,
  what = String(look),
): Promise<T> {
  const last = now() + longest;
  for (let turn = 1; ; turn += 1) {
    const found = await look();
    if (found !== false && found !== undefined) return found;
    if (now() > last) throw new Error(`not within ${longest / 1_000} s: ${what}`);
    await rest(turn);
  }
}

/** Asserts until it holds; at last fails as the assertion does. */
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
