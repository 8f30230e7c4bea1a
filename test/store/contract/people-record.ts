import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { SubmissionChange } from '../../../src/core/consent/person.ts';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import { noIntent } from '../../../src/core/model/submission/intent.ts';
import { recordedAsShown } from '../../../src/delivery/recording.ts';
import { anna, aRequest, ben, intentOf, leaveAll, off, on } from '../../delivery/fixture.ts';
import {
  claimed,
  failedAt,
  finish,
  type MakePeople,
  newReference,
  newsOf,
  type PeopleHandle,
  put,
  saying,
  unchanged,
} from './people-fixture.ts';
import { atOnce, peopleOf, testsOf } from './test-store.ts';

/** Leaves out absent members: the store does not keep them. */
const plain = (value: object): unknown => JSON.parse(JSON.stringify(value));

/** The contract of recording. */
export function peopleRecordContract(make: MakePeople): void {
  const test = testsOf(make);
  suite('A submission', () => {
    test('A submission is found at once, with its request and its progress', async (people) => {
      const request = aRequest({ intent: intentOf(off('a')) });
      const { kind, entry } = await put(people, request);
      assert.equal(kind, 'new');
      const found = await people.find(entry.reference);
      assert.deepEqual(found && plain(found), plain(entry));
      assert.equal(found?.state, 'pending');
      assert.equal(found?.dueAt, 1_000);
      assert.deepEqual(found?.work && plain(found.work.request), plain(request));
      assert.equal(found?.work?.progress.events, 1);
      assert.equal(found?.work?.desired.centers[0]?.items[0]?.by, entry.reference);
      assert.deepEqual(await people.findOwn(entry.reference, anna), found);
      assert.equal(await people.findOwn(entry.reference, ben), undefined);
      assert.equal(await people.find('nothing'), undefined);
    });

    test('A submission is in the history of its person in its center, newest first, in parts', async (people) => {
      const first = await put(people, aRequest({ intent: intentOf(on('a')) }));
      const second = await put(people, aRequest({ intent: intentOf(off('b')) }));
      await put(people, aRequest({ center: 'other' }));
      await put(people, aRequest({ subject: ben }));
      const history = async (limit: number, offset = 0) =>
        (await people.historyOf('center', anna, { limit, offset })).map(({ reference }) => reference);
      assert.deepEqual(await history(9), [second.entry.reference, first.entry.reference]);
      assert.deepEqual(await history(1, 1), [first.entry.reference]);
      assert.equal(await people.historySize('center', anna), 2);
      const [newest, oldest] = await people.historyOf('center', anna, { limit: 9, offset: 0 });
      assert.equal(newest?.work?.desired.order, 1_003);
      assert.deepEqual(oldest?.work?.desired, newest?.work?.desired);
      assert.equal(oldest?.dueAt, 1_000);
    });

    test('A submission is known by its nonce: the same request again writes nothing, nor does another one', async (people) => {
      const request = aRequest({ intent: intentOf(off('a')) });
      const first = await put(people, request, { news: [newsOf(request, 'first')] });
      const before = await people.personOf(anna);
      people.told.length = 0;
      const again = await put(people, request, { now: 2_000 });
      assert.equal(again.kind, 'known');
      assert.equal(again.entry.reference, first.entry.reference);
      for (const other of [{ subject: ben }, { center: 'other' }, { intent: intentOf(off('b')) }]) {
        const stolen = await put(people, { ...request, ...other }, { now: 3_000 });
        assert.equal(stolen.kind, 'other');
      }
      assert.deepEqual(await people.personOf(anna), before);
      assert.equal(await people.personOf(ben), undefined);
      assert.deepEqual(people.told, []);
      assert.equal((await people.list({ limit: 9 })).length, 1);
      assert.equal(await people.nextDueAt(), 1_000);
    });

    test('A submission is written once if two processes record one nonce', async ({ handles }) => {
      for (let round = 0; round < 10; round += 1) {
        const request = aRequest({ intent: intentOf(off('a')) });
        const all = await atOnce(handles, 4, (people) => put(people, request));
        assert.deepEqual(all.map(({ kind }) => kind).toSorted(), ['known', 'known', 'known', 'new']);
        assert.equal(new Set(all.map(({ entry }) => entry.reference)).size, 1);
      }
    });

    test('A submission has no row if another one already asks for the same', async (people) => {
      const click = (reasons = [{ id: 'r1', text: 'Too many' }]) =>
        aRequest({ intent: leaveAll, channel: 'one-click', scope: 'withdraw', reasons });
      const [original, request] = [click(), click()];
      const first = await put(people, original);
      const again = await put(people, request, { now: 2_000, news: [newsOf(request, 'again')] });
      assert.equal(again.kind, 'open');
      assert.equal(again.entry.reference, first.entry.reference);
      assert.equal(again.entry.dueAt, 2_000);
      assert.equal(again.entry.work?.desired.order, 1_002);
      assert.deepEqual((await people.personOf(anna))?.clicks, { count: 0, until: 0, dueAt: 2_000 });
      assert.equal((await people.list({ limit: 9 })).length, 1);
      assert.equal((await people.reasons({}, { limit: 9, after: undefined })).reasons.length, 1);
      assert.deepEqual(people.told, []);
      const known = await put(people, request, { now: 3_000 });
      assert.equal(known.kind, 'open', 'a click without a row is not known by its nonce');
      assert.equal((await put(people, original, { now: 4_000 })).kind, 'known', 'one with a row is known');
    });

    test('A submission has one row if two processes get the same click', async ({ handles }) => {
      const recorded = await atOnce(handles, 6, (people) =>
        put(people, aRequest({ intent: leaveAll, channel: 'one-click' })),
      );
      const kinds = recorded.map(({ kind }) => kind).toSorted();
      assert.deepEqual(kinds, ['new', 'open', 'open', 'open', 'open', 'open']);
      assert.equal((await handles[0].list({ limit: 9 })).length, 1);
    });

    test('A submission grants, or its form counts as unchanged, never both', async ({ handles }) => {
      for (let round = 0; round < 10; round += 1) {
        const subject = `person ${round}` as SubjectId;
        const request = aRequest({ subject, intent: intentOf(on('a')) });
        const shown = { request: { ...request, intent: noIntent }, reference: newReference(), now: 1_000 };
        const [asShown] = await Promise.all([
          handles[1].record(shown, (person) => recordedAsShown(person, shown)),
          put(handles[0], request),
        ]);
        const person = await handles[0].personOf(subject);
        const isGranted = person?.desired.centers[0]?.items.some(({ want }) => want === 'on') === true;
        assert.equal(asShown.kind, isGranted ? 'other' : 'open');
        assert.equal(await handles[0].historySize(request.center, subject), 1);
      }
    });

    test('A submission undoes one of the same person, once, until it fails', async (people) => {
      const first = (await put(people, aRequest({ intent: intentOf(off('a')) }))).entry.reference;
      const others = (await put(people, aRequest({ subject: ben }))).entry.reference;
      const undoing = (purpose: string, undoes: string) =>
        put(people, aRequest({ intent: intentOf(on(purpose)), undoes }));
      const undo = (await undoing('b', first)).entry.reference;
      await undoing('c', first);
      await undoing('d', others);
      assert.equal((await people.find(first))?.undoneBy, undo);
      assert.equal((await people.find(others))?.undoneBy, undefined);
      const held = await claimed(people, 2_000);
      const { person } = held;
      const submissions = [failedAt(undo, 2_000, first)];
      const change = { ...unchanged(person, 2_000), submissions };
      assert.equal((await people.keep(held, change, 'released')).kind, 'kept');
      assert.equal((await people.find(first))?.undoneBy, undefined);
    });

    test('Submissions of many people at once are written together, and one that fails does not make others fail', async (used) => {
      const { store: one, beside: other } = used;
      const subjects = peopleOf(120);
      one.refused.add(subjects[7]!);
      const ended = await Promise.allSettled(
        subjects.map((subject, index) => {
          const request = aRequest({ subject, intent: intentOf(off('a')) });
          return put(index % 3 === 0 ? other : one, request, { news: [newsOf(request, 'n')] });
        }),
      );
      const failed = ended.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
      assert.deepEqual(failed, [7]);
      assert.equal((await one.list({ limit: 200 })).length, 119);
      assert.equal(await one.personOf(subjects[7]!), undefined);
    });

    test('Submissions of one person by two processes are all kept, in an order', async ({ handles }) => {
      await atOnce(handles, 40, (people, index) =>
        put(people, aRequest({ intent: intentOf(off(`p${index}`)) })),
      );
      const person = await handles[0].personOf(anna);
      assert.equal(person?.open.length, 40);
      assert.equal(person?.desired.order, 1_040);
      assert.equal(person?.desired.centers[0]?.items.length, 40);
      const history = await handles[1].historyOf('center', anna, { limit: 50, offset: 0 });
      assert.deepEqual(
        history.map(({ reference }) => reference).toReversed(),
        person?.open.map(({ reference }) => reference),
      );
    });

    /** Records a further submission, which ends an earlier one. */
    function ending(
      people: PeopleHandle,
      [first, purpose]: readonly [string, string],
      end: SubmissionChange,
    ) {
      const [request, reference] = [aRequest({ intent: intentOf(off(purpose)) }), newReference()];
      const now = end.doneAt ?? 0;
      return people.record({ request, reference, now }, (person) => {
        const { change, repeats } = saying(request, reference, now)(person);
        const open = change.person.open.filter((each) => each.reference !== first);
        const ends = { submissions: [end], told: [first] };
        return {
          repeats,
          change: { ...change, dueAt: now + 0.4, person: { ...change.person, open }, ...ends },
        };
      });
    }

    test('A submission changes an earlier one twice in one transaction, and the later change wins', async (people) => {
      const first = (await put(people, aRequest({ intent: intentOf(on('a')) }))).entry.reference;
      await Promise.all(
        [1, 2, 3, 4].map((events) => {
          const progress = { lines: [], calls: [], events };
          return ending(people, [first, `p${events}`], { ...failedAt(first, 1_500), progress });
        }),
      );
      assert.equal((await people.find(first))?.work?.progress.events, 4);
      assert.equal((await people.personOf(anna))?.open.length, 4);
    });

    test('A submission tells listeners which earlier ones it ends', async (people) => {
      const first = (await put(people, aRequest({ intent: intentOf(on('a')) }))).entry.reference;
      const news: unknown[] = [];
      people.onNews((each) => news.push(each));
      await ending(people, [first, 'a'], failedAt(first, 1_500));
      assert.deepEqual(news, [{ kind: 'told', reference: first }]);
      const entry = await people.find(first);
      assert.deepEqual([entry?.state, entry?.doneAt, entry?.work?.progress.events], ['failed', 1_500, 2]);
      const [again] = await people.submissionsOf([first, 'gone'], anna);
      assert.deepEqual(
        [again?.state, again?.progress.events, again?.intent.purposes],
        ['failed', 2, [on('a')]],
      );
      assert.deepEqual(await people.submissionsOf([first], ben), []);
    });

    test('A submission stays as it was once it is done', async (people) => {
      const { reference } = (await put(people, aRequest({ intent: intentOf(off('a')) }))).entry;
      await finish(people, 2_000);
      const entry = await people.find(reference);
      assert.deepEqual(
        [entry?.state, entry?.doneAt, entry?.receipts, entry?.dueAt],
        ['done', 2_000, ['r1'], undefined],
      );
      assert.equal(entry?.work?.progress.lines[0]?.outcome, 'saved');
      assert.deepEqual(await people.finishedOf([reference, 'gone']), [reference, 'gone']);
    });
  });
}
