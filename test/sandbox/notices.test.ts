import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { assertRefused, at, listAt, NOTICES, openTenant, payload } from './tenant.ts';

const ID = '625ba071-61b0-485f-81a0-a2245777b431';
const EMPTY = '625ba071-61b0-485f-81a0-a2245777b4ff';
const UNKNOWN = '11111111-1111-4111-8111-111111111111';
const USER = '625ba071-61b0-485f-81a0-a2245777b435';
const version = (number: number, status: string, publishedDate: string | null) => ({
  id: `625ba071-61b0-485f-81a0-a2245777b40${number}`,
  name: `Policy ${number}`,
  status,
  version: number,
  publishedDate,
  publishedBy: publishedDate === null ? null : USER,
  languages: [{ guid: USER, languageCode: 'en-us', defaultLanguage: true }],
});
/** Builds a version in the form of a list. */
const short = (number: number, status: string, publishedDate: string | null) => ({
  id: version(number, '', null).id,
  publishedDate,
  status,
  version: number,
});
const notice = {
  id: ID,
  createdDate: '2020-04-26T16:10:24.479',
  lastPublishedDate: '2022-01-01T00:00:00Z',
  organizationId: '625ba071-61b0-485f-81a0-a2245777b430',
  responsibleUserId: USER,
  versions: [
    version(1, 'RETIRED', '2020-05-14T00:00:48.62'),
    version(2, 'INACTIVE', '2021-03-01T00:00:00'),
    version(4, 'DRAFT', null),
    version(3, 'ACTIVE', '2022-01-01T01:00:00+01:00'),
  ],
};

const { versions: _versions, ...without } = notice;
const listed = { ...without, lastPublishedDate: '2022-01-01T00:00:00.000' };
const unpublished = { lastPublishedDate: null, responsibleUserId: null, numberOfVersions: 0, versions: [] };

describe('notices', () => {
  const tenant = forSuite(() =>
    openTenant({
      files: {
        'notices/a.json': notice,
        'notices/b.Json': { id: EMPTY, createdDate: '2024-01-01T00:00:00.5Z', novel: 1 },
        'notices/c.json': { id: null, versions: null, createdDate: null, organizationId: null },
      },
    }),
  );

  test('notices are listed newest first, with counted versions, times without a zone, and nulls', async () => {
    const { body } = await tenant.call('GET', NOTICES);
    assert.deepEqual(at(body, 'content'), [
      { ...unpublished, id: EMPTY, createdDate: '2024-01-01T00:00:00.500', novel: 1 },
      {
        ...listed,
        numberOfVersions: 4,
        versions: [
          short(4, 'DRAFT', null),
          short(3, 'ACTIVE', '2022-01-01T00:00:00.000'),
          short(2, 'INACTIVE', '2021-03-01T00:00:00.000'),
          short(1, 'RETIRED', '2020-05-14T00:00:48.620'),
        ],
      },
      unpublished,
    ]);
  });

  test('a list has the paged envelope with its two shapes of sort', async () => {
    const list = await tenant.call('GET', `${NOTICES}?size=50`);
    const sample = payload('11_privacynotices_list');
    assert.deepEqual(at(list.body, 'sort'), sample['sort']);
    assert.deepEqual(at(list.body, 'pageable', 'sort'), at(sample, 'pageable', 'sort'));
    assert.deepEqual(Object.keys(list.body as object).sort(), Object.keys(sample).sort());

    const { body } = await tenant.call('GET', `${NOTICES}/${ID}/versions?size=3&page=1`);
    const page = { pageNumber: 1, pageSize: 3, offset: 3, paged: true, unpaged: false };
    const { content: _content, ...envelope } = Object(body);
    assert.deepEqual(envelope, {
      pageable: { sort: { sorted: false, unsorted: true, empty: true }, ...page },
      sort: [],
      numberOfElements: 1,
      totalPages: 2,
      totalElements: 4,
      first: false,
      last: true,
      size: 3,
      number: 1,
      empty: false,
    });
  });

  test('versions are listed newest first, with the zone of their times and their languages', async () => {
    const { body } = await tenant.call('GET', `${NOTICES}/${ID.toUpperCase()}/versions`);
    const published = listAt(body, 'content').map(
      (item) => `${at(item, 'version')} ${at(item, 'publishedDate')}`,
    );
    const [third, second, first] = [
      '2022-01-01T00:00:00.000Z',
      '2021-03-01T00:00:00.000Z',
      '2020-05-14T00:00:48.620Z',
    ];
    assert.deepEqual(published, ['4 null', `3 ${third}`, `2 ${second}`, `1 ${first}`]);
    assert.deepEqual(at(body, 'content', 1, 'languages'), version(3, '', null).languages);
    assert.equal(at(body, 'content', 1, 'publishedBy'), USER);
    assert.deepEqual(at((await tenant.call('GET', `${NOTICES}/${EMPTY}/versions`)).body, 'content'), []);
  });

  test('a notice at a date has its version of that date with five members', async () => {
    const { body } = await tenant.call('GET', `${NOTICES}/${ID}?date=2021-01-01`);
    const version = { ...short(1, 'RETIRED', '2020-05-14T00:00:48.620'), name: 'Policy 1' };
    assert.deepEqual(body, { ...listed, version });
  });

  test('a notice that is unknown, or not published by the date, is answered with an empty 404', async () => {
    for (const path of [
      `${NOTICES}/${UNKNOWN}?date=2024-01-01`,
      `${NOTICES}/${UNKNOWN}/versions`,
      `${NOTICES}/${EMPTY}?date=2024-01-01`,
      `${NOTICES}/${ID}?date=2020-05-14`,
    ]) {
      const { status, text } = await tenant.call('GET', path);
      assert.deepEqual([status, text], [404, ''], path);
    }
  });

  test('a query at a limit is accepted, and a query past it is refused with a message', async () => {
    const times = ['25:00:00', '00:00', '00:00:00Z'].map((time) => `2020-05-14T${time}`);
    const bad: [string, RegExp][] = [
      [`/${ID}`, /date is required/],
      [`/${ID}?date=`, /date is required/],
      ['/nonsense?date=2020-01-01', /not a GUID/],
      ['/nonsense/versions', /not a GUID/],
    ];
    for (const date of ['yesterday', '2020-02-30', ...times])
      bad.push([`/${ID}?date=${date}`, /date must be/]);
    for (const path of ['', `/${ID}/versions`]) {
      for (const query of ['size=1', 'size=50', 'page=0', 'page=49', 'page=&size='])
        assert.equal((await tenant.call('GET', `${NOTICES + path}?${query}`)).status, 200, query);
      for (const query of ['size=0', 'size=51', 'size=many'])
        bad.push([`${path}?${query}`, /size must be a whole number from 1 to 50/]);
      for (const query of ['page=-1', 'page=50'])
        bad.push([`${path}?${query}`, /page must be a whole number from 0 to 49/]);
    }
    for (const [path, message] of bad) assertRefused(await tenant.call('GET', NOTICES + path), message);
  });
});
