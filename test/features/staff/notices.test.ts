import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { readForms } from '../../kit/form.ts';
import { enter } from './fixture.ts';

const guid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** One of the notices, created a minute apart, each with a version of May and one of the following June. */
function notice(number: number): string {
  const version = (id: number, name: string, status: string, publishedDate: string, at: number) => ({
    id: guid(id),
    name,
    status,
    version: at,
    publishedDate,
    publishedBy: null,
    languages: [{ guid: guid(id + 1), languageCode: 'en-us', defaultLanguage: true }],
  });
  return JSON.stringify({
    id: guid(number),
    createdDate: new Date(Date.UTC(2020, 0, 1, 0, number)).toISOString().slice(0, 23),
    lastPublishedDate: null,
    organizationId: guid(0),
    responsibleUserId: null,
    versions: [
      version(50_000 + number, 'The version of June', 'ACTIVE', '2021-06-10T09:30:00.000Z', 2),
      version(60_000 + number, 'The version of May', 'INACTIVE', '2021-05-01T00:00:00.000Z', 1),
    ],
  });
}

const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
const files = Object.fromEntries(numbers.map((number) => [`data/notices/${number}.json`, notice(number)]));
const product = productOf({ env: { SANDBOX_DATA: '{home}/data' }, files });
const staff = forSuite(() => enter(product));

describe('A list of many notices', () => {
  test('a list of notices begins with the newest, and is read in pages', async () => {
    for (const [query, first, count] of [
      ['', 100, 20],
      ['?size=50&page=1', 50, 50],
    ] as const) {
      const { status, text } = await staff.open(`/staff/notices${query}`);
      assert.equal(status, 200);
      const ids = new Set(text.match(/(?<=href="\/staff\/notices\/)[0-9a-f-]{36}/g));
      assert.deepEqual([[...ids][0], ids.size], [guid(first), count], query);
    }
  });
});

test('a page beyond the last one says so, and leads to the first', async () => {
  const { text } = await staff.open('/staff/notices?size=50&page=40');
  assert.match(text, /There are no notices on this page[\s\S]*href="\/staff\/notices\?size=50"/);
});

/** Questions about the first notice, each with the version that the page must name. */
const questions: readonly (readonly [ask: string, version: 'May' | 'June' | undefined])[] = [
  // Strictly before: a version was not yet there at the very instant of its publishing.
  ['date=2021-06-10&time=09:30&count=before', 'May'],
  ['date=2021-06-10&time=09:30:01&count=before', 'June'],
  ['date=2021-06-10&time=09:30&count=through', 'June'],
  ['date=2021-06-10&time=09:29:59&count=through', 'May'],
  // A bare day means its midnight, unless the day itself is to count.
  ['date=2021-06-10&count=before', 'May'],
  ['date=2021-06-10&count=through', 'June'],
  ['date=2021-05-01&count=before', undefined],
  ['date=2021-05-01&time=00:00&count=before', undefined],
  ['date=2021-05-01&time=00:00&count=through', 'May'],
  ['date=2021-04-30&count=through', undefined],
  ['date=1999-12-31&count=through', undefined],
  ['date=9999-12-30&count=through', 'June'],
  ['date=9999-12-31&count=before', 'June'],
  ['date=9999-12-31&time=23:59:58&count=through', 'June'],
];

describe('The question which version was active', () => {
  for (const [ask, version] of questions) {
    test(`the answer to ${ask} is ${version ?? 'no version'}`, async () => {
      const page = await staff.open(`/staff/notices/${guid(1)}?${ask}`);
      assert.equal(page.status, 200);
      const title = /class="note-title">([^<]*)</.exec(page.text)?.[1] ?? '';
      if (version === undefined) assert.match(title, /^No version was active /);
      else assert.match(title, new RegExp(`The version of ${version}.* was active `));
    });
  }

  for (const ask of [
    'date=2021-02-30',
    'date=yesterday',
    'date=2021-06-10&time=25:00',
    'time=10:00',
    // The next instant would be in a year of five digits.
    'date=9999-12-31&count=through',
    'date=9999-12-31&time=23:59:59&count=through',
  ]) {
    test(`the question ${ask} is corrected on the same page`, async () => {
      const page = await staff.open(`/staff/notices/${guid(1)}?${ask}`);
      assert.equal(page.status, 422);
      assert.match(page.text, /<title>Error: /, 'a screen reader says it first');
    });
  }

  test('the form of a notice asks the question', async () => {
    const page = await staff.open(`/staff/notices/${guid(1)}`);
    const form = readForms(page.text).find(({ method, controls }) => method === 'get' && controls.length > 1);
    const { action, fields } = form?.type('date', '2021-06-10').press() ?? assert.fail('no form');
    const [path] = action.split('#');
    const answer = await staff.open(`${path}?${new URLSearchParams(fields)}`);
    assert.match(
      answer.text,
      /class="note-title">[^<]*The version of June[^<]* was active at the end of 10 Jun 2021/,
    );
  });

  test('a question about an unknown notice gets the status 404', async () => {
    assert.equal((await staff.open(`/staff/notices/${guid(9_999)}?date=2021-06-10`)).status, 404);
  });
});
