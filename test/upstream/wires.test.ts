import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Center, type Item, itemsOf, type Purpose } from '../../src/core/model/center/center.ts';
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
  const { pages } = await single({ Purposes: [{ Id: 'p', Label: 'P', ...purpose }] });
  const item = pages[0]?.sections[0]?.items[0];
  return item?.kind === 'purpose' ? item.purpose : undefined;
}

function named(item: Item): string {
  if (item.kind === 'purpose') return item.purpose.id;
  return item.kind === 'text' ? item.id : item.element.id;
}

const sectionKinds = (center: Omit<Center, 'revision' | 'told'>) =>
  center.pages.map(({ sections }) => sections.map(({ kind, items }) => `${kind}:${items.map(named).join()}`));

describe('a single-page center', () => {
  const profile = { IsEnabled: true, DataElements: [{ Id: 'e', Label: 'E' }], DefaultTitle: 'About you' };

  it('makes the identifier read-only, whatever the center says', async () => {
    const readOnly = async (members: Members) => {
      const { pages } = await single({
        ProfileSettings: { ...profile, DataElements: [{ Id: 'e', Label: 'E', ...members }] },
      });
      const items = pages.flatMap(({ sections }) => sections.flatMap((section) => section.items));
      return items.map((item) => item.kind === 'data-element' && item.element.readOnly);
    };
    assert.deepEqual(await readOnly({ IsIdentifier: true, ReadOnly: false }), [true]);
    assert.deepEqual(await readOnly({ IsIdentifier: false, ReadOnly: true }), [true]);
    assert.deepEqual(await readOnly({ IsIdentifier: false }), [false]);
    assert.deepEqual(await readOnly({ IsIdentifier: null }), [false]);
  });

  it('has its profile before or after its purposes, by the two orders', async () => {
    const kinds = async (before: unknown, after: unknown) => {
      const { pages } = await single({
        PreferenceCenterSettings: { Order: after },
        ProfileSettings: { ...profile, Order: before },
      });
      return pages[0]?.sections.map(({ kind }) => kind);
    };
    assert.deepEqual(await kinds(1, 2), ['profile', 'ordinary']);
    assert.deepEqual(await kinds(2, 1), ['ordinary', 'profile']);
    assert.deepEqual(await kinds(undefined, undefined), ['ordinary', 'profile']);
    assert.deepEqual(await kinds(1, null), ['profile', 'ordinary']);
  });

  it('has a profile only when that is enabled, with its title from Title or Name', async () => {
    const sections = async (settings: Members) =>
      (await single({ ProfileSettings: settings })).pages[0]?.sections ?? [];
    assert.equal((await sections({ ...profile, IsEnabled: false })).length, 1);
    const Languages = { en: { Title: 'You' }, fr: { Name: 'Vous' }, de: 'Sie', it: 7 };
    const name = (await sections({ ...profile, Languages }))[1]?.name;
    assert.deepEqual(
      name?.entries.map(({ language, text }) => `${language} ${text}`),
      ['en You', 'fr Vous', 'de Sie'],
    );
    assert.equal(name?.plain, 'About you');
  });

  it('draws notification purposes apart, and only where it displays them', async () => {
    const Purposes = [{ Id: 'n', PurposeType: 'NOTIFICATION_OPT_OUT' }, { Id: 'p' }];
    const both = await single({ Purposes });
    assert.deepEqual(sectionKinds(both), [['ordinary:p', 'notification:n']]);
    const one = await single({ Purposes, DisplayNotificationPurpose: false });
    assert.deepEqual(sectionKinds(one), [['ordinary:p']]);
    assert.deepEqual(
      one.hidden.map(({ id }) => id),
      ['n'],
    );
  });

  it('offers to unsubscribe from everything, and never to subscribe to everything', async () => {
    const [page] = (await single({})).pages;
    assert.deepEqual([page?.unsubscribeAll, page?.subscribeAll, page?.navigation], [true, false, false]);
  });

  const languages: readonly { of: Members; reads: [string[], string] }[] = [
    { of: { Language: 'fr', Languages: ['en', 'fr'] }, reads: [['en', 'fr'], 'fr'] },
    { of: { Language: 'en_US', Languages: ['en-us', 'EN-US', 'fr'] }, reads: [['en-us', 'fr'], 'en-us'] },
    { of: { Language: 'de', Languages: ['en'] }, reads: [['en', 'de'], 'de'] },
    { of: { Languages: ['ar', 'en'] }, reads: [['ar', 'en'], 'ar'] },
    { of: { Language: 'not a tag!', Languages: [7, null, '', 'toString', 'fr'] }, reads: [['fr'], 'fr'] },
    { of: { Translations: { nl: {}, sv: {} } }, reads: [['nl', 'sv'], 'nl'] },
    { of: {}, reads: [['en'], 'en'] },
  ];
  for (const { of, reads } of languages) {
    it(`of ${JSON.stringify(of)} speaks ${JSON.stringify(reads)}`, async () => {
      const center = await single(of);
      assert.deepEqual([center.languages, center.defaultLanguage], reads);
    });
  }

  const images: readonly [unknown, string | undefined][] = [
    ['https://example.org/logo.png', 'https://example.org/logo.png'],
    ['http://example.org/logo.png', 'http://example.org/logo.png'],
    ['javascript:alert(1)', undefined],
    ['data:image/svg+xml,<svg onload=alert(1)>', undefined],
    ['/logo.png', undefined],
    ['', undefined],
    [null, undefined],
  ];
  for (const [address, reads] of images) {
    it(`takes ${JSON.stringify(address)} for a title image as ${reads}`, async () => {
      const image = async (UseTitleImage: boolean) =>
        (await single({ PortalSettings: { UseTitleImage, TitleImageUrl: address } })).titleImageUrl;
      assert.equal(await image(true), reads);
      assert.equal(await image(false), undefined);
    });
  }

  it('takes its welcome text from the label set first, then from the translations', async () => {
    const { welcome } = await single({
      Language: 'en',
      PreferenceCenterSettings: {
        Languages: { en: { WelcomeMessage: '<p>Label</p>' }, fr: { WelcomeMessage: '<p> </p>' } },
      },
      Translations: {
        en: { 'Consent.Ds.Portal.WelcomeMessage': 'Translation' },
        fr: { 'Consent.Ds.Portal.WelcomeMessage': 'Traduction<script>x</script>' },
      },
    });
    assert.deepEqual(welcome.entries, [
      { language: 'en', text: '<p>Label</p>', isDefault: true },
      { language: 'fr', text: 'Traduction', isDefault: false },
    ]);
  });

  it('says what unsafe HTML was taken out, and where', async () => {
    const { unread } = await single({
      Purposes: [{ Id: 'p', Label: 'News', Description: '<p onclick="x()">a<script>b</script></p>' }],
    });
    const taken = (what: string) => ({
      code: 'html-removed',
      words: `In the description of the purpose “News”: the ${what} was taken out`,
    });
    assert.deepEqual(unread, [taken('attribute onclick'), taken('element <script>')]);
  });

  it('drops a bad item and never the page', async () => {
    const center = await single({
      Purposes: [
        null,
        7,
        {},
        { Id: 'a', Languages: 'x', Topics: [null, { Id: 't' }] },
        { Id: 'a' },
        { Id: 'b' },
      ],
    });
    assert.deepEqual(sectionKinds(center), [['ordinary:a,b']]);
    const leftOut = center.unread.flatMap(({ code, words }) => (code === 'left-out' ? words : []));
    assert.ok(leftOut.includes('A purpose that cannot be read was left out'));
    assert.ok(leftOut.includes('A purpose with an id that is already in use was left out'));
    assert.ok(
      center.unread.some(({ code, words }) => code === 'no-name' && words === 'the purpose “b” has no name'),
    );
  });

  it('has the reasons for leaving that have a text, when they are enabled', async () => {
    const reasons = async (more: Members) => {
      const center = await single({
        PortalSettings: {
          EnableReasons: true,
          ReasonsAllowOther: true,
          UnsubscribeReasons: [
            'Too many',
            { Id: 'R-2', Text: 'Not relevant', Languages: [{ Language: 'fr', Name: 'Sans intérêt' }] },
            { id: 'r3', languages: [{ language: 'de', text: 'Nie bestellt', isDefault: true }] },
            { Id: 'r4' },
            '',
            null,
          ],
          ...more,
        },
      });
      return center.reasons;
    };
    assert.equal(await reasons({ EnableReasons: false }), undefined);
    assert.deepEqual(await reasons({}), {
      choices: [
        { id: 'reason-1', name: { entries: [], plain: 'Too many' } },
        {
          id: 'R-2',
          name: {
            entries: [{ language: 'fr', text: 'Sans intérêt', isDefault: false }],
            plain: 'Not relevant',
          },
        },
        {
          id: 'r3',
          name: { entries: [{ language: 'de', text: 'Nie bestellt', isDefault: true }], plain: undefined },
        },
      ],
      allowOther: true,
    });
    const formats = { List: undefined, Radio: 'radio-buttons', TEXT: 'text', Carousel: undefined };
    for (const [format, reads] of Object.entries(formats))
      assert.equal((await reasons({ ReasonsDisplayFormat: format }))?.format, reads, format);
  });

  it('of a template that is not known is open for leaving only', async () => {
    const center = await single({
      Template: 'HOLOGRAM',
      Purposes: [{ Id: 'p', Label: 'P' }],
      ProfileSettings: { IsEnabled: true, DataElements: [{ Id: 'e', Label: 'E', required: true }] },
    });
    const [purpose, element] = itemsOf(center);
    assert.equal(purpose?.kind === 'purpose' && purpose.purpose.leavingOnly, true);
    assert.deepEqual(
      element?.kind === 'data-element' && [element.element.readOnly, element.element.required],
      [true, false],
    );
  });
});

