import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Center,
  type DataElement,
  type Item,
  itemsOf,
  type Purpose,
  type Text,
} from '../../src/core/model/center/center.ts';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { type BuiltCenter, Notes } from '../../src/upstream/notes.ts';
import { buildMultiPage, readPageEntries } from '../../src/upstream/wire-multi-page.ts';
import { readProfileEnds } from '../../src/upstream/wire-person-lists.ts';
import { buildSinglePage } from '../../src/upstream/wire-single-page.ts';
import { purposeOf } from '../core/center-builder.ts';
import { readPage, readRoot, readSinglePage, singlePageId } from './recorded.ts';

type Members = Record<string, unknown>;

function single(members: Members): BuiltCenter {
  return buildSinglePage(singlePageId, readSinglePage({ Template: 'ENHANCED', ...members }), new Notes());
}

function multi(
  root: Members,
  pages: readonly Members[],
  known?: ReadonlyMap<string, Purpose>,
): Promise<BuiltCenter> {
  const notes = new Notes();
  const entries = pages.map(({ id }) => ({ id }));
  const wireRoot = readRoot({ pages: entries, ...root });
  const read = readPageEntries(wireRoot, notes).map((entry, place) => ({
    entry,
    schema: readPage(pages[place]),
  }));
  return buildMultiPage(singlePageId, { root: wireRoot, pages: read, known }, notes);
}

async function onePurpose(purpose: Members): Promise<Purpose | undefined> {
  const [item] = itemsOf(await single({ Purposes: [{ Id: 'p', Label: 'P', ...purpose }] }));
  return item?.kind === 'purpose' ? item.purpose : undefined;
}

async function oneElement(members: Members): Promise<DataElement | undefined> {
  const DataElements = [{ Id: 'e', Label: 'E ', ...members }];
  const [item] = itemsOf(await single({ ProfileSettings: { IsEnabled: true, DataElements } }));
  return item?.kind === 'data-element' ? item.element : undefined;
}

function named(item: Item): string {
  if (item.kind === 'purpose') return item.purpose.id;
  return item.kind === 'text' ? item.id : item.element.id;
}

type Built = Omit<Center, 'revision' | 'told'>;

/** The sections of each page: their kinds and the names of their items. */
const sectionsOf = ({ pages }: Built) =>
  pages.map(({ sections }) => sections.map(({ kind, items }) => `${kind}:${items.map(named).join()}`));

const hiddenOf = ({ hidden }: Built) =>
  hidden.map(({ id, kind, onByDefault }) => `${id} ${kind}${onByDefault ? ' on' : ''}`);

const inWords = ({ entries }: Text) => entries.map(({ language, text }) => `${language} ${text}`);
const plain = (text: string) => ({ entries: [], plain: text });
const inOne = (language: string, text: string, plain?: string, isDefault = false) => ({
  entries: [{ language, text, isDefault }],
  plain,
});

