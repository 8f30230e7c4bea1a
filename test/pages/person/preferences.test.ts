import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { factsOf } from '../../../src/core/consent/form-snapshot.ts';
import type { Center, Item, Section } from '../../../src/core/model/center/center.ts';
import { findPage } from '../../../src/core/model/center/center.ts';
import { nothingUnderway } from '../../../src/core/model/submission/underway.ts';
import { aCenter, anElement, aPreference, aPurpose, recordsOf } from '../../core/center-builder.ts';
import { aRecord, aSubject, draw, html, words } from '../../core/page-builder.ts';
import { intentOf, off, on } from '../../delivery/fixture.ts';
import { toHtml } from '../to-html.ts';

function aSection(id: string, items: readonly Item[], change: Partial<Section> = {}): Section {
  return { id, kind: 'ordinary', name: undefined, description: undefined, items, ...change };
}

function inSections(...sections: readonly Section[]): Center {
  const center = aCenter([]);
  return { ...center, pages: center.pages.map((page) => ({ ...page, sections })) };
}

describe('A page', () => {
  test('seals what it shows: center, page, revision, person, states and values', () => {
    const center = aCenter([aPurpose('p', { onByDefault: true }), anElement('e')], { revision: '7' });
    assert.deepEqual(draw(center, { subject: aSubject({ dataElements: { 'Label of e': 'v' } }) }).snapshot, {
      center: 'center',
      page: 'page',
      revision: '7',
      subject: 'anna@example.org',
      purposes: [{ id: 'p', status: 'on-by-default', topics: [], options: [] }],
      dataElements: [{ id: 'e', value: 'v' }],
      hidden: [],
      left: undefined,
      chosen: undefined,
      renewable: [],
    });
  });

  test('seals what is on record: refused purposes, other ones, and active ones that it does not show', () => {
    const center = aCenter(['on', 'off', 'ended', 'never', 'new', 'leaving'].map((id) => aPurpose(id)));
    const purposes = recordsOf('on off:off ended:expired never:no-consent leaving elsewhere left:off');
    const { snapshot } = draw(center, {
      underway: { ...nothingUnderway, changes: [off('leaving')] },
      subject: aSubject({ purposes }),
    });
    assert.equal(
      snapshot.purposes.map(({ id, onRecord = 'new' }) => `${id} ${onRecord}`).join(),
      'on otherwise,off refused,ended otherwise,never otherwise,new new,leaving refused',
    );
    assert.deepEqual(snapshot.hidden, ['elsewhere']);
    const seen = factsOf({ ...snapshot, nonce: 'n', at: 5, order: 3 });
    assert.equal(seen.order, 3);
    const facts = seen.drawn?.map(({ purpose, status, isOn }) => `${purpose}:${status}${isOn ? ' on' : ''}`);
    const known = 'on:active on,off:off,ended:expired,never:no-consent,leaving:active on,elsewhere:active on';
    assert.equal(facts?.join(), known);
    assert.equal(factsOf({ ...snapshot, nonce: 'n', at: 5, order: 3, hidden: undefined }).drawn, undefined);
  });

  test('keeps the order of the schema and the kinds of its sections', () => {
    const center = inSections(
      aSection('a', [{ kind: 'text', id: 't', html: html({ en: '<p>Hi</p>' }) }, aPurpose('p')]),
      aSection('n', [aPurpose('n', { kind: 'notification' })], { kind: 'notification' }),
      aSection('f', [anElement('e')], { kind: 'profile', name: words({}) }),
      aSection('s', [aPurpose('q')], { kind: 'subscription-settings', name: words({ fr: ' ' }) }),
    );
    const { page } = draw(center);
    const drawn = page.sections.map(({ kind, heading, items }) => {
      return [kind, heading?.text, ...items.map((item) => item.kind)];
    });
    assert.deepEqual(drawn, [
      ['ordinary', undefined, 'text', 'purpose'],
      ['notification', undefined, 'purpose'],
      ['profile', 'Profile', 'data-element'],
      ['subscription-settings', 'Subscription settings', 'purpose'],
    ]);
  });

  test('shows and seals a purpose once if the schema lists it twice', () => {
    const { page, snapshot } = draw(aCenter([aPurpose('p'), aPurpose('p')]));
    assert.deepEqual([page.sections[0]?.items.length, snapshot.purposes.length], [1, 1]);
  });

  test('leaves out a section whose items are all hidden, and an empty one', () => {
    const center = inSections(
      aSection('hidden', [aPurpose('p', { active: false })], { name: words({ en: 'Hidden' }) }),
      aSection('explained', [aPurpose('q', { active: false })], { description: html({ en: '<p>Why</p>' }) }),
      aSection('empty', [], { name: words({ en: 'Empty' }) }),
      aSection('told', [], { description: html({ en: '<p>Told</p>' }) }),
      aSection('blank', [{ kind: 'text', id: 't', html: html({ en: '<p></p>' }) }]),
    );
    assert.equal(
      draw(center)
        .page.sections.map(({ id }) => id)
        .join(),
      'told',
    );
  });

  test('is plain for ORIGINAL and cards for the others', () => {
    const templates = ['original', 'enhanced', 'multipage'] as const;
    const styles = templates.map((template) => draw(aCenter([], { template })).page.itemStyle);
    assert.deepEqual(styles, ['plain', 'cards', 'cards']);
  });

  test('has the buttons that its page displays, in the center’s words', () => {
    const center = aCenter([], { labelSets: { fr: { 'unsubscribe-all': 'Tout arrêter' } } });
    const { actions, layout } = draw(center, { language: 'fr' }).page;
    assert.equal(actions.save, 'Enregistrer mes préférences');
    assert.deepEqual(actions.unsubscribeAll, { href: '/centers/c/unsubscribe', label: 'Tout arrêter' });
    assert.equal(actions.subscribeAll, 'S’abonner à tout sur cette page');
    assert.equal(layout.messages.states.on, 'Activé');
    const without = {
      ...center,
      pages: center.pages.map((page) => ({ ...page, subscribeAll: false, unsubscribeAll: false })),
    };
    assert.equal(draw(without).page.actions.unsubscribeAll, undefined);
    assert.equal(draw(without).page.actions.subscribeAll, undefined);
  });

  test('has the center’s title: the label set’s, the portal’s own, ours', () => {
    const title = (change: Partial<Center>, language = 'fr') =>
      draw(aCenter([], change), { language }).page.layout.title;
    assert.equal(title({ title: 'Portal', labelSets: { fr: { title: 'Vos choix' } } }), 'Vos choix');
    assert.equal(title({ title: 'Portal', labelSets: { 'en-us': { title: 'Choices' } } }), 'Portal');
    assert.equal(title({ title: ' ' }), 'Vos préférences');
  });

  test('calls a purpose without a name by its label on record, else untitled', () => {
    const subject = aSubject({ purposes: ['Newsletter', 'Second'].map((label) => aRecord('p', { label })) });
    const { purposes } = draw(aCenter([aPurpose('p'), aPurpose('q')]), { subject });
    assert.equal(purposes.get('p')?.name.text, 'Newsletter');
    assert.equal(purposes.get('q')?.name.text, 'Untitled');
  });
});