describe('a purpose', () => {
  const cases: readonly { of: Members; reads: Partial<Purpose> }[] = [
    { of: { Status: 'ACTIVE' }, reads: { active: true } },
    { of: { Status: 'RETIRED' }, reads: { active: false } },
    { of: { Status: 'DRAFT' }, reads: { active: false } },
    { of: { Status: null }, reads: { active: true } },
    { of: { DefaultConsentStatus: 'ACTIVE' }, reads: { onByDefault: true } },
    { of: { DefaultConsentStatus: 'OPT_OUT' }, reads: { onByDefault: false } },
    { of: { DefaultConsentStatus: 'WHAT' }, reads: { onByDefault: false } },
    { of: { PurposeType: 'COOKIE' }, reads: { kind: 'standard', leavingOnly: true } },
    { of: { PurposeType: 'STANDARD' }, reads: { kind: 'standard', leavingOnly: undefined } },
    { of: { LifeSpan: 0 }, reads: { lifeSpan: undefined } },
    { of: { LifeSpan: 60 }, reads: { lifeSpan: 60 } },
    { of: { Visibility: 'VISIBLE_TO_CONSENTED' }, reads: { visibility: 'consented' } },
    { of: { visibility: 'VISIBLE_TO_PRIOR_CONSENTED' }, reads: { visibility: 'prior-consented' } },
    { of: { visibility: 'VISIBLE_TO_ALIENS' }, reads: { visibility: 'all', leavingOnly: true } },
    { of: { visibility: '' }, reads: { visibility: 'all', leavingOnly: undefined } },
    { of: { Label: ' \u0000 A\nB ' }, reads: { name: { entries: [], plain: 'A B' } } },
    { of: { Label: '' }, reads: { name: { entries: [], plain: 'p' } } },
    { of: { Label: '<b>&amp;</b>' }, reads: { name: { entries: [], plain: '<b>&amp;</b>' } } },
    {
      of: {
        Languages: [
          { Language: 'fr', Name: 'F', HardOptOutMessage: 'Non' },
          { Language: 'fr', Name: 'Again' },
          { Name: 'No tag' },
        ],
      },
      reads: {
        name: { entries: [{ language: 'fr', text: 'F', isDefault: false }], plain: 'P' },
        hardOptOutMessage: { entries: [{ language: 'fr', text: 'Non', isDefault: false }], plain: undefined },
      },
    },
  ];
  for (const { of, reads } of cases) {
    it(`of ${JSON.stringify(of)} is ${JSON.stringify(reads)}`, async () => {
      const purpose = await onePurpose(of);
      assert.ok(purpose);
      for (const [member, value] of Object.entries(reads))
        assert.deepEqual(Object.entries(purpose).find(([name]) => name === member)?.[1], value);
    });
  }

  it('has an id in small letters when that is a GUID, else as it is written', async () => {
    assert.equal((await onePurpose({ Id: singlePageId.toUpperCase() }))?.id, singlePageId);
    assert.equal((await onePurpose({ Id: 'MixedCase' }))?.id, 'MixedCase');
  });

  it('has its options in order, defaults marked, and no preference without one', async () => {
    const Options = [
      { Id: 'c' },
      { Id: 'b', Label: 'B', Order: 2, IsDefault: true },
      { Id: 'a', Label: 'A', Order: 1 },
      { Id: 'a' },
      {},
    ];
    const purpose = await onePurpose({
      CustomPreferences: [
        { Id: 'q', Options, SelectionType: 'SINGLE_CHOICE', DisplayAs: 'DROPDOWN', Required: true },
        { Id: 'r', Options, SelectionType: 'SOMETHING', DisplayAs: 'ELSE' },
        { Id: 's', Options: [], Required: true },
      ],
    });
    const preferences = purpose?.preferences;
    assert.deepEqual(
      preferences?.map(({ id, choice, display, required, options }) => [
        id,
        choice,
        display,
        required,
        options.map((option) => option.id).join(),
      ]),
      [
        ['q', 'single', 'dropdown', true, 'a,b,c'],
        ['r', 'multiple', 'checkboxes', false, 'a,b,c'],
      ],
    );
    assert.equal(preferences?.[0]?.options[1]?.isDefault, true);
  });
});

