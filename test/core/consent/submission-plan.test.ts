import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type FormSnapshot, factsOf } from '../../../src/core/consent/form-snapshot.ts';
import { nonces } from '../../../src/core/consent/nonce.ts';
import type { Posted } from '../../../src/core/consent/posted.ts';
import type { ConsentStatus } from '../../../src/core/consent/status.ts';
import { planSubmission, type SubmissionPlan } from '../../../src/core/consent/submission-plan.ts';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import type { Visit } from '../../../src/core/model/person/visit.ts';
import { type Intent, noIntent } from '../../../src/core/model/submission/intent.ts';
import { aCenter, anElement, aPurpose, topics } from '../center-builder.ts';
import { adjust, intentOf, off, reduce } from '../changes.ts';

const anna = 'anna@example.org' as SubjectId;
const now = Date.UTC(2026, 5, 1);
const day = 24 * 3_600_000;

const mail = anElement('mail', { type: 'email' });
const center = aCenter([
  aPurpose('on', { topics: topics('t', 'u') }),
  aPurpose('off'),
  aPurpose('gone'),
  mail,
]);
/** A schema with other wording and without one of the purposes. */
const reworded = {
  ...aCenter([aPurpose('on', { topics: topics('t', 'u') }), aPurpose('off'), mail]),
  revision: '2',
};

const line = (id: string, status: ConsentStatus, ...chosen: readonly string[]) => ({
  id,
  status,
  onRecord: 'otherwise' as const,
  topics: chosen,
  options: [],
});
const snapshot: FormSnapshot = {
  nonce: 'nonce',
  center: 'center',
  page: 'page',
  revision: '1',
  subject: anna,
  at: now - 1,
  order: 1,
  purposes: [line('on', 'on', 't'), line('off', 'on-by-default'), line('gone', 'on')],
  dataElements: [{ id: 'mail', value: 'a@example.org' }],
  hidden: [],
};
const untouched: Posted = {
  purposes: ['on', 'off', 'gone'],
  topics: { on: ['t'] },
  options: {},
  elements: {},
  subscribeAll: false,
  language: undefined,
};

interface Case {
  readonly posted?: Partial<Posted>;
  readonly scope?: Visit['scope'];
  readonly center?: typeof center;
  readonly snapshot?: Partial<FormSnapshot>;
}

function plan({ posted, scope = 'manage', center: by = center, snapshot: displayed }: Case): SubmissionPlan {
  return planSubmission({
    center: by,
    page: 'page',
    snapshot: { ...snapshot, ...displayed },
    posted: { ...untouched, ...posted },
    now,
    subject: anna,
    scope,
  });
}

const form = factsOf(snapshot);
const withdrawn = (intent: Intent) => ({
  nonce: 'nonce off',
  intent,
  form,
  shown: undefined,
  wait: 'result',
});
const unseen = (...purposes: string[]) => ({
  nonce: 'nonce unseen',
  intent: intentOf(...purposes.map(off)),
  form,
  shown: undefined,
  wait: 'none',
});
const typing = { elements: { mail: 'b@example.org' } };
const typed = { element: 'mail', label: 'Label of mail', value: 'b@example.org' };
const leaving = { purposes: ['off', 'gone'], topics: {} };
const adding = { topics: { on: ['u'] } };
const adjusted = adjust('on', { topicsOn: ['u'], topicsOff: ['t'] });
const reduced = reduce('on', { topicsOff: ['t'] });

