import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { FormSnapshot, PurposeSnapshot } from '../../../src/core/consent/form-snapshot.ts';
import type { Posted } from '../../../src/core/consent/posted.ts';
import { planSubmission } from '../../../src/core/consent/submission-plan.ts';
import { type Center, everyPurpose, itemsOf } from '../../../src/core/model/center/center.ts';
import { unreadCenter } from '../../../src/core/model/center/unread-center.ts';
import { readSubjectId, type SubjectId } from '../../../src/core/model/person/subject.ts';
import { openForm, sealForm } from '../../../src/features/centers/form-token.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { times } from '../../chaos/dice.ts';
import { aCenter, aPreference, aPurpose, topics } from '../../core/center-builder.ts';

const subject = readSubjectId('anna@example.org') as SubjectId;
const seal = createSeal(['a-secret-of-at-least-thirty-two-bytes-1']);
const opened = (snapshot: FormSnapshot) => openForm(seal, sealForm(seal, snapshot));
/** The snapshot as JSON brings it back: without undefined fields. */
const written = (snapshot: FormSnapshot): FormSnapshot => JSON.parse(JSON.stringify(snapshot));

const guids = Array.from({ length: 12 }, (_, at) => `be5c0000-0001-4000-8000-0000000000${at + 10}`);
/** Only a few ids, so that purposes, topics and options share some. */
const anId = fc.oneof(
  fc.constantFrom(...guids),
  fc.uuid(),
  fc.constantFrom('a', 'B', 'a.b', 'BE5C0000-0001-4000-8000-000000000010', '~'),
);
const someIds = (most: number) => fc.uniqueArray(anId, { maxLength: most });
const aSchema = fc
  .uniqueArray(
    fc.record({
      id: anId,
      topics: someIds(4),
      preferences: fc.dictionary(anId, someIds(3), { maxKeys: 2 }),
      choice: fc.constantFrom('single' as const, 'multiple' as const),
    }),
    { maxLength: 5, selector: ({ id }) => id },
  )
  .map((purposes) =>
    purposes.map((each) =>
      aPurpose(each.id, {
        topics: topics(...each.topics),
        preferences: Object.entries(each.preferences).map(([id, options]) =>
          aPreference(id, options, { choice: each.choice }),
        ),
      }),
    ),
  );
const aStatus = fc.constantFrom<PurposeSnapshot['status'][]>(
  'on',
  'off',
  'on-by-default',
  'waiting',
  'expired',
  'locked-on',
  'locked-off',
);
/** Random bits of a case; the consumers use them in turn. */
const dice = fc.array(fc.boolean(), { minLength: 7, maxLength: 7 });
const aText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', '', '\ud800\u20ac x', guids[0] ?? ''),
);

const words = hash('sha256', 'words', 'base64url');
const aDrawing = fc.record({
  statuses: fc.array(aStatus, { minLength: 1, maxLength: 5 }),
  coins: dice,
  value: aText,
  ids: someIds(3),
});
type Drawing = Parameters<Parameters<typeof aDrawing.map>[0]>[0];
function tossing(coins: readonly boolean[]): () => boolean {
  let at = 0;
  return () => coins[at++ % coins.length] === true;
}

/** A snapshot that a page of this center may have shown. */
function shownBy(center: Center, { statuses, coins, value, ids }: Drawing): FormSnapshot {
  const isHeads = tossing(coins);
  return {
    nonce: 'a-nonce_of_24_characters',
    center: center.id,
    page: 'page',
    revision: center.revision,
    ...(isHeads() ? { language: 'pt-BR', words } : {}),
    subject,
    order: 7,
    at: 1_790_000_000_123,
    purposes: everyPurpose(center).map((purpose, index) => ({
      id: purpose.id,
      status: statuses[index % statuses.length] ?? 'off',
      onRecord: isHeads() ? (isHeads() ? 'refused' : 'otherwise') : undefined,
      ...(isHeads() ? { recorded: isHeads() ? 'OPT_OUT' : value } : {}),
      topics: purpose.topics.map(({ id }) => id).filter(isHeads),
      options: purpose.preferences.flatMap(({ id, options }) =>
        options.filter(isHeads).map((option) => ({ preference: id, option: option.id })),
      ),
    })),
    dataElements: isHeads() ? [{ id: 'name', value }] : [],
    hidden: isHeads() ? ids : undefined,
    left: isHeads() ? ids : undefined,
    chosen: isHeads() ? ids : undefined,
    renewable: isHeads() ? ids : undefined,
  };
}

