import assert from 'node:assert/strict';
import process from 'node:process';
import { suite, test } from 'node:test';
import { rollDice, times } from '../chaos/dice.ts';
import { type Center, createCenter, filesOf, firstWords, type Words } from './material.ts';
import { type Edition, judge } from './model.ts';
import { type Counts, createLife, type Life } from './person.ts';
import { startWorld, type World } from './world.ts';

/** Whether the store is PostgreSQL: then the time is the database's, and cannot run fast. */
const isPostgres = process.env['SAYSO_STORE'] === 'postgres';
/**
 * How many times as fast as the machine's the clock of product and platform runs. A call may take ten seconds
 * of that clock. Beside all other tests an answer can take a real second, for which ten times as fast is too
 * fast.
 */
const factor = isPostgres ? 1 : times(4, 10);
const minute = 60_000;

/** The number of people who act at the same time. */
const peopleAtOnce = isPostgres ? 30 : times(4, 12);

suite('Acts of many people', () => {
  test('the platform has what each person last asked, and each is told so, whatever goes wrong', async () => {
    const dice = rollDice('acts');
    const wanted = Number(process.env['SAYSO_ACTS'] ?? times(16, 20_000));
    const centers = Array.from({ length: 6 }, (_, index) =>
      createCenter(index + 1, index % 3 === 2 ? 'multi-page' : 'single-page'),
    );
    await using world = await startWorld(centers, factor);
    const counts: Counts = new Map();
    const faults: string[] = [];
    const report = (fault: string) => {
      faults.push(fault);
      if (faults.length <= 40) process.stdout.write(`${fault}\n\n`);
    };
    const editions = new Map(
      centers.map((center) => [
        center.id,
        new Map(center.purposes.map(({ id }): [string, Edition[]] => [id, [{ from: 0, words: firstWords }]])),
      ]),
    );
    const acts = () => counts.get('acts') ?? 0;
    const disturbances = createDisturbances({ world, centers, editions, dice, counts, reportBroken });
    const resting: Promise<void>[] = [];
    let number = 0;
    let judged = 0;

    async function live(): Promise<void> {
      while (acts() < wanted && faults.length < 40) {
        number += 1;
        const center = dice.pick(centers);
        const own = editions.get(center.id) ?? new Map<string, Edition[]>();
        const parts = { world, dice, center, number, editions: own, counts, report };
        const life = await createLife(parts).catch(reportBroken);
        if (life === undefined) continue;
        const length = dice.whole(3, times(8, 16));
        try {
          for (let count = 0; count < length; count += 1) await life.act();
        } catch (fault) {
          reportBroken(fault, life);
        }
        resting.push(rest(life).catch((fault: unknown) => reportBroken(fault, life)));
      }
    }

    /** Reports a fault in one life. It ends no other: all people are judged. */
    function reportBroken(fault: unknown, life?: Life): undefined {
      const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
      report(
        [`✖ broken: ${life?.identifier ?? 'no person'}, ${text}`, ...(life?.journal ?? [])].join('\n  '),
      );
    }

    async function rest(life: Life): Promise<void> {
      await life.calm();
      const last = world.now() + 25 * minute;
      while (world.now() < life.restUntil || !disturbances.isQuiet()) await world.wait(5_000);
      for (let isAgain = false; ; ) {
        const history = await life.history();
        const breaches = history === undefined ? [] : judge(history);
        // No submission tells that a withdrawal goes on after a failed grant, which may be in doubt for ten
        // minutes; and a page may be read just before the call that it waits for.
        if (
          !isAgain &&
          breaches.some(({ breach }) => breach === 'withdrawal-lost' || breach === 'unsettled')
        ) {
          isAgain = true;
          await world.wait(12 * minute);
          continue;
        }
        if (history !== undefined) {
          judged += 1;
          for (const { breach, purpose, detail } of breaches) {
            const name = history.center.purposes.find(({ id }) => id === purpose)?.name;
            report(`✖ ${breach}: ${life.identifier}, ${name} ${detail}\n  ${life.journal.join('\n  ')}`);
          }
          return;
        }
        if (world.now() > last) {
          report(`✖ unsettled: ${life.identifier} after 25 minutes\n  ${life.journal.join('\n  ')}`);
          return;
        }
        await world.wait(30_000);
      }
    }

    const began = performance.now();
    const telling = setInterval(() => {
      process.stdout.write(`  ${acts()} acts, ${number} people, ${judged} judged, ${faults.length} faults\n`);
    }, minute);
    const disturbed = disturbances.run();
    await Promise.all(Array.from({ length: peopleAtOnce }, live)).finally(() => disturbances.end());
    await disturbed;
    await Promise.all(resting);
    clearInterval(telling);
    const seconds = (performance.now() - began) / 1000;
    for (const [name, count] of [...counts].sort(([one], [other]) => one.localeCompare(other)))
      process.stdout.write(`  ${name}: ${count}\n`);
    process.stdout.write(
      `acts: ${acts()} acts of ${number} people, ${judged} judged, ${faults.length} faults, ${seconds.toFixed(0)} s\n`,
    );
    assert.deepEqual(
      faults.map((fault) => fault.split('\n')[0]),
      [],
    );
    assert.equal(judged, number);
  });
});