describe('a single-page center', () => {
  const profile = { IsEnabled: true, DataElements: [{ Id: 'e', Label: 'E' }], DefaultTitle: 'About you' };

  it('the identifier is read-only, whatever the center says', async () => {
    for (const [members, readOnly] of [
      [{ IsIdentifier: true, ReadOnly: false }, true],
      [{ IsIdentifier: false, ReadOnly: true }, true],
      [{ IsIdentifier: false }, false],
      [{ IsIdentifier: null }, false],
    ] as const)
      assert.equal((await oneElement(members))?.readOnly, readOnly, JSON.stringify(members));
  });

  it('the profile stands before or after the purposes, by the two orders', async () => {
    const ordered = ['ordinary:', 'profile:e'];
    for (const [before, after, reads] of [
      [1, 2, ordered.toReversed()],
      [2, 1, ordered],
      [undefined, undefined, ordered],
      [1, null, ordered.toReversed()],
    ]) {
      const ProfileSettings = { ...profile, Order: before };
      const center = await single({ PreferenceCenterSettings: { Order: after }, ProfileSettings });
      assert.deepEqual(sectionsOf(center), [reads]);
    }
  });

  it('a center has a profile only if it is enabled, with its title from Title or Name', async () => {
    const sections = async (more: Members) =>
      (await single({ ProfileSettings: { ...profile, ...more } })).pages[0]?.sections ?? [];
    assert.equal((await sections({ IsEnabled: false })).length, 1);
    const Languages = { en: { Title: 'You' }, fr: { Name: 'Vous' }, de: 'Sie', it: 7 };
    const name = (await sections({ Languages }))[1]?.name ?? assert.fail('no name');
    assert.deepEqual(inWords(name), ['en You', 'fr Vous', 'de Sie']);
    assert.equal(name.plain, 'About you');
  });

  it('notification purposes are shown apart, and only if the center displays them', async () => {
    const Purposes = [{ Id: 'n', PurposeType: 'NOTIFICATION_OPT_OUT' }, { Id: 'p' }];
    assert.deepEqual(sectionsOf(await single({ Purposes })), [['ordinary:p', 'notification:n']]);
    const one = await single({ Purposes, DisplayNotificationPurpose: false });
    assert.deepEqual([sectionsOf(one), hiddenOf(one)], [[['ordinary:p']], ['n notification']]);
  });

  it('a single-page center offers to unsubscribe from everything, and never to subscribe to everything', async () => {
    const [page] = (await single({})).pages;
    assert.deepEqual([page?.unsubscribeAll, page?.subscribeAll, page?.navigation], [true, false, false]);
  });

  const languages: readonly { raw: Members; reads: [string[], string] }[] = [
    { raw: { Language: 'fr', Languages: ['en', 'fr'] }, reads: [['en', 'fr'], 'fr'] },
    { raw: { Language: 'en_US', Languages: ['en-us', 'EN-US', 'fr'] }, reads: [['en-us', 'fr'], 'en-us'] },
    { raw: { Language: 'de', Languages: ['en'] }, reads: [['en', 'de'], 'de'] },
    { raw: { Languages: ['ar', 'en'] }, reads: [['ar', 'en'], 'ar'] },
    { raw: { Language: 'not a tag!', Languages: [7, null, '', 'toString', 'fr'] }, reads: [['fr'], 'fr'] },
    { raw: { Translations: { nl: {}, sv: {} } }, reads: [['nl', 'sv'], 'nl'] },
    { raw: {}, reads: [['en'], 'en'] },
  ];
  it('a center has its languages and its default, and English if it has none', async () => {
    for (const { raw, reads } of languages) {
      const center = await single(raw);
      assert.deepEqual([center.languages, center.defaultLanguage], reads, JSON.stringify(raw));
    }
  });

  it('the title image must have a web address, and is shown only if the center uses one', async () => {
    const image = async (TitleImageUrl: unknown, UseTitleImage = true) =>
      (await single({ PortalSettings: { UseTitleImage, TitleImageUrl } })).titleImageUrl;
    for (const address of ['https://example.org/logo.png', 'http://example.org/logo.png']) {
      assert.equal(await image(address), address);
      assert.equal(await image(address, false), undefined);
    }
    for (const other of ['javascript:alert(1)', 'data:image/svg+xml,<svg>', '/logo.png', '', null])
      assert.equal(await image(other), undefined, String(other));
  });

  it('the welcome text comes from the label set first, then from the translations', async () => {
    const Languages = { en: { WelcomeMessage: '<p>Label</p>' }, fr: { WelcomeMessage: '<p> </p>' } };
    const translation = (text: string) => ({ 'Consent.Ds.Portal.WelcomeMessage': text });
    const Translations = {
      en: translation('Translation'),
      fr: translation('Traduction<script>x</script>'),
    };
    const settings = { PreferenceCenterSettings: { Languages }, Translations };
    const { welcome } = await single({ Language: 'en', ...settings });
    assert.deepEqual(inWords(welcome), ['en <p>Label</p>', 'fr Traduction']);
    assert.equal(welcome.entries[0]?.isDefault, true);
  });

  it('a note names the removed unsafe HTML and its place', async () => {
    const news = { Id: 'p', Label: 'News', Description: '<p onclick="x()">a<script>b</script></p>' };
    const { unread } = await single({ Purposes: [news] });
    const taken = (what: string) => ({
      code: 'html-removed',
      words: `In the description of the purpose “News”: the ${what} was taken out`,
    });
    assert.deepEqual(unread, [taken('attribute onclick'), taken('element <script>')]);
  });

  it('a bad item is dropped, and never the page', async () => {
    const odd = { Id: 'a', Languages: 'x', Topics: [null, { Id: 't' }] };
    const center = await single({ Purposes: [null, 7, {}, odd, { Id: 'a' }, { Id: 'b' }] });
    assert.deepEqual(sectionsOf(center), [['ordinary:a,b']]);
    const unread = new Set(center.unread.map(({ code, words }) => `${code}: ${words}`));
    const told = [
      'left-out: A purpose that cannot be read was left out',
      'left-out: A purpose with an id that is already in use was left out',
      'no-name: the purpose “b” has no name',
    ];
    assert.deepEqual([...new Set(told).difference(unread)], []);
  });

  it('a center has the reasons for unsubscribing that have a text, if reasons are enabled', async () => {
    const UnsubscribeReasons = [
      'Too many',
      { Id: 'R-2', Text: 'Not relevant', Languages: [{ Language: 'fr', Name: 'Sans intérêt' }] },
      { id: 'r3', languages: [{ language: 'de', text: 'Nie bestellt', isDefault: true }] },
      ...[{ Id: 'r4' }, '', null],
    ];
    const settings = { EnableReasons: true, ReasonsAllowOther: true, UnsubscribeReasons };
    const reasons = async (more: Members) =>
      (await single({ PortalSettings: { ...settings, ...more } })).reasons;
    assert.equal(await reasons({ EnableReasons: false }), undefined);
    assert.deepEqual(await reasons({}), {
      choices: [
        { id: 'reason-1', name: plain('Too many') },
        { id: 'R-2', name: inOne('fr', 'Sans intérêt', 'Not relevant') },
        { id: 'r3', name: inOne('de', 'Nie bestellt', undefined, true) },
      ],
      allowOther: true,
    });
    const formats = { List: undefined, Radio: 'radio-buttons', TEXT: 'text', Carousel: undefined };
    for (const [format, reads] of Object.entries(formats))
      assert.equal((await reasons({ ReasonsDisplayFormat: format }))?.format, reads, format);
  });

  it('a center with an unknown template is open for leaving only', async () => {
    const center = await single({
      Template: 'HOLOGRAM',
      Purposes: [{ Id: 'p', Label: 'P' }],
      ProfileSettings: { IsEnabled: true, DataElements: [{ Id: 'e', Label: 'E', required: true }] },
    });
    const [purpose, element] = itemsOf(center);
    assert.equal(purpose?.kind === 'purpose' && purpose.purpose.leavingOnly, true);
    assert.partialDeepStrictEqual(element, { element: { readOnly: true, required: false } });
  });
});

