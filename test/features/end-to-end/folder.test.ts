import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { save } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { assertHeading, formPageAt, outcomes, startFixture } from '../centers/fixture.ts';
import { idOf, school } from '../centers/sample-centers.ts';

type Files = Readonly<Record<string, unknown>>;

interface OddCenter {
  readonly id: string;
  readonly files: Files;
  /** Who is on record in the files. */
  readonly identifier?: string;
  /** What the page must say, and must not. */
  readonly shows?: readonly string[];
  readonly hides?: readonly string[];
  readonly dir?: 'rtl';
  /** Names of its pages; the last one is looked at. */
  readonly pages?: readonly string[];
  readonly status?: number;
}

const purpose = (name: string, more: object = {}) => ({
  Id: idOf(name),
  Label: name,
  Status: 'ACTIVE',
  ...more,
});
const single = (more: object) => ({
  'preferences.json': { Status: 200, Language: 'en', Languages: ['en'], Template: 'ENHANCED', ...more },
});
const html =
  '<script>alert(1)</script><b onclick="x()">bold</b><img src=x onerror=alert(1)><h1>another</h1></main>"\'<%= 1 %>';
const nulls = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, null]));
const shout = (name: string) => idOf(name).toUpperCase();

function multi(pages: Readonly<Record<string, unknown>>, root: object = {}): Files {
  return {
    'schema.json': {
      pages: Object.keys(pages).map((name, order) => ({
        id: idOf(name),
        order,
        navigationEnabled: true,
        languages: [{ name, language: 'en', isDefault: true }],
      })),
      defaultLanguage: 'en',
      languages: [{ language: 'en', isDefault: true }],
      ...root,
    },
    ...Object.fromEntries(Object.entries(pages).map(([name, page]) => [`pages/${idOf(name)}.json`, page])),
  };
}

const section = (...purposes: object[]) => ({ sections: [{ id: idOf('section'), order: 0, purposes }] });
const line = (name: string, more: object = {}) => ({ id: idOf(name), label: name, ...more });

