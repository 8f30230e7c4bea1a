import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import {
  assertRefused,
  at,
  centerOf,
  listAt,
  ofEach,
  openTenant,
  PAGES,
  payload,
  payloadText,
  subjectPath,
  V1,
  V2,
} from './tenant.ts';

const SINGLE = '156129da-7441-498d-a0eb-a89da357d741';
const MULTI = '09ccd1b9-84a0-4bcb-a167-f761391ebffa';
const PAGE = '497c4383-2c61-4906-aed0-660e3fd03e01';
const MARKETING = 'f2229953-b4b5-4042-8cb9-b78038cc4c46';
const ABSENT = '11111111-1111-4111-8111-111111111111';

const tenant = forSuite(() =>
  openTenant({
    files: {
      [`centers/${SINGLE}/preferences.json`]: payloadText('01_v1_schema'),
      [`centers/${SINGLE}/center.json`]: {
        name: 'Beta',
        organizationName: 'Acme',
        status: 'ACTIVE',
        createdDate: '2023-01-15T10:52:30.974',
        publishedDate: '2023-01-20T16:45:00.123',
      },
      [`centers/${SINGLE}/subjects/user%40example.com.json`]: payloadText('02_v1_datasubject_preferences'),
      [`centers/${MULTI}/schema.json`]: payloadText('07_v2_root_schema'),
      [`centers/${MULTI}/pages/${PAGE}.json`]: payloadText('08_v2_page_schema'),
      [`centers/${MULTI}/center.json`]: { name: 'Alpha', createdDate: '2022-02-02T00:00:00.000' },
    },
  }),
);

describe('schemas', () => {
  test('a schema is served byte for byte from its file, by a GUID in any case', async () => {
    for (const [path, name] of [
      [`${V1}/${SINGLE}/preferences`, '01_v1_schema'],
      [`${V1}/${SINGLE.toUpperCase()}/preferences?state=DRAFT`, '01_v1_schema'],
      [`${V2}/${MULTI}/schema?state=PUBLISHED`, '07_v2_root_schema'],
      [`${PAGES}/${PAGE}/schema`, '08_v2_page_schema'],
      [`${PAGES}/${PAGE.toUpperCase()}/schema`, '08_v2_page_schema'],
    ] as const) {
      const reply = await tenant.call('GET', path);
      assert.deepEqual([reply.status, reply.text], [200, payloadText(name)], path);
    }
  });

  test('a person is served with exactly the members of their file', async () => {
    const reply = await tenant.call('GET', subjectPath(SINGLE), { identifier: 'user@example.com' });
    assert.deepEqual(reply.body, payload('02_v1_datasubject_preferences'));
  });

  test('the v1 schema of a Multi Page center has the Template MULTIPAGE', async () => {
    const { status, body } = await tenant.call('GET', `${V1}/${MULTI}/preferences`);
    assert.equal(status, 200);
    assert.deepEqual(at(body, 'Languages'), ['en-us', 'fr']);
    assert.partialDeepStrictEqual(body, {
      Template: 'MULTIPAGE',
      PreferenceCentreId: MULTI,
      Language: 'en-us',
      PreferenceCenterSettings: { Languages: { fr: { TopicsLabel: 'Sujets' } } },
    });
    const [marketing, notification] = listAt(body, 'Purposes');
    const purpose = { Id: MARKETING, PurposeType: 'STANDARD', DefaultConsentStatus: 'OPT_OUT' };
    assert.partialDeepStrictEqual(marketing, purpose);
    assert.equal(at(marketing, 'Languages', 1, 'Name'), 'Communications marketing');
    assert.equal(at(marketing, 'Topics', 0, 'Languages', 1, 'Name'), 'Marketing automobile');
    const daily = { Id: 'ea0fc41b-b28a-4335-804c-44d1f0f782ef', Label: 'Quotidien' };
    assert.deepEqual(at(marketing, 'CustomPreferences', 0, 'Languages', 1, 'Options', 0), daily);
    assert.equal(at(notification, 'PurposeType'), 'NOTIFICATION_OPT_OUT');
    assert.equal(at(body, 'ProfileSettings', 'DataElements', 0, 'Label'), 'First Name');
  });

  test('a record in a Multi Page center contains the names of the chosen options', async () => {
    const Options = [{ Id: 'ca0fc41b-b28a-4335-804c-44d1f0f782ed' }];
    const CustomPreferences = [{ Id: 'c4a57a38-3774-45ad-9fa4-dbc545542232', Options }];
    const { put, read } = centerOf(tenant, MULTI);
    await put('m@example.org', { Id: MARKETING, CustomPreferences });
    const [recorded] = listAt((await read('m@example.org')).body, 'Purposes');
    assert.equal(at(recorded, 'Label'), 'Marketing Communications');
    const [chosen, ...others] = listAt(recorded, 'CustomPreferences', 0, 'Options');
    assert.deepEqual([at(chosen, 'Label'), others], ['Weekly', []]);
  });

  test('an unknown id is answered with 404, an id that is no UUID with 400', async () => {
    const get = (path: string) => tenant.call('GET', path, { identifier: 'x' });
    const placesOf = (id: string) => [
      ...[`${V1}/${id}/preferences`, subjectPath(id), `${V2}/${id}/schema`, `${PAGES}/${id}/schema`],
    ];
    const others = [
      '/api/consentmanager/v1/nothing',
      `${V1}/${SINGLE}/Preferences`,
      `${V2}/${SINGLE}/schema`,
    ];
    for (const path of [...placesOf(ABSENT), ...others]) assert.equal((await get(path)).status, 404, path);
    for (const path of [...placesOf('not-a-guid'), ...placesOf('..%2f..%2fetc')])
      assertRefused(await get(path), /must be a UUID/);
    assert.equal((await get(`${V1}/%zz/preferences`)).status, 400);
    assert.deepEqual(tenant.lines, []);
  });

  test('a query for drafts is answered with the draft, any other with the published schema', async () => {
    const root = (title: string) => ({ pages: [{ id: PAGE }], portalSettings: { title } });
    const [soon, page] = [ABSENT, MARKETING];
    await using own = await openTenant({
      files: {
        [`centers/${MULTI}/schema.json`]: root('Old'),
        [`centers/${MULTI}/pages/${PAGE}.json`]: { id: PAGE, order: 1 },
        [`centers/${MULTI}/draft/schema.json`]: root('New'),
        [`centers/${MULTI}/draft/pages/${PAGE}.json`]: { id: PAGE, order: 2 },
        [`centers/${soon}/center.json`]: { name: 'Soon', status: 'DRAFT' },
        [`centers/${soon}/schema.json`]: { pages: [{ id: page, order: 1 }] },
        [`centers/${soon}/pages/${page}.json`]: { id: page, order: 1 },
      },
    });
    const get = (path: string, query: string) => own.call('GET', path + query, { unchecked: true });
    const states = ['', '?state=PUBLISHED', '?state=DRAFT', '?state=OLD'];
    const seen = (path: string) => Promise.all(states.map((state) => get(path, state)));
    const roots = (await seen(`${V2}/${MULTI}/schema`)).map(({ body }) =>
      at(body, 'portalSettings', 'title'),
    );
    assert.deepEqual(roots, ['Old', 'Old', 'New', undefined]);
    const pages = (await seen(`${PAGES}/${PAGE}/schema`)).map(({ body }) => at(body, 'order'));
    assert.deepEqual(pages, [1, 1, 2, undefined]);
    for (const path of [`${V1}/${soon}/preferences`, `${V2}/${soon}/schema`, `${PAGES}/${page}/schema`]) {
      const statuses = (await seen(path)).map(({ status }) => status);
      assert.deepEqual(statuses, [404, 404, 200, 400], path);
    }
    const listed = listAt((await get(V2, '')).body, 'content');
    const draft = listed.find((each) => at(each, 'id') === soon);
    assert.equal(at(draft, 'status'), 'DRAFT');
    assert.equal((await own.call('GET', subjectPath(soon), { identifier: 'anna' })).status, 404);
  });
});

