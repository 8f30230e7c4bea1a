import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { UnsubscribeReasons } from '../../src/core/center.ts';
import {
  buildUnsubscribePage,
  readReasons,
  type UnsubscribePageInput,
} from '../../src/core/unsubscribe-page.ts';
import { aCenter } from './center-builder.ts';
import { surroundings, words } from './page-builder.ts';

const reasons: UnsubscribeReasons = {
  choices: [
    { id: 'often', name: words({ 'en-us': 'Too often', fr: 'Trop souvent' }) },
    { id: 'dull', name: words({ fr: 'Ennuyeux' }) },
    { id: 'nameless', name: words({}) },
  ],
  allowOther: true,
};
const center = aCenter([], { reasons });

function build(change: Partial<UnsubscribePageInput> = {}) {
  return buildUnsubscribePage({
    surroundings,
    center,
    language: 'fr',
    form: { action: '/u', token: 't' },
    backHref: '/back',
    ...change,
  });
}

describe('The page for leaving everything', () => {
  test('has one button in the center’s words, and asks for the reasons', () => {
    const page = build();
    assert.equal(page.confirm, 'Se désinscrire de tout');
    assert.equal(page.shell.title, page.confirm);
    assert.equal(page.reasons?.title, 'Pourquoi souhaitez-vous partir\u00a0?');
    assert.deepEqual(
      page.reasons?.choices.map((choice) => [choice.value, choice.label.text]),
      [
        ['often', 'Trop souvent'],
        ['dull', 'Ennuyeux'],
      ],
    );
    assert.equal(page.reasons?.other?.hint, '750 caractères au plus.');
    assert.equal(page.reasons?.other?.maxLength, 750);
    assert.equal(page.mistakes, undefined);
  });

  test('does not ask where the center does not, or has nothing to choose from', () => {
    assert.equal(build({ center: aCenter([]) }).reasons, undefined);
    const empty = aCenter([], { reasons: { choices: [], allowOther: false } });
    assert.equal(build({ center: empty }).reasons, undefined);
    const listed = aCenter([], { reasons: { ...reasons, allowOther: false } });
    assert.equal(build({ center: listed }).reasons?.other, undefined);
  });

  test('shown again keeps what was ticked and typed, and says what is wrong', () => {
    const page = build({ posted: { reasons: ['dull', 'other'], text: 'long' }, mistake: 'too-long' });
    assert.deepEqual(
      page.reasons?.choices.map((choice) => choice.checked),
      [false, true],
    );
    assert.equal(page.reasons?.other?.checked, true);
    assert.equal(page.reasons?.other?.value, 'long');
    assert.equal(page.reasons?.other?.mistake, 'Veuillez utiliser 750 caractères au plus.');
    assert.deepEqual(page.mistakes?.items, [
      { href: '#reason-other-text', text: page.reasons?.other?.mistake },
    ]);
  });
});

describe('Reasons that came back', () => {
  const cases: readonly [
    why: string,
    ticked: readonly string[],
    text: string,
    read: ReturnType<typeof readReasons>,
  ][] = [
    ['none is fine', [], ' ', { kind: 'reasons', reasons: [] }],
    [
      'in the center’s default language',
      ['often'],
      '',
      { kind: 'reasons', reasons: [{ id: 'often', text: 'Too often' }] },
    ],
    [
      'its own language where there is no other',
      ['dull'],
      '',
      { kind: 'reasons', reasons: [{ id: 'dull', text: 'Ennuyeux' }] },
    ],
    ['unknown ones are passed over', ['made-up'], '', { kind: 'reasons', reasons: [] }],
    [
      'words without the tick count',
      [],
      ' Bye ',
      { kind: 'reasons', reasons: [{ id: undefined, text: 'Bye' }] },
    ],
    [
      'the tick without words counts',
      ['other'],
      '',
      { kind: 'reasons', reasons: [{ id: undefined, text: '' }] },
    ],
    ['line breaks count once', [], 'a\r\nb', { kind: 'reasons', reasons: [{ id: undefined, text: 'a\nb' }] }],
    [
      '750 characters',
      [],
      '\u{1f44b}'.repeat(750),
      { kind: 'reasons', reasons: [{ id: undefined, text: '\u{1f44b}'.repeat(750) }] },
    ],
    ['751 characters', [], 'x'.repeat(751), { kind: 'mistake', mistake: 'too-long' }],
    ['control characters', [], 'a\u0000b', { kind: 'mistake', mistake: 'characters' }],
    ['half a character', [], 'a\ud800', { kind: 'mistake', mistake: 'characters' }],
  ];
  for (const [why, ticked, text, read] of cases) {
    test(why, () => assert.deepEqual(readReasons(center, { reasons: ticked, text }), read));
  }
  test('are not kept where the center does not ask', () => {
    const posted = { reasons: ['often', 'other'], text: 'x'.repeat(9999) };
    assert.deepEqual(readReasons(aCenter([]), posted), { kind: 'reasons', reasons: [] });
    const listed = aCenter([], { reasons: { ...reasons, allowOther: false } });
    assert.deepEqual(readReasons(listed, posted), {
      kind: 'reasons',
      reasons: [{ id: 'often', text: 'Too often' }],
    });
  });
});
