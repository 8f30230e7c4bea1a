import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ConsentRecord, RecordedStatus, Subject } from '../../../src/core/model/person/subject.ts';
import type { PurposeUpdate } from '../../../src/core/model/submission/consent-update.ts';
import { brokenBy, type ClickedOn } from '../../../src/features/shadow/look.ts';
import { anna } from '../../store/contract/test-store.ts';

const record = (purpose: string, status: RecordedStatus, topics: string[] = []): ConsentRecord => ({
  purpose,
  label: undefined,
  status,
  topics,
  preferences: status === 'active' ? [{ id: 'often', options: ['daily'] }] : [],
});
const subject: Subject = {
  id: anna,
  language: undefined,
  dataElements: {},
  purposes: [record('news', 'active', ['sport']), record('offers', 'off'), record('terms', 'always-active')],
};
const asked: ClickedOn = {
  center: { confirmsDefaults: false, pages: [] },
  subject,
  snapshot: { page: 'one', purposes: [{ id: 'calls', status: 'on-by-default', topics: [], options: [] }] },
};
const sent = (id: string, topics: string[] = [], options: string[] = []): PurposeUpdate => ({
  id,
  topics,
  preferences: options.length === 0 ? [] : [{ id: 'often', options }],
});
const put = (...purposes: PurposeUpdate[]) =>
  ({ kind: 'put', update: { purposes, dataElements: {}, language: undefined } }) as const;
const news = sent('news', ['sport'], ['daily']);
const rulesOf = (call: Parameters<typeof brokenBy>[1]['call'], click: string, to: 'on' | 'off', by = asked) =>
  brokenBy(by, { call, click, to }).map(({ rule, purposes }) => `${rule} ${purposes.join(' ')}`);

suite('The call that a click would cause', () => {
  test('a call that changes only the clicked purpose is right', () => {
    assert.deepEqual(rulesOf(put(news, sent('terms'), sent('offers')), 'offers', 'on'), []);
    assert.deepEqual(rulesOf(put(sent('terms')), 'news', 'off'), []);
    assert.deepEqual(rulesOf({ kind: 'none' }, 'offers', 'off'), []);
  });

  test('a call that loses another purpose, a topic or an option is reported', () => {
    assert.deepEqual(rulesOf(put(sent('terms'), sent('offers')), 'offers', 'on'), ['lost news']);
    assert.deepEqual(rulesOf(put(news, sent('offers')), 'offers', 'on'), ['lost terms']);
    const withoutTopic = put(sent('news', [], ['daily']), sent('terms'), sent('offers'));
    assert.deepEqual(rulesOf(withoutTopic, 'offers', 'on'), ['lost news']);
    const withoutOption = put(sent('news', ['sport']), sent('terms'), sent('offers'));
    assert.deepEqual(rulesOf(withoutOption, 'offers', 'on'), ['lost news']);
  });

  test('a call that grants another purpose is reported unless the center confirms it', () => {
    const more = put(news, sent('terms'), sent('offers'), sent('calls'));
    assert.deepEqual(rulesOf(more, 'offers', 'on'), ['granted calls']);
    const confirming = { ...asked, center: { confirmsDefaults: true, pages: [] } };
    assert.deepEqual(rulesOf(more, 'offers', 'on', confirming), []);
    assert.deepEqual(rulesOf(put(news, sent('terms'), sent('offers')), 'calls', 'off', confirming), [
      'granted offers',
    ]);
  });

  test('a call that does not do what was clicked, or delays a withdrawal, is reported', () => {
    assert.deepEqual(rulesOf(put(news, sent('terms')), 'offers', 'on'), ['not-done offers']);
    assert.deepEqual(rulesOf(put(news, sent('terms')), 'news', 'off'), ['not-done news']);
    assert.deepEqual(rulesOf({ kind: 'asks-again' }, 'news', 'off'), ['not-done news']);
    assert.deepEqual(rulesOf({ kind: 'asks-again' }, 'offers', 'on'), []);
  });
});

test('a finding names the page and the clicked purpose', () => {
  const call = put(news, sent('terms'));
  assert.deepEqual(brokenBy(asked, { call, click: 'offers', to: 'on' }), [
    { rule: 'not-done', page: 'one', click: 'offers', purposes: ['offers'] },
  ]);
});