describe('a purpose', () => {
  const cases: readonly { raw: Members; reads: Partial<Purpose> }[] = [
    { raw: { Status: 'ACTIVE' }, reads: { active: true } },
    { raw: { Status: 'RETIRED' }, reads: { active: false } },
    { raw: { Status: 'DRAFT' }, reads: { active: false } },
    { raw: { Status: null }, reads: { active: true } },
    { raw: { DefaultConsentStatus: 'ACTIVE' }, reads: { onByDefault: true } },
    { raw: { DefaultConsentStatus: 'OPT_OUT' }, reads: { onByDefault: false } },
    { raw: { DefaultConsentStatus: 'WHAT' }, reads: { onByDefault: false } },
    { raw: { PurposeType: 'COOKIE' }, reads: { kind: 'standard', leavingOnly: true } },
    { raw: { PurposeType: 'STANDARD' }, reads: { kind: 'standard', leavingOnly: undefined } },
    { raw: { LifeSpan: 0 }, reads: { lifeSpan: undefined } },
    { raw: { LifeSpan: 60 }, reads: { lifeSpan: 60 } },
    { raw: { Visibility: 'VISIBLE_TO_CONSENTED' }, reads: { visibility: 'consented' } },
    { raw: { visibility: 'VISIBLE_TO_PRIOR_CONSENTED' }, reads: { visibility: 'prior-consented' } },
    { raw: { visibility: 'VISIBLE_TO_ALIENS' }, reads: { visibility: 'all', leavingOnly: true } },
    { raw: { visibility: '' }, reads: { visibility: 'all', leavingOnly: undefined } },
    { raw: { Label: ' \u0000 A\nB ' }, reads: { name: plain('A B') } },
    { raw: { Label: '' }, reads: { name: plain('p') } },
    { raw: { Label: '<b>&amp;</b>' }, reads: { name: plain('<b>&amp;</b>') } },
    {
      raw: {
        Languages: [
          { Language: 'fr', Name: 'F', HardOptOutMessage: 'Non' },
          { Language: 'fr', Name: 'Again' },
          { Name: 'No tag' },
        ],
      },
      reads: { name: inOne('fr', 'F', 'P'), hardOptOutMessage: inOne('fr', 'Non') },
    },
  ];
  for (const { raw, reads } of cases) {
    it(`a purpose with ${JSON.stringify(raw)} has ${JSON.stringify(reads)}`, async () => {
      const purpose = await onePurpose(raw);
      assert.ok(purpose);
      for (const [member, value] of Object.entries(reads))
        assert.deepEqual(Object.entries(purpose).find(([name]) => name === member)?.[1], value);
    });
  }

  it('an id has small letters if it is a GUID, else it stays as written', async () => {
    assert.equal((await onePurpose({ Id: singlePageId.toUpperCase() }))?.id, singlePageId);
    assert.equal((await onePurpose({ Id: 'MixedCase' }))?.id, 'MixedCase');
  });

  it('the options of a preference are in order with their defaults, and a preference needs one', async () => {
    const ordered = [
      { Id: 'b', Label: 'B', Order: 2, IsDefault: true },
      { Id: 'a', Label: 'A', Order: 1 },
    ];
    const Options = [{ Id: 'c' }, ...ordered, { Id: 'a' }, {}];
    const purpose = await onePurpose({
      CustomPreferences: [
        { Id: 'q', Options, SelectionType: 'SINGLE_CHOICE', DisplayAs: 'DROPDOWN', Required: true },
        { Id: 'r', Options, SelectionType: 'SOMETHING', DisplayAs: 'ELSE' },
        { Id: 's', Options: [], Required: true },
      ],
    });
    const read = purpose?.preferences.map(({ id, choice, display, required, options }) => {
      const marked = options.map((option) => option.id + (option.isDefault ? '*' : ''));
      return `${id} ${choice} ${display} ${required} ${marked}`;
    });
    assert.deepEqual(read, ['q single dropdown true a,b*,c', 'r multiple checkboxes false a,b*,c']);
  });
});