/** Everything that a file of the layout may hold, however odd. */
const odd: Readonly<Record<string, OddCenter>> = {
  'with nothing in its schema': { id: idOf('odd nothing'), files: { 'preferences.json': {} } },
  'with null for everything': {
    id: idOf('odd null'),
    files: {
      'preferences.json': nulls(
        'messages Status PreferenceCentreId Language Languages Template DisplayNotificationPurpose Purposes PreferenceCenterSettings PortalSettings Translations ProfileSettings',
      ),
    },
  },
  'with things of the wrong kind': {
    id: idOf('odd kinds'),
    files: single({
      Languages: 'en',
      Purposes: [null, 7, 'x', [], { Id: 4 }, purpose('Right'), { Id: idOf('No label') }],
      Translations: [],
      PreferenceCenterSettings: { Languages: { en: 'x', fr: null }, SubmissionRequest: 'first' },
      PortalSettings: 'x',
      ProfileSettings: {
        IsEnabled: true,
        SubmissionRequest: null,
        DataElements: [null, 'x', { Id: idOf('An element'), Label: 5 }, { Id: idOf('City'), Label: 'City' }],
      },
    }),
    shows: ['Right', 'City'],
  },
  'with enums that nobody knows': {
    id: idOf('odd enums'),
    identifier: 'odd.enums@example.org',
    files: {
      ...single({
        Template: 'SURPRISING',
        Purposes: [
          purpose('Known', {
            PurposeType: 'NEW',
            DefaultConsentStatus: 'NEW',
            Visibility: 'NEW',
            CustomPreferences: [
              {
                Id: idOf('How'),
                Name: 'How',
                SelectionType: 'NEW',
                DisplayAs: 'NEW',
                Options: [{ Id: idOf('So'), Label: 'So' }],
              },
            ],
          }),
          purpose('Frozen', { Status: 'FROZEN' }),
        ],
        ProfileSettings: {
          IsEnabled: true,
          DataElements: [
            { Id: idOf('Shoe'), Label: 'Shoe', DataElementType: 'SHOE', DisplayAs: 'BOX' },
            { Id: idOf('Sock'), Label: 'Sock', Status: 'NEW' },
          ],
        },
      }),
      'subjects/odd.enums@example.org.json': {
        DataSubjectId: 'odd.enums@example.org',
        Language: 'x',
        Purposes: [{ Id: idOf('Known'), TransactionStatus: 'NEVER_HEARD_OF' }, null, { Id: null }],
        DsDataElements: { Shoe: 42, Other: null },
      },
    },
    shows: ['Known', 'How', 'So', 'Shoe', 'You can turn this off here, but not on'],
    hides: ['Frozen', 'Sock'],
  },
  'with languages that are none': {
    id: idOf('odd tags'),
    files: {
      'preferences.json': {
        Language: '!!',
        Languages: ['', 'not a tag', 'x-klingon', 'EN_us'],
        Purposes: [purpose('Tagged')],
        Translations: { '': {}, '--': { a: 1 } },
      },
    },
    shows: ['Tagged'],
  },
  'whose first language is read from right to left': {
    id: idOf('odd rtl'),
    files: single({
      Language: 'ar',
      Languages: ['ar'],
      Purposes: [
        purpose('نشرة'),
        purpose('English name', { Languages: [{ Name: 'English name', Language: 'en', Default: true }] }),
      ],
    }),
    dir: 'rtl',
    shows: ['نشرة', 'English name'],
  },
  'with HTML in every text': {
    id: idOf('odd html'),
    files: single({
      Purposes: [
        {
          ...purpose(html),
          Description: html,
          Languages: [{ Name: html, Description: html, Language: 'en', Default: true }],
          Topics: [{ Id: idOf('t'), Name: html }],
          CustomPreferences: [
            { Id: idOf('c'), Name: html, Description: html, Options: [{ Id: idOf('o'), Label: html }] },
          ],
        },
      ],
      PreferenceCenterSettings: {
        Languages: {
          en: { Title: html, WelcomeMessage: html, ChangePreferencesLabel: html, TopicsLabel: html },
        },
      },
      PortalSettings: { Title: html, UseTitleImage: true, TitleImageUrl: 'javascript:alert(1)' },
      ProfileSettings: {
        IsEnabled: true,
        DefaultTitle: html,
        DataElements: [{ Id: idOf('e'), Label: html, DataElementOptions: [html] }],
      },
    }),
  },
  'with the same ids again and again': {
    id: idOf('odd twice'),
    files: single({
      Purposes: [
        purpose('Once', {
          Topics: [
            { Id: idOf('T'), Name: 'Topic' },
            { Id: idOf('T'), Name: 'Topic again' },
          ],
          CustomPreferences: [1, 2].map((time) => ({
            Id: idOf('C'),
            Name: `Choice ${time}`,
            Options: [
              { Id: idOf('O'), Label: 'Option' },
              { Id: idOf('O'), Label: 'Option again' },
            ],
          })),
        }),
        purpose('Once', { Label: 'Twice' }),
        purpose('Other', { Topics: [{ Id: idOf('T'), Name: 'Topic of the other' }] }),
      ],
      ProfileSettings: {
        IsEnabled: true,
        DataElements: [1, 2].map((time) => ({ Id: idOf('E'), Label: `Element ${time}` })),
      },
    }),
    shows: ['Once', 'Other'],
  },
  'with ids that are no GUIDs': {
    id: idOf('odd ids'),
    files: single({
      Purposes: [
        { Id: 'news/1?x=2&y', Label: 'Slashed', Status: 'ACTIVE' },
        { Id: '', Label: 'Empty' },
        { Id: 'p 1', Label: 'Blank' },
        { Id: 'constructor', Label: 'Builder', Status: 'ACTIVE' },
      ],
    }),
    shows: ['Slashed'],
  },
  'with texts of 100 KB, of emoji and of marks that turn the line': {
    id: idOf('odd texts'),
    files: single({
      Purposes: [
        purpose('Long', { Description: 'word '.repeat(20_000) }),
        purpose('Smile', { Label: '👩‍👩‍👧‍👦 \u202Egnp.exe\u202C \u0000\uFFFF' }),
        purpose('Blank', { Label: '   ' }),
      ],
    }),
    shows: ['Long', '👩‍👩‍👧‍👦'],
  },
  'with nothing but a root of nulls': {
    id: idOf('odd root'),
    files: {
      'schema.json': nulls(
        'pages portalSettings languages defaultLanguage translations preferenceCenterSettings notificationPurpose',
      ),
    },
  },
  'with pages that hold next to nothing': {
    id: idOf('odd pages'),
    files: {
      ...multi({
        'Empty page': {},
        'Page of an empty section': { sections: [{}] },
        'Page of null': { sections: null },
        'Page of rules': {
          sections: [
            {
              id: 's',
              conditionalRules: { operator: '??', of: [[]] },
              purposes: [line('Ruled')],
              elements: [{ id: null, languages: [{ content: '<p>Words</p>', language: 'en' }] }],
              customDataElements: [{}],
            },
          ],
        },
      }),
    },
    pages: ['Empty page', 'Page of an empty section', 'Page of null', 'Page of rules'],
    shows: ['Ruled', 'Words'],
  },
  'that only has hidden pages': {
    id: idOf('odd hidden'),
    files: multi({ 'Hidden page': { isHidden: true, ...section(line('Hidden purpose')) } }),
    hides: ['Hidden purpose'],
  },
  'whose pages have no file': {
    id: idOf('odd fileless'),
    files: { 'schema.json': multi({ 'No such file': {} })['schema.json'] },
  },
  'whose file is no JSON': {
    id: idOf('odd broken'),
    files: { 'preferences.json': 'no { JSON' },
    status: 404,
  },
  'whose schema says that it cannot be retrieved': {
    id: idOf('odd 400'),
    files: { 'preferences.json': { Status: 400, messages: ['no'] } },
    status: 404,
  },
};

