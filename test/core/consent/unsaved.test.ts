import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unsavedIntent } from '../../../src/core/consent/unsaved.ts';
import { type Intent, noIntent } from '../../../src/core/model/submission/intent.ts';
import type { ChangeKind, ItemResult, Outcome } from '../../../src/core/model/submission/submission.ts';
import { intentOf, off, on } from '../changes.ts';

const intent: Intent = {
  ...noIntent,
  purposes: [on('a', { topics: ['t'] }), off('b')],
  dataElements: [{ element: 'e', label: 'E', value: 'typed' }],
  language: 'fr',
};

function item(what: ItemResult['what'], id: string, outcome: Outcome, change: ChangeKind = 'on'): ItemResult {
  return { what, id, change, outcome, receipt: undefined };
}

const isNone = () => false;

describe('The unsaved part of an intent', () => {
  const all = (outcome: Outcome) => [
    item('purpose', 'a', outcome),
    item('purpose', 'b', outcome, 'off'),
    item('data-element', 'e', outcome, 'typed'),
    item('language', 'fr', outcome, 'language'),
  ];
  const rest: readonly Outcome[] = [
    'saved',
    'in-progress',
    'waiting',
    'being-carried-out',
    'in-doubt',
    'unconfirmed',
    'withdrawn-elsewhere',
    'locked',
    'unchanged',
  ];
  for (const outcome of rest) {
    test(`has nothing of a submission that is ${outcome}`, () => {
      assert.equal(unsavedIntent(intent, all(outcome), isNone), undefined);
    });
  }
  for (const outcome of ['not-saved', 'reworded'] as const) {
    test(`is all of a submission that is ${outcome}`, () => {
      assert.deepEqual(unsavedIntent(intent, all(outcome), isNone), intent);
    });
  }

  test('is chosen by the kind of an item and by its id', () => {
    const items = [item('purpose', 'a', 'saved'), item('purpose', 'b', 'not-saved', 'off')];
    assert.deepEqual(unsavedIntent(intent, items, isNone), intentOf(off('b')));
    const elements = [item('data-element', 'a', 'not-saved', 'typed'), item('purpose', 'e', 'not-saved')];
    assert.equal(unsavedIntent(intent, elements, isNone), undefined);
  });

  test('has no purpose that was not asked for', () => {
    assert.equal(unsavedIntent(intent, [item('purpose', 'a', 'not-saved', 'keep')], isNone), undefined);
  });

  test('grants no purpose that was withdrawn since', () => {
    const items = [item('purpose', 'a', 'not-saved'), item('purpose', 'b', 'not-saved', 'off')];
    assert.deepEqual(
      unsavedIntent(intent, items, () => true),
      intentOf(off('b')),
    );
  });
});
