import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  builtIn,
  catalogues,
  fill,
  fillCount,
  messageLanguage,
  messagesFor,
} from '../../src/i18n/catalogue.ts';
import en from '../../src/i18n/messages/en.json' with { type: 'json' };

type Leaf = string | Readonly<Record<string, string>>;

/** The texts of a catalogue by path; a plural has an object of its forms. */
function leaves(node: object, path = ''): Map<string, Leaf> {
  const found = new Map<string, Leaf>();
  for (const [key, value] of Object.entries(node) as [string, string | object][]) {
    const here = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'string') found.set(here, value);
    else if ('other' in value && typeof value.other === 'string' && isPlural(value)) {
      found.set(here, value as Record<string, string>);
    } else for (const [inner, leaf] of leaves(value, here)) found.set(inner, leaf);
  }
  return found;
}

function isPlural(value: object): boolean {
  return Object.keys(value).every((key) => ['zero', 'one', 'two', 'few', 'many', 'other'].includes(key));
}

function places(text: string): readonly string[] {
  return [...text.matchAll(/\{([a-z]+)\}/gi)].map(([, name = '']) => name).sort();
}

function forms(leaf: Leaf): readonly string[] {
  return typeof leaf === 'string' ? [leaf] : Object.values(leaf);
}

const source = leaves(en);

test('There are 13 languages, and well over 200 texts in each', () => {
  assert.deepEqual(builtIn.languages, 'en fr de es it pt nl pl sv ja zh-Hans ar he'.split(' '));
  assert.ok(source.size > 200, String(source.size));
});

for (const [tag, messages] of Object.entries(catalogues)) {
  const found = leaves(messages);
  describe(`The catalogue ${tag}`, () => {
    test('has the same keys as English', () => {
      assert.deepEqual([...found.keys()].sort(), [...source.keys()].sort());
    });

    test('has no empty text, no blank at an end, no English left over', () => {
      const same: string[] = [];
      for (const [key, leaf] of found) {
        for (const text of forms(leaf)) assert.match(text, /^\S(.*\S)?$/s, key);
        if (tag !== 'en' && JSON.stringify(leaf) === JSON.stringify(source.get(key))) same.push(key);
      }
      // Two languages may share words ("Page {number}", "Code"), but no sentence.
      assert.ok(same.length <= 4, same.join(', '));
      for (const key of same) assert.ok(!String(found.get(key)).includes('. '), key);
    });

    test('has the same placeholders as English; a form for one count may have the number in words', () => {
      const other = (from: Leaf | undefined) => (typeof from === 'string' ? from : from?.['other']) ?? '';
      const named = (text: string) => places(text).filter((name) => name !== 'count');
      for (const [key, leaf] of found) {
        assert.deepEqual(places(other(leaf)), places(other(source.get(key))), key);
        for (const form of forms(leaf)) assert.deepEqual(named(form), named(other(leaf)), key);
      }
    });

    test('has a form for every count up to 1,000, or one that suits all', () => {
      const rules = new Intl.PluralRules(tag);
      const needed = new Set(Array.from({ length: 1000 }, (_, index) => rules.select(index + 1)));
      for (const [key, leaf] of found) {
        assert.equal(typeof leaf, typeof source.get(key), key);
        if (typeof leaf === 'string') continue;
        const given = new Set(Object.keys(leaf));
        if (given.size > 1) assert.deepEqual(given, new Set([...needed, 'other']), key);
      }
    });

    test('isolates foreign text in right-to-left text', () => {
      const isRightToLeft = tag === 'ar' || tag === 'he';
      for (const [key, leaf] of found)
        for (const text of forms(leaf)) {
          const bare = text.replace(/\u2068[^\u2069]*\u2069|\{[a-z]+\}/gi, '');
          if (isRightToLeft) assert.doesNotMatch(bare, /[a-z]/i, key);
          else assert.doesNotMatch(text, /[\u2066-\u2069]/, key);
        }
    });
  });
}

