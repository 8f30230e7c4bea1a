import assert from 'node:assert/strict';
import { test as plainTest, suite } from 'node:test';
import type { RootEvent } from '../../src/core/model/submission/center-event.ts';
import { leafOfCopy, rootIn } from '../../src/store/day-roots.ts';
import { eventTables } from '../../src/store/event-tables.ts';
import {
  leafHash,
  partOf,
  pathOf,
  pathThrough,
  rootBy,
  treeBuilder,
  treeHash,
} from '../../src/store/merkle.ts';
import { peopleTables } from '../../src/store/people-schema.ts';
import { writing } from '../../src/store/sql.ts';
import { rollDice, times } from '../chaos/dice.ts';
import {
  centers,
  dayOf,
  endOn,
  keepWords,
  makeAll,
  type RootsStore,
  rootsIn,
  rootsStore,
} from './contract/roots-world.ts';
import { tamperer } from './contract/tampering.ts';
import { day, hour, type MakeTestStore, minute, testsOf } from './contract/test-store.ts';
import { onBoth } from './judged.ts';

/** Each way of tampering once, and then random ones. */
const tamperings = times(50, 10_000);

const hex = (bytes: Buffer) => bytes.toString('hex');

suite('A Merkle tree', () => {
  plainTest('The tree is that of RFC 6962, by parts or at once, and each leaf has its path', () => {
    // Test vectors of certificate-transparency: leaves of no byte, of 00, and of 10.
    assert.equal(hex(treeHash([])), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    const leaves = Array.from({ length: 1_100 }, (_, index) =>
      leafHash(Buffer.from(`${index}`), Buffer.of(index % 256)),
    );
    for (const size of [1, 2, 3, 7, 255, 256, 257, 512, 513, 1_100]) {
      const builder = treeBuilder();
      const some = leaves.slice(0, size);
      for (const [index, leaf] of some.entries()) builder.add(10 * index + 5, leaf);
      const { root, parts, size: counted } = builder.end();
      assert.equal(root, treeHash(some).toString('base64url'), `${size}`);
      assert.equal(counted, size);
      for (const place of [0, 1, 254, 255, 256, 300, size - 1].filter((each) => each < size)) {
        const leaf = leaves[place] ?? Buffer.of();
        assert.equal(rootBy(leaf, pathOf(some, place)), root);
        const part = partOf(parts, 10 * place + 5);
        const from = (part.first - 5) / 10;
        const inPart = some.slice(from, Math.min(size, (part.before - 5) / 10));
        assert.deepEqual(pathThrough(parts, part.place, inPart, place - from), pathOf(some, place));
      }
    }
  });
});

function contract(make: MakeTestStore<RootsStore>): void {
  const test = testsOf(make);
  test('Each center has a signed root of each day, which names the previous one; each submission has its path', async (used) => {
    const { store, clock } = used;
    const first = dayOf(clock.at);
    const references = [
      ...(await endOn(store, first + hour, [0, 1, 2, 3, 4])),
      // A day on which no submission ends has no root.
      ...(await endOn(store, first + 2 * day, [0, 1, 2])),
    ];
    const today = await endOn(store, first + 3 * day, [0]);
    clock.at = first + 3 * day + hour - 1;
    assert.ok((await store.make()) > 0);
    assert.ok((await rootsIn(store)).every((each) => each.day === first && each.root === undefined));
    await makeAll(store, clock, first + 3 * day + hour);
    const roots = await rootsIn(store);
    assert.deepEqual(
      roots.map(({ center, day: of, root }) => [center, (of - first) / day, root?.size]),
      [
        ['center', 0, 3],
        ['center', 2, 2],
        ['other center', 0, 2],
        ['other center', 2, 1],
      ],
    );
    for (const { signed, root } of roots) assert.deepEqual(await store.signer.open(signed), root);
    assert.deepEqual(
      roots.map(({ root }) => root?.previous === undefined),
      [true, false, true, false],
    );
    let proven = 0;
    for (const center of centers) {
      const proofs = await store.roots.proofs(center, [...references, ...today]);
      for (const [reference, { path, signed }] of proofs) {
        const entry = await store.find(reference);
        const { asked, ended: end } = entry?.evidence ?? {};
        const leaf = leafOfCopy({
          'sayso:asked': asked,
          'sayso:ended': end && { reference, ...end },
        } as never);
        assert.equal(rootBy(leaf ?? Buffer.of(), path), rootIn(signed).root);
        proven += 1;
      }
      const listed = await store.roots.list(center, { before: first + 2 * day, limit: 9 });
      assert.deepEqual(
        listed.map((each) => (each.day - first) / day),
        [0],
      );
    }
    assert.equal(proven, references.length, 'the submission of today has no proof yet');
    assert.deepEqual(await store.findings(), []);
  });

  test('A submission that ends late on a closed day counts to the next day, and earlier ends stay as they were', async (used) => {
    const { store, clock } = used;
    const first = dayOf(clock.at);
    await endOn(store, first, [0, 1]);
    await makeAll(store, clock, first + day + hour);
    const before = await rootsIn(store);
    await endOn(store, first + 2 * hour, [0, 2]);
    assert.deepEqual(await store.findings(), []);
    await makeAll(store, clock, first + 2 * day + hour);
    const roots = await rootsIn(store);
    assert.deepEqual(
      roots.filter((each) => each.day === first),
      before,
    );
    assert.deepEqual(
      roots.filter((each) => each.day > first).map(({ day: of, root }) => [(of - first) / day, root?.size]),
      [[1, 2]],
    );
    assert.deepEqual(await store.findings(), []);
  });

  test('Many processes make one root of each center and day; another process makes the root of a lost one', async (used) => {
    const { store: one, beside: other, clock } = used;
    const first = dayOf(clock.at);
    await endOn(one, first, [0, 1, 2, 3]);
    clock.at = first + day + hour;
    await Promise.all([one.make(), other.make(), one.make()]);
    assert.equal((await rootsIn(one)).length, 2, 'the day is closed');
    assert.equal(await other.make(), 0, 'a write that began before the day was closed has five minutes');
    clock.at += 5 * minute;
    const broken = { issuer: 'x', signer: { sign: () => Promise.reject(new Error('lost')) } };
    await assert.rejects(one.roots.make(broken), /lost/);
    assert.equal(await other.make(), 0, 'another process has claimed it');
    clock.at += 10 * minute;
    await Promise.all([one.make(), other.make(), other.make()]);
    const roots = await rootsIn(one);
    assert.deepEqual(
      roots.map(({ root }) => root?.size),
      [2, 2],
    );
    assert.equal(await one.make(), 0);
    assert.deepEqual(await one.findings(), []);
  });

  test('A receiver that asks for roots gets each root once, day after day, whichever process makes it', async (used) => {
    const { store: one, beside: other, clock } = used;
    const first = dayOf(clock.at);
    for (const number of [0, 1, 2]) await endOn(one, first + number * day, [0, 2]);
    clock.at = first + 3 * day + hour;
    await one.make();
    for (let times = 0; times < 3; times += 1) {
      clock.at += 10 * minute;
      await Promise.all([one.make(), other.make(), one.make()]);
    }
    const told: unknown[] = [];
    for (const owner of ['a', 'b', 'c', 'd']) {
      const lease = { owner, now: clock.at, until: clock.at + minute };
      assert.equal(await other.events.claim('does not ask', lease), undefined);
      const queued = await one.events.claim('asks', lease);
      if (queued === undefined) continue;
      told.push(queued.event);
      await one.events.sent(queued, clock.at);
    }
    const roots = await rootsIn(one);
    assert.equal(roots.length, 3);
    assert.deepEqual(
      told.map((event) => {
        const { center, day: of, root } = event as RootEvent;
        return { center, day: of, root };
      }),
      roots.map(({ center, root, signed }) => ({ center, day: root?.day, root: signed })),
    );
  });

  test(`Each of ${tamperings} tamperings, with all keys or without, is found, and named without a person`, async (used) => {
    const { store, clock } = used;
    const first = dayOf(clock.at);
    const words = await keepWords(store, 'News');
    const others = await keepWords(store, 'Offers');
    let undone = '';
    for (const number of [0, 1, 2]) {
      const shown = { words: number === 1 ? others : words };
      [undone = ''] = await endOn(store, first + number * day, [0, 1, 2, 3, 4, 5], shown);
    }
    await endOn(store, first + 2 * day + hour, [0], { words, undoes: undone });
    await makeAll(store, clock, first + 3 * day + hour);
    await endOn(store, clock.at, [0]);
    assert.deepEqual(await store.findings(), []);
    const dice = rollDice('day-roots');
    const { tamper, restore, ways, end } = await tamperer(store, dice);
    for (let number = 0; number < tamperings; number += 1) {
      const done = await tamper(number < ways.length ? (ways[number] ?? '') : dice.pick(ways));
      const found = await store.findings();
      assert.notDeepEqual(found, [], `${number}: ${done}`);
      assert.doesNotMatch(JSON.stringify(found), /example\.org/);
      await restore();
    }
    await end();
    assert.deepEqual(await store.findings(), []);
  });

  test('The leaves of an erased submission stay, and the roots stay right', async ({ store, clock }) => {
    const first = dayOf(clock.at);
    const [gone = '', ...others] = await endOn(store, first, [0, 2, 4, 6]);
    await makeAll(store, clock, first + day + hour);
    await store.sql.run(
      writing`UPDATE submission SET reference = 'erased-1', subject = '', asked = NULL, ended = NULL WHERE reference = :gone`,
      { gone },
    );
    assert.deepEqual(await store.findings(), []);
    assert.equal(await store.erased(), 1);
    assert.equal((await store.roots.proofs('center', [gone, ...others])).size, 3);
  });
}

onBoth('Roots of days', {
  contract: (storeOf) => contract(storeOf(rootsStore)),
  layoutOf: (dialect) => [...peopleTables(dialect), ...eventTables(dialect)],
});