describe('Pages of a center', () => {
  const [only] = aCenter([]).pages;
  assert.ok(only);
  const pages = [
    { ...only, id: 'aside', navigation: false },
    { ...only, id: 'news', name: words({ en: 'News' }) },
    { ...only, id: 'more' },
  ];
  const center = aCenter([], { pages });

  test('are found by id; without one it is the first of the navigation; an unknown one is none', () => {
    assert.equal(findPage(center, undefined)?.id, 'news');
    assert.equal(findPage(center, 'MORE')?.id, 'more');
    assert.equal(findPage(center, 'aside')?.id, 'aside');
    assert.equal(findPage(center, 'nowhere'), undefined);
    assert.equal(findPage({ ...center, pages: [{ ...only, id: 'No-Guid' }] }, 'No-Guid')?.id, 'No-Guid');
  });

  test('are in the navigation if there is more than one', () => {
    const { navigation, place } = draw(center, { page: 'more' }).page.layout;
    const links = navigation.map((item) => [item.label.text, item.href, item.current]);
    assert.deepEqual(links, [
      ['News', '/centers/c/news', false],
      ['Page 3', '/centers/c/more', true],
    ]);
    assert.equal(place, 'Page 3');
    assert.equal(draw(center, { page: 'news' }).page.heading?.text, 'News', 'it is named by its heading');
    assert.equal(draw(aCenter([])).page.heading, undefined);
    assert.equal(draw(center, { page: 'aside' }).page.layout.place, undefined);
    assert.deepEqual(draw(aCenter([])).page.layout.navigation, []);
  });
});

