import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { aCenter, aPurpose } from '../../core/center-builder.ts';
import { aRecord, aSubject, draw, words } from '../../core/page-builder.ts';

const center = (count: number) => {
  const made = aCenter(Array.from({ length: count }, (_, at) => aPurpose(`p${at}`)));
  const [page] = made.pages;
  const [section] = page?.sections ?? [];
  assert.ok(page && section);
  const half = Math.ceil(count / 2);
  const sections = [
    {
      ...section,
      id: 'first',
      name: words({ en: 'Letters', ar: 'رسائل' }),
      items: section.items.slice(0, half),
    },
    { ...section, id: 'unnamed', name: undefined, items: [] },
    { ...section, id: 'second', name: words({ en: 'Offers' }), items: section.items.slice(half) },
  ];
  return { ...made, pages: [{ ...page, sections }] };
};

suite('A page of many purposes', () => {
  test('has a search, a count and a list of its sections from the sixteenth purpose on.', () => {
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
});

test('One page of several is named by its heading, an only page is not.', () => {
  const only = center(2);
  assert.equal(draw(only).page.heading, undefined);
  const [page] = only.pages;
  assert.ok(page);
  const several = {
    ...only,
    pages: [
      { ...page, name: words({ en: 'News' }) },
      { ...page, id: 'other', name: words({ en: 'Offers' }) },
    ],
  };
  assert.equal(draw(several, { page: 'other' }).page.heading?.text, 'Offers');
});