/** Events that meet everyone: the platform is away, a process dies, the words of a purpose change. */
function createDisturbances({
  world,
  centers,
  editions,
  dice,
  counts,
  reportBroken,
}: {
  world: World;
  centers: readonly Center[];
  editions: ReadonlyMap<string, Map<string, Edition[]>>;
  dice: ReturnType<typeof rollDice>;
  counts: Counts;
  reportBroken: (fault: unknown) => void;
}) {
  let isOver = false;
  let isAway = false;
  const count = (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1);

  async function reword(): Promise<void> {
    const center = dice.pick(centers);
    const purpose = dice.pick(center.purposes);
    const list = editions.get(center.id)?.get(purpose.id);
    const now = list?.at(-1)?.words ?? firstWords;
    const next: Words = dice.pick([
      { ...now, edition: now.edition + 1, version: now.version + 1 },
      { ...now, edition: now.edition + 1 },
      { ...now, version: now.version + 1 },
      { ...now, hasMoreOptions: !now.hasMoreOptions },
    ]);
    const all = new Map(
      center.purposes.map(({ id }) => [id, editions.get(center.id)?.get(id)?.at(-1)?.words ?? firstWords]),
    ).set(purpose.id, next);
    for (const [file, content] of filesOf(center, all)) await world.sandbox.replace(center.id, file, content);
    list?.push({ from: world.now(), words: next });
    count('changes of words');
  }

  async function goAway(): Promise<void> {
    isAway = true;
    const fault = dice.pick([
      { kind: '500', status: 503 },
      { kind: 'drop', when: 'before' },
      { kind: 'drop', when: 'after' },
      { kind: '429', retryAfter: 3 },
      { kind: 'latency', milliseconds: 3_000 },
    ]);
    try {
      const outage = await world.misbehave(fault);
      count(`outages: ${fault.kind}`);
      await world.wait(dice.whole(3, 30) * 1_000);
      await outage.end();
    } finally {
      isAway = false;
    }
  }

  async function kill(): Promise<void> {
    const node = dice.pick(world.nodes);
    await node.kill9();
    count('kills');
    await world.wait(dice.whole(0, 20) * 1_000);
    await node.start();
  }

  return {
    isQuiet: () => !isAway,
    end() {
      isOver = true;
    },
    async run() {
      for (;;) {
        await world.wait(dice.whole(5, 40) * 1_000);
        if (isOver) return;
        await dice.pick([reword, reword, reword, goAway, kill])().catch(reportBroken);
      }
    },
  };
}