const thousand = idOf('odd thousand');
const loud = idOf('odd capitals');
const twoPages = idOf('odd two pages');
const lessElsewhere = idOf('odd less elsewhere');
const dotted = idOf('odd dots');
const saving: Readonly<Record<string, Files>> = {
  [lessElsewhere]: multi({
    'Says all': section(
      line('Told', {
        customPreferences: [
          {
            id: idOf('Pace'),
            name: 'Pace',
            selectionType: 'SINGLE_CHOICE',
            displayAs: 'DROPDOWN',
            customPreferenceOptions: ['Slow', 'Fast'].map((label) => ({ id: idOf(label), label })),
          },
        ],
      }),
      line('Assumed', { defaultConsentStatus: 'ACTIVE' }),
    ),
    'Says less': section(line('Told'), line('Assumed')),
  }),
  [dotted]: single({
    Purposes: [
      purpose('Dotted', {
        Id: 'news.daily',
        Topics: [{ Id: 't.1', Name: 'Topic' }],
        CustomPreferences: [{ Id: 'how.often', Name: 'How', Options: [{ Id: 'o.1', Label: 'Often' }] }],
      }),
    ],
  }),
  [thousand]: single({
    Purposes: Array.from({ length: 1_000 }, (_, place) =>
      purpose(`Purpose ${place}`, {
        Topics: topicsOf(place).map((topic) => ({ Id: idOf(topic), Name: 'Topic' })),
      }),
    ),
  }),
  [loud.toUpperCase()]: {
    ...single({
      PreferenceCentreId: loud.toUpperCase(),
      Purposes: [
        { ...purpose('Loud'), Id: shout('Loud'), Topics: [{ Id: shout('Loud topic'), Name: 'Loud topic' }] },
        { ...purpose('Quiet'), Id: shout('Quiet') },
      ],
      ProfileSettings: {
        IsEnabled: true,
        DataElements: [{ Id: shout('Town'), Label: 'Town', DataElementType: 'USER_INPUT' }],
      },
    }),
  },
  [twoPages]: multi({
    'First of two': section(
      line('Shared', { topics: [{ id: idOf('On one'), name: 'On one' }] }),
      line('First only'),
    ),
    'Second of two': section(
      line('Shared', { topics: [{ id: idOf('On two'), name: 'On two' }] }),
      line('Second only'),
    ),
  }),
};

function topicsOf(place: number): readonly string[] {
  return [0, 1, 2, 3, 4, 5].map((number) => `Topic ${place}.${number}`);
}

