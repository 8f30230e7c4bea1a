import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SubmissionRequest } from '../../../src/core/model/submission-request.ts';
import { newWork } from '../../../src/delivery/work.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { anna, aRequest, ben, intentOf, leaveAll, off, on } from '../../delivery/fixture.ts';
import {
  day,
  done,
  everyReason,
  lease,
  type OpenStore,
  otherSecret,
  put,
  secret,
  submissionMade,
} from './journal-fixture.ts';

/** What comes in is there, once, for its person alone; under every key that is still known. */
export function journalIntakeContract(openStore: OpenStore): void {
  suite('what comes in', () => {
    test('gives back what was recorded, under the same nonce the same entry', async (t) => {
      const journal = await (await openStore(t)).open();
      const request = aRequest({
        intent: intentOf(on('a', ['t'])),
        reasons: [{ id: undefined, text: 'too many' }],
      });
      const entry = await put(journal, request);
      assert.deepEqual(JSON.parse(JSON.stringify(entry.work?.request)), JSON.parse(JSON.stringify(request)));
      assert.equal(entry.state, 'pending');
      const again = { reference: 'x', now: 2, work: newWork(request), expiresAt: undefined };
      const reordered = JSON.parse(
        JSON.stringify({ ...request, intent: Object.fromEntries(Object.entries(request.intent).reverse()) }),
      ) as SubmissionRequest;
      assert.deepEqual(
        [(await journal.record(request, again)).kind, (await journal.record(reordered, again)).kind],
        ['known', 'known'],
      );
      assert.equal((await journal.record(request, again)).entry.reference, entry.reference);
      assert.equal((await journal.record({ ...request, intent: intentOf(off('a')) }, again)).kind, 'other');
      assert.equal(await journal.find('x'), undefined);
      assert.equal((await everyReason(journal)).length, 1);
    });

    test('finds a person’s entries by the person alone', async (t) => {
      const journal = await (await openStore(t)).open();
      const entry = await put(journal, aRequest());
      assert.equal((await journal.findOwn(entry.reference, anna))?.reference, entry.reference);
      assert.equal(await journal.findOwn(entry.reference, ben), undefined);
      assert.deepEqual(await journal.pendingOf('center', ben), []);
      assert.deepEqual(await journal.pendingOf('other', anna), []);
      assert.equal((await journal.pendingOf('center', anna)).length, 1);
    });

    test('is there when it is opened again', async (t) => {
      const store = await openStore(t);
      const first = await store.open();
      const { reference } = await put(first, aRequest({ intent: leaveAll }));
      await first.close();
      const again = await store.open();
      assert.equal((await again.find(reference))?.everything, true);
    });

    test('after a rotation is found, opened and queued as before', async (t) => {
      const store = await openStore(t);
      const before = await store.open([secret]);
      const first = await put(before, aRequest({ intent: intentOf(off('a')) }));
      const finished = await put(before, aRequest({ subject: ben }));
      await before.claim(lease(1000));
      await before.claim(lease(1000));
      await done(before, finished.reference, 1000);
      await before.close();
      const after = await store.open([otherSecret, secret]);
      const second = await put(after, aRequest({ intent: intentOf(on('a')) }));
      assert.deepEqual(
        (await after.pendingOf('center', anna)).map((entry) => entry.reference),
        [first.reference, second.reference],
      );
      assert.equal((await after.findOwn(finished.reference, ben))?.reference, finished.reference);
      assert.equal((await after.claim(lease(2000)))?.entry.reference, first.reference);
      assert.equal(await after.claim(lease(2000)), undefined);
    });

    test('is there without what is personal when its key is gone', async (t) => {
      const store = await openStore(t);
      const before = await store.open([secret]);
      const { reference } = await put(before, aRequest());
      await before.close();
      const after = await store.open([otherSecret]);
      assert.equal((await after.find(reference))?.state, 'pending');
      assert.equal((await after.find(reference))?.work, undefined);
      const claimed = await after.claim(lease(2000));
      assert.deepEqual([claimed?.entry.reference, claimed?.isBehind], [reference, false]);
    });
  });

  suite('one-clicks that two processes take', () => {
    test('of the same are one row, in whichever it arrives', async (t) => {
      const store = await openStore(t);
      const [one, other] = [await store.open(), await store.open()];
      const click = async (journal: Journal, now: number) => {
        const request = aRequest({ channel: 'one-click', intent: leaveAll });
        return await journal.record(request, submissionMade(request, now));
      };
      const first = await click(one, 1_000);
      assert.equal(first.kind, 'new');
      for (const [journal, now] of [
        [other, 1_001],
        [one, 50_000],
        [other, 900_000],
      ] as const) {
        const { kind, entry } = await click(journal, now);
        assert.deepEqual([kind, entry.reference], ['open', first.entry.reference]);
      }
      assert.equal((await one.list({ limit: 9 })).length, 1);
    });

    test('that leave no row of their own leave when they were said at the one that is kept', async (t) => {
      const journal = await (await openStore(t)).open();
      const click = async (now: number) => {
        const request = aRequest({ channel: 'one-click', intent: leaveAll });
        return (await journal.record(request, submissionMade(request, now))).entry.reference;
      };
      const carryOut = async (reference: string, now: number) => {
        await journal.claim(lease(now));
        await done(journal, reference, now);
      };
      const saidAt = async (reference: string) => (await journal.find(reference))?.saidAgainAt;
      const recent = async (since: number) =>
        (await journal.recentOf(anna, since)).map(({ reference }) => reference);

      const first = await click(1_000);
      await carryOut(first, 1_100);
      assert.equal(await saidAt(first), undefined);
      await carryOut(await click(50_000), 50_100);
      assert.equal(await saidAt(first), 50_000);
      assert.deepEqual(await recent(50_000), [first]);
      assert.deepEqual(await recent(50_001), []);

      const again = await click(60_000);
      assert.equal(await click(60_500), again);
      assert.equal(await saidAt(again), 60_500);
      await carryOut(again, 61_000);
      assert.equal(await saidAt(first), 60_500);
      assert.equal((await journal.list({ limit: 9 })).length, 1);

      // The work of so old a one may be gone before a form that was drawn by then is too old.
      const muchLater = 29 * day;
      const own = await click(muchLater);
      await carryOut(own, muchLater + 100);
      assert.equal(await saidAt(first), 60_500);
      assert.equal((await journal.list({ limit: 9 })).length, 2);
    });

    test('count together: what is over the bound in one is in the other', async (t) => {
      const store = await openStore(t);
      const both = [await store.open(), await store.open()] as const;
      const due: number[] = [];
      for (let number = 0; number < 12; number += 1) {
        const journal = both[number % 2 === 0 ? 0 : 1];
        const now = 10_000 * (number + 1);
        const request = aRequest({ channel: 'one-click', intent: leaveAll });
        const { kind, entry } = await journal.record(request, submissionMade(request, now));
        if (kind === 'open') continue;
        due.push(entry.dueAt - now);
        if (entry.dueAt > now) continue;
        await journal.claim(lease(now));
        await done(journal, entry.reference, now);
      }
      assert.deepEqual(due, [0, 0, 0, 0, 0, 0, 0, 0, 0, 600_000]);
      assert.equal((await both[0].list({ limit: 99 })).length, 2);
    });
  });
}
