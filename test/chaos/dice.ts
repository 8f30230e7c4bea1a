import { generator } from '../kit/generator.ts';

/**
 * Random numbers that can be replayed: each test file prints its seed, and `SAYSO_SEED=<seed>` replays it.
 * `npm test` has the same seed each time, so that only a change can turn a run red. The long form has new
 * seeds.
 */
export interface Dice {
  readonly seed: number;
  /** 0 ≤ x < 1. */
  next(): number;
  /** A whole number from `from` up to and with `to`. */
  whole(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
}

export function rollDice(name: string): Dice {
  const given = Number(process.env['SAYSO_SEED']);
  const seed =
    Number.isInteger(given) && given > 0 ? given : times(1, 1 + Math.floor(Math.random() * 2 ** 31));
  process.stdout.write(`${name}: SAYSO_SEED=${seed}\n`);
  const next = generator(seed);
  return {
    seed,
    next,
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick<T>(list: readonly T[]): T {
      const [first] = list;
      if (first === undefined) throw new Error('nothing to pick from');
      return list[Math.floor(next() * list.length)] ?? first;
    },
  };
}

/** The small number, list or reason in `npm test`, the full one in `npm run test:long`. */
export function times<T>(small: T, full: T): T {
  return process.env['SAYSO_LONG'] === '1' ? full : small;
}