describe('a data element', () => {
  it('a data element has the named type, and is a text if it is unknown or has no options', async () => {
    for (const [DataElementType, reads] of Object.entries({
      USER_INPUT: 'text',
      EMAIL: 'email',
      NUMBER: 'number',
      DATE_PICKER: 'date',
      COUNTRY: 'country',
      STATE: 'state',
      COUNTRY_CODE: 'country-code',
      STATE_CODE: 'state-code',
      PHONE_NUMBER: 'phone',
      HOLOGRAM: 'text',
      SELECTION: 'text',
    }))
      assert.equal((await oneElement({ DataElementType }))?.type, reads, DataElementType);
  });

  it('a data element is read only if its status says that it is in use', async () => {
    for (const status of ['ACTIVE', 'PUBLISHED', ''])
      assert.ok(await oneElement({ Status: status, Required: true }), status);
    for (const status of ['RETIRED', 'DRAFT', 'Asleep'])
      assert.equal(await oneElement({ Status: status, Required: true }), undefined, status);
  });

  it('a data element keeps its label as written, and is left out without one', async () => {
    assert.equal((await oneElement({}))?.label, 'E ');
    for (const Label of ['', ' ', null, 7, 'constructor', '__proto__'])
      assert.equal(await oneElement({ Label }), undefined);
  });

  it('options of a data element are translated by id, else by position', async () => {
    const french = ['Rouge', { Id: '2', Label: 'Bleu' }, 'Vert', 'Quatre', ''];
    const displayed = await oneElement({
      DataElementType: 'SELECTION',
      DataElementOptions: ['Red', { Id: '2', Label: 'Blue', Value: 'blue' }, { Name: 'Green' }, 4, null],
      Languages: [{ Language: 'fr', DataElementOptions: french }],
    });
    const options = displayed?.options?.map(({ value, name }) => `${value} ${name.plain} ${inWords(name)}`);
    const read = ['Red Red fr Rouge', 'blue Blue fr Bleu', 'Green Green fr Vert', '4 4 fr Quatre'];
    assert.deepEqual(options, read);
  });
});

