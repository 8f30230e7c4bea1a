import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCenter, aPurpose } from '../../core/center-builder.ts';
import { aRecord, aSubject, draw, words } from '../../core/page-builder.ts';

/** A center with `count` purposes in two sections, and a third section without a name and purposes. */
const center = (count: number) => {
  const items = Array.from({ length: count }, (_, at) => aPurpose(`p${at}`));
  const section = (id: string, name: string | undefined, from: number, to: number) => ({
    ...({ id, kind: 'ordinary', description: undefined } as const),
    name: name === undefined ? undefined : words({ en: name }),
    items: items.slice(from, to),
  });
  const half = Math.ceil(count / 2);
  const sections = [
    section('first', 'Letters', 0, half),
    section('unnamed', undefined, 0, 0),
    section('second', 'Offers', half, count),
  ];
  return aCenter([], { pages: aCenter([]).pages.map((page) => ({ ...page, sections })) });
};

test('A page has a search, a count and a list of its sections from the sixteenth purpose on', () => {
  assert.equal(draw(center(15)).page.finder, undefined);
  const subject = aSubject({ purposes: [aRecord('p3'), aRecord('p9')] });
  assert.deepEqual(draw(center(16), { subject }).page.finder, {
    count: '2 of 16 on',
    contents: [
      { href: '#first', label: { text: 'Letters', lang: 'en', dir: undefined } },
      { href: '#second', label: { text: 'Offers', lang: 'en', dir: undefined } },
    ],
  });
});