describe('a data element', () => {
  const element = async (members: Members) => {
    const { pages } = await single({
      ProfileSettings: { IsEnabled: true, DataElements: [{ Id: 'e', Label: 'L ', ...members }] },
    });
    const item = pages[0]?.sections[1]?.items[0];
    return item?.kind === 'data-element' ? item.element : undefined;
  };
  const types = {
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
  };
  for (const [type, reads] of Object.entries(types)) {
    it(`of ${type} (without options) is ${reads}`, async () =>
      assert.equal((await element({ DataElementType: type }))?.type, reads));
  }

  for (const [status, isThere] of Object.entries({
    ACTIVE: true,
    PUBLISHED: true,
    '': true,
    RETIRED: false,
    DRAFT: false,
    Asleep: false,
  })) {
    it(`of status “${status}” is ${isThere ? 'rendered' : 'neither rendered nor required'}`, async () =>
      assert.equal((await element({ Status: status, Required: true })) !== undefined, isThere));
  }

  it('keeps its label as the platform writes it, and is left out without one', async () => {
    assert.equal((await element({}))?.label, 'L ');
    for (const Label of ['', ' ', null, 7, 'constructor', '__proto__'])
      assert.equal(await element({ Label }), undefined);
  });

  it('translates its options by id, else by their place', async () => {
    const displayed = await element({
      DataElementType: 'SELECTION',
      DisplayAs: 'DROPDOWN',
      DataElementOptions: ['Red', { Id: '2', Label: 'Blue', Value: 'blue' }, { Name: 'Green' }, 4, null],
      Languages: [
        { Language: 'fr', DataElementOptions: ['Rouge', { Id: '2', Label: 'Bleu' }, 'Vert', 'Quatre', ''] },
      ],
    });
    const options = displayed?.options;
    assert.deepEqual(
      options?.map(({ value, name }) => [value, name.plain, name.entries[0]?.text]),
      [
        ['Red', 'Red', 'Rouge'],
        ['blue', 'Blue', 'Bleu'],
        ['Green', 'Green', 'Vert'],
        ['4', '4', 'Quatre'],
      ],
    );
  });
});

