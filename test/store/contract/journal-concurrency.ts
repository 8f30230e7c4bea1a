import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SubjectId } from '../../../src/core/model/subject.ts';
import type { Claimed } from '../../../src/ports/journal-queue.ts';
import { anna, aRequest, ben, intentOf, leaveAll, off, on } from '../../delivery/fixture.ts';
import {
  done,
  lease,
  type OpenStore,
  otherSecret,
  put,
  secret,
  submissionMade,
  unchanged,
} from './journal-fixture.ts';

/** What several processes do at the same time on one journal. */
export function journalConcurrencyContract(openStore: OpenStore): void {
  suite('two processes at the same time', () => {
    test('claim each entry once, and of each person one', async (t) => {
      const store = await openStore(t);
      const handles = [await store.open(), await store.open(), await store.open(), await store.open()];
      const people = Array.from({ length: 12 }, (_, number) => `person-${number}@example.org` as SubjectId);
      for (let now = 1; now <= 3; now += 1) {
        for (const subject of people)
          await put(handles[0]!, aRequest({ subject, intent: intentOf(off('a')) }), now);
      }
      const owners = handles.map((handle, index) => ({ handle, owner: `node-${index}` }));
      const done: string[] = [];
      for (let now = 10; done.length < 36; now += 1) {
        const claims = owners.flatMap(({ handle, owner }) =>
          [1, 2, 3, 4, 5].map(async () => ({
            handle,
            owner,
            claimed: await handle.claim(lease(now, owner)),
          })),
        );
        const taken = (await Promise.all(claims)).flatMap(({ claimed, ...by }) =>
          claimed === undefined ? [] : { ...by, claimed },
        );
        const subjects = taken.map(({ claimed }) => claimed.entry.work?.request.subject);
        assert.equal(new Set(subjects).size, taken.length, 'nobody is worked for twice at a time');
        assert.equal(taken.length, 12, 'and nobody waits');
        for (const { handle, owner, claimed } of taken) {
          const { reference, work } = claimed.entry;
          assert.ok(work);
          const change = { ...unchanged, work, state: 'done', dueAt: now, doneAt: now } as const;
          assert.equal(await handle.save(reference, owner, change), 'saved');
          done.push(reference);
        }
      }
      assert.equal(new Set(done).size, 36, 'each was done once');
      assert.equal(await handles[1]!.claim(lease(99)), undefined);
    });

    test('work for a person one at a time, and in order, also while their secrets are rotated', async (t) => {
      const store = await openStore(t);
      const old = await store.open([secret, otherSecret]);
      const fresh = await store.open([otherSecret, secret]);
      for (let round = 0; round < 10; round += 1) {
        const subject = `person-${round}@example.org` as SubjectId;
        const ask = (center: string) => aRequest({ subject, center, intent: intentOf(off('a')) });
        await Promise.all([put(old, ask('one'), 1), put(fresh, ask('two'), 1), put(old, ask('three'), 1)]);
        const click = aRequest({ subject, center: 'four', channel: 'one-click', intent: leaveAll });
        await Promise.all([
          fresh.record(click, submissionMade(click, 1)),
          put(old, ask('one'), 1),
          put(fresh, ask('one'), 1),
        ]);
        const ofOne: string[] = [];
        for (let left = 6; left > 0; left -= 1) {
          const claims = await Promise.all([old.claim(lease(9)), fresh.claim(lease(9)), old.claim(lease(9))]);
          const [claimed, ...others] = claims.filter((claim) => claim !== undefined);
          assert.ok(claimed, `round ${round}`);
          assert.deepEqual(others, [], `round ${round}`);
          if (claimed.entry.center === 'one') ofOne.push(claimed.entry.reference);
          await done(left % 2 === 0 ? old : fresh, claimed.entry.reference, 9);
        }
        const history = await fresh.historyOf('one', subject, { limit: 9, offset: 0 });
        assert.deepEqual(ofOne, history.map(({ reference }) => reference).toReversed());
      }
    });

    test('take one nonce for one submission', async (t) => {
      const store = await openStore(t);
      const both = [await store.open(), await store.open()];
      for (let round = 0; round < 10; round += 1) {
        const request = aRequest({ intent: intentOf(on('a')), reasons: [{ id: 'r', text: 'Too many' }] });
        const made = [0, 1, 2, 3].map((number) =>
          both[number % 2]!.record(request, submissionMade(request, 1)),
        );
        const recorded = await Promise.all(made);
        assert.deepEqual(recorded.map(({ kind }) => kind).toSorted(), ['known', 'known', 'known', 'new']);
        assert.equal(new Set(recorded.map(({ entry }) => entry.reference)).size, 1);
      }
      assert.equal((await both[0]!.list({ limit: 99 })).length, 10);
      assert.equal((await both[0]!.reasons({}, { limit: 99, after: undefined })).reasons.length, 10);
    });

    test('take the same one-click once', async (t) => {
      const store = await openStore(t);
      const both = [await store.open(), await store.open()];
      const recorded = await Promise.all(
        [0, 1, 2, 3, 4, 5].map((number) => {
          const request = aRequest({ channel: 'one-click', intent: leaveAll });
          return both[number % 2]!.record(request, submissionMade(request, 1));
        }),
      );
      const kinds = recorded.map(({ kind }) => kind).toSorted();
      assert.deepEqual(kinds, ['new', 'open', 'open', 'open', 'open', 'open']);
      assert.equal((await both[1]!.list({ limit: 99 })).length, 1);
    });

    test('undo a submission once', async (t) => {
      const store = await openStore(t);
      const both = [await store.open(), await store.open()];
      const { reference } = await put(both[0]!, aRequest({ intent: intentOf(off('a')) }), 1);
      await both[0]!.claim(lease(1));
      await done(both[0]!, reference, 2);
      const undoing = aRequest({ intent: intentOf(on('a')), undoes: reference });
      const made = await Promise.all(
        both.map((handle) => handle.record(undoing, submissionMade(undoing, 3))),
      );
      assert.equal((await both[0]!.find(reference))?.undoneBy, made[0]?.entry.reference);
      assert.equal(made[0]?.entry.reference, made[1]?.entry.reference);
    });

    test('see a lease go over to the other one', async (t) => {
      const store = await openStore(t);
      const [one, other] = [await store.open(), await store.open()];
      const { reference, work } = await put(one, aRequest({ intent: intentOf(on('a')) }), 1);
      assert.ok(work);
      assert.ok(await one.claim(lease(1, 'one')));
      const taken = await Promise.all([
        one.save(reference, 'one', { ...unchanged, work, dueAt: 1, lease: { now: 150, until: 250 } }),
        other.claim(lease(150, 'other')),
      ]);
      const [saved, claimed] = taken;
      assert.ok((saved === 'saved') !== (claimed !== undefined), 'it is the one’s or the other’s');
      const owner = saved === 'saved' ? 'one' : 'other';
      const loser = saved === 'saved' ? 'other' : 'one';
      assert.equal(await one.save(reference, loser, { ...unchanged, work, dueAt: 1 }), 'lost');
      assert.equal(await other.save(reference, owner, { ...unchanged, work, dueAt: 1 }), 'saved');
    });

    test('each see what the other has finished', async (t) => {
      const store = await openStore(t);
      const [one, other] = [await store.open(), await store.open()];
      const { reference } = await put(one, aRequest({ subject: ben, intent: intentOf(off('a')) }), 1);
      await put(one, aRequest({ subject: anna, intent: intentOf(off('a')) }), 2);
      const claimed: (Claimed | undefined)[] = [await other.claim(lease(5))];
      assert.equal(claimed[0]?.entry.reference, reference);
      assert.deepEqual(await one.finishedOf([reference]), []);
      await done(other, reference, 6);
      assert.deepEqual(await one.finishedOf([reference]), [reference]);
      assert.equal((await one.find(reference))?.state, 'done');
    });
  });
}
