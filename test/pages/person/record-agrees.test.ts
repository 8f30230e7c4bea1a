import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Evidence } from '../../../src/core/model/evidence/evidence.ts';
import type { ConsentRecordCopy, RecordCopy } from '../../../src/core/model/evidence/record-copy.ts';
import type { PurposeText, WordsOfThen } from '../../../src/core/model/evidence/wording.ts';
import { agreesWithLeaves } from '../../../src/pages/person/record-agrees.ts';
import { createRecords } from '../../../src/pages/person/record-copy.ts';
import { aCenter, aPurpose } from '../../core/center-builder.ts';
import { aResult, aSubject, aSubmission } from '../../core/page-builder.ts';

const texts: Readonly<Record<string, PurposeText>> = {
  p: {
    name: 'News',
    description: 'Once a week',
    topics: [{ id: 't', name: 'Poetry' }],
    preferences: [{ id: 'r', name: 'Rhythm', options: [{ id: 'o', name: 'Weekly' }] }],
  },
  q: { name: 'Calls' },
};
const words: WordsOfThen = {
  text: (_words, id) => texts[id] && { version: 3, ...texts[id] },
  around: () => ({ title: 'The shop', save: 'Save', unsubscribeAll: 'Leave' }),
  digest: (_words, id) => `digest of ${id}`,
};
const submission = aSubmission([aResult('p', 'on', 'saved'), aResult('q', 'off', 'saved')]);
const { reference, center, channel, items, submittedAt: acceptedAt } = submission;
const evidence: Evidence = {
  asked: {
    reference,
    center,
    channel,
    acceptedAt,
    salt: 's',
    subject: 'anna@example.org',
    globalPrivacyControl: false,
    shown: { by: 'form', words: 'w', language: 'en' },
    changes: [
      {
        ...({ what: 'purpose', id: 'p', change: 'on', version: 3, from: 'off' } as const),
        topicsOn: ['t'],
        optionsOff: [['r', 'o']],
      },
      { what: 'purpose', id: 'q', change: 'off', version: 3, from: 'on' },
    ],
  },
  ended: { state: 'done', endedAt: acceptedAt + 9, items, salt: 's' },
};
const about: Pick<RecordCopy, 'sub' | 'sayso:center'> = {
  sub: 'anna@example.org',
  'sayso:center': { id: center },
};

function recordOf(more: Partial<typeof submission> & { readonly evidence?: Evidence } = {}) {
  const purposes = aCenter([aPurpose('p'), aPurpose('q')]);
  const parts = { center: purposes, subject: aSubject(), language: 'en', words };
  const json = createRecords(parts)({ ...submission, evidence, ...more });
  return JSON.parse(json) as ConsentRecordCopy;
}

/** A copy of the record with the value at `path` replaced. */
function withAt(record: ConsentRecordCopy, path: readonly (string | number)[], value: unknown) {
  const copy = structuredClone(record) as unknown as Record<string | number, unknown>;
  let at = copy;
  for (const name of path.slice(0, -1)) at = at[name] as typeof at;
  at[path.at(-1) ?? ''] = value;
  return copy as unknown as ConsentRecordCopy;
}

describe('The record in a signed copy', () => {
  test('agrees with its leaves when it was issued, and after a later outcome', () => {
    const later = [aResult('p', 'on', 'in-doubt'), aResult('q', 'off', 'saved')];
    const { asked, ended } = evidence;
    const everything: Evidence['asked'] = { ...asked, everything: true, changes: [] };
    assert.ok(ended);
    for (const record of [
      recordOf(),
      recordOf({ items: later }),
      recordOf({ evidence: { asked, ended: undefined } }),
      recordOf({ everything: true, items: items.slice(1), evidence: { asked: everything, ended } }),
      recordOf({ items: [...items, aResult('kept', 'keep', 'not-saved')] }),
    ])
      assert.ok(agreesWithLeaves(about, record, words), JSON.stringify(record));
  });

  test('does not agree with its leaves once a member is changed', () => {
    const record = recordOf();
    const forged: readonly (readonly [path: readonly (string | number)[], value: unknown])[] = [
      [['record_id'], 'another'],
      [['language'], 'de'],
      [['events', 0, 'event_time'], '2020-01-01T00:00:00.000Z'],
      [['sayso:channel'], 'staff'],
      [['sayso:globalPrivacyControl'], true],
      [['sayso:everything'], true],
      [['sayso:objection'], true],
      [['sayso:onBehalf'], { staff: 'kim', reason: 'called' }],
      [['sayso:linkMadeBy'], 'Kim'],
      [['sayso:undoes'], 'another'],
      [['sayso:words'], 'center'],
      [['sayso:wording'], 'x'],
      [['sayso:title'], 'Another shop'],
      [['purposes'], []],
      [['purposes', 0, 'purpose'], 'News from us and 214 partners'],
      [['purposes', 0, 'description'], 'Hourly'],
      [['purposes', 0, 'sayso:id'], 'q'],
      [['purposes', 0, 'sayso:version'], 2],
      [['purposes', 0, 'sayso:from'], 'on'],
      [['purposes', 0, 'sayso:choices'], undefined],
      [['purposes', 0, 'sayso:choices', 0, 'to'], 'off'],
      [['purposes', 0, 'sayso:choices', 0, 'name'], 'Gambling'],
      [['purposes', 0, 'sayso:choices', 1, 'id'], 't'],
      [['purposes', 1, 'sayso:change'], 'on'],
    ];
    for (const [path, value] of forged)
      assert.ok(!agreesWithLeaves(about, withAt(record, path, value), words), path.join(' '));
    assert.ok(!agreesWithLeaves({ ...about, sub: 'ben@example.org' }, record, words));
    assert.ok(!agreesWithLeaves({ ...about, 'sayso:center': { id: 'another' } }, record, words));
  });
});