describe('the list of centers', () => {
  const names = async (query: string) =>
    ofEach((await tenant.call('GET', `${V2}${query}`)).body, 'content', 'name');

  test('the list shows the members of each center', async () => {
    const { body } = await tenant.call('GET', V2);
    assert.deepEqual(at(body, 'content', 0), {
      id: SINGLE,
      name: 'Beta',
      organizationName: 'Acme',
      template: 'ENHANCED',
      status: 'ACTIVE',
      publishedDate: '2023-01-20T16:45:00.123Z',
      createdDate: '2023-01-15T10:52:30.974Z',
    });
    assert.equal(at(body, 'content', 1, 'template'), 'MULTIPAGE');
    assert.equal(at(body, 'size'), 20);
    assert.deepEqual(at(body, 'sort'), { sorted: true, unsorted: false, empty: false });
  });

  test('the list is sorted, paged and narrowed by its query; a malformed query is refused', async () => {
    for (const [query, expected] of Object.entries({
      '': ['Beta', 'Alpha'],
      '?sort=createdDate,asc': ['Alpha', 'Beta'],
      '?sort=name,asc': ['Alpha', 'Beta'],
      '?sort=name,desc': ['Beta', 'Alpha'],
      '?sort=version,asc&sort=name,asc': ['Alpha', 'Beta'],
      '?sort=': ['Beta', 'Alpha'],
      '?size=1&page=1': ['Alpha'],
      '?size=100&page=7': [],
      '?dataElementGuid=0B1F0A52-6A2E-4A51-9A61-000000000004': ['Beta'],
    }))
      assert.deepEqual(await names(query), expected, query);
    for (const query of [
      ...['?size=0', '?size=101', '?size=x', '?page=-1', '?page=1.5', '?dataElementGuid=x'],
      ...['?sort=name,up', '?sort=name,asc,desc', '?sort=__proto__,asc', '?sort=name,constructor'],
      '?sort=name,asc&sort=colour,asc',
    ])
      assert.equal((await tenant.call('GET', V2 + query)).status, 400, query);
  });
});

describe('an identifier', () => {
  test('the header wins over the query; its bytes are read as UTF-8 if valid, else as latin1', async () => {
    const zoe = 'zoé@example.org';
    for (const [identifier, query, found] of [
      ['header', '?identifier=query', 'header'],
      [undefined, '?identifier=query%2Btag%40example.org', 'query+tag@example.org'],
      [zoe, '', zoe],
      [Buffer.from(zoe, 'latin1'), '', zoe],
      ['سلمى@example.org', '', 'سلمى@example.org'],
    ] as const) {
      const ask = identifier === undefined ? {} : { identifier };
      const { body } = await tenant.call('GET', subjectPath(SINGLE) + query, ask);
      assert.equal(at(body, 'DataSubjectId'), found);
    }
  });

  test('a missing or empty identifier is answered with 400 for each method', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { body: { Purposes: [] } } : {};
      for (const ask of [{}, { identifier: '' }])
        assertRefused(await tenant.call(method, subjectPath(SINGLE), { ...ask, ...body }), /identifier/);
    }
    assert.equal((await tenant.call('GET', `${subjectPath(SINGLE)}?identifier=`)).status, 400);
  });
});
