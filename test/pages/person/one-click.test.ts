import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readSubjectId } from '../../../src/core/model/person/subject.ts';
import type { ItemResult } from '../../../src/core/model/submission/submission.ts';
import { buildOneClickDonePage } from '../../../src/pages/person/one-click.ts';
import { aCenter, aPurpose } from '../../core/center-builder.ts';
import { aResult, aSubmission, pageContext, words } from '../../core/page-builder.ts';

const subject = readSubjectId('anna@example.org') ?? assert.fail();
const center = aCenter(['news', 'terms'].map((id) => aPurpose(id, { name: words({ en: id }) })));
const off = (id: string, outcome: ItemResult['outcome']) => aResult(id, 'off', outcome);

suite('The page after one click', () => {
  for (const [purpose, items, title, line] of [
    ['news', [off('news', 'saved')], /^You’re unsubscribed/, /no longer get “news”/],
    ['terms', [off('terms', 'locked')], /^Can’t be changed here/, /part of the service/],
    ['news', [off('news', 'waiting')], /^Nothing has changed/, /because you never confirmed it/],
    ['gone', [off('gone', 'no-such-purpose')], /^Nothing has changed/, /no longer offered/],
    [undefined, [off('news', 'saved'), off('terms', 'locked')], /^You’re unsubscribed/, /Stays on: terms/],
  ] as const)
    test(`tells the outcome of ${items.map(({ id, outcome }) => `${id}: ${outcome}`).join(', ')}`, () => {
      const page = buildOneClickDonePage({
        pageContext,
        center,
        language: 'en',
        choicesHref: undefined,
        undo: undefined,
        oneClick: { center: center.id, subject, purpose },
        submission: aSubmission(items),
      });
      assert.match(page.layout.title, title);
      assert.match(page.lines.join(' '), line);
    });

  test('names what goes and what stays, also in a language spelt with an underscore', () => {
    const named = { offers: 'Offres', letters: 'Lettres', orders: 'Commandes' };
    const purposes = Object.entries(named).map(([id, fr]) => aPurpose(id, { name: words({ fr_CA: fr }) }));
    const page = buildOneClickDonePage({
      pageContext,
      center: aCenter(purposes),
      choicesHref: undefined,
      undo: undefined,
      language: 'fr_CA',
      oneClick: { center: center.id, subject, purpose: undefined },
      submission: aSubmission([off('offers', 'saved'), off('letters', 'saved'), off('orders', 'locked')]),
    });
    assert.match(page.lines.join(' '), /Offres et Lettres .*Commandes/);
  });
});