/** Stiff wording by language; in English also "is not" where people say "isn't". */
const stilted: Readonly<Record<string, RegExp>> = {
  en: /\b(?:left|everything|meantime|meanwhile|once more|somebody|carried out|switch(?:ed|ing)? (?:on|off|it)|passcode|cannot|(?:do|does|did|is|are|was|were|could|can|will|would|have|has) not)\b|\b(?:We will|You will|You have)\b/i,
  fr: /entre-temps|encore une fois|une nouvelle fois|cours de traitement/i,
  de: /inzwischen|noch einmal|angenommen/i,
  es: /entretanto|una vez más|aceptado|otra vez/i,
  it: /nel frattempo|ancora una volta|accettato/i,
  pt: /entretanto|mais uma vez|aceite e/i,
  nl: /intussen|nog een keer|nogmaals|aangenomen/i,
  pl: /międzyczasie|jeszcze raz|przyjęt/i,
  sv: /under tiden|en gång till|mottaget/i,
  ja: /受け付け/,
  'zh-Hans': /在此期间|已受理/,
  ar: /في هذه الأثناء|تم القبول/,
  he: /בינתיים|פעם נוספת|התקבל ו/,
};

describe('What people read is plain', () => {
  for (const [tag, pattern] of Object.entries(stilted)) {
    test(`in ${tag}`, () => {
      assert.ok(catalogues[tag]);
      for (const [key, leaf] of leaves(catalogues[tag]))
        for (const text of forms(leaf)) assert.doesNotMatch(text, pattern, key);
    });
  }
  test('in every language there is', () => {
    assert.deepEqual(Object.keys(stilted).sort(), Object.keys(catalogues).sort());
  });
});

describe('Which catalogue a page has', () => {
  for (const [page, catalogue] of Object.entries({
    'en-gb': 'en',
    fr_CA: 'fr',
    'zh-CN': 'zh-Hans',
    'zh-TW': 'en',
    iw: 'he',
    da: 'en',
    '': 'en',
    '!!': 'en',
  }))
    test(`${page || 'no language'} has ${catalogue}`, () => {
      assert.equal(messagesFor(page), catalogues[catalogue]);
      assert.equal(messageLanguage(page), catalogue);
    });

  test('a right-to-left page without a catalogue has English texts with their full stops in place', () => {
    const { page, mistakes } = messagesFor('fa');
    assert.equal(page.unsaved, `\u2066${en.page.unsaved}\u2069`);
    assert.equal(mistakes.title, `\u2066${en.mistakes.title}\u2069`);
    assert.equal(messagesFor('fa'), messagesFor('ur'));
  });
});

describe('Filling', () => {
  test('fills its placeholders and leaves unknown ones alone', () => {
    assert.equal(fill('{name}: {count} {other}', { name: 'A', count: 2 }), 'A: 2 {other}');
    assert.equal(fill('{toString}', {}), '{toString}');
    assert.equal(fill('{name}', { name: '{count} $& $1', count: 1 }), '{count} $& $1');
  });
  test('isolates names, not numbers, in right-to-left text', () => {
    assert.equal(fill('خطأ: {name}', { name: 'Acme.' }), 'خطأ: \u2068Acme.\u2069');
    assert.equal(fill('خطأ: {count}', { count: 12 }), 'خطأ: 12');
  });
  test('chooses the form by the language’s own rules', () => {
    const message = catalogues['pl']?.problems.retrySeconds;
    assert.ok(message);
    assert.match(fillCount(message, 'pl', 1), /za sekundę/);
    assert.match(fillCount(message, 'pl', 3), /3 sekundy/);
    assert.match(fillCount(message, 'pl', 5), /5 sekund\./);
    assert.match(fillCount(en.problems.retrySeconds, 'en', 1234), /1,234 seconds/);
  });
});
