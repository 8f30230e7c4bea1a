import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { SafeHtml, Text } from '../../src/core/model/center/center.ts';
import { readTag } from '../../src/core/model/language-tag.ts';
import {
  chooseHtml,
  choosePageLanguage,
  chooseText,
  direction,
  htmlLanguage,
  languageName,
  matchLanguage,
} from '../../src/i18n/language.ts';
import { anySign } from '../kit/any-sign.ts';

describe('A request among the tags of a center', () => {
  const cases: readonly [wanted: string, tags: readonly string[], met: string | undefined, why: string][] = [
    ['fr', ['en', 'fr'], 'fr', 'exact'],
    ['FR_ca', ['fr', 'fr-CA'], 'fr-CA', 'case and underscore do not count'],
    ['fr-ca', ['en', 'fr_CA'], 'fr_CA', 'as the center spells it'],
    ['fr-CA', ['fr-FR', 'fr'], 'fr', 'shorter before a sibling'],
    ['fr', ['en', 'fr-FR', 'fr-CA'], 'fr-FR', 'the first sibling'],
    ['de-CH-1996', ['de', 'de-CH'], 'de-CH', 'the longest of the shorter'],
    ['zh-Hant', ['zh-Hans'], undefined, 'never across scripts'],
    ['zh-CN', ['zh-TW', 'zh-hans'], 'zh-hans', 'a script that is only implied, the other way round'],
    ['sr-Latn', ['sr'], undefined, 'Serbian is Cyrillic unless it says otherwise'],
    ['sr-RS', ['sr-Latn', 'sr-Cyrl'], 'sr-Cyrl', 'the sibling in its own script'],
    ['iw', ['he'], 'he', 'an old name of the same language'],
    ['f', ['fr'], undefined, 'a beginning is not a shorter tag'],
    ['frr', ['fr'], undefined, 'another language that begins alike'],
    ['', ['', 'en'], undefined, 'an empty request'],
    ['x!!', ['x!!', 'en'], 'x!!', 'a malformed tag meets itself'],
    ['en-thisistoolong', ['en'], 'en', 'a malformed tag still has its base'],
  ];
  for (const [wanted, tags, met, why] of cases) {
    test(`${wanted || 'nothing'} in ${tags.join(' ')} is ${met ?? 'not met'}: ${why}`, () => {
      assert.equal(matchLanguage(tags, wanted), met);
    });
  }
});

describe('The page language', () => {
  const none = { visit: undefined, subject: undefined, browser: [] };
  const center = { languages: ['en-us', 'fr', 'de'], defaultLanguage: 'de' };
  for (const [preferences, language] of [
    [{ visit: 'fr', subject: 'en', browser: ['de'] }, 'fr'],
    [{ subject: 'en', browser: ['fr'] }, 'en-us'],
    [{ browser: ['ja', 'fr-CA', 'en'] }, 'fr'],
    [{ visit: 'ja', subject: 'nonsense!', browser: ['fr'] }, 'fr'],
    [{ visit: '', subject: ' ', browser: [] }, 'de'],
    [{}, 'de'],
  ] as const)
    test(`is ${language} for ${JSON.stringify(preferences)}`, () => {
      assert.equal(choosePageLanguage({ preferences: { ...none, ...preferences }, center }), language);
    });

  for (const [language, ...languages] of [['sv', 'sv'], ['en']])
    test(`is ${language} without a default, in a center of ${languages.join() || 'none'}`, () => {
      const center = { languages, defaultLanguage: '' };
      assert.equal(choosePageLanguage({ preferences: none, center }), language);
    });
});

type Entry = [language: string, text: string, isDefault?: boolean];

function text(plain: string | undefined, ...given: Entry[]): Text {
  const entries = given.map(([language, text, isDefault = false]) => ({ language, text, isDefault }));
  return { plain, entries };
}

