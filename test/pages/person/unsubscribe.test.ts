import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { UnsubscribeReasons } from '../../../src/core/model/center/center.ts';
import { readReasons } from '../../../src/features/centers/everything.ts';
import {
  buildUnsubscribePage,
  cutNote,
  type UnsubscribePageInput,
} from '../../../src/pages/person/unsubscribe.ts';
import { aCenter, aPurpose, recordsOf } from '../../core/center-builder.ts';
import { aRecord, aSubject, pageContext, words } from '../../core/page-builder.ts';

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
    pageContext,
    center,
    subject: undefined,
    language: 'fr',
    form: { action: '/u', token: 't' },
    backHref: '/back',
    ...change,
  });
}

describe('The page for leaving everything', () => {
  test('has one button in the center’s words, and asks for the reasons', () => {
    const page = build();
    assert.equal(page.layout.title, 'Se désinscrire de tout');
    assert.equal(page.reasons?.title, 'Pourquoi souhaitez-vous partir\u00a0?');
    const choices = page.reasons?.choices.map(({ value, label }) => `${value}: ${label.text}`);
    assert.deepEqual(choices, ['often: Trop souvent', 'dull: Ennuyeux']);
    const { hint, maxLength, most } = page.reasons?.other ?? {};
    assert.deepEqual([hint, maxLength, most], ['750 caractères au plus.', 750, 10_000]);
  });

  test('lists the purposes that go, also hidden ones, and those that stay, but only if the record is known', () => {
    const center = aCenter([
      aPurpose('on', { name: words({ fr: 'Lettres' }) }),
      aPurpose('assumed', { name: words({ fr: 'Offres' }), onByDefault: true }),
      aPurpose('off', { name: words({ fr: 'Appels' }) }),
      aPurpose('always', { name: words({ fr: 'Commandes' }) }),
    ]);
    const subject = aSubject({
      purposes: [
        ...recordsOf('on off:off always:always-active'),
        aRecord('waiting', { status: 'pending', label: 'En attente' }),
        aRecord('elsewhere', { label: 'Ancienne lettre' }),
      ],
    });
    const { goes = [], stays = [] } = build({ center, subject }).leaving ?? {};
    const texts = [goes, stays].map((list) => list.map(({ text }) => text));
    assert.deepEqual(texts, [['Lettres', 'Offres', 'En attente', 'Ancienne lettre'], ['Commandes']]);
    assert.equal(build({ center }).leaving, undefined);
    const nothing = build({ center: aCenter([]), subject: aSubject() }).leaving;
    assert.deepEqual(nothing, { goes: [], stays: [] });
  });

  test('asks for no reasons if the center does not, or offers none', () => {
    assert.equal(build({ center: aCenter([]) }).reasons, undefined);
    const empty = aCenter([], { reasons: { choices: [], allowOther: false } });
    assert.equal(build({ center: empty }).reasons, undefined);
    const listed = aCenter([], { reasons: { ...reasons, allowOther: false } });
    assert.equal(build({ center: listed }).reasons?.other, undefined);
  });

  test('asks for reasons by check boxes, by radio buttons, or by a text field alone', () => {
    const asked = (format: 'radio-buttons' | 'text' | undefined) => {
      const center = aCenter([], { reasons: { ...reasons, allowOther: false, format } });
      const view = build({ center }).reasons;
      return [view?.type, (view?.choices.length ?? 0) > 0, view?.other?.label, view?.other !== undefined];
    };
    assert.deepEqual(asked(undefined), ['checkbox', true, undefined, false]);
    assert.deepEqual(asked('radio-buttons'), ['radio', true, undefined, false]);
    assert.deepEqual(asked('text'), ['checkbox', false, undefined, true]);
    const text = aCenter([], { reasons: { ...reasons, allowOther: false, format: 'text' } });
    const posted = { reasons: [], text: 'Too loud' };
    assert.deepEqual(readReasons(text, posted).reasons, [{ id: undefined, text: 'Too loud' }]);
  });
});

describe('Posted reasons', () => {
  const other = (text: string) => [{ id: undefined, text }];
  const waves = '\u{1f44b}'.repeat(750);
  const cases: readonly [
    why: string,
    ticked: readonly string[],
    text: string,
    reasons: ReturnType<typeof readReasons>['reasons'],
    isCut?: boolean,
  ][] = [
    ['may be none', [], ' ', []],
    ['are kept in the default language of the center', ['often'], '', [{ id: 'often', text: 'Too often' }]],
    ['are kept in their only language', ['dull'], '', [{ id: 'dull', text: 'Ennuyeux' }]],
    ['are ignored if they are unknown', ['made-up'], '', []],
    ['may be words without the tick', [], ' Bye ', other('Bye')],
    ['may be the tick without words', ['other'], '', other('')],
    ['have each line break as one character', [], 'a\r\nb', other('a\nb')],
    ['may have 750 characters', [], waves, other(waves)],
    ['of 751 characters are cut to 750', [], `${waves}x`, other(`${waves}…`), true],
    [
      'of a whole book are cut to 750 characters',
      ['often'],
      'x'.repeat(400_000),
      [{ id: 'often', text: 'Too often' }, ...other(`${'x'.repeat(750)}…`)],
      true,
    ],
    ['are kept without control characters', [], 'a\u0000b\u0007', other('ab')],
    ['of control characters alone are none', [], '\u0000', []],
    ['have half a character replaced', [], 'a\ud800', other('a\ufffd')],
  ];
  for (const [why, ticked, text, reasons, isCut = false] of cases) {
    test(why, () => assert.deepEqual(readReasons(center, { reasons: ticked, text }), { reasons, isCut }));
  }

  test('are not kept if the center does not ask for them', () => {
    const posted = { reasons: ['often', 'other'], text: 'x'.repeat(9999) };
    assert.deepEqual(readReasons(aCenter([]), posted), { reasons: [], isCut: false });
    const listed = aCenter([], { reasons: { ...reasons, allowOther: false } });
    const reasonsKept = [{ id: 'often', text: 'Too often' }];
    assert.deepEqual(readReasons(listed, posted), { reasons: reasonsKept, isCut: false });
  });

  test('that were cut have a note, in the words of the center if it has some', () => {
    const german = 'Von Ihrer Begründung wurden nur die ersten 750 Zeichen gespeichert.';
    assert.equal(cutNote(center, 'de').title, german);
    const own = aCenter([], { translations: { en: { CharacterLimitReached: 'Limit reached' } } });
    const note = cutNote(own, 'en');
    assert.equal(note.title, 'Limit reached');
    assert.deepEqual(note.lines, ['We kept only the first 750 characters of your reason.']);
  });
});
