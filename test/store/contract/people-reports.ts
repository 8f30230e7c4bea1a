import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { Intent } from '../../../src/core/model/submission/intent.ts';
import type { LeavingReason } from '../../../src/core/model/submission/submission-request.ts';
import type { JournalFilter, JournalOver, Reason, ReasonFilter } from '../../../src/ports/journal.ts';
import { anna, aRequest, ben, intentOf, leaveAll, off, on } from '../../delivery/fixture.ts';
import { claimed, ended, finish, type MakePeople, type PeopleHandle, put } from './people-fixture.ts';
import { day, personOf, testsOf } from './test-store.ts';

const never = { now: 9e15, workBefore: 0, evidenceBefore: 0, reasonsBefore: 0 };
const sweep = (store: PeopleHandle, over: Partial<JournalOver>) => store.sweep({ ...never, ...over });

async function referenceOf(store: PeopleHandle, intent: Intent, more = {}, now = 1): Promise<string> {
  return (await put(store, aRequest({ intent, ...more }), { now })).entry.reference;
}

async function everyReason(store: PeopleHandle, filter: ReasonFilter = {}): Promise<readonly Reason[]> {
  const all: Reason[] = [];
  let after: number | undefined;
  do {
    const { reasons, next } = await store.reasons(filter, { limit: 2, after });
    all.push(...reasons);
    after = next;
  } while (after !== undefined);
  return all;
}

