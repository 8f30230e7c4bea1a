import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NoticeStatus } from '../../../src/core/model/staff/notice.ts';
import { form, input, shortId } from '../../../src/features/staff/blocks.ts';
import { chooseNoticeName } from '../../../src/features/staff/names.ts';
import { buildNoticePage } from '../../../src/features/staff/notice.ts';
import { buildNoticeList } from '../../../src/features/staff/notices.ts';
import { listed } from '../../../src/features/staff/page.ts';
import { choose } from '../../../src/features/staff/task-fields.ts';

const id = '123e4567-e89b-12d3-a456-426614174000';
const organization = '0f610000-0000-4000-8000-000000000003';
const paging = { page: 0, size: 20, totalPages: 1, totalElements: 1, first: true, last: true };
const version = (number: number, status: NoticeStatus, name = '') => ({
  id: `v-${number}`,
  version: number,
  status,
  publishedDate: '2026-05-27T15:38:01Z',
  name,
});

function inList(names: ReadonlyMap<string, string>, known: ReadonlyMap<string, string>) {
  const notice = {
    id,
    createdDate: undefined,
    lastPublishedDate: undefined,
    organizationId: organization,
    responsibleUserId: undefined,
    numberOfVersions: 2,
    versions: [version(6, 'draft'), version(5, 'active')],
  };
  const page = buildNoticeList({
    page: { notices: [notice], paging },
    asked: { page: 0, size: 20 },
    names,
    known,
  });
  const [block] = listed(page.blocks);
  return block?.kind === 'table' ? (block.rows[0] ?? []) : [];
}

describe('A notice in the list', () => {
  test('has its name, how its versions stand and its organization; ids on demand alone', () => {
    const row = inList(new Map([[id, 'Open banking notice']]), new Map([[organization, 'Alster Bank']]));
    assert.deepEqual(
      row.map(({ text }) => text),
      ['Open banking notice', 'v6 draft, v5 active', 'Alster Bank', 'never'],
    );
    for (const { text, more } of row) assert.doesNotMatch(`${text} ${more}`, /123e4567|0f610000/);
    assert.deepEqual(
      row[0]?.folded?.pairs.slice(0, 2).map(({ text }) => text),
      [id, organization],
    );
  });

  test('has enough of its id where no name is known, and no column of ids', () => {
    assert.deepEqual(
      inList(new Map(), new Map())
        .slice(0, 3)
        .map(({ text }) => text),
      ['Notice 123e…4000', 'v6 draft, v5 active', 'never'],
    );
    assert.equal(shortId('no id'), 'no id');
  });

  for (const [versions, name] of [
    [[version(2, 'draft', 'New'), version(1, 'active', 'Old')], 'Old'],
    [[version(2, 'draft', 'New'), version(1, 'inactive', 'Old')], 'New'],
    [[version(2, 'draft', ' '), version(1, 'retired', 'Old')], 'Old'],
    [[], undefined],
  ] as const) {
    test(`is called ${name ?? 'nothing'} by ${versions.map(({ status }) => status).join(', ') || 'no versions'}`, () => {
      assert.equal(chooseNoticeName(versions), name);
    });
  }
});

describe('Which version applied on a day', () => {
  const retired = {
    id,
    createdDate: undefined,
    lastPublishedDate: undefined,
    organizationId: undefined,
    responsibleUserId: undefined,
    version: version(3, 'retired', 'Health data notice'),
  };
  const pageOf = (isAsked: boolean) =>
    buildNoticePage({
      id,
      versions: { versions: [], paging },
      asked: { date: '', time: '', count: 'through', page: 0, size: 20 },
      current: retired,
      read: isAsked
        ? { kind: 'question', ask: '2026-05-28', meaning: 'at the end of 27 May 2026' }
        : { kind: 'none' },
      answer: isAsked ? retired : undefined,
      known: new Map(),
    });

  test('is explained, once, where that version is retired', () => {
    for (const isAsked of [true, false]) {
      const notes = listed(pageOf(isAsked).notes);
      assert.equal(notes.length, 1);
      assert.match(notes[0]?.lines.join() ?? '', /published last counts as active until a newer one/);
    }
  });
});

describe('A choice in place of an id', () => {
  const given = { nothing: 'Nobody', other: 'By id' };
  const people = [{ label: 'People', things: [{ id, name: 'Mira Sand' }] }];
  const displayed = (value: string, mistake?: string) =>
    form({
      id: 'task',
      action: '/staff/tasks/new',
      mistakes: mistake === undefined ? [] : [{ field: 'assigneeId', text: mistake }],
      fields: choose({
        field: input({ id: 'assigneeId', label: 'Assignee', value }),
        groups: people,
        ...given,
      }),
    }).fields;

  test('is the field alone where nothing is known', () => {
    const field = input({ id: 'assigneeId', label: 'Assignee' });
    assert.deepEqual(choose({ field, groups: [{ label: 'People', things: [] }], ...given }), [field]);
  });

  test('names who is known, and folds the field away', () => {
    const [menu, folded] = displayed(id.toUpperCase());
    assert.ok(menu?.kind === 'select' && folded?.kind === 'folded');
    assert.deepEqual(
      menu.options.map(({ label, selected }) => [label, selected]),
      [
        ['Nobody', false],
        ['Mira Sand', true],
      ],
    );
    assert.deepEqual([folded.open, folded.fields.map((one) => 'value' in one && one.value)], [false, ['']]);
  });

  for (const [what, value, mistake] of [
    ['an id that nobody has', organization, undefined],
    ['a mistake', '', 'Enter an id'],
  ] as const) {
    test(`shows the field with ${what}`, () => {
      const [, folded] = displayed(value, mistake);
      assert.ok(folded?.kind === 'folded');
      assert.deepEqual(
        [folded.open, folded.fields.map((one) => 'value' in one && one.value)],
        [true, [value]],
      );
    });
  }

  test('offers fifty of a kind at most', () => {
    const things = Array.from({ length: 60 }, (_, at) => ({ id: String(at), name: `Person ${at}` }));
    const [menu] = choose({
      field: input({ id: 'a', label: 'A' }),
      groups: [{ label: 'People', things }],
      ...given,
    });
    assert.equal(menu?.kind === 'select' && menu.options.length, 51);
  });
});