describe('a Multi Page center', () => {
  it('pages are in order, without hidden ones', async () => {
    const center = await multi({}, [
      { id: 'c' },
      { id: 'b', order: 2, navigationEnabled: false },
      { id: 'h', order: 0, isHidden: true },
      { id: 'a', order: 1 },
    ]);
    const pages = center.pages.map(({ id, navigation }) => `${id} ${navigation}`);
    assert.deepEqual(pages, ['a true', 'b false', 'c true']);
  });

  it('a center always has a page from which everything can be withdrawn', async () => {
    for (const center of [
      await multi({ pages: [] }, []),
      await multi({ displayUnsubscribeAll: false }, [{ id: 'h', isHidden: true }]),
    ]) {
      assert.equal(center.pages.length, 1);
      assert.partialDeepStrictEqual(center.pages[0], { id: singlePageId, unsubscribeAll: true });
    }
  });

  it('purposes, data elements and texts of a section are mixed by their order', async () => {
    const languages = [{ content: '<p>x</p>', language: 'en' }];
    const text = (id: string, order?: number) => ({ id, order, languages });
    const sections = [
      {
        purposes: [{ id: 'p5', order: 5 }, { id: 'p1', order: 1 }, { id: 'pz' }],
        customDataElements: [{ id: 'e2', order: 2, name: 'E' }],
        elements: [text('t0', 0), text('t5', 5), { order: 3 }, text('tz')],
      },
    ];
    const center = await multi({}, [{ id: 'a', sections }]);
    assert.deepEqual(sectionsOf(center), [['ordinary:t0,p1,e2,p5,t5,pz,tz']]);
  });

  it('sections are in order, named unless their header is hidden, and shown even with rules', async () => {
    const languages = [{ name: 'N', description: '<b>D</b>', language: 'en' }];
    const sections = [
      { id: 's2', order: 2, languages, isHeaderHidden: true },
      { id: 's1', order: 1, languages, conditionalRules: { x: 1 } },
      ...[{}, 7],
    ];
    const [page] = (await multi({}, [{ id: 'a', sections }])).pages;
    const texts = page?.sections.map(({ id, name, description }) =>
      [id, name, description].map((each) => (typeof each === 'object' ? inWords(each) : each)).join(),
    );
    assert.deepEqual(texts, ['s1,en N,en <b>D</b>', 's2,,en <b>D</b>', 'section-3,,']);
  });

  it('a section with rules is open for leaving only, with its notification purpose', async () => {
    const purposes = [{ id: 'p' }, { id: 'n' }];
    const customDataElements = [{ id: 'e', name: 'E', required: true }];
    const known = new Map([['n', notificationTwin]]);
    const closedOf = async (conditionalRules: unknown) => {
      const sections = [{ id: 's', conditionalRules, purposes, customDataElements }];
      return itemsOf(await multi({}, [{ id: 'a', sections }], known)).map((item) => {
        if (item.kind === 'purpose') return item.purpose.leavingOnly === true;
        return item.kind === 'data-element' && item.element.readOnly && !item.element.required;
      });
    };
    for (const rules of [{ x: 1 }, [{}], 'x', false, 0])
      assert.deepEqual(await closedOf(rules), [true, true, true], JSON.stringify(rules));
    for (const rules of [null, [], {}, ''])
      assert.deepEqual(await closedOf(rules), [false, false, false], JSON.stringify(rules));
  });

  it('the root names a page that has no readable language', async () => {
    const root = { pages: [{ id: 'a', languages: [{ language: 'en', name: 'Here' }] }] };
    for (const languages of [[], [5]]) {
      const [page] = (await multi(root, [{ id: 'a', languages }])).pages;
      assert.equal(page?.name.entries[0]?.text, 'Here');
    }
  });

  const byPage = { displayPageLevelSubscribeSettings: true };
  it('subscription settings and “subscribe to all” are shown only if the center displays them', async () => {
    const languages = [{ name: 'N', description: 'D', language: 'en' }];
    const sections = [{ id: 's', isSubscriptionSettings: true, languages, purposes: [{ id: 'p' }] }];
    const own = { displaySubscribeSettings: true };
    const off = { displaySubscribeSettings: false };
    for (const [root, page, isShown] of [
      [{}, {}, true],
      [off, {}, false],
      [{ ...byPage, ...off }, {}, false],
      [byPage, off, false],
      [{ ...byPage, ...off }, own, true],
      [own, off, true],
    ] as const) {
      const { pages } = await multi({ displaySubscribeAll: true, ...root }, [{ id: 'a', sections, ...page }]);
      const [section] = pages[0]?.sections ?? [];
      const shown = [pages[0]?.subscribeAll, section?.name !== undefined, section?.description !== undefined];
      assert.deepEqual(shown, [isShown, isShown, isShown], JSON.stringify([root, page]));
    }
  });

  const notificationTwin = purposeOf('n', { kind: 'notification' });
  const notification = { id: 'n', label: 'Tell me' };
  const settings = { id: 's', isSubscriptionSettings: true };
  it('the notification purpose is on the first page with subscription settings, else on the first', async () => {
    const shown = async (sections: Members[], root: Members = {}) => {
      const pages = [{ id: 'a' }, { id: 'b', sections }];
      return sectionsOf(await multi({ notificationPurpose: notification, ...root }, pages));
    };
    const settled = 'subscription-settings:';
    assert.deepEqual(await shown([settings]), [[], [settled, 'notification:n']]);
    assert.deepEqual(await shown([]), [['notification:n'], []]);
    assert.deepEqual(await shown([settings], { displayNotificationPurpose: false }), [[], [settled]]);
  });

  const onByDefault = { defaultConsentStatus: 'ACTIVE' };

  it('purposes that no page shows are kept apart, each once: hidden, not displayed, or only listed', async () => {
    const sections = [
      { purposes: [{ id: 'p', ...onByDefault }, { id: 'q', ...onByDefault }, { id: 'q' }] },
      { purposes: [{ id: 'm', purposeType: 'NOTIFICATION_OPT_OUT', ...onByDefault }, { id: 'v' }] },
    ];
    const hiddenPage = { id: 'h', isHidden: true, sections };
    const pages = [{ id: 'a', sections: [{ purposes: [{ id: 'p' }] }] }, hiddenPage];
    const known = new Map(['v', 'w', 'p'].map((id) => [id, purposeOf(id, { onByDefault: true })]));
    const notificationPurpose = { ...notification, ...onByDefault };
    const center = await multi({ notificationPurpose, displayNotificationPurpose: false }, pages, known);
    assert.deepEqual(hiddenOf(center), [
      ...['q standard on', 'v standard on', 'm notification on', 'n notification on', 'w standard on'],
    ]);
    assert.deepEqual(sectionsOf(center), [['ordinary:p']]);
    assert.deepEqual(hiddenOf(await multi({ notificationPurpose: notification }, [{ id: 'a' }])), []);
  });

  const onPage = { displayUnsubscribeAll: false, displaySubscribeAll: true };
  it('the root or the page decides about “unsubscribe from all” and “subscribe to all”', async () => {
    for (const [root, page, ...reads] of [
      [{}, {}, true, false],
      [onPage, {}, false, true],
      [{ displayUnsubscribeAll: true }, onPage, true, false],
      [{ displayUnsubscribeAll: true, ...byPage }, onPage, false, true],
      [{ displaySubscribeAll: true, ...byPage }, {}, true, true],
    ] as const) {
      const [displayed] = (await multi(root, [{ id: 'a', ...page }])).pages;
      const offered = [displayed?.unsubscribeAll, displayed?.subscribeAll];
      assert.deepEqual(offered, reads, JSON.stringify([root, page]));
    }
  });

  it('the switches of a Multi Page center are read', async () => {
    const portal = (hardOptOutFormat: string) => ({ portalSettings: { hardOptOutFormat } });
    const both = { autoCheckTopics: true, updateNotOptedOutToActiveStatus: true };
    const on = { autoCheckTopics: true, confirmsDefaults: true, hardOptOut: 'hide' };
    assert.partialDeepStrictEqual(await multi({ ...both, ...portal('HIDE') }, []), on);
    const off = { autoCheckTopics: false, confirmsDefaults: false, hardOptOut: 'lock' };
    assert.partialDeepStrictEqual(await multi(portal('BLINK'), []), off);
  });

  it('the default language is `defaultLanguage`, else the language that is marked so', async () => {
    const languages = [{ language: 'en' }, { language: 'fr', isDefault: true }];
    assert.equal((await multi({ languages, defaultLanguage: 'en' }, [])).defaultLanguage, 'en');
    assert.equal((await multi({ languages }, [])).defaultLanguage, 'fr');
  });
});

describe('the ends of consents', () => {
  const subject = 'anna@example.org' as SubjectId;
  const read = (content: unknown) => [...readProfileEnds({ content }, { subject, sentAs: subject })];
  const Purposes = [{ Id: 'A', ExpiryDate: '2028-03-03T10:00:00.000' }];

  it('ends are read only for the person who was asked for', () => {
    const others = ['Anna@example.org', 'omar@example.org', undefined, 7];
    assert.deepEqual(read(others.map((Identifier) => ({ Identifier, Purposes }))), []);
    const all = [...others, subject].map((Identifier) => ({ Identifier, Purposes }));
    assert.deepEqual(read(all), [['A', Date.UTC(2028, 2, 3, 10)]]);
  });

  it('an end is unknown without a readable date', () => {
    for (const ExpiryDate of [undefined, null, '', 'soon', '2028-02-31T00:00:00', 1_835_690_400_000])
      assert.deepEqual(read([{ Identifier: subject, Purposes: [{ Id: 'a', ExpiryDate }, null, {}] }]), []);
    for (const content of [undefined, null, {}, [null, 7, {}]]) assert.deepEqual(read(content), []);
    assert.throws(() => readProfileEnds('no', { subject, sentAs: subject }), /platform-unreadable/);
  });
});
