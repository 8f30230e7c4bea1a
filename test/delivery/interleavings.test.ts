import process from 'node:process';
import { test } from 'node:test';
import fc from 'fast-check';
import { times } from '../chaos/dice.ts';
import { live, startingStatus, step, World } from './interleavings-world.ts';

const runs = times(100, 100_000);
const slowRuns = runs / 4;

test(`stale tabs, replays, lost answers, crashes and changes elsewhere, ${runs} times: no silent opt-in, no lost withdrawal`, async () => {
  const starting = fc.tuple(startingStatus, startingStatus, startingStatus);
  const seed = Number(process.env['SAYSO_SEED'] ?? times(1, Date.now() % 2 ** 31));
  await fc.assert(
    fc.asyncProperty(starting, fc.array(step, { minLength: 3, maxLength: 16 }), async (statuses, steps) => {
      await live(new World(statuses), steps);
    }),
    { numRuns: runs, seed },
  );
});

test(`the same over a journal that answers some turns later, ${slowRuns} times`, async () => {
  const starting = fc.tuple(startingStatus, startingStatus, startingStatus);
  const turns = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 7 });
  const pauses = fc.array(fc.nat({ max: 15 }), { minLength: 1, maxLength: 5 });
  const seed = Number(process.env['SAYSO_SEED'] ?? times(1, Date.now() % 2 ** 31));
  await fc.assert(
    fc.asyncProperty(
      starting,
      turns,
      pauses,
      fc.array(step, { minLength: 3, maxLength: 16 }),
      async (statuses, late, between, steps) => live(new World(statuses, { turns: late }), steps, between),
    ),
    { numRuns: slowRuns, seed },
  );
});