describe('a Multi Page center', () => {
  it('draws its pages in order and leaves hidden ones out', async () => {
    const center = await multi({}, [
      { id: 'c' },
      { id: 'b', order: 2, navigationEnabled: false },
      { id: 'h', order: 0, isHidden: true },
      { id: 'a', order: 1 },
    ]);
    assert.deepEqual(
      center.pages.map(({ id, navigation }) => [id, navigation]),
      [
        ['a', true],
        ['b', false],
        ['c', true],
      ],
    );
  });

  it('always has a page, from which everything can be withdrawn', async () => {
    for (const center of [
      await multi({ pages: [] }, []),
      await multi({ displayUnsubscribeAll: false }, [{ id: 'h', isHidden: true }]),
    ]) {
      assert.deepEqual(
        center.pages.map(({ id, unsubscribeAll }) => [id, unsubscribeAll]),
        [[singlePageId, true]],
      );
    }
  });

  it('mixes purposes, data elements and texts of a section by their order', async () => {
    const text = (id: string, order?: number) => ({
      id,
      order,
      languages: [{ content: '<p>x</p>', language: 'en' }],
    });
    const sections = [
      {
        purposes: [{ id: 'p5', order: 5 }, { id: 'p1', order: 1 }, { id: 'pz' }],
        customDataElements: [{ id: 'e2', order: 2, name: 'E' }],
        elements: [text('t0', 0), text('t5', 5), { order: 3 }, text('tz')],
      },
    ];
    assert.deepEqual(sectionKinds(await multi({}, [{ id: 'a', sections }])), [
      ['ordinary:t0,p1,e2,p5,t5,pz,tz'],
    ]);
  });

  it('orders its sections, names them unless their header is hidden, and draws conditional ones', async () => {
    const languages = [{ name: 'N', description: '<b>D</b>', language: 'en' }];
    const [page] = (
      await multi({}, [
        {
          id: 'a',
          sections: [
            { id: 's2', order: 2, languages, isHeaderHidden: true },
            { id: 's1', order: 1, languages, conditionalRules: { x: 1 } },
            {},
            7,
          ],
        },
      ])
    ).pages;
    assert.deepEqual(
      page?.sections.map(({ id, name, description }) => [
        id,
        name?.entries[0]?.text,
        description?.entries[0]?.text,
      ]),
      [
        ['s1', 'N', '<b>D</b>'],
        ['s2', undefined, '<b>D</b>'],
        ['section-3', undefined, undefined],
      ],
    );
  });

  it('opens a section with rules for leaving only, its notification purpose too', async () => {
    const purposes = [
      { id: 'p', label: 'P' },
      { id: 'n', label: 'N' },
    ];
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

  it('names a page by the root where the page has no language that can be read', async () => {
    const pages = [{ id: 'a', languages: [{ language: 'en', name: 'Here' }] }];
    for (const languages of [[], [5]])
      assert.equal(
        (await multi({ pages }, [{ id: 'a', languages }])).pages[0]?.name.entries[0]?.text,
        'Here',
      );
  });

  const byPage = { displayPageLevelSubscribeSettings: true };
  it('shows subscription settings, and “subscribe to all”, where it displays them', async () => {
    const languages = [{ name: 'N', description: 'D', language: 'en' }];
    const sections = [{ id: 's', isSubscriptionSettings: true, languages, purposes: [{ id: 'p' }] }];
    const shown = async (root: Members, page: Members = {}) => {
      const { pages } = await multi({ displaySubscribeAll: true, ...root }, [{ id: 'a', sections, ...page }]);
      const [section] = pages[0]?.sections ?? [];
      return [pages[0]?.subscribeAll, section?.name !== undefined, section?.description !== undefined];
    };
    const all = [true, true, true];
    const none = [false, false, false];
    assert.deepEqual(await shown({}), all);
    assert.deepEqual(await shown({ displaySubscribeSettings: false }), none);
    assert.deepEqual(await shown({ ...byPage, displaySubscribeSettings: false }), none);
    assert.deepEqual(await shown(byPage, { displaySubscribeSettings: false }), none);
    const own = { displaySubscribeSettings: true };
    assert.deepEqual(await shown({ ...byPage, displaySubscribeSettings: false }, own), all);
    assert.deepEqual(
      await shown({ displaySubscribeSettings: true }, { displaySubscribeSettings: false }),
      all,
    );
  });

  const notificationTwin = purposeOf('n', { kind: 'notification' });
  const notification = { id: 'n', label: 'Tell me' };
  const settings = { id: 's', isSubscriptionSettings: true };
  it('draws its notification purpose on the first page with subscription settings, else on the first', async () => {
    const pages = [
      { id: 'a', sections: [{ id: 'o' }] },
      { id: 'b', sections: [settings] },
    ];
    assert.deepEqual(sectionKinds(await multi({ notificationPurpose: notification }, pages)), [
      ['ordinary:'],
      ['subscription-settings:', 'notification:n'],
    ]);
    assert.deepEqual(
      sectionKinds(await multi({ notificationPurpose: notification }, [{ id: 'a' }, { id: 'b' }])),
      [['notification:n'], []],
    );
    assert.deepEqual(
      sectionKinds(
        await multi({ notificationPurpose: notification, displayNotificationPurpose: false }, pages),
      ),
      [['ordinary:'], ['subscription-settings:']],
    );
  });

  const hiddenOf = (center: Omit<Center, 'revision' | 'told'>) =>
    center.hidden.map(({ id, kind, onByDefault }) => `${id} ${kind}${onByDefault ? ' on' : ''}`);
  const onByDefault = { defaultConsentStatus: 'ACTIVE' };

  it('keeps what no page draws apart, each once: of hidden pages, not displayed, only in the single-page list', async () => {
    const pages = [
      { id: 'a', sections: [{ purposes: [{ id: 'p' }] }] },
      {
        id: 'h',
        isHidden: true,
        sections: [
          { purposes: [{ id: 'p', ...onByDefault }, { id: 'q', ...onByDefault }, { id: 'q' }] },
          { purposes: [{ id: 'm', purposeType: 'NOTIFICATION_OPT_OUT', ...onByDefault }, { id: 'v' }] },
        ],
      },
    ];
    const known = new Map<string, Purpose>();
    for (const id of ['v', 'w', 'p']) {
      const purpose = await onePurpose({ Id: id, DefaultConsentStatus: 'ACTIVE' });
      assert.ok(purpose);
      known.set(id, purpose);
    }
    const hidden = {
      notificationPurpose: { ...notification, ...onByDefault },
      displayNotificationPurpose: false,
    };
    const center = await multi(hidden, pages, known);
    assert.deepEqual(hiddenOf(center), [
      'q standard on',
      'v standard on',
      'm notification on',
      'n notification on',
      'w standard on',
    ]);
    assert.deepEqual(sectionKinds(center), [['ordinary:p']]);
    assert.deepEqual(hiddenOf(await multi({ notificationPurpose: notification }, [{ id: 'a' }])), []);
  });

  const onPage = { displayUnsubscribeAll: false, displaySubscribeAll: true };
  const controls: readonly [root: Members, page: Members, reads: [boolean, boolean]][] = [
    [{}, {}, [true, false]],
    [{ displayUnsubscribeAll: false, displaySubscribeAll: true }, {}, [false, true]],
    [{ displayUnsubscribeAll: true }, onPage, [true, false]],
    [{ displayUnsubscribeAll: true, ...byPage }, onPage, [false, true]],
    [{ displaySubscribeAll: true, ...byPage }, {}, [true, true]],
  ];
  for (const [root, page, reads] of controls) {
    it(`of ${JSON.stringify(root)} and page ${JSON.stringify(page)} offers [unsubscribe, subscribe] ${reads}`, async () => {
      const [displayed] = (await multi(root, [{ id: 'a', ...page }])).pages;
      assert.deepEqual([displayed?.unsubscribeAll, displayed?.subscribeAll], reads);
    });
  }

  it('reads its switches', async () => {
    const switches = async (root: Members) => {
      const { autoCheckTopics, confirmsDefaults, hardOptOut } = await multi(root, []);
      return [autoCheckTopics, confirmsDefaults, hardOptOut];
    };
    const portal = (hardOptOutFormat: string) => ({ portalSettings: { hardOptOutFormat } });
    const both = { autoCheckTopics: true, updateNotOptedOutToActiveStatus: true };
    assert.deepEqual(await switches({ ...both, ...portal('HIDE') }), [true, true, 'hide']);
    assert.deepEqual(await switches(portal('BLINK')), [false, false, 'lock']);
  });

  it('takes its default language from defaultLanguage, else from the one marked so', async () => {
    const languages = [{ language: 'en' }, { language: 'fr', isDefault: true }];
    assert.equal((await multi({ languages, defaultLanguage: 'en' }, [])).defaultLanguage, 'en');
    assert.equal((await multi({ languages }, [])).defaultLanguage, 'fr');
  });
});

describe('when consents end', () => {
  const subject = 'anna@example.org' as SubjectId;
  const read = (content: unknown) => [...readProfileEnds({ content }, { subject, sentAs: subject })];
  const Purposes = [{ Id: 'A', ExpiryDate: '2028-03-03T10:00:00.000' }];

  it('is read of the person alone who was asked for', () => {
    const others = ['Anna@example.org', 'omar@example.org', undefined, 7];
    assert.deepEqual(read(others.map((Identifier) => ({ Identifier, Purposes }))), []);
    const all = [...others, subject].map((Identifier) => ({ Identifier, Purposes }));
    assert.deepEqual(read(all), [['A', Date.UTC(2028, 2, 3, 10)]]);
  });

  it('is unknown where there is no date, or none that can be read', () => {
    for (const ExpiryDate of [undefined, null, '', 'soon', '2028-02-31T00:00:00', 1_835_690_400_000])
      assert.deepEqual(read([{ Identifier: subject, Purposes: [{ Id: 'a', ExpiryDate }, null, {}] }]), []);
    for (const content of [undefined, null, {}, [null, 7, {}]]) assert.deepEqual(read(content), []);
    assert.throws(() => readProfileEnds('no', { subject, sentAs: subject }), /platform-unreadable/);
  });
});