suite('A posted form', () => {
  test('that is valid is one submission, under the nonce of the form', () => {
    const cases: readonly (readonly [Case, Intent])[] = [
      [{}, noIntent],
      [{ posted: leaving }, intentOf(off('on'))],
      [{ posted: { ...leaving, ...typing } }, { ...intentOf(off('on')), dataElements: [typed] }],
      [{ posted: leaving, scope: 'withdraw' }, intentOf(off('on'))],
    ];
    for (const [given, intent] of cases) {
      assert.deepEqual(plan(given), {
        kind: 'submit',
        submission: {
          nonce: 'nonce',
          intent,
          form,
          shown: undefined,
          drawnByDefault: ['off'],
          wait: 'result',
        },
      });
    }
  });

  test('tells the wording of the purposes that it changes, without versions after a new revision', () => {
    const shownIn = (by: typeof center, posted: Partial<Posted>) => {
      const planned = plan({ posted, center: by, snapshot: { language: 'fr', words: 'digest' } });
      return planned.kind === 'submit' ? planned.submission.shown : undefined;
    };
    const on = aPurpose('on', { version: 7, topics: topics('t', 'u') });
    const versioned = aCenter([on, aPurpose('off'), aPurpose('gone'), mail]);
    const about = { by: 'form', at: now - 1, words: 'digest', language: 'fr', page: 'page' };
    assert.deepEqual(shownIn(versioned, leaving), {
      ...about,
      template: versioned.template,
      purposes: [{ purpose: 'on', status: 'on', version: 7 }],
    });
    const again = plan({
      posted: leaving,
      center: { ...versioned, revision: '2' },
      snapshot: { language: 'fr', words: 'digest' },
    });
    assert.ok(again.kind === 'show-again');
    const taken = again.withdrawNow.at(-1)?.shown;
    assert.equal(taken?.words, 'digest');
    assert.deepEqual(taken?.purposes, [{ purpose: 'on', status: 'on', version: undefined }]);
  });

  test('of another person is refused as a whole', () => {
    assert.deepEqual(plan({ posted: leaving, snapshot: { subject: 'eve@example.org' } }), {
      kind: 'refuse',
      reason: 'other-subject',
    });
  });

  test('beyond the rights of the person asks for more rights, but its withdrawals are saved', () => {
    const cases: readonly (readonly [Case, readonly unknown[]])[] = [
      [{ posted: typing }, []],
      [{ posted: { ...leaving, ...typing } }, [withdrawn(intentOf(off('on')))]],
      [{ posted: adding }, [withdrawn(intentOf(reduced))]],
      [{ posted: { ...adding, ...typing }, snapshot: { at: now - 2 * day } }, []],
      [{ posted: { ...leaving, subscribeAll: true, ...typing } }, []],
      [
        { posted: { ...typing, purposes: ['off'], topics: {} }, center: reworded },
        [unseen('gone'), withdrawn(intentOf(off('on')))],
      ],
    ];
    for (const [given, withdrawNow] of cases) {
      assert.deepEqual(plan({ ...given, scope: 'withdraw' }), { kind: 'ask-for-more-rights', withdrawNow });
    }
  });

  test('with a mistake is shown again as a whole', () => {
    const draft = { ...intentOf(off('on')), dataElements: [{ ...typed, value: 'nonsense' }] };
    assert.deepEqual(plan({ posted: { ...leaving, elements: { mail: 'nonsense' } } }), {
      kind: 'show-again',
      withdrawNow: [],
      withdrawWhileAway: [withdrawn(intentOf(off('on')))],
      again: { draft, mistakes: [{ field: 'element.mail', kind: 'email' }] },
    });
  });

  test('that is too old, or asks for everything, is shown again for review as a whole', () => {
    assert.deepEqual(plan({ posted: leaving, snapshot: { at: now - 2 * day } }), {
      kind: 'show-again',
      withdrawNow: [],
      again: { draft: intentOf(off('on')), review: 'too-old', outOfSight: [], isPartlyTaken: false },
    });
    const shownOff = [line('on', 'off'), line('off', 'on'), line('gone', 'on')];
    const all = plan({ posted: { subscribeAll: true, topics: {} }, snapshot: { purposes: shownOff } });
    assert.ok(all.kind === 'show-again');
    assert.equal(all.again.review, 'everything');
    assert.deepEqual(all.withdrawNow, []);
  });

  test('under other wording is shown again, after its withdrawals are saved, hidden purposes first', () => {
    const again = { review: 'schema-changed' };
    assert.deepEqual(plan({ posted: { purposes: ['on', 'off'], ...adding }, center: reworded }), {
      kind: 'show-again',
      withdrawNow: [unseen('gone'), withdrawn(intentOf(reduced))],
      again: { ...again, draft: intentOf(adjusted), outOfSight: ['gone'], isPartlyTaken: true },
    });
    assert.deepEqual(plan({ center: reworded }), {
      kind: 'show-again',
      withdrawNow: [],
      again: { ...again, draft: noIntent, outOfSight: [], isPartlyTaken: false },
    });
  });
});

test('Nonces stay the same across updates, so that a form posted before one is found after it', () => {
  assert.deepEqual(
    [
      nonces.ofForm('n'),
      nonces.ofWithdrawals('n'),
      nonces.ofUnseen('n'),
      nonces.ofObjection('n', ['p', 'q']),
    ],
    ['n', 'n off', 'n unseen', 'n p q'],
  );
  assert.equal(nonces.ofObjection('n', []), 'n');
  assert.equal(nonces.ofClick('c'), 'one-click c');
});
