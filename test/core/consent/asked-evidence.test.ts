import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askedEvidence } from '../../../src/core/consent/asked-evidence.ts';
import type { AskedEvidence } from '../../../src/core/model/evidence/evidence.ts';
import type { SubmissionRequest } from '../../../src/core/model/submission/submission-request.ts';
import { anna, aRequest } from '../../delivery/fixture.ts';
import { adjust, intentOf, leaveAll, off, on, option, reduce } from '../changes.ts';

const words = { by: 'form', words: 'digest', language: 'fr' } as const;
const purposes = [{ purpose: 'a', status: 'on', version: 2 }, { purpose: 'b' }];
const [x, y] = [option('p', 'x'), option('p', 'y')];
const linkMadeBy = { id: '1', name: 'Eva' };
const onBehalf = { staff: 'Eva', reason: 'by phone' };

describe('the evidence of a request holds', () => {
  const cases: readonly [string, Partial<SubmissionRequest>, Partial<AskedEvidence>][] = [
    ['the person, the channel and the time', {}, {}],
    [
      'a withdrawal',
      { intent: intentOf(off('a')) },
      { changes: [{ what: 'purpose', id: 'a', change: 'off' }] },
    ],
    [
      'the status and version of a purpose in the form',
      { intent: intentOf(off('a'), off('b'), off('c')), shown: { ...words, purposes } },
      {
        shown: words,
        changes: [
          { what: 'purpose', id: 'a', change: 'off', version: 2, from: 'on' },
          ...['b', 'c'].map((id) => ({ what: 'purpose', id, change: 'off' }) as const),
        ],
      },
    ],
    [
      'words of a form that showed no purpose',
      { intent: intentOf(off('a')), shown: words },
      { shown: words, changes: [{ what: 'purpose', id: 'a', change: 'off' }] },
    ],
    [
      'the choices of an opt-in',
      { intent: intentOf(on('a', { topics: ['t'], options: [x] })) },
      { changes: [{ what: 'purpose', id: 'a', change: 'on', topicsOn: ['t'], optionsOn: [['p', 'x']] }] },
    ],
    [
      'choices made, and others taken out',
      {
        intent: intentOf(
          adjust('a', { topicsOn: ['t'], optionsOff: [y] }),
          reduce('b', { topicsOff: ['u'] }),
        ),
      },
      {
        changes: [
          { what: 'purpose', id: 'a', change: 'adjust', topicsOn: ['t'], optionsOff: [['p', 'y']] },
          { what: 'purpose', id: 'b', change: 'reduce', topicsOff: ['u'] },
        ],
      },
    ],
    [
      'that a value was typed and a language kept, but no value',
      { intent: { ...intentOf(), dataElements: [{ element: 'e', label: 'E', value: '1' }], language: 'fr' } },
      {
        changes: [
          { what: 'data-element', id: 'e', change: 'typed' },
          { what: 'language', id: 'fr', change: 'language' },
        ],
      },
    ],
    ['that everything was left', { intent: leaveAll }, { everything: true }],
    ['that the browser objected', { isObjection: true }, { isObjection: true }],
    ['nothing of an objection that was not made', { isObjection: false }, {}],
    [
      'the maker of the link, and the undone submission',
      { linkMadeBy, undoes: 'other' },
      { linkMadeBy, undoes: 'other' },
    ],
    ['the staff member who acted on behalf of the person', { onBehalf }, { onBehalf }],
  ];
  for (const [name, change, expected] of cases) {
    test(name, () => {
      const asked = { reference: 'r', center: 'center', subject: anna, channel: 'link', acceptedAt: 5 };
      const all = { ...asked, globalPrivacyControl: false, changes: [], ...expected };
      assert.deepEqual(askedEvidence(aRequest(change), { reference: 'r', now: 5 }), all);
    });
  }
});
