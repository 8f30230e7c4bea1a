import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pathsOf } from '../../contract/fields.ts';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import type { Answer } from '../../kit/visitor.ts';
import { assertSameFields, build, enter, guid, saidOn } from './fixture.ts';

type Member = readonly [path: string, value: unknown];

/** A field of an answer, what makes the data folder answer otherwise, and how the page says the one and the other. */
interface Row {
  readonly field: string;
  readonly otherwise: readonly Member[];
  readonly said: readonly [one: string, other: string];
}

const row = (field: string, member: string, other: unknown, one: string, said = String(other)): Row => ({
  field,
  otherwise: [[member, other]],
  said: [one, said],
});

/** A notice as its file has it: it was published once, and again before it was made a draft. */
const base: readonly Member[] = [
  ['id', guid(1)],
  ['createdDate', '2020-01-02T03:04:05.678'],
  ['lastPublishedDate', '2021-02-03T04:05:06.789'],
  ['organizationId', guid(2)],
  ['responsibleUserId', guid(3)],
  ['versions.0.id', guid(4)],
  ['versions.0.name', 'Notice of one'],
  ['versions.0.status', 'ACTIVE'],
  ['versions.0.version', 71],
  ['versions.0.publishedDate', '2021-05-06T07:08:09.123Z'],
  ['versions.0.publishedBy', guid(5)],
  ['versions.0.languages.0.guid', guid(6)],
  ['versions.0.languages.0.languageCode', 'pt-br'],
  ['versions.0.languages.0.defaultLanguage', true],
];

const heads = [
  row('createdDate', 'createdDate', '2019-12-31T23:59:58.000', '2 Jan 2020', '31 Dec 2019'),
  row('lastPublishedDate', 'lastPublishedDate', '2022-03-04T05:06:07.000', '3 Feb 2021', '4 Mar 2022'),
  row('organizationId', 'organizationId', guid(12), guid(2)),
  row('responsibleUserId', 'responsibleUserId', guid(13), guid(3)),
];
const published = [
  'versions.0.publishedDate',
  '2021-06-07T08:09:10.000Z',
  '6 May 2021',
  '7 Jun 2021',
] as const;
const status = ['versions.0.status', 'RETIRED'] as const;

/** Items of the list: PrivacyNoticeDtoV2. */
const listed: readonly Row[] = [
  row('id', 'id', guid(11), guid(1)),
  ...heads,
  {
    field: 'numberOfVersions',
    otherwise: [
      ['versions.1.id', guid(14)],
      ['versions.1.version', 70],
      ['versions.1.status', 'DRAFT'],
    ],
    said: ['1 version', '2 versions'],
  },
  row('versions.0.id', 'versions.0.id', guid(15), guid(4)),
  row('versions.0.publishedDate', ...published),
  row('versions.0.status', ...status, '71 active', '71 retired'),
  row('versions.0.version', 'versions.0.version', 72, '71 active', '72 active'),
];

/** The answer to a date: PrivacyNoticeWithVersionDtoV2. */
const dated: readonly Row[] = [
  row('id', 'id', guid(11), guid(1)),
  ...heads,
  row('version.id', 'versions.0.id', guid(15), guid(4)),
  row('version.name', 'versions.0.name', 'Notice of another', 'Notice of one'),
  row('version.publishedDate', ...published),
  row('version.status', ...status, 'Active', 'Retired'),
  row('version.version', 'versions.0.version', 72, 'Version 71', 'Version 72'),
];

/** Items of the list of versions: PrivacyNoticeVersionDetailsDtoV2. */
const versions: readonly Row[] = [
  row('id', 'versions.0.id', guid(15), guid(4)),
  row('name', 'versions.0.name', 'Notice of another', 'Notice of one'),
  row('status', ...status, 'Active', 'Retired'),
  row('version', 'versions.0.version', 72, '71', '72'),
  row('publishedDate', ...published),
  row('publishedBy', 'versions.0.publishedBy', guid(16), guid(5)),
  row('languages.0.guid', 'versions.0.languages.0.guid', guid(17), guid(6)),
  row('languages.0.languageCode', 'versions.0.languages.0.languageCode', 'sr-latn-rs', 'pt-br'),
  row(
    'languages.0.defaultLanguage',
    'versions.0.languages.0.defaultLanguage',
    false,
    'pt-br (default)',
    'pt-br',
  ),
];