function inFolder(centers: Readonly<Record<string, Files>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(centers).flatMap(([id, files]) =>
      Object.entries(files).map(([name, content]) => [
        `platform/centers/${id}/${name}`,
        typeof content === 'string' ? content : JSON.stringify(content),
      ]),
    ),
  );
}

suite('Whatever stands in the folder is served and rendered: a center', { concurrency: false }, () => {
  const fixture = forSuite(() => {
    const centers = Object.fromEntries(Object.values(odd).map(({ id, files }) => [id, files]));
    const files = inFolder({ ...centers, ...saving });
    const person = `platform/centers/${idOf('odd rtl')}/subjects/a%2Fb%40example.org.json`;
    return startFixture({
      files: {
        ...files,
        [person]: `\uFEFF${JSON.stringify({ Purposes: [] })}`,
        [`platform/centers/${idOf('odd rtl')}/subjects/broken.json`]: '{',
        [`platform/centers/${idOf('odd rtl')}/subjects/%E2%84%AAate@example.org.json`]: '{"Purposes": []}',
        [`platform/centers/${idOf('odd rtl')}/people.json`]: '{"people": [null, {}, {"identifier": 7}]}',
        'platform/centers/no-guid/preferences.json': '{}',
        'platform/centers/stray.txt': 'stray',
        'platform/stray.json': 'stray',
      },
    });
  });

  for (const [name, { id, identifier, shows = [], hides = [], dir, pages, status = 200 }] of Object.entries(
    odd,
  )) {
    test(`${name}.`, async () => {
      const person = await fixture.person(id, undefined, identifier === undefined ? {} : { identifier });
      const open = async (path: string) => {
        const page = await person.visitor.open(`/centers/${id}${path}`);
        assert.equal(page.status, status, `${path}: ${textOf(page.text, 'h1')}`);
        assertHeading(page);
        assert.match(page.text, /<\/html>\s*$/);
        assert.doesNotMatch(
          page.text,
          /<script(?! src="\/assets\/)|undefined|\[object |javascript:|<b onclick/,
        );
        return page;
      };
      await open('/unsubscribe?lang=fr');
      let page = await open('');
      for (const each of pages ?? []) page = await open(`/${idOf(each)}`);
      if (status !== 200) return;
      const main = textOf(page.text, 'main') ?? '';
      for (const text of shows) assert.ok(main.includes(text), `${text} in ${main.slice(0, 3_000)}`);
      for (const text of hides) assert.ok(!main.includes(text), `${text} in ${main}`);
      if (dir !== undefined) assert.match(page.text, /<html[^>]*dir="rtl"/);
      const formPage = formPageAt(person.visitor, page);
      const ids = formPage.form.controls.flatMap(({ id: control }) => control ?? []);
      assert.equal(new Set(ids).size, ids.length, 'each control has an id of its own');
      assert.match((await formPage.save()).url, /saved=unchanged$/, 'an untouched form changes nothing');
      assert.deepEqual(await person.writes(), []);
    });
  }

  test('with people whose identifiers cannot be used says how many.', () => {
    assert.match(fixture.product.output(), /Sandbox: 1 of its people cannot be opened; use 1 to 512 bytes/);
  });

  test('of a thousand purposes with six topics each: the whole form passes, for its page and its person alone.', async () => {
    const everything = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, place) => [
        `Purpose ${place}`,
        { status: 'ACTIVE', topics: topicsOf(place) },
      ]),
    );
    const person = await fixture.person(thousand, everything);
    const whole = await person.open();
    const { fields } = whole.form.press(save);
    assert.ok(fields.length > 6_000, `${fields.length} fields`);
    const { length } = new URLSearchParams(fields).toString();
    assert.ok(length > 600_000, `${length} bytes, more than a form may have without such a page`);
    const result = await whole.untick('Purpose 500').topic('Purpose 999', 'Topic 999.0', false).save();
    assert.deepEqual(outcomes(result), { 'Purpose 500': 'saved', 'Purpose 999': 'saved' });
    const statuses = Object.values(await person.statuses());
    assert.equal(statuses.filter((status) => status === 'ACTIVE').length, 999);
    assert.equal((await person.statuses())['Purpose 500'], 'WITHDRAWN');

    const more = (size: number) => ({
      change: (sent: [string, string][]) => [...sent, ['x', 'x'.repeat(size)]] as [string, string][],
    });
    assert.equal((await whole.post(more(4_000_000))).status, 413);
    const stranger = createVisitor(fixture.product.url);
    const small = await fixture.person(school, {});
    assert.equal((await stranger.post(`/centers/${thousand}`, fields)).status, 401);
    assert.equal((await small.visitor.post(`/centers/${school}`, fields)).status, 413);
  });

  test('whose ids are in capital letters, with a record in small ones.', async () => {
    const person = await fixture.person(
      loud,
      { Quiet: 'ACTIVE' },
      { elements: { Town: 'Bath' }, folder: loud.toUpperCase() },
    );
    const formPage = await person.open();
    assert.ok(formPage.isOn('Quiet') && !formPage.isOn('Loud'));
    const result = await formPage
      .tick('Loud')
      .topic('Loud', 'Loud topic')
      .untick('Quiet')
      .type('Town', 'Cork')
      .save();
    assert.deepEqual(outcomes(result), {
      Loud: 'saved',
      Quiet: 'saved',
      Town: 'saved',
    });
    assert.deepEqual(await person.statuses(), { Quiet: 'WITHDRAWN', Loud: 'ACTIVE' });
    assert.deepEqual(await person.chosen('Loud'), ['Loud topic']);
    const upper = await person.visitor.open(`/centers/${loud.toUpperCase()}`);
    assert.equal(upper.status, 200);
  });

  test('that draws one purpose on two pages: what is chosen on one stays when the other is saved.', async () => {
    const person = await fixture.person(twoPages, {});
    const second = `/centers/${twoPages}/${idOf('Second of two')}`;
    await (await person.open()).tick('Shared').topic('Shared', 'On one').tick('First only').save();
    await (await person.open(second)).topic('Shared', 'On two').save();
    assert.deepEqual(await person.chosen('Shared'), ['On one', 'On two']);
    await (await person.open(second)).untick('Shared').save();
    assert.deepEqual(await person.statuses(), { Shared: 'WITHDRAWN', 'First only': 'ACTIVE' });
    assert.equal((await person.open()).isOn('Shared'), false);
  });

  test('that says less of a purpose on one page: a single choice is still replaced, a refusal still recorded.', async () => {
    const person = await fixture.person(lessElsewhere, {
      Told: { status: 'ACTIVE', options: { Pace: ['Slow'] } },
    });
    const result = await (await person.open()).option('Told', 'Pace', 'Fast').untick('Assumed').save();
    assert.deepEqual(outcomes(result), { Told: 'saved', Assumed: 'saved' });
    assert.deepEqual(await person.chosen('Told'), ['Fast']);
    assert.deepEqual(await person.statuses(), { Told: 'ACTIVE', Assumed: 'WITHDRAWN' });
  });

  test('whose dropdown is locked with its purpose.', async () => {
    for (const [status, isLocked] of [
      ['ALWAYS_ACTIVE', true],
      ['HARD_OPT_OUT', true],
      ['ACTIVE', false],
    ] as const) {
      const person = await fixture.person(lessElsewhere, { Told: { status, options: { Pace: ['Slow'] } } });
      const { form } = await person.open();
      const dropdown = form.controls.find(({ tag }) => tag === 'select');
      assert.equal(dropdown?.disabled, isLocked, status);
      assert.equal(dropdown?.value, idOf('Slow'));
    }
  });

  test('whose ids have dots in them.', async () => {
    const person = await fixture.person(dotted, {});
    const formPage = await person.open();
    formPage.form.tick('purpose', 'news.daily').tick('topic.news.daily', 't.1');
    formPage.form.tick('option.news.daily.how.often', 'o.1');
    assert.deepEqual(outcomes(await formPage.save()), { Dotted: 'saved' });
    assert.deepEqual(await person.chosen('news.daily'), ['o.1', 't.1']);
  });

  test('among so many is still listed on the start page, with its people.', async () => {
    const page = await fetch(`${fixture.product.url}/`);
    assert.equal(page.status, 200);
    const text = await page.text();
    assert.match(text, /odd\.enums@example\.org/);
  });
});
