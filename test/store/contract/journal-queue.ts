import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { JournalNews } from '../../../src/ports/journal-queue.ts';
import { anna, aRequest, ben, intentOf, leaveAll, off, on } from '../../delivery/fixture.ts';
import { done, lease, type OpenStore, put, submissionMade, unchanged } from './journal-fixture.ts';

/** Claims, leases, and what falls due. */
export function journalQueueContract(openStore: OpenStore): void {
  suite('claims', () => {
    test('one at a time for each person, in order; withdrawals first among people', async (t) => {
      const journal = await (await openStore(t)).open();
      const a1 = await put(journal, aRequest({ intent: intentOf(on('a')) }), 1);
      const a2 = await put(journal, aRequest({ intent: intentOf(off('a')) }), 2);
      const b1 = await put(journal, aRequest({ subject: ben, intent: intentOf(off('a')) }), 3);
      assert.equal((await journal.claim(lease(10)))?.entry.reference, b1.reference);
      assert.equal((await journal.claim(lease(10)))?.entry.reference, a1.reference);
      assert.equal(await journal.claim(lease(10)), undefined);
      await done(journal, a1.reference, 11);
      assert.equal((await journal.claim(lease(12)))?.entry.reference, a2.reference);
    });

    test('what ran out is noted although it is not due, after what is', async (t) => {
      const journal = await (await openStore(t)).open();
      const later = await put(journal, aRequest({ intent: intentOf(on('a')) }), 1_000);
      const work = later.work;
      assert.ok(work);
      assert.equal((await journal.claim(lease(1_000)))?.entry.reference, later.reference);
      await journal.save(later.reference, 'me', { ...unchanged, work, dueAt: 9_000, expiresAt: 2_000 });
      const due = await put(journal, aRequest({ subject: ben, intent: intentOf(on('a')) }), 1_500);
      assert.equal(await journal.nextDueAt(), 1_500);
      const claimed: (string | undefined)[] = [];
      for (const now of [1_999, 1_999, 2_000, 2_000]) {
        claimed.push((await journal.claim(lease(now)))?.entry.reference);
      }
      assert.deepEqual(claimed, [due.reference, undefined, later.reference, undefined]);
      assert.equal(await journal.nextDueAt(), 1_500);
    });

    test('a lease keeps others away until it ends, and then they may take over', async (t) => {
      const journal = await (await openStore(t)).open();
      const { reference } = await put(journal, aRequest(), 1);
      assert.ok(await journal.claim(lease(10)));
      assert.equal(await journal.claim(lease(109, 'you')), undefined);
      assert.ok(await journal.renew(reference, lease(109)));
      assert.equal(await journal.claim(lease(110, 'you')), undefined);
      assert.equal((await journal.claim(lease(209, 'you')))?.entry.reference, reference);
      assert.equal(await journal.renew(reference, lease(210)), false);
      const { work } = (await journal.find(reference)) ?? {};
      assert.ok(work);
      const change = { ...unchanged, work, dueAt: 0, doneAt: 1 };
      assert.equal(await journal.save(reference, 'me', { ...change, state: 'done' }), 'lost');
      assert.equal((await journal.find(reference))?.state, 'pending');
      assert.equal(await journal.save(reference, 'you', { ...change, state: 'done' }), 'saved');
      assert.equal(await journal.save(reference, 'you', { ...change, state: 'failed' }), 'lost');
    });

    test('a lease that ran out is not renewed once another entry of the person is being worked on', async (t) => {
      const journal = await (await openStore(t)).open();
      const first = await put(journal, aRequest(), 1);
      assert.ok(await journal.claim(lease(10)));
      assert.ok(await journal.renew(first.reference, lease(500)));
      const { work } = first;
      assert.ok(work);
      const second = await put(journal, aRequest(), 2);
      const kept = { now: 599, until: 600 };
      const change = { ...unchanged, work, dueAt: 9999, isPassable: true, lease: kept };
      assert.equal(await journal.save(first.reference, 'me', change), 'saved');
      assert.equal((await journal.claim(lease(700, 'you')))?.entry.reference, second.reference);
      assert.equal(await journal.renew(first.reference, lease(701)), false);
      const renewal = { ...change, lease: { now: 701, until: 801 } };
      assert.equal(await journal.save(first.reference, 'me', renewal), 'lost');
      assert.equal(await journal.renew(first.reference, lease(900)), true);
    });

    test('hastening brings forward what is waiting, no more than asked, and says when something is due', async (t) => {
      const journal = await (await openStore(t)).open();
      assert.equal(await journal.nextDueAt(), undefined);
      const entries = [await put(journal, aRequest(), 1), await put(journal, aRequest({ subject: ben }), 1)];
      for (const { reference, work } of entries) {
        await journal.claim(lease(10));
        assert.ok(work);
        await journal.save(reference, 'me', { ...unchanged, work, dueAt: 5000, expiresAt: 4000 });
      }
      assert.equal(await journal.nextDueAt(), 4000);
      await journal.makeDue({ now: 100, spread: 0, limit: 1 });
      assert.equal(await journal.nextDueAt(), 100);
      assert.ok(await journal.claim(lease(100)));
      assert.equal(await journal.claim(lease(100)), undefined);
      await journal.makeDue({ now: 200, spread: 50, limit: 10 });
      assert.ok(await journal.claim(lease(250)));
    });

    test('after a clock was set back, neither a time nor a lease that is still to come keeps anything waiting', async (t) => {
      const journal = await (await openStore(t)).open();
      const { reference } = await put(journal, aRequest({ subject: anna }), 9000);
      await journal.claim(lease(9000, 'dead'));
      assert.equal(await journal.claim(lease(2000)), undefined);
      await journal.resume({ now: 2000, lease: 100 });
      assert.equal(await journal.claim(lease(2099)), undefined, 'somebody may still be at work');
      assert.equal((await journal.claim(lease(2100)))?.entry.reference, reference);
    });

    test('a process that starts, and reads the time a moment behind, ends no grant of another one', async (t) => {
      const journal = await (await openStore(t)).open();
      const request = aRequest({ intent: intentOf(on('a')) });
      await journal.record(request, { ...submissionMade(request, 9_000), expiresAt: 69_000 });
      await journal.resume({ now: 8_600, lease: 100 });
      assert.equal(await journal.claim(lease(8_600)), undefined, 'its time has not run out');
      assert.ok(await journal.claim(lease(9_000)));
    });

    test('what only ran out says that it is behind another; what is due is not', async (t) => {
      const journal = await (await openStore(t)).open();
      const first = await put(journal, aRequest({ intent: intentOf(off('a')) }), 1);
      const request = aRequest({ intent: intentOf(on('b')) });
      const second = await put(journal, request, 2);
      const claimed = await journal.claim(lease(10));
      assert.deepEqual([claimed?.entry.reference, claimed?.isBehind], [first.reference, false]);
      assert.ok(first.work);
      const later = { ...unchanged, work: first.work, dueAt: 90_000 };
      assert.equal(await journal.save(first.reference, 'me', later), 'saved');
      assert.equal(await journal.claim(lease(20)), undefined);
      assert.equal(await journal.retry(first.reference, 30), true);
      assert.equal((await journal.claim(lease(30)))?.entry.reference, first.reference);
      assert.ok(second.work);
      assert.equal(await journal.save(first.reference, 'me', later), 'saved');
      await put(journal, aRequest({ subject: ben }), 3);
      const expiring = aRequest({ intent: intentOf(on('c')) });
      const { entry: third } = await journal.record(expiring, {
        reference: `expiring ${second.reference}`,
        now: 40,
        work: second.work,
        expiresAt: 50,
      });
      await journal.claim(lease(45));
      const behind = await journal.claim(lease(50));
      assert.deepEqual([behind?.entry.reference, behind?.isBehind], [third.reference, true]);
    });
  });

  suite('a save', () => {
    test('keeps what was superseded though it is by one who read it before', async (t) => {
      const journal = await (await openStore(t)).open();
      const { reference } = await put(journal, aRequest({ intent: intentOf(off('a')) }));
      const elsewhere = await put(journal, aRequest({ center: 'other', intent: intentOf(off('a')) }));
      const claimed = await journal.claim({ owner: 'me', now: 2000, until: 3000 });
      assert.equal(claimed?.entry.reference, reference);
      assert.ok(claimed?.entry.work);
      const { work } = claimed.entry;
      const refused = { ...unchanged, work, dueAt: 9000, isPassable: true };
      await journal.save(reference, 'me', { ...refused, lease: { now: 2000, until: 3000 } });

      const later = await put(journal, aRequest({ intent: intentOf(on('a')) }), 3001);
      const other = await journal.claim({ owner: 'you', now: 3001, until: 3002 });
      assert.equal(other?.entry.reference, elsewhere.reference);
      const granting = await journal.claim({ owner: 'you', now: 3003, until: 3004 });
      assert.equal(granting?.entry.reference, elsewhere.reference);
      assert.ok(elsewhere.work);
      await journal.save(elsewhere.reference, 'you', { ...unchanged, work: elsewhere.work, dueAt: 9000 });
      assert.equal((await journal.claim(lease(3005, 'you')))?.entry.reference, later.reference);
      assert.ok(later.work);
      const change = { ...unchanged, work: later.work, dueAt: 3005, supersedes: ['a', 'a t'] };
      assert.equal(await journal.save(later.reference, 'you', change), 'saved');

      assert.equal(await journal.save(reference, 'me', refused), 'saved');
      const superseded = async (of: string) => (await journal.find(of))?.work?.superseded.toSorted();
      assert.deepEqual(await superseded(reference), ['a', 'a t']);
      assert.deepEqual(await superseded(later.reference), []);
      assert.deepEqual(await superseded(elsewhere.reference), []);
    });

    test('supersedes nothing when the lease has gone', async (t) => {
      const journal = await (await openStore(t)).open();
      const first = await put(journal, aRequest({ intent: intentOf(off('a')) }), 1);
      assert.ok(first.work);
      await journal.claim(lease(10));
      const passable = { ...unchanged, work: first.work, dueAt: 9000, isPassable: true };
      await journal.save(first.reference, 'me', passable);
      const second = await put(journal, aRequest({ intent: intentOf(on('a')) }), 20);
      assert.equal((await journal.claim(lease(20)))?.entry.reference, second.reference);
      assert.equal((await journal.claim(lease(120, 'you')))?.entry.reference, second.reference);
      assert.ok(second.work);
      const change = { ...unchanged, work: second.work, dueAt: 130, supersedes: ['a'] };
      assert.equal(await journal.save(second.reference, 'me', change), 'lost');
      assert.deepEqual((await journal.find(first.reference))?.work?.superseded, []);
    });

    test('is overtaken by what the person submitted after what was seen, in any center', async (t) => {
      const journal = await (await openStore(t)).open();
      const first = await put(journal, aRequest({ intent: intentOf(on('a')) }), 1);
      await journal.claim(lease(10));
      assert.ok(first.work);
      const change = { ...unchanged, work: { ...first.work, attempts: 3 }, dueAt: 10, lease: lease(10) };
      const seen = first.reference;
      await put(journal, aRequest({ subject: ben, intent: intentOf(off('a')) }), 11);
      assert.equal(await journal.save(first.reference, 'me', { ...change, seen }), 'saved');
      const later = await put(journal, aRequest({ center: 'other', intent: intentOf(off('a')) }), 12);
      const more = { ...change, work: { ...first.work, attempts: 4 } };
      assert.equal(await journal.save(first.reference, 'me', { ...more, seen }), 'overtaken');
      assert.equal((await journal.find(first.reference))?.work?.attempts, 3);
      assert.equal(await journal.save(first.reference, 'me', { ...more, seen: later.reference }), 'saved');
      assert.equal((await journal.find(first.reference))?.work?.attempts, 4);
    });

    test('is overtaken, too, when what was seen is gone and says nothing of what came after it', async (t) => {
      const journal = await (await openStore(t)).open();
      const { reference, work } = await put(journal, aRequest({ intent: intentOf(on('a')) }), 1);
      await journal.claim(lease(10));
      assert.ok(work);
      const change = {
        ...unchanged,
        work,
        dueAt: 10,
        lease: lease(10),
        seen: 'a one-click that was deleted',
      };
      assert.equal(await journal.save(reference, 'me', change), 'overtaken');
    });
  });

  suite('what waits', () => {
    test('of one entry is due at once when it is tried again, unless it is over', async (t) => {
      const journal = await (await openStore(t)).open();
      const { reference, work } = await put(journal, aRequest({ intent: intentOf(off('a')) }), 1);
      assert.ok(work);
      await journal.claim(lease(10));
      await journal.save(reference, 'me', { ...unchanged, work, dueAt: 5000 });
      assert.equal(await journal.retry('nobody’s', 20), false);
      assert.equal(await journal.claim(lease(20)), undefined);
      assert.equal(await journal.retry(reference, 20), true);
      assert.equal((await journal.claim(lease(20)))?.entry.reference, reference);
      await done(journal, reference, 30);
      assert.equal(await journal.retry(reference, 40), false);
    });

    test('of a person in a center is due when they are here, but for what is only looked at again', async (t) => {
      const journal = await (await openStore(t)).open();
      const places = [
        ['center', anna, undefined],
        ['other', anna, undefined],
        ['center', ben, undefined],
        ['center', anna, 5],
      ] as const;
      const references: string[] = [];
      for (const [center, subject, doneAt] of places) {
        const { reference, work } = await put(journal, aRequest({ center, subject, intent: leaveAll }), 1);
        assert.ok(work);
        assert.equal((await journal.claim(lease(10)))?.entry.reference, reference);
        const change = { ...unchanged, work, dueAt: 5000, isPassable: true, doneAt };
        await journal.save(reference, 'me', change);
        references.push(reference);
      }
      await journal.wake('center', anna, 100);
      assert.equal((await journal.claim(lease(100)))?.entry.reference, references[0]);
      assert.equal(await journal.claim(lease(100)), undefined);
    });

    test('is told of to whoever listens, and can be asked for', async (t) => {
      const journal = await (await openStore(t)).open();
      const news: JournalNews[] = [];
      const { promise, resolve } = Promise.withResolvers<void>();
      const ignore = journal.onNews((each) => {
        news.push(each);
        if (each.kind === 'told') resolve();
      });
      const first = await put(journal, aRequest({ intent: intentOf(off('a')) }), 1);
      const second = await put(journal, aRequest({ subject: ben, intent: intentOf(off('a')) }), 2);
      const all = [first.reference, second.reference, 'gone'];
      assert.deepEqual(await journal.finishedOf(all), ['gone']);
      await journal.claim(lease(10));
      assert.ok(first.work);
      const change = { ...unchanged, work: first.work, dueAt: 10, state: 'done', doneAt: 10 } as const;
      await journal.save(first.reference, 'you', { ...change, isTold: true });
      await journal.save(first.reference, 'me', { ...change, isTold: true });
      await promise;
      const told = news.filter(({ kind }) => kind === 'told');
      assert.deepEqual(told, [{ kind: 'told', reference: first.reference }]);
      assert.deepEqual(await journal.finishedOf(all), [first.reference, 'gone']);
      ignore();
      await journal.claim(lease(10));
      assert.ok(second.work);
      await journal.save(second.reference, 'me', { ...change, work: second.work, isTold: true });
      assert.deepEqual(
        news.filter(({ kind }) => kind === 'told'),
        told,
      );
      assert.deepEqual(await journal.finishedOf([]), []);
    });
  });
}