/** Where a page shows each field of the envelope around a list; `=` is said by another field as well. */
const envelope: Readonly<Record<string, string>> = {
  'content.0.*': 'rows',
  numberOfElements: 'rows',
  totalElements: 'pager',
  totalPages: 'pager',
  number: 'pager',
  size: 'pager',
  first: 'pager',
  last: 'pager',
  empty: 'what to do instead of rows',
  'sort.0': 'the order of rows',
  'pageable.sort.sorted': '= sort',
  'pageable.sort.unsorted': '= sort',
  'pageable.sort.empty': '= sort',
  'pageable.pageNumber': '= number',
  'pageable.pageSize': '= size',
  'pageable.offset': '= number × size',
  'pageable.paged': '= true',
  'pageable.unpaged': '= false',
};

const files: Record<string, string> = {};

/** Puts a notice into the data folder, under an id of its own unless the members have one; gives that. */
function put(otherwise: readonly Member[]): string {
  const number = Object.keys(files).length;
  const notice = build([
    ...base,
    ...(number === 0 ? [] : [['id', guid(100 + number)] as const]),
    ...otherwise,
  ]);
  files[`data/notices/${number}.json`] = JSON.stringify(notice);
  return String(notice['id']);
}

const known = new Map<string, string>([['[]', put([])]]);
const noticeOf = (otherwise: readonly Member[]): string => {
  const key = JSON.stringify(otherwise);
  const id = known.get(key) ?? put(otherwise);
  known.set(key, id);
  return id;
};
for (const { otherwise } of [...listed, ...dated, ...versions]) noticeOf(otherwise);
const ofFive = noticeOf(
  [0, 1, 2, 3, 4].flatMap((at): readonly Member[] => [
    [`versions.${at}.id`, guid(30 + at)],
    [`versions.${at}.name`, `The version ${at}`],
    [`versions.${at}.status`, 'INACTIVE'],
    [`versions.${at}.version`, at + 1],
    [`versions.${at}.publishedDate`, null],
    [`versions.${at}.languages`, []],
  ]),
);
const future = noticeOf([['versions.0.publishedDate', '2099-01-01T00:00:00.000Z']]);
const count = known.size;

const product = productOf({ env: { SANDBOX_DATA: '{home}/data' }, files });
const staff = forSuite(() => enter(product));

async function open(path: string): Promise<Answer> {
  const page = await staff.open(path);
  assert.equal(page.status, 200);
  return page;
}

/** Its row of the list. */
async function inList(id: string): Promise<readonly string[]> {
  return saidOn(
    `<main>${rowsOf(await open('/staff/notices?size=50')).find((one) => one.includes(id))}</main>`,
  );
}

function rowsOf({ text }: Answer): readonly string[] {
  return [...text.matchAll(/<tr[\s\S]*?<\/tr>/g)].map(([one]) => one).filter((one) => one.includes('<td'));
}

const isSaid = (runs: readonly string[], words: string) =>
  runs.some((run) => run === words || (words.length > 2 && run.includes(words)));

function testRows(rows: readonly Row[], show: (id: string) => Promise<readonly string[]>): void {
  for (const { field, otherwise, said } of rows) {
    test(`shows ${field} as the platform has it`, async () => {
      const ids = [noticeOf([]), noticeOf(otherwise)];
      const pages = await Promise.all(ids.map(show));
      for (const [place, runs] of pages.entries()) {
        const words = said[place] ?? '';
        assert.ok(isSaid(runs, words), `${words} is not in ${runs.join(' | ')}`);
      }
      const [shown, shownOther] = pages.map((runs, place) =>
        runs.map((run) => run.replaceAll(ids[place] ?? '', field === 'id' ? '$&' : 'its id')),
      );
      assert.notDeepEqual(shownOther, shown, 'the page is the same whatever the field says');
    });
  }
}