/** The contract of reports and upkeep. */
export function peopleReportsContract(make: MakePeople): void {
  const test = testsOf(make);
  suite('Reports for staff and metrics', () => {
    test('The list filters by state, center, person and time, newest first, also in parts', async (store) => {
      const first = await referenceOf(store, intentOf(off('a')));
      const second = await referenceOf(store, intentOf(on('a')), { subject: ben, center: 'other' }, 2);
      const third = await referenceOf(store, intentOf(on('a')), { subject: ben }, 3);
      await finish(store, 11);
      const listed = async (filter: Partial<JournalFilter>) =>
        (await store.list({ limit: 10, ...filter })).map(({ reference }) => reference);
      assert.deepEqual(await listed({}), [third, second, first]);
      assert.deepEqual(await listed({ state: 'done' }), [first]);
      assert.deepEqual(await listed({ state: 'pending', center: 'center' }), [third]);
      assert.deepEqual(await listed({ state: 'failed' }), []);
      assert.deepEqual(await listed({ center: 'other' }), [second]);
      assert.deepEqual(await listed({ subject: ben }), [third, second]);
      assert.deepEqual(await listed({ withdraws: true }), [first]);
      assert.deepEqual(await listed({ from: 2, to: 3 }), [second]);
      assert.deepEqual(await listed({ from: 1, center: 'center', state: 'pending' }), [third]);
      assert.deepEqual(await listed({ limit: 1, offset: 1 }), [second]);
      const parts: string[] = [];
      for await (const part of store.parts({ center: 'center', limit: 10 }))
        parts.push(...part.map(({ reference, work }) => `${reference} ${work?.items.length}`));
      assert.deepEqual(parts, [`${third} 1`, `${first} 1`]);
    });

    test('The counts are by state, with waiting and failed submissions', async (store) => {
      assert.deepEqual(await store.waitingWithdrawals(9), { count: 0, oldestAt: undefined });
      await referenceOf(store, leaveAll, {}, 2);
      await finish(store, 20, { state: 'failed' });
      await referenceOf(store, leaveAll, { subject: ben }, 3);
      await referenceOf(store, leaveAll, { subject: ben, center: 'other' }, 4);
      assert.deepEqual(await store.waitingWithdrawals(9), { count: 2, oldestAt: 3 });
      assert.deepEqual(await store.waitingWithdrawals(1), { count: 1, oldestAt: 3 });
      assert.deepEqual(
        [await store.failedSince(20, 9), await store.failedSince(21, 9), await store.failedSince(0, 0)],
        [1, 0, 0],
      );
      assert.deepEqual(await store.counts(), [
        { state: 'failed', count: 1, oldestAt: undefined },
        { state: 'pending', count: 2, oldestAt: 3 },
      ]);
    });

    test('The counts of days have submissions and leavings, without swept ones', async (store) => {
      await referenceOf(store, intentOf(off('a')), {}, day);
      await referenceOf(store, leaveAll, { subject: ben }, 2 * day - 1);
      await referenceOf(store, leaveAll, { subject: ben, center: 'other' }, 3 * day);
      const both = { day, submissions: 2, leavings: 1 };
      const last = { day: 3 * day, submissions: 1, leavings: 1 };
      assert.deepEqual(await store.days({ from: 0, to: 9 * day }), [both, last]);
      assert.deepEqual(await store.days({ from: day + 1, to: 9 * day }), [last]);
      await finish(store, 3 * day);
      await sweep(store, { evidenceBefore: 9e15 });
      assert.deepEqual(await store.days({ from: 0, to: 2 * day }), [{ day, submissions: 1, leavings: 1 }]);
    });

    test('The counts of reasons and own words are by center and time, without a link to a person', async (store) => {
      const give = (center: string, now: number, ...reasons: LeavingReason[]) =>
        put(store, aRequest({ center, subject: personOf(now), intent: leaveAll, reasons }), { now });
      const own = (text: string) => ({ id: undefined, text });
      await give('center', day, { id: 'r1', text: 'Too many' }, { id: 'r2', text: 'Not for me' }, own('one'));
      await give('center', 2 * day + 5, { id: 'r1', text: 'Too many letters' });
      await give('other', 2 * day, { id: 'r1', text: 'Elsewhere' }, own('two'), own('three'));
      assert.deepEqual(await store.topReasons({ limit: 9 }), [
        { center: 'center', id: 'r1', text: 'Too many letters', count: 2 },
        { center: 'other', id: undefined, text: '', count: 2 },
        { center: 'center', id: 'r2', text: 'Not for me', count: 1 },
        { center: 'center', id: undefined, text: '', count: 1 },
        { center: 'other', id: 'r1', text: 'Elsewhere', count: 1 },
      ]);
      assert.deepEqual((await store.topReasons({ center: 'center', from: 2 * day, limit: 1 })).length, 1);
      const words = async (filter: ReasonFilter, limit = 9) =>
        (await store.ownWords(filter, { centers: ['center', 'other'], limit })).map(({ text }) => text);
      assert.deepEqual(await words({}), ['three', 'two', 'one']);
      assert.deepEqual(await words({}, 1), ['three']);
      assert.deepEqual(await words({ to: 2 * day }), ['one']);
      const every = await everyReason(store);
      assert.equal(every.length, 7 - 0);
      assert.deepEqual(every[0], { center: 'center', day, id: 'r1', text: 'Too many' });
      assert.deepEqual((await everyReason(store, { center: 'other' })).length, 3);
      assert.equal(await sweep(store, { reasonsBefore: 2 * day }), 3);
      assert.equal((await everyReason(store)).length, 4);
      assert.equal((await store.topReasons({ limit: 9 })).length, 3);
    });
  });

  suite('Upkeep', () => {
    test('The store is bound to one platform, or to the one it has moved to', async (used) => {
      const { store: one, beside: other } = used;
      assert.equal(await one.bindTo('https://a.example', undefined), 'https://a.example');
      assert.equal(await other.bindTo('https://b.example', undefined), 'https://a.example');
      assert.equal(await other.bindTo('https://b.example', 'https://a.example'), 'https://b.example');
      assert.equal(await one.bindTo('https://a.example', undefined), 'https://b.example');
    });

    test('The check proves that a row can be written', async ({ store, end }) => {
      await store.check();
      await store.check();
      await end(store);
    });

    test('The sweep keeps evidence for its own time, then deletes it, and never takes a pending submission', async (store) => {
      const reference = await referenceOf(store, intentOf(off('a')), {
        linkMadeBy: { id: 'e', name: 'Eva' },
      });
      await finish(store, 2_000);
      const waiting = await referenceOf(store, leaveAll, { subject: ben });
      const all = { workBefore: 9e14, evidenceBefore: 2_000, reasonsBefore: 9e14 };
      assert.equal(await sweep(store, { ...all, workBefore: 2_000 }), 0);
      assert.ok((await sweep(store, all)) > 0);
      assert.ok((await sweep(store, all)) === 0);
      const [entry] = await store.historyOf('center', anna, { limit: 9, offset: 0 });
      assert.equal(entry?.work, undefined);
      const { asked, ended } = entry?.evidence ?? {};
      assert.deepEqual(ended?.items, [{ what: 'purpose', id: 'a', change: 'off', outcome: 'saved' }]);
      assert.deepEqual(asked?.changes, [{ what: 'purpose', id: 'a', change: 'off' }]);
      assert.deepEqual(asked?.linkMadeBy, { id: 'e', name: 'Eva' });
      assert.ok((await sweep(store, { ...all, evidenceBefore: 2_001 })) > 0);
      assert.equal(await store.find(reference), undefined);
      assert.notEqual((await store.find(waiting))?.work, undefined);
      assert.deepEqual(
        (await store.counts()).map(({ state, count }) => `${state} ${count}`),
        ['pending 1'],
      );
    });

    test('The sweep deletes people at rest after a long time, and no other', async ({ store, clock }) => {
      await referenceOf(store, intentOf(off('a')), {}, clock.now());
      await finish(store, clock.now());
      await referenceOf(store, intentOf(off('a')), { subject: ben }, clock.now());
      assert.equal(await sweep(store, { workBefore: clock.now() - day }), 0);
      assert.ok(await store.personOf(anna));
      assert.ok((await sweep(store, { workBefore: 9e14 })) > 0);
      assert.equal(await store.personOf(anna), undefined);
      assert.ok(await store.personOf(ben));
      const held = await claimed(store, clock.now() + 9_999);
      assert.equal((await store.keep(held, ended(held.person, clock.now()), 'released')).kind, 'kept');
    });
  });
}