describe('A text', () => {
  const full = text('plain', ['en', 'English'], ['fr-FR', 'français'], ['de', 'Deutsch', true]);
  type Case = [why: string, text: Text, language: string, shown: string | undefined, lang?: string];
  const cases: readonly Case[] = [
    ['exact', full, 'en', 'English'],
    ['exact, whatever the spelling', full, 'FR_fr', 'français'],
    ['shorter', full, 'en-GB', 'English', 'en'],
    ['sibling', full, 'fr', 'français', 'fr-FR'],
    ['its own default', full, 'ja', 'Deutsch', 'de'],
    ['the center’s default by its ladder', text('plain', ['fr', 'f'], ['nl-BE', 'n']), 'ja', 'n', 'nl-BE'],
    ['its first', text('plain', ['fr', 'f'], ['de', 'd']), 'ja', 'f', 'fr'],
    ['the plain one', text('plain'), 'ja', 'plain'],
    ['a blank entry is none', text('plain', ['en', ' '], ['fr', 'f']), 'en', 'f', 'fr'],
    ['nor is a blank default', text('plain', ['fr', 'f'], ['de', '\n', true]), 'ja', 'f', 'fr'],
    ['all blank', text('plain', ['en', '']), 'en', 'plain'],
    ['nothing at all', text(undefined), 'en', undefined],
    ['a blank plain text', text('  '), 'en', undefined],
    ['never across scripts', text('plain', ['zh-Hans', '简'], ['en', 'e', true]), 'zh-TW', 'e', 'en'],
  ];
  for (const [why, from, language, shown, lang] of cases) {
    test(`${why}: in ${language} ${shown === undefined ? 'nothing' : `“${shown}”`}`, () => {
      const chosen = chooseText(from, language, 'nl');
      assert.deepEqual([chosen?.text, chosen?.lang], [shown, lang]);
    });
  }

  test('in another direction has its own direction', () => {
    const ltr = text(undefined, ['en', 'Partner offers.', true]);
    assert.deepEqual(chooseText(ltr, 'ar', 'en'), { text: 'Partner offers.', lang: 'en', dir: 'ltr' });
    const rtl = text(undefined, ['he', 'שלום', true]);
    assert.deepEqual(chooseText(rtl, 'en', 'en'), { text: 'שלום', lang: 'he', dir: 'rtl' });
    assert.deepEqual(chooseText(rtl, 'ar', 'en'), { text: 'שלום', lang: 'he', dir: undefined });
  });

  test('without a language has the direction of its letters', () => {
    const offers = chooseText(text('Offers.'), 'ar', 'en');
    assert.deepEqual(offers, { text: 'Offers.', lang: undefined, dir: 'ltr' });
    assert.equal(chooseText(text('1. عروض'), 'en', 'en')?.dir, 'rtl');
    assert.equal(chooseText(text('123'), 'ar', 'en')?.dir, undefined);
  });

  test('in HTML is blank if its markup holds nothing, but not if it holds a picture', () => {
    const html = (plain: string, entry: string): Text<SafeHtml> => ({
      plain: plain as SafeHtml,
      entries: [{ language: 'en', text: entry as SafeHtml, isDefault: true }],
    });
    assert.equal(chooseHtml(html('p', '<p>&nbsp;</p>\n<br>'), 'en', 'en')?.html, 'p');
    assert.equal(chooseHtml(html('p', '<p><img src="/a.png" alt="A"></p>'), 'en', 'en')?.lang, undefined);
    assert.equal(chooseHtml(html('<p dir="ltr">عروض</p>', ''), 'en', 'en')?.dir, 'rtl');
    assert.equal(chooseHtml(html('', '<p></p>'), 'en', 'en'), undefined);
  });
});

describe('Direction and name of a language', () => {
  const cases: readonly [tag: string, dir: 'ltr' | 'rtl', html: string, name: string][] = [
    ['en', 'ltr', 'en', 'English'],
    ['en_us', 'ltr', 'en-US', 'English (United States)'],
    ['fr', 'ltr', 'fr', 'Français'],
    ['AR', 'rtl', 'ar', 'العربية'],
    ['he-IL', 'rtl', 'he-IL', 'עברית (ישראל)'],
    ['fa', 'rtl', 'fa', 'فارسی'],
    ['ur-pk', 'rtl', 'ur-PK', 'اردو (پاکستان)'],
    ['az-Arab', 'rtl', 'az-Arab', 'az-Arab'],
    ['uz', 'ltr', 'uz', 'O‘zbek'],
    ['zh-hans', 'ltr', 'zh-Hans', '中文（简体）'],
    ['!?', 'ltr', 'und', '!?'],
  ];
  for (const [tag, dir, html, name] of cases) {
    test(`${tag}: ${dir}, lang="${html}", ${name}`, () => {
      assert.equal(direction(tag), dir);
      assert.equal(htmlLanguage(tag), html);
      if (tag !== 'az-Arab') assert.equal(languageName(tag), name);
    });
  }
});

const oddTag = fc.oneof(
  fc.constantFrom(...'en EN_us fr fr-CA zh-Hant-TW ar und root - __ x-private i-klingon'.split(' ')),
  fc.string({ unit: anySign }),
  fc.stringMatching(/^[a-zA-Z0-9_-]{0,40}$/),
);

describe('Whatever the tags', () => {
  test('choosing never throws, and shows one of the entries or the plain text', () => {
    const entry = fc.record({ language: oddTag, text: fc.string({ maxLength: 5 }), isDefault: fc.boolean() });
    const anyText = fc.record({
      entries: fc.array(entry, { maxLength: 5 }),
      plain: fc.option(fc.string({ maxLength: 5 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(anyText, oddTag, oddTag, (from, language, centerDefault) => {
        const shown = chooseText(from, language, centerDefault);
        const texts = [...from.entries.map((each) => each.text), from.plain ?? ''];
        const filled = texts.filter((each) => each.trim());
        if (shown === undefined) assert.deepEqual(filled, []);
        else assert.ok(filled.includes(shown.text));
        htmlLanguage(language);
        languageName(language);
      }),
    );
  });

  test('the page has a language of the center, its default, or English', () => {
    const oddTags = fc.array(oddTag);
    fc.assert(
      fc.property(oddTags, oddTag, oddTag, oddTags, (languages, defaultLanguage, visit, browser) => {
        const preferences = { visit, subject: undefined, browser };
        const chosen = choosePageLanguage({ preferences, center: { languages, defaultLanguage } });
        assert.ok([...languages, defaultLanguage, 'en'].includes(chosen));
      }),
    );
  });

  test('a flood of tags does not fill the memory', () => {
    for (let index = 0; index < 5_000; index += 1) readTag(`xx-${index}`);
    assert.equal(readTag('fr-ca').base, 'fr');
    assert.equal(readTag(`en-${'a'.repeat(100_000)}`).key.length, 100);
  });
});
