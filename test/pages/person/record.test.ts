import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ItemResult, Submission } from '../../../src/core/model/submission/submission.ts';
import { catalogues } from '../../../src/i18n/catalogue.ts';
import { buildRecordPage } from '../../../src/pages/person/record.ts';
import { createEntries } from '../../../src/pages/person/record-entries.ts';
import { aCenter, aPurpose } from '../../core/center-builder.ts';
import {
  aResult,
  aSubject,
  aSubmission,
  noWords,
  pageContext,
  recordHrefs,
  words,
} from '../../core/page-builder.ts';

function entryOf(items: readonly ItemResult[], more: Partial<Submission> = {}) {
  const input = {
    pageContext,
    subject: aSubject(),
    language: 'en',
    hrefs: recordHrefs,
    center: aCenter([aPurpose('p', { name: words({ en: 'Letters' }) }), aPurpose('q')]),
    history: [aSubmission(items, more)],
    paging: { page: 1, pages: 1, total: 1 },
    words: noWords,
  };
  const [entry] = buildRecordPage(input, input.history.map(createEntries(input))).entries;
  assert.ok(entry);
  return entry;
}

describe('An entry of the record', () => {
  test('says whether all of it was saved, a part, or none', () => {
    const [saved, lost] = [aResult('p', 'on', 'saved'), aResult('q', 'on', 'not-saved')];
    assert.deepEqual(entryOf([saved]).state, undefined);
    assert.deepEqual(entryOf([saved, lost]).state, { tone: 'warning', text: 'Partly saved' });
    assert.deepEqual(entryOf([lost]).state, { tone: 'warning', text: 'Not saved' });
    assert.deepEqual(entryOf([lost], { state: 'failed' }).state, { tone: 'warning', text: 'Not saved' });
    assert.deepEqual(entryOf([saved, aResult('q', 'on', 'reworded')]).state?.text, 'Partly saved');
    assert.deepEqual(entryOf([saved, aResult('q', 'off', 'unchanged')]).state, undefined);
  });

  test('is never empty', () => {
    assert.equal(entryOf([]).nothing, 'Your choices are as they were.');
    assert.equal(entryOf([], { state: 'failed' }).nothing, 'It wasn’t changed.');
    assert.equal(entryOf([], { state: 'pending' }).nothing, 'We’re saving your changes');
    assert.equal(entryOf([aResult('p', 'on', 'saved')]).nothing, undefined);
    assert.equal(entryOf([], { everything: true }).items.length, 1);
  });

  test('is in the past tense once it is over, and asks for no retry', () => {
    const ofPurpose = ['on', 'off', 'adjust', 'add', 'reduce', 'keep'] as const;
    for (const change of [...ofPurpose, 'typed', 'language'] as const) {
      for (const outcome of ['not-saved', 'reworded', 'unconfirmed'] as const) {
        const text = entryOf([aResult('p', change, outcome)]).items[0]?.text ?? '';
        assert.match(text, /was|were|had/, text);
        assert.doesNotMatch(text, /try|please|is still/i);
      }
    }
    assert.equal(entryOf([aResult('p', 'off', 'not-saved')]).items[0]?.text, 'It wasn’t turned off.');
    const open = entryOf([aResult('p', 'off', 'being-carried-out')], { state: 'pending' });
    assert.match(open.items[0]?.text ?? '', /We’ll turn this off/);
    for (const { record } of Object.values(catalogues)) assert.ok(record.past.notSwitchedOn);
  });

  test('of leaving everything names the purposes that are always active', () => {
    const left = entryOf([aResult('p', 'off', 'saved')], { everything: true });
    assert.equal(left.items.map(({ name }) => name.text).join(), 'All choices,Letters');
    const kept = entryOf([aResult('p', 'off', 'saved'), aResult('q', 'off', 'locked')], { everything: true });
    const texts = kept.items.map(({ text }) => text);
    assert.deepEqual(texts, ['Turned off.', 'This is part of the service and can’t be turned off here.']);
    assert.deepEqual(kept.tags, [{ text: 'Unsubscribe from all' }]);
  });
});