test('The tables have every field of the three answers, and of the envelopes around the lists.', () => {
  const fieldsOf = (name: string) => pathsOf('privacy-notices', name);
  const namesOf = (rows: readonly Row[]) => rows.map(({ field }) => field);
  assertSameFields(fieldsOf('PrivacyNoticeDtoV2'), namesOf(listed));
  assertSameFields(fieldsOf('PrivacyNoticeWithVersionDtoV2'), namesOf(dated));
  assertSameFields(fieldsOf('PrivacyNoticeVersionDetailsDtoV2'), namesOf(versions));
  for (const name of ['PagePrivacyNoticeDtoV2', 'PagePrivacyNoticeVersionDetailsDtoV2']) {
    const paths = fieldsOf(name).map((path) => (path.startsWith('content.0.') ? 'content.0.*' : path));
    assertSameFields(paths, Object.keys(envelope));
  }
});

describe('A notice in the list', () => testRows(listed, inList));

describe('A notice, asked for a date', () => {
  const question = '?date=2025-01-01&time=10:20:30&count=before';
  const page = (id: string) => open(`/staff/notices/${id}${question}`);
  const isOfVersion = ({ field }: Row) => field.startsWith('version.');

  const parts = (text: string, ...ids: string[]) => ids.flatMap((id) => saidOn(text, id));

  testRows(dated.filter(isOfVersion), async (id) => parts((await page(id)).text, 'notes', 'asked-block'));
  testRows(
    dated.filter((one) => !isOfVersion(one)),
    async (id) => parts((await page(id)).text, 'about-block', 'ids-block'),
  );

  test('says what was asked of the platform', async () => {
    assert.match(saidOn((await page(guid(1))).text, 'asked-block').join(' '), /date=2025-01-01T10:20:30/);
  });

  test('shows what the platform says of it though no version is active before that date', async () => {
    const { text } = await open(`/staff/notices/${future}?date=2099-02-01`);
    const about = parts(text, 'about-block', 'ids-block');
    for (const words of ['no version', '2 Jan 2020', '3 Feb 2021', guid(2), guid(3)])
      assert.ok(isSaid(about, words), `${words} is not in ${about.join(' | ')}`);
  });
});

describe('A version in the list of versions', () => {
  testRows(versions, async (id) => saidOn((await open(`/staff/notices/${id}`)).text, 'versions-block'));
});

for (const { what, path, all } of [
  { what: 'notices', path: '/staff/notices', all: count },
  { what: 'versions', path: `/staff/notices/${ofFive}`, all: 5 },
]) {
  describe(`The envelope around ${what}`, () => {
    const size = 2;
    const pages = Math.ceil(all / size);
    const at = async (page: number) => open(`${path}?size=${size}&page=${page}`);
    const links = ({ text }: Answer) =>
      [...text.matchAll(/<a href="[^"]*"[^>]*>(First|Previous|Next|Last)</g)].map(([, label]) => label);

    test('is shown as rows, and as the page, the pages and all there is', async () => {
      const first = await at(0);
      assert.equal(rowsOf(first).length, size);
      assert.ok(isSaid(saidOn(first.text), `Page 1 of ${pages}, ${all} ${what} in all.`));
      assert.deepEqual(links(first), pages > 2 ? ['Next', 'Last'] : ['Next']);
      assert.match(first.text, new RegExp(`href="[^"]*page=1&amp;size=${size}"[^>]*>Next<`));
      const last = await at(pages - 1);
      assert.equal(rowsOf(last).length, all - size * (pages - 1));
      assert.ok(isSaid(saidOn(last.text), `Page ${pages} of ${pages}, ${all} ${what} in all.`));
      assert.deepEqual(links(last), ['First', 'Previous']);
    });

    test('that holds nothing says what to do', async () => {
      const beyond = await at(pages);
      assert.equal(rowsOf(beyond).length, 0);
      assert.match(saidOn(beyond.text).join(' '), /There are no (notices|versions) on this page/);
    });
  });
}
