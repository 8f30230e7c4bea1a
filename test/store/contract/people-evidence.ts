import assert from 'node:assert/strict';
import { suite } from 'node:test';
import { viewOf } from '../../../src/core/consent/submission-view.ts';
import { openDayRoots } from '../../../src/store/day-roots.ts';
import { leafOf } from '../../../src/store/evidence-seal.ts';
import { reading, writing } from '../../../src/store/sql.ts';
import { openWordings } from '../../../src/store/wordings.ts';
import { anna, aRequest, intentOf, on } from '../../delivery/fixture.ts';
import { byHand } from './exchanged.ts';
import { claimed, ended, finish, type MakePeople, put } from './people-fixture.ts';
import { aSigner, wordingOf } from './roots-world.ts';
import { aClock, day, hour, testsOf } from './test-store.ts';

const leaves = reading<
  Partial<Record<'asked_leaf' | 'ended_leaf', Uint8Array> & Record<'ended_day' | 'words', number>>
>`SELECT asked_leaf, ended_leaf, ended_day, words FROM submission ORDER BY sequence ${byHand}`;
const history = { limit: 9, offset: 0 };

/** The contract of evidence, and of the words that it points at. */
export function peopleEvidenceContract(make: MakePeople): void {
  const test = testsOf(make);
  suite('Evidence', () => {
    test('Evidence has a leaf of the request and one of the end, which its salt makes again', async (store) => {
      await put(store, aRequest({ intent: intentOf(on('a')) }));
      await finish(store, 5 * day + 7);
      const [entry] = await store.historyOf('center', anna, history);
      const [row] = await store.sql.all(leaves);
      const { asked, ended: end } = entry?.evidence ?? {};
      assert.deepEqual(Buffer.from(row?.asked_leaf ?? []), leafOf(asked ?? { salt: '' }));
      assert.deepEqual(
        [asked?.acceptedAt, asked?.changes],
        [1_000, [{ what: 'purpose', id: 'a', change: 'on' }]],
      );
      const { salt = '' } = end ?? {};
      const told = { ...end, salt, reference: entry?.reference };
      assert.deepEqual(Buffer.from(row?.ended_leaf ?? []), leafOf(told));
      assert.notEqual(salt, asked?.salt);
      assert.equal(row?.ended_day, 5 * day);
    });

    test('Evidence is in the signed root of its day', async (store) => {
      const { reference } = (await put(store, aRequest({ intent: intentOf(on('a')) }))).entry;
      await finish(store, 2_000);
      const clock = aClock();
      const roots = openDayRoots({ ...store.sql, clock }, () => []);
      const by = { issuer: 'x', signer: await aSigner() };
      for (let times = 0; times < 2; times += 1) {
        assert.ok((await roots.make(by)) > 0);
        clock.at += hour;
      }
      assert.equal((await roots.proofs('center', [reference])).size, 1);
      assert.equal((await roots.list('center', { before: 9, limit: 9 })).length, 1);
    });

    test('An end stays as it was if more is found out on a later day, and changes on the same day', async (store) => {
      await put(store, aRequest({ intent: intentOf(on('a')) }));
      const held = await claimed(store, 2_000);
      let { version } = held;
      const write = async (at: number, state: 'done' | 'failed') => {
        const change = { ...ended(held.person, at, { state }), person: held.person };
        const kept = await store.keep({ ...held, version }, change, { now: at, until: at + 100 });
        assert.equal(kept.kind, 'kept');
        version += 1;
        const [entry] = await store.historyOf('center', anna, history);
        return entry?.evidence?.ended?.state;
      };
      assert.deepEqual(
        [await write(2_000, 'done'), await write(3_000, 'failed'), await write(3_000 + day, 'done')],
        ['done', 'failed', 'failed'],
      );
    });
  });

  test('The evidence tells how a submission ended once its work is over, whatever the columns say', async (store) => {
    await put(store, aRequest({ intent: intentOf(on('a')) }));
    const held = await claimed(store, 2_000);
    const { submissions, ...change } = ended(held.person, 2_000);
    const repeated = submissions.map((each) => ({
      ...each,
      ended: each.ended && ({ ...each.ended, aftermath: 'repeated' } as const),
    }));
    await store.keep(held, { ...change, submissions: repeated }, 'released');
    await store.sweep({ now: day, workBefore: day, evidenceBefore: 0, reasonsBefore: 0 });
    for (const column of ['failed', 'pending']) {
      await store.sql.run(
        writing`UPDATE submission SET state = '${column}', done_at = 7, receipts = '["r9"]' ${byHand}`,
      );
      const [entry] = await store.historyOf('center', anna, history);
      assert.ok(entry !== undefined && entry.work === undefined);
      const { state, doneAt, receipts, aftermath } = viewOf(entry, day);
      assert.deepEqual([state, doneAt, receipts, aftermath], ['done', 2_000, [], 'repeated']);
      const [staffs] = await store.list({ limit: 1 });
      assert.deepEqual([staffs?.state, staffs?.doneAt, staffs?.receipts], ['done', 2_000, []]);
    }
  });

  suite('Words that people were shown', () => {
    test('Words are kept once, as long as a submission points at them', async (store) => {
      const clock = aClock();
      const wordings = openWordings({ sql: { ...store.sql, clock } });
      const [shown, texts] = wordingOf('News', 'Offers');
      const [other, otherTexts] = wordingOf('News', 'Deals');
      await wordings.keep(shown, texts);
      await wordings.keep(other, otherTexts);
      await wordings.keep(shown, texts);
      const all = [...texts, ...otherTexts].map(({ digest }) => digest);
      const kept = async () => {
        const contents = [...(await wordings.texts(all)).values()];
        return contents.map((content) => JSON.parse(content).name ?? 'around').toSorted();
      };
      assert.deepEqual(await kept(), ['Deals', 'News', 'Offers', 'around']);
      const words = { by: 'form', words: shown.digest, language: 'en' } as const;
      await put(store, aRequest({ intent: intentOf(on('a')), shown: words }));
      await finish(store, 2_000);
      const [row] = await store.sql.all(leaves);
      assert.notEqual(row?.words, undefined, 'the submission points at them');

      clock.at += 30 * day;
      assert.equal(await wordings.sweep(), 0);
      clock.at += 1;
      assert.equal(await wordings.sweep(), 1);
      assert.equal(await wordings.sweep(), 0);
      assert.deepEqual(await kept(), ['News', 'Offers', 'around']);
      assert.deepEqual([...(await wordings.wordings([shown.digest, other.digest])).keys()], [shown.digest]);

      const over = { now: 9e15, workBefore: 9e14, evidenceBefore: 9e14, reasonsBefore: 0 };
      while ((await store.sweep(over)) > 0);
      assert.equal(await wordings.sweep(), 1);
      assert.deepEqual(await kept(), []);
    });
  });
}
