import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { JournalFilter } from '../../../src/ports/journal-reports.ts';
import { anna, aRequest, ben, intentOf, leaveAll, off } from '../../delivery/fixture.ts';
import { day, done, everyReason, lease, type OpenStore, put } from './journal-fixture.ts';

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
      assert.deepEqual(await journal.counts(), [
        { state: 'done', count: 1, oldestAt: undefined },
        { state: 'pending', count: 2, oldestAt: 2 },
      ]);
      assert.deepEqual(
        (await journal.historyOf('center', ben, { limit: 10, offset: 0 })).map((entry) => entry.reference),
        [third.reference],
      );
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