/** A post that may answer the page: some of the offered items and some of the ticked ones. */
function postedFrom(center: Center, coins: readonly boolean[]): Posted {
  const isHeads = tossing(coins);
  const purposes = itemsOf(center).flatMap((item) => (item.kind === 'purpose' ? [item.purpose] : []));
  return {
    purposes: purposes.map(({ id }) => id).filter(isHeads),
    topics: Object.fromEntries(
      purposes.map(({ id, topics: all }) => [id, all.map((topic) => topic.id).filter(isHeads)]),
    ),
    options: Object.fromEntries(
      purposes.flatMap(({ id, preferences }) =>
        preferences.map((each) => [
          `${id}.${each.id}`,
          each.options.map((option) => option.id).filter(isHeads),
        ]),
      ),
    ),
    elements: {},
    language: undefined,
    subscribeAll: coins.every((coin) => coin),
  };
}

suite('The token of a form', () => {
  test('a token restores the snapshot of random schemas', () => {
    fc.assert(
      fc.property(aSchema, aDrawing, (items, drawing) => {
        const center = aCenter(items);
        const snapshot = shownBy(center, drawing);
        assert.deepEqual(opened(snapshot)?.by(center), written(snapshot));
      }),
      { numRuns: times(1_000, 10_000) },
    );
  });

  test('a token leads to the same plan as its snapshot under any other revision of random schemas', () => {
    let reviews = 0;
    const property = fc.property(aSchema, aSchema, aDrawing, dice, (items, others, drawing, coins) => {
      const center = aCenter(items);
      const snapshot = shownBy(center, drawing);
      const posted = postedFrom(center, coins);
      const form = opened(snapshot);
      assert.ok(form);
      // Some purposes stay as they were, some are edited, some disappear.
      const kept = items.filter((_, index) => coins[index] === true);
      for (const now of [center, aCenter([...kept, ...others], { revision: '2' }), unreadCenter(center.id)]) {
        const at = snapshot.at + 1_000;
        const asked = { center: now, page: 'page', posted, now: at, subject, scope: 'manage' } as const;
        const plan = planSubmission({ ...asked, snapshot });
        assert.deepEqual(planSubmission({ ...asked, snapshot: form.by(now) }), plan);
        if (plan.kind === 'show-again' && plan.withdrawNow.length > 0) reviews += 1;
      }
    });
    fc.assert(property, { numRuns: times(300, 3_000) });
    assert.ok(reviews > times(30, 300), `${reviews} withdrawals under another schema`);
  });

  test('a token names no unchosen topic or option of another center in random pairs of schemas', () => {
    fc.assert(
      fc.property(aSchema, aSchema, aDrawing, (items, others, drawing) => {
        const center = aCenter(items);
        const snapshot = shownBy(center, drawing);
        const read = opened(snapshot)?.by(aCenter(others));
        for (const [index, line] of snapshot.purposes.entries()) {
          const found = read?.purposes[index];
          assert.equal(found?.topics.length, line.topics.length);
          for (const topic of found?.topics ?? [])
            assert.ok(topic.startsWith(' ') || line.topics.includes(topic), topic);
          const chosen = line.options.map(({ preference, option }) => `${preference} ${option}`);
          for (const { preference, option } of found?.options ?? [])
            assert.ok(preference.startsWith(' ') || chosen.includes(`${preference} ${option}`), option);
        }
      }),
      { numRuns: times(300, 2_000) },
    );
  });

  test('a token for 12 purposes with 50 choices has at most 1,600 characters', () => {
    const uuid = (at: number) => fc.sample(fc.uuid(), { numRuns: 1, seed: at })[0] ?? '';
    const many = Array.from({ length: 12 }, (_, at) =>
      aPurpose(uuid(at), {
        topics: topics(...[1, 2, 3].map((topic) => uuid(100 * at + topic))),
        preferences: [4, 5].map((each) => aPreference(uuid(100 * at + each), [uuid(1_000 * at + each)])),
      }),
    );
    const large = aCenter(many);
    const displayed = shownBy(large, { statuses: ['on'], coins: [true], value: '', ids: [] });
    const length = sealForm(seal, displayed).length;
    assert.ok(length <= 1_600, `${length} characters`);
  });
});
