import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../bench/figures.ts';
import { type Dice, rollDice, times } from './dice.ts';
import {
  books,
  click,
  makeKnown,
  onRecord,
  openForm,
  type Rig,
  send,
  startRig,
  switches,
  within,
} from './rig.ts';

interface Sample {
  /** Minutes since the start. */
  readonly at: number;
  /** Bytes of resident memory. */
  readonly memory: number;
}

/** Only the long form runs this test: a leak does not show in a few seconds. */
const skip = times<string | false>('an hour: npm run test:long', false);

suite('An hour of ordinary days', () => {
  test('visits leave memory as it was, every answer right and every withdrawal on record', {
    skip,
  }, async () => {
    const dice = rollDice('soak');
    await using rig = await startRig({ LOG_LEVEL: 'warn' });
    const people = Array.from({ length: 200 }, (_, index) => `soak.${index}@example.org`);
    for (const identifier of people) await makeKnown(rig.sandbox, identifier);
    const minutes = 60;
    const began = performance.now();
    const passed = () => (performance.now() - began) / 60_000;
    const counts = { visits: 0, pages: 0, clicks: 0 };
    const samples: Sample[] = [];

    const visitors = Array.from({ length: 4 }, async (_, lot) => {
      // Each person has one visitor, so that no other undoes a change.
      const own = people.filter((_, index) => index % 4 === lot);
      while (passed() < minutes) await visit(rig, dice, dice.pick(own), counts);
    });
    const watch = async () => {
      while (passed() < minutes) {
        samples.push({ at: passed(), memory: await readMemory(rig) });
        await pause(10_000);
      }
    };
    await Promise.all([...visitors, watch()]);

    assert.ok(counts.visits >= people.length, `${counts.visits} visits`);
    const memoryOf = (from: number, to: number) =>
      median(samples.flatMap(({ at, memory }) => (at >= minutes * from && at < minutes * to ? memory : [])));
    const [early, late] = [memoryOf(0.2, 0.4), memoryOf(0.8, Number.POSITIVE_INFINITY)];
    const growth = late / early - 1;
    process.stdout.write(
      `soak: ${minutes} min, ${counts.visits} visits, ${counts.pages} pages, ${counts.clicks} clicks; memory ` +
        `${mega(early)} MB from minute ${minutes * 0.2}, ${mega(late)} MB from minute ${minutes * 0.8}\n`,
    );
    assert.ok(growth < 0.1, `memory grew by ${(growth * 100).toFixed(1)} %`);
  });
});

/**
 * A visit switches one purpose off and one on, and reads each result. Now and then a one-click ends all
 * purposes.
 */
async function visit(
  rig: Rig,
  dice: Dice,
  identifier: string,
  counts: { visits: number; pages: number; clicks: number },
): Promise<void> {
  for (const change of ['off', 'on'] as const) {
    const opened = await openForm(rig.product, books, identifier);
    const { on, off } = switches(opened.form);
    const purpose = change === 'off' ? on[0] : off[0];
    if (purpose === undefined) continue;
    if (change === 'off') opened.form.untick('purpose', purpose);
    else opened.form.tick('purpose', purpose);
    const posted = await send(opened);
    assert.equal(posted.status, 303);
    const result = await opened.visitor.open(posted.location ?? '');
    assert.equal(result.status, 200);
    counts.pages += 2;
    const isChanged = async () =>
      (await onRecord(rig.sandbox, books, identifier)).has(purpose.toLowerCase()) === (change === 'on');
    assert.ok(await within(10_000, isChanged), `${purpose} of ${identifier} is not ${change}`);
    await pause(dice.whole(20, 120));
  }
  counts.visits += 1;
  if (dice.whole(0, 9) > 0) return;
  assert.equal((await click(rig.front, identifier)).status, 200);
  const isGone = async () => (await onRecord(rig.sandbox, books, identifier)).size === 0;
  assert.ok(await within(10_000, isGone), `${identifier} is still on record`);
  counts.clicks += 1;
  await makeKnown(rig.sandbox, identifier);
}

async function readMemory({ product }: Rig): Promise<number> {
  const answer = await fetch(product.metricsUrl);
  const memory = Number(/^sayso_memory_bytes (\S+)$/m.exec(await answer.text())?.[1]);
  assert.ok(memory > 0, `/metrics answered ${answer.status}`);
  return memory;
}

function mega(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}
