import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { JournalFilter, ReasonFilter } from '../../../src/ports/journal-reports.ts';
import { anna, aRequest, ben, intentOf, leaveAll, off, on } from '../../delivery/fixture.ts';
import { day, done, everyReason, lease, type OpenStore, put, sweep } from './journal-fixture.ts';

/** What staff, metrics and upkeep ask. */
export function journalReportsContract(openStore: OpenStore): void {
  suite('what staff and metrics ask', () => {
    test('lists by state, center, person and time, newest first', async (t) => {
      const journal = await (await openStore(t)).open();
      const first = await put(journal, aRequest({ intent: intentOf(off('a')) }), 1);
      const second = await put(journal, aRequest({ subject: ben, center: 'other' }), 2);
      const third = await put(journal, aRequest({ subject: ben }), 3);
      await journal.claim(lease(10));
      await done(journal, first.reference, 11);
      const listed = async (filter: Partial<JournalFilter>) =>
        (await journal.list({ limit: 10, ...filter })).map((entry) => entry.reference);
      assert.deepEqual(await listed({}), [third.reference, second.reference, first.reference]);
      assert.deepEqual(await listed({ state: 'done' }), [first.reference]);
      assert.deepEqual(await listed({ center: 'other' }), [second.reference]);
      assert.deepEqual(await listed({ subject: ben }), [third.reference, second.reference]);
      assert.deepEqual(await listed({ from: 2, to: 3 }), [second.reference]);
      assert.deepEqual(await listed({ limit: 1, offset: 1 }), [second.reference]);
      const given: string[] = [];
      for await (const part of journal.parts({ center: 'center', limit: 10 }))
        given.push(...part.map((entry) => entry.reference));
      assert.deepEqual(given, [third.reference, first.reference]);
      assert.deepEqual(await journal.counts(), [
        { state: 'done', count: 1, oldestAt: undefined },
        { state: 'pending', count: 2, oldestAt: 2 },
      ]);
      assert.deepEqual(
        (await journal.historyOf('center', ben, { limit: 10, offset: 0 })).map((entry) => entry.reference),
        [third.reference],
      );
    });

    test('gives all of a list in its order, in parts, without what comes meanwhile', async (t) => {
      const journal = await (await openStore(t)).open();
      const made: string[] = [];
      for (let now = 1; now <= 205; now += 1) made.unshift((await put(journal, aRequest(), now)).reference);
      const given: string[] = [];
      let parts = 0;
      for await (const part of journal.parts({ limit: 204 })) {
        if (parts === 0) await put(journal, aRequest(), 300);
        parts += 1;
        given.push(...part.map((entry) => entry.reference));
      }
      assert.deepEqual(given, made.slice(0, 204));
      assert.ok(parts > 1);
    });

    test('lists only what withdraws, where that is asked for', async (t) => {
      const journal = await (await openStore(t)).open();
      await put(journal, aRequest({ intent: intentOf(on('a')) }), 1);
      const left = await put(journal, aRequest({ intent: leaveAll }), 2);
      const off1 = await put(journal, aRequest({ subject: ben, intent: intentOf(off('a')) }), 3);
      const listed = await journal.list({ state: 'pending', withdraws: true, limit: 10 });
      assert.deepEqual(
        listed.map((entry) => entry.reference),
        [off1.reference, left.reference],
      );
    });

    test('knows the withdrawals that wait and the oldest of them, and what failed lately', async (t) => {
      const journal = await (await openStore(t)).open();
      assert.deepEqual(await journal.waitingWithdrawals(9), { count: 0, oldestAt: undefined });
      await put(journal, aRequest({ intent: intentOf(on('a')) }), 1);
      const gone = await put(journal, aRequest({ subject: ben, intent: leaveAll }), 2);
      await put(journal, aRequest({ subject: ben, center: 'other', intent: leaveAll }), 3);
      assert.deepEqual(await journal.waitingWithdrawals(9), { count: 2, oldestAt: 2 });
      assert.deepEqual(await journal.waitingWithdrawals(1), { count: 1, oldestAt: 2 });
      assert.ok(await journal.claim(lease(10)));
      await done(journal, gone.reference, 20, 'failed');
      assert.deepEqual(await journal.waitingWithdrawals(9), { count: 1, oldestAt: 3 });
      assert.deepEqual(
        await Promise.all([
          journal.failedSince(20, 9),
          journal.failedSince(21, 9),
          journal.failedSince(0, 9),
        ]),
        [1, 0, 1],
      );
    });

    test('counts by day what came, and what left everything; what is swept no longer', async (t) => {
      const journal = await (await openStore(t)).open();
      const first = await put(journal, aRequest({ intent: intentOf(off('a')) }), day);
      await put(journal, aRequest({ subject: ben, intent: leaveAll }), 2 * day - 1);
      await put(journal, aRequest({ subject: ben, center: 'other', intent: leaveAll }), 3 * day);
      const both = { day, submissions: 2, leavings: 1 };
      const last = { day: 3 * day, submissions: 1, leavings: 1 };
      assert.deepEqual(await journal.days({ from: 0, to: 9 * day }), [both, last]);
      assert.deepEqual(await journal.days({ from: day, to: 3 * day }), [both]);
      assert.deepEqual(await journal.days({ from: day + 1, to: 9 * day }), [last]);
      assert.ok(await journal.claim(lease(3 * day)));
      await done(journal, first.reference, 3 * day);
      assert.equal(await sweep(journal, { workBefore: 9e15, evidenceBefore: 9e15 }), 2);
      assert.deepEqual(await journal.days({ from: day, to: 2 * day }), [
        { day, submissions: 1, leavings: 1 },
      ]);
    });

    test('counts the reasons of days, the most frequent first; own words are counted, not given', async (t) => {
      const journal = await (await openStore(t)).open();
      const many = { id: 'r1', text: 'Too many' };
      const give = (
        reasons: readonly { id: string | undefined; text: string }[],
        at: number,
        center = 'center',
      ) => put(journal, aRequest({ center, intent: leaveAll, reasons: [...reasons] }), at);
      await give([many, { id: 'r2', text: 'Not for me' }], day);
      await give(
        [
          { ...many, text: 'Too many letters' },
          { id: undefined, text: 'my words' },
        ],
        2 * day,
      );
      await give([{ id: 'r1', text: 'Of another center' }], 2 * day, 'other');
      assert.deepEqual(await journal.topReasons({ from: 0, limit: 9 }), [
        { center: 'center', id: 'r1', text: 'Too many letters', count: 2 },
        { center: 'center', id: 'r2', text: 'Not for me', count: 1 },
        { center: 'center', id: undefined, text: '', count: 1 },
        { center: 'other', id: 'r1', text: 'Of another center', count: 1 },
      ]);
      assert.deepEqual(
        (await journal.topReasons({ from: 2 * day, limit: 2 })).map(({ text, count }) => `${text} ${count}`),
        ['Too many letters 1', ' 1'],
      );
      assert.equal(await sweep(journal, { reasonsBefore: 2 * day }), 2);
      assert.deepEqual(
        (await journal.topReasons({ from: 0, limit: 9 })).map(({ count }) => count),
        [1, 1, 1],
      );
      await journal.check();
      assert.equal((await journal.topReasons({ from: 0, limit: 9 })).length, 3);
    });

    test('counts the reasons of a center and a time, and has the latest own words of some centers', async (t) => {
      const journal = await (await openStore(t)).open();
      const own = (...texts: readonly string[]) => texts.map((text) => ({ id: undefined, text }));
      const give = (center: string, at: number, reasons: ReturnType<typeof own>) =>
        put(journal, aRequest({ center, intent: leaveAll, reasons }), at);
      await give('center', day, own('one', 'two'));
      await give('other', 2 * day, own('three'));
      await give('third', 2 * day, own('nobody asks for it'));
      await give('center', 3 * day, own('four'));
      await put(journal, aRequest({ reasons: [{ id: 'r1', text: 'Too many' }] }), 3 * day);
      const counts = async (filter: ReasonFilter) =>
        (await journal.topReasons({ limit: 9, ...filter })).map(({ id, count }) => `${id} ${count}`);
      assert.deepEqual(await counts({ center: 'center' }), ['undefined 3', 'r1 1']);
      assert.deepEqual(await counts({ center: 'center', to: 3 * day }), ['undefined 2']);
      assert.deepEqual(await counts({ center: 'center', from: 2 * day, to: 3 * day }), []);
      const words = async (filter: ReasonFilter, limit: number) =>
        (await journal.ownWords(filter, { centers: ['center', 'other'], limit })).map(({ text }) => text);
      assert.deepEqual(await words({}, 9), ['four', 'three', 'two', 'one']);
      assert.deepEqual(await words({}, 2), ['four', 'three']);
      assert.deepEqual(await words({ from: 2 * day, to: 3 * day }, 9), ['three']);
      assert.deepEqual(await journal.ownWords({}, { centers: [], limit: 9 }), []);
    });

    test('keeps reasons by day, without a link to anyone', async (t) => {
      const journal = await (await openStore(t)).open();
      const reasons = [
        { id: 'r1', text: 'Too many' },
        { id: undefined, text: 'my own words' },
      ];
      await put(journal, aRequest({ intent: leaveAll, reasons }), day + 5);
      await put(journal, aRequest({ center: 'other', reasons: [{ id: 'r1', text: 'Too many' }] }), 3 * day);
      assert.deepEqual(await everyReason(journal, { center: 'center' }), [
        { center: 'center', day, id: 'r1', text: 'Too many' },
        { center: 'center', day, id: undefined, text: 'my own words' },
      ]);
      assert.equal((await everyReason(journal, { from: 2 * day })).length, 1);
      assert.equal((await everyReason(journal, { to: 2 * day })).length, 2);
      await journal.check();
      assert.equal((await everyReason(journal)).length, 3);
    });

    test('has the reasons in parts, each once, however many are given meanwhile', async (t) => {
      const journal = await (await openStore(t)).open();
      const words = ['one', 'two', 'three', 'four'].map((text) => ({ id: undefined, text }));
      await put(journal, aRequest({ reasons: words.slice(0, 3) }), day);
      const first = await journal.reasons({}, { limit: 2, after: undefined });
      assert.deepEqual(
        first.reasons.map(({ text }) => text),
        ['one', 'two'],
      );
      await put(journal, aRequest({ reasons: words.slice(3) }), day);
      const second = await journal.reasons({}, { limit: 2, after: first.next });
      assert.deepEqual(
        second.reasons.map(({ text }) => text),
        ['three', 'four'],
      );
      const last =
        second.next === undefined ? [] : await journal.reasons({}, { limit: 2, after: second.next });
      assert.ok('reasons' in last ? last.reasons.length === 0 && last.next === undefined : true);
    });
  });

  suite('the platform', () => {
    test('is the one that the journal was first bound to, or that it has moved to', async (t) => {
      const store = await openStore(t);
      const [one, other] = [await store.open(), await store.open()];
      assert.equal(await one.bindTo('https://a.example', undefined), 'https://a.example');
      assert.equal(await other.bindTo('https://b.example', undefined), 'https://a.example');
      assert.equal(await other.bindTo('https://b.example', 'https://c.example'), 'https://a.example');
      assert.equal(await other.bindTo('https://b.example', 'https://a.example'), 'https://b.example');
      assert.equal(await one.bindTo('https://a.example', undefined), 'https://b.example');
    });
  });

  suite('a sweep', () => {
    test('keeps what was changed for its own time, and then nothing; what is pending is never swept', async (t) => {
      const journal = await (await openStore(t)).open();
      const reference = (await put(journal, aRequest({ intent: intentOf(off('a')) }))).reference;
      const waiting = (await put(journal, aRequest({ subject: ben, intent: leaveAll }))).reference;
      await journal.claim(lease(1000));
      await done(journal, reference, 2000);
      const all = { now: 0, workBefore: 9e15, evidenceBefore: 2000, reasonsBefore: 9e15 };
      assert.equal(await journal.sweep(all), 1);
      assert.equal(await journal.sweep(all), 0);
      assert.equal(
        (await journal.historyOf('center', anna, { limit: 9, offset: 0 }))[0]?.evidence?.items[0]?.id,
        'a',
      );
      assert.equal(await journal.sweep({ ...all, evidenceBefore: 2001 }), 1);
      assert.equal(await journal.find(reference), undefined);
      assert.deepEqual(await journal.historyOf('center', anna, { limit: 9, offset: 0 }), []);
      assert.deepEqual(
        (await journal.counts()).map(({ state, count }) => `${state} ${count}`),
        ['pending 1'],
      );
      assert.notEqual((await journal.find(waiting))?.work, undefined);
      assert.equal(await journal.sweep({ ...all, evidenceBefore: 9e15 }), 0);
    });
  });
}
