import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { largestForm } from '../../../src/core/consent/form-size.ts';
import type { FormSnapshot } from '../../../src/core/consent/form-snapshot.ts';
import type { Item } from '../../../src/core/model/center/center.ts';
import { sealForm } from '../../../src/features/centers/form-token.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { aCenter, anElement, aPreference, aPurpose, topics } from '../center-builder.ts';

const seal = createSeal(['a-secret-of-at-least-thirty-two-bytes-1']);
const id = fc.oneof(
  fc.uuid(),
  fc.string({ unit: fc.constantFrom('a', '/', '"', '\\', '.', '~', '%'), minLength: 1, maxLength: 100 }),
);
const ids = (most: number) => fc.uniqueArray(id, { maxLength: most });
const purpose = fc.record({ id, topics: ids(6), preferences: fc.dictionary(id, ids(4), { maxKeys: 3 }) });
const characters = fc.constantFrom('a', '\u0001', '"', '\u20ac', '\u{1f600}');

test('each of 500 random pages can be posted, with all choices, values and records', () => {
  fc.assert(
    fc.property(fc.array(purpose, { maxLength: 8 }), ids(3), characters, (purposes, elements, character) => {
      const value = character.repeat(750 / character.length);
      const items = purposes.map((each) =>
        aPurpose(each.id, {
          topics: topics(...each.topics),
          preferences: Object.entries(each.preferences).map(([name, options]) => aPreference(name, options)),
        }),
      );
      const center = aCenter([...items, ...elements.map((each) => anElement(each))]);
      const [page] = center.pages;
      assert.ok(page);
      const displayed: FormSnapshot = {
        nonce: 'n',
        center: 'c',
        page: 'p',
        revision: 'r',
        subject: 's',
        at: 1,
        order: 1,
        purposes: purposes.map((each) => ({
          id: each.id,
          status: 'on-by-default',
          topics: each.topics,
          options: Object.entries(each.preferences).flatMap(([preference, options]) =>
            options.map((option) => ({ preference, option })),
          ),
        })),
        dataElements: elements.map((each) => ({ id: each, value })),
      };
      const token = sealForm(seal, displayed);
      const fields: [string, string][] = [
        ...purposes.flatMap((each): [string, string][] => [
          ['purpose', each.id],
          ...each.topics.map((topic): [string, string] => [`topic.${each.id}`, topic]),
          ...Object.entries(each.preferences).flatMap(([preference, options]) =>
            options.map((option): [string, string] => [`option.${each.id}.${preference}`, option]),
          ),
        ]),
        ...elements.map((each): [string, string] => [`element.${each}`, value]),
      ];
      const { bytes, fields: most } = largestForm(page);
      assert.equal(most, fields.length);
      const posted = new URLSearchParams([...fields, ['token', token]]).toString();
      assert.ok(posted.length <= bytes + 1_000, `${posted.length} of ${bytes}`);
    }),
    { numRuns: 500 },
  );
});

/** The length of characters in a token: sixteen more around them, in base64. */
const sealed = (characters: number) => Math.ceil(((characters + 16) * 4) / 3);

describe('a page draws', () => {
  const guid = '01234567-89ab-cdef-0123-456789abcdef';
  // The form has purpose=<id>&; the token the id, "locked-off" and 40 escaped characters of six each.
  const whole = 9 + 36 + sealed(36 + 12 + 253);
  const cases: readonly [string, Item, number, number][] = [
    ['a text that posts nothing', { kind: 'text', id: 'x', html: { entries: [], plain: undefined } }, 0, 0],
    ['a purpose', aPurpose(guid), 1, whole],
    ['one that can be renewed', aPurpose(guid, { lifeSpan: 1 }), 2, whole + 7 + 36 + sealed(36)],
    ['a topic', aPurpose(guid, { topics: topics(guid) }), 2, whole + 8 + 36 + 36 + sealed(36)],
    [
      'an option, of a name that a form escapes',
      aPurpose(guid, { preferences: [aPreference(guid, ['x.y'])] }),
      2,
      whole + 10 + 36 + 36 + 9 + sealed(36 + 3),
    ],
    ['a field', anElement('mail'), 1, 10 + 12 + 9 * 750 + sealed(4 + 6 * 750)],
  ];
  for (const [name, item, fields, bytes] of cases) {
    test(name, () => {
      const [page] = aCenter([item]).pages;
      assert.deepEqual(page && largestForm(page), { bytes, fields });
    });
  }
});