describe('“Keep … as my language”', () => {
  const cases: readonly [recorded: string | undefined, page: string, offered: boolean][] = [
    [undefined, 'fr', true],
    ['en-us', 'fr', true],
    ['FR', 'fr', false],
    ['fr-CA', 'fr', false],
    ['en', 'en-us', false],
    ['ja', 'fr', true],
    ['fr', 'de', false],
  ];
  for (const [recorded, language, isOffered] of cases) {
    test(`is ${isOffered ? '' : 'not '}offered on a page in ${language} with ${recorded ?? 'none'} on record`, () => {
      const { page } = draw(aCenter([]), { subject: aSubject({ language: recorded }), language });
      assert.equal(page.keepLanguage?.value, isOffered ? language : undefined);
    });
  }
  test('names the language in itself, and is not offered where there is only one', () => {
    assert.equal(
      draw(aCenter([]), { language: 'fr' }).page.keepLanguage?.label,
      'Mémoriser ma langue\u00a0: Français',
    );
    assert.equal(draw(aCenter([], { languages: ['en-us'] })).page.keepLanguage, undefined);
  });
});

describe('Notes and mistakes', () => {
  test('a page that is shown again says what is being saved, and seals what was turned off', () => {
    const shown = { review: 'schema-changed', draft: intentOf(off('a'), on('b')) } as const;
    const linesOf = (isPartlyTaken: boolean) =>
      draw(aCenter([aPurpose('a'), aPurpose('b')]), { ...shown, isPartlyTaken }).page.notes[0]?.lines;
    assert.match(String(linesOf(false)), /^Nothing is saved yet/);
    assert.match(String(linesOf(true)), /^We’re saving what you turned off\. Nothing else/);
    assert.deepEqual(draw(aCenter([aPurpose('a'), aPurpose('b')]), shown).snapshot.left, ['a']);
  });

  const center = aCenter([
    anElement('e', { name: words({ en: 'Mail' }), type: 'email' }),
    aPurpose('p', {
      preferences: [
        aPreference('radio', ['a'], { name: words({ en: 'Often' }), choice: 'single', display: 'buttons' }),
        aPreference('list', ['a'], { name: words({ en: 'How' }), choice: 'single', display: 'dropdown' }),
      ],
    }),
  ]);
  const mistakes = [
    { field: 'option.p.list', kind: 'choice-required' },
    { field: 'option.p.radio', kind: 'one-choice-only' },
    { field: 'element.e', kind: 'email' },
    { field: 'element.e', kind: 'too-long' },
    { field: 'element.gone', kind: 'date' },
  ] as const;

  test('mistakes are shown at their fields and summarised in the order of the page', () => {
    const { page, elements, purposes } = draw(center, { mistakes });
    assert.deepEqual(page.mistakes, [
      { href: '#element-e', text: 'Mail: please enter a valid email address, such as name@example.org.' },
      { href: '#option-0-0-none', text: 'Often: please choose only one option.' },
      { href: '#option-0-1', text: 'How: please make a choice.' },
    ]);
    assert.match(toHtml('centers/preferences', page), /id="mistakes"[^>]*>\s*<p[^>]*>There is a problem</);
    assert.equal(elements.get('e')?.mistake, page.mistakes[0]?.text);
    assert.equal(purposes.get('p')?.preferences[1]?.mistake, page.mistakes[2]?.text);
    assert.deepEqual(draw(center).page.mistakes, []);
  });

  test('the platform’s own words for an e-mail address are used', () => {
    const own = { ...center, translations: { fr: { 'DataElement.InvalidEmail': 'E-mail invalide.' } } };
    assert.equal(
      draw(own, { mistakes, language: 'fr' }).elements.get('e')?.mistake,
      'Mail\u00a0: E-mail invalide.',
    );
  });
});
