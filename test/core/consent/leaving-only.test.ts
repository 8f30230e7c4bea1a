import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { FormSnapshot } from '../../../src/core/consent/form-snapshot.ts';
import type { ConsentStatus } from '../../../src/core/consent/status.ts';
import { planSubmission } from '../../../src/core/consent/submission-plan.ts';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import type { PurposeChange } from '../../../src/core/model/submission/intent.ts';
import { aCenter, aPreference, aPurpose, topics } from '../center-builder.ts';
import { off, reduce } from '../changes.ts';

const anna = 'anna@example.org' as SubjectId;
const now = Date.UTC(2026, 5, 1);

const about = { topics: topics('t', 'u'), preferences: [aPreference('often', ['d', 'w'])] };
const closed = aPurpose('closed', { ...about, leavingOnly: true });
const center = aCenter([closed, aPurpose('open')]);

/** The changes that a posted form makes; `subscribeAll` presses that button. */
function changesOf(
  status: ConsentStatus,
  posted: { isOn: boolean; topics?: readonly string[]; options?: readonly string[]; subscribeAll?: boolean },
  revision = center.revision,
) {
  const line = (id: string, status: ConsentStatus) => {
    const options = id === 'closed' ? [{ preference: 'often', option: 'd' }] : [];
    return { id, status, topics: id === 'closed' ? ['t'] : [], options };
  };
  const snapshot: FormSnapshot = {
    nonce: 'n',
    center: 'center',
    page: 'page',
    revision,
    subject: anna,
    at: now - 1,
    order: 0,
    purposes: [line('closed', status), line('open', 'off')],
    dataElements: [],
  };
  const plan = planSubmission({
    center,
    page: 'page',
    snapshot,
    posted: {
      purposes: posted.isOn ? ['closed'] : [],
      topics: { closed: posted.topics ?? [] },
      options: { 'closed.often': posted.options ?? [] },
      elements: {},
      subscribeAll: posted.subscribeAll ?? false,
      language: undefined,
    },
    now,
    subject: anna,
    scope: 'manage',
  });
  if (plan.kind === 'submit') return [plan.submission.intent.purposes, plan.submission.drawnByDefault];
  if (plan.kind === 'show-again') return [plan.again.draft.purposes, plan.withdrawNow.length];
  return [plan.kind];
}

suite('A purpose that is open for leaving only', () => {
  const kept = { isOn: true, topics: ['t'], options: ['d'] };

  test('can be turned off by a form, whether it is on or only on by default', () => {
    for (const status of ['on', 'on-by-default'] as const)
      assert.deepEqual(changesOf(status, { isOn: false }), [[off('closed')], []]);
  });

  for (const status of ['off', 'waiting', 'expired'] as const) {
    test(`is not granted by a form that turns it on while it is ${status}`, () => {
      assert.deepEqual(changesOf(status, { ...kept, topics: ['t', 'u'] }), [[], []]);
    });
  }

  test('gets no choice of a form, but loses the choices that the form takes out', () => {
    assert.deepEqual(changesOf('on', { isOn: true, topics: ['t', 'u'], options: ['d', 'w'] }), [[], []]);
    assert.deepEqual(changesOf('on', { isOn: true, topics: ['u'], options: ['d'] }), [
      [reduce('closed', { topicsOff: ['t'] })],
      [],
    ]);
  });

  test('is neither granted nor confirmed by a form while it is only on by default', () => {
    assert.deepEqual(changesOf('on-by-default', { isOn: true, topics: [], options: ['d'] }), [[], []]);
    assert.deepEqual(changesOf('on-by-default', kept), [[], []]);
  });

  test('is left out by “subscribe to all”', () => {
    const [draft] = changesOf('off', { isOn: false, subscribeAll: true });
    assert.deepEqual(
      Array.isArray(draft) && draft.map((change: PurposeChange) => [change.kind, change.purpose]),
      [['on', 'open']],
    );
  });

  test('loses its grant in an older form that is shown again, but no withdrawal', () => {
    assert.deepEqual(changesOf('off', { ...kept }, 'before'), [[], 0]);
    const [, withdrawNow] = changesOf('on', { isOn: false }, 'before');
    assert.equal(withdrawNow, 1);
  });
});
