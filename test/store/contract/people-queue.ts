import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import { writing } from '../../../src/store/sql.ts';
import { anna, aRequest, ben, intentOf, off, on } from '../../delivery/fixture.ts';
import { byHand, exchanged } from './exchanged.ts';
import {
  claimed,
  ended,
  finish,
  lease,
  type MakePeople,
  newReference,
  newsOf,
  type PeopleHandle,
  put,
  saying,
  unchanged,
} from './people-fixture.ts';
import { atOnce, peopleOf, testsOf } from './test-store.ts';

const grant = (subject: SubjectId) => aRequest({ subject, intent: intentOf(on('a')) });
const withdrawal = (subject: SubjectId) => aRequest({ subject, intent: intentOf(off('a')) });

/** Records a submission whose person is due at another time. */
function putDue(store: PeopleHandle, subject: SubjectId, dueAt: number, request = withdrawal(subject)) {
  const reference = newReference();
  return store.record({ request, reference, now: 1_000 }, (person) => {
    const { change, repeats } = saying(request, reference, 1_000)(person);
    return { repeats, change: { ...change, dueAt } };
  });
}

/** The contract of the queue of people. */
export function peopleQueueContract(make: MakePeople): void {
  const test = testsOf(make);
  suite('People who are due', () => {
    test('People are claimed withdrawals first, each group in the order of time, and never two at a time', async (store) => {
      const [first, second, third, fourth] = peopleOf(4) as [SubjectId, SubjectId, SubjectId, SubjectId];
      await putDue(store, first, 1_010, grant(first));
      await putDue(store, second, 1_020);
      await putDue(store, third, 1_005);
      await putDue(store, fourth, 5_000);
      const order = [];
      for (
        let found = await store.claim(lease(1_100, 'a'));
        found;
        found = await store.claim(lease(1_100, 'b'))
      )
        order.push(found.person?.subject);
      assert.deepEqual(order, [third, second, first]);
      assert.equal((await claimed(store, 1_200, 'c')).person.subject, third, 'a lease ends');
    });

    test('People are all claimed once by all processes', async ({ handles }) => {
      const all = peopleOf(30);
      await Promise.all(all.map((subject) => put(handles[0], grant(subject))));
      const found: string[] = [];
      for (let round = 0; found.length < all.length; round += 1) {
        const some = await atOnce(handles, 10, (store, index) =>
          store.claim(lease(2_000, `${round} ${index}`)),
        );
        const names = some.flatMap((each) => each?.person?.subject ?? []);
        assert.ok(names.length > 0, 'each round claims at least one person');
        found.push(...names);
      }
      assert.deepEqual(found.toSorted(), all.toSorted());
      assert.equal(await handles[1].claim(lease(2_000)), undefined);
    });

    test('A person is kept with the changes, and is at rest when nothing is left', async (store) => {
      const { entry } = await put(store, withdrawal(anna));
      const held = await claimed(store, 2_000);
      const noted = {
        ...held.person,
        tries: [{ center: 'center', attempts: 1, problem: 'platform-busy', until: 0 }],
      } as const;
      const news: unknown[] = [];
      store.onNews((each) => news.push(each));
      const first = { ...unchanged(noted, 2_500), told: [entry.reference] };
      const kept = await store.keep(held, first, { now: 2_000, until: 2_200 });
      assert.deepEqual(
        news.splice(0),
        [{ kind: 'told', reference: entry.reference }],
        'though none has ended',
      );
      assert.deepEqual(kept, { kind: 'kept', version: held.version + 1 });
      assert.equal((await store.find(entry.reference))?.work?.tries?.attempts, 1);
      assert.equal((await store.find(entry.reference))?.dueAt, 2_500);
      const change = { ...ended(noted, 2_100), news: [newsOf(aRequest(), entry.reference)] };
      const again = { ...held, version: held.version + 1 };
      assert.equal((await store.keep(again, change, 'released')).kind, 'kept');
      assert.deepEqual(news, [{ kind: 'told', reference: entry.reference }]);
      assert.equal(store.told.at(-1)?.subject, anna);
      assert.equal(await store.nextDueAt(), undefined);
      assert.equal(await store.claim(lease(9e12)), undefined);
      assert.equal(await store.wake(anna, 3_000), false, 'a person at rest is not woken');
      assert.deepEqual((await store.personOf(anna))?.open, []);
    });

    test('A person is not kept over a submission that was recorded meanwhile, and the lease is still held', async (store) => {
      await put(store, withdrawal(anna));
      const held = await claimed(store, 2_000);
      await put(store, aRequest({ intent: intentOf(on('b')) }), { now: 2_010 });
      const change = { ...ended(held.person, 2_020), news: [newsOf(aRequest(), 'x')] };
      const kept = await store.keep(held, change, 'released');
      assert.equal(kept.kind, 'changed');
      assert.ok(kept.kind === 'changed' && kept.person);
      assert.equal(kept.version, held.version + 1);
      assert.equal(kept.person.open.length, 2);
      assert.equal((await store.find(held.person.open[0]!.reference))?.state, 'pending');
      assert.equal(await store.claim(lease(2_030, 'other')), undefined);
      const now = { ...held, version: kept.version };
      assert.equal((await store.keep(now, ended(kept.person, 2_040), 'released')).kind, 'kept');
    });

    test('A lease is lost once another process has the person; a lease that only ran out is taken up again', async (used) => {
      const { store: one, beside: other } = used;
      await put(one, withdrawal(anna));
      const held = await claimed(one, 2_000);
      const longer = await one.keep(held, unchanged(held.person, 2_000), { now: 9_000, until: 9_100 });
      assert.equal(longer.kind, 'kept');
      assert.equal(await other.claim(lease(9_050, 'other')), undefined, 'the lease was taken up again');
      const theirs = await claimed(other, 9_200, 'other');
      const mine = { ...held, version: theirs.version };
      assert.equal((await one.keep(mine, ended(held.person, 9_300), 'released')).kind, 'lost');
      await one.postpone(mine, 99_000);
      assert.equal((await other.keep(theirs, unchanged(theirs.person, 9_300), 'released')).kind, 'kept');
    });

    test('A person is put off, but not beyond a submission that was recorded meanwhile', async (store) => {
      await put(store, withdrawal(anna));
      await store.postpone(await claimed(store, 2_000), 7_000);
      assert.equal(await store.nextDueAt(), 7_000);
      assert.equal(await store.claim(lease(6_999)), undefined);
      const held = await claimed(store, 7_000);
      await put(store, grant(anna), { now: 7_010 });
      await store.postpone(held, 20_000);
      assert.equal(await store.nextDueAt(), 7_010);
    });

    test('A person whom no key opens is claimed, and stays', async (store) => {
      await put(store, withdrawal(anna));
      await put(store, withdrawal(ben));
      await exchanged(store.sql, 'person', 'subject', 'document');
      const found = [await store.claim(lease(2_000, 'a')), await store.claim(lease(2_000, 'b'))];
      const [lost] = found;
      assert.ok(lost !== undefined && found.every((each) => each !== undefined && each.person === undefined));
      await store.postpone(lost, 50_000);
      const entries = await store.list({ limit: 9 });
      assert.deepEqual(
        entries.map(({ work }) => work),
        [undefined, undefined],
        'a row shows no other person',
      );
    });

    test('The next due time includes the end of a lease', async (store) => {
      assert.equal(await store.nextDueAt(), undefined);
      await putDue(store, anna, 5_000, grant(anna));
      await putDue(store, ben, 6_000);
      assert.equal(await store.nextDueAt(), 5_000);
      await store.claim(lease(5_000));
      assert.equal(await store.nextDueAt(), 5_100);
    });

    test('A few people are made due, withdrawals first, at spread times', async (store) => {
      const all = peopleOf(20);
      for (const [index, subject] of all.entries())
        await putDue(store, subject, 100_000 + index, index < 5 ? withdrawal(subject) : grant(subject));
      await store.makeDue({ now: 2_000, spread: 100, limit: 8 });
      const dueOf = async () =>
        (await store.sql.all(readAll)).map((row) => Number(row['due_at'])).filter((at) => at < 100_000);
      const due = await dueOf();
      assert.equal(due.length, 8);
      assert.ok(due.every((at) => at >= 2_000 && at < 2_100));
      const early = (await store.sql.all(readAll)).filter((row) => Number(row['due_at']) < 100_000);
      assert.equal(early.filter((row) => Number(row['withdraws']) === 1).length, 5);
      await store.makeDue({ now: 2_000, spread: 0, limit: 99 });
      assert.equal((await dueOf()).length, 20);
    });

    test('A person is woken by name, and by a submission that is pending', async (store) => {
      const { entry } = await putDue(store, anna, 90_000);
      assert.equal(await store.wake(ben, 2_000), false);
      assert.equal(await store.wake(anna, 2_000), true);
      assert.equal(await store.nextDueAt(), 2_000);
      await store.postpone(await claimed(store, 2_000), 90_000);
      assert.equal(await store.retry('nothing', 3_000), false);
      assert.equal(await store.retry(entry.reference, 3_000), true);
      assert.equal(await store.nextDueAt(), 3_000);
      assert.deepEqual(await store.finishedOf([entry.reference]), []);
      await finish(store, 3_000);
      assert.equal(await store.retry(entry.reference, 4_000), false);
    });

    test('People wait no longer than they may after the clock was set back', async (store) => {
      await putDue(store, anna, 1_000);
      await putDue(store, ben, 9_000_000, grant(ben));
      await store.claim({ owner: 'gone', now: 8_000_000, until: 8_100_000 });
      await store.resume({ now: 5_000, lease: 100, latest: 1_000 });
      assert.equal((await claimed(store, 5_050)).person.subject, ben, 'the person is due at once');
      assert.equal(await store.claim(lease(5_060)), undefined);
      const long = await store.claim({ owner: 'long', now: 5_100, until: 9_000 });
      assert.equal(long?.person?.subject, anna);
    });
  });
}

const readAll = writing`SELECT * FROM person ORDER BY subject ${byHand}`;
