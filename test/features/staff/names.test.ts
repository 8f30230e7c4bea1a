import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Problem } from '../../../src/core/model/problem.ts';
import type { Notice, NoticeStatus } from '../../../src/core/model/staff/notice.ts';
import type { Task } from '../../../src/core/model/staff/task.ts';
import { form, input, shortId } from '../../../src/features/staff/blocks.ts';
import { chooseNoticeName, createKnownThings, createNoticeNames } from '../../../src/features/staff/names.ts';
import { buildNoticePage } from '../../../src/features/staff/notice.ts';
import { buildNoticeList } from '../../../src/features/staff/notices.ts';
import { listed, staffPage } from '../../../src/features/staff/page.ts';
import { choose } from '../../../src/features/staff/task-fields.ts';
import { staffContext } from '../../samples/staff.ts';
import { notice as aNotice, version as aVersion, onePage } from '../../samples/staff-work.ts';

const id = '123e4567-e89b-12d3-a456-426614174000';
const organization = '0f610000-0000-4000-8000-000000000003';
const notice = (id: string, lastPublishedDate = 'a'): Notice => ({
  ...aNotice,
  id,
  lastPublishedDate,
  organizationId: undefined,
  createdDate: undefined,
  numberOfVersions: 1,
  versions: [],
});

function reader(fails: (asked: number) => boolean = () => false) {
  let now = 1_000;
  const asked: string[] = [];
  let atOnce = 0;
  let most = 0;
  const names = createNoticeNames({
    clock: { now: () => now },
    platform: {
      listNotices: async () => ({ notices: [notice('one'), notice('two')], paging: onePage }),
      async listNoticeVersions(id) {
        asked.push(id);
        const number = asked.length;
        atOnce += 1;
        most = Math.max(most, atOnce);
        await new Promise((resolve) => setImmediate(resolve));
        atOnce -= 1;
        if (fails(number)) throw new Problem('platform-busy', { retryAfter: 60 });
        const more = { name: `Name of ${id}`, publishedBy: undefined, languages: [] };
        return { versions: [{ ...aVersion, ...more }], paging: onePage };
      },
    },
  });
  return { names, asked, mostAtOnce: () => most, pass: (ms: number) => (now += ms) };
}

describe('The names of notices', () => {
  test('the names are read once in ten minutes, four at a time, and again for another version', async () => {
    const { names, asked, mostAtOnce, pass } = reader();
    const many = Array.from({ length: 20 }, (_, at) => notice(`n${at}`));
    assert.equal((await names.namesOf(many)).get('n19'), 'Name of n19');
    await names.namesOf(many);
    assert.deepEqual([asked.length, mostAtOnce()], [20, 4]);
    await names.namesOf([notice('n0', 'b')]);
    assert.equal(asked.length, 21);
    pass(10 * 60_000);
    await names.namesOf(many);
    assert.equal(asked.length, 41);
  });

  test('no more names are read once the platform has refused one', async () => {
    const { names, asked } = reader((number) => number > 4);
    const found = await names.namesOf(Array.from({ length: 20 }, (_, at) => notice(`n${at}`)));
    assert.equal(found.size, 4);
    assert.ok(asked.length <= 8, `${asked.length} calls`);
  });

  test('the newest notices can be chosen by their names', async () => {
    const newest = (await reader().names.newest()).map(({ id, name }) => `${id}: ${name}`);
    assert.deepEqual(newest, ['one: Name of one', 'two: Name of two']);
  });
});

const task = (id: string): Task =>
  ({
    id,
    taskName: `Task ${id}`,
    parentEntityId: `Parent-${id}`,
    orgGroupAttribute: { valueKey: 'Org', value: 'Alster Bank' },
    assignments: [
      { assigneeId: `P${id}`, type: 'user', isCollaborator: false, userName: `Person ${id}` },
      { assigneeId: 'Group', type: 'group', isCollaborator: true, userName: 'Champions' },
    ],
  }) as unknown as Task;

describe('Names that are known from tasks', () => {
  const unread = () => createKnownThings({ platform: { findTask: async () => undefined } });

  test('organizations, people, groups and records are known by name', () => {
    const known = unread();
    known.note(task('1'));
    assert.deepEqual(known.organizations(), [{ id: 'org', name: 'Alster Bank' }]);
    assert.deepEqual(known.people(), [
      { id: 'group', name: 'Champions', type: 'group' },
      { id: 'p1', name: 'Person 1', type: 'user' },
    ]);
    assert.deepEqual(known.records(), [{ id: 'parent-1', name: 'Task 1' }]);
    assert.equal(known.names().get('org'), 'Alster Bank');
  });

  test('the known names are bounded, and the latest ones stay', () => {
    const known = unread();
    for (let at = 0; at < 500; at += 1) known.note(task(String(at)));
    assert.deepEqual([known.records().length, known.records()[0]?.name], [200, 'Task 499']);
    assert.ok(known.people().length <= 200);
  });

  test('names are read from eight tasks at most, from each once', async () => {
    let asked = 0;
    const findTask = async (id: string) => {
      asked += 1;
      return task(id);
    };
    const known = createKnownThings({ platform: { findTask } });
    const recent = Array.from({ length: 20 }, (_, at) => ({ id: String(at) }));
    await known.meet(recent);
    assert.equal(asked, 8);
    await known.meet(recent.slice(0, 8));
    assert.equal(asked, 8);
  });
});

const version = (number: number, status: NoticeStatus, name = '') => ({
  ...aVersion,
  version: number,
  status,
  name,
});

function inList(names: ReadonlyMap<string, string>, known: ReadonlyMap<string, string>) {
  const versions = [version(6, 'draft'), version(5, 'active')];
  const notices = [{ ...notice(id), lastPublishedDate: undefined, organizationId: organization, versions }];
  const page = { notices, paging: onePage };
  const [block] = listed(buildNoticeList({ page, asked: { page: 0, size: 20 }, names, known }).blocks);
  return block?.kind === 'table' ? (block.rows[0] ?? []) : [];
}

describe('A notice in the list', () => {
  test('a row has the name, versions and organization of a notice, and its ids on demand only', () => {
    const row = inList(new Map([[id, 'Open banking notice']]), new Map([[organization, 'Alster Bank']]));
    const texts = row.map(({ text }) => text);
    assert.deepEqual(texts, ['Open banking notice', 'v6 draft, v5 active', 'Alster Bank', 'never']);
    for (const { text, more } of row) assert.doesNotMatch(`${text} ${more}`, /123e4567|0f610000/);
    const [first, second] = row[0]?.folded?.pairs ?? [];
    assert.deepEqual([first?.text, second?.text], [id, organization]);
  });

  test('a row without a known name has a short id, and there is no column of ids', () => {
    const [name, versions, published] = inList(new Map(), new Map());
    const shown = [name?.text, versions?.text, published?.text];
    assert.deepEqual(shown, ['Notice 123e…4000', 'v6 draft, v5 active', 'never']);
    assert.equal(shortId('no id'), 'no id');
  });

  for (const [versions, name] of [
    [[version(2, 'draft', 'New'), version(1, 'active', 'Old')], 'Old'],
    [[version(2, 'draft', 'New'), version(1, 'inactive', 'Old')], 'New'],
    [[version(2, 'draft', ' '), version(1, 'retired', 'Old')], 'Old'],
    [[], undefined],
  ] as const) {
    test(`a notice is called ${name ?? 'nothing'} by ${versions.map(({ status }) => status).join(', ') || 'no versions'}`, () => {
      assert.equal(chooseNoticeName(versions), name);
    });
  }
});

test('a version that applied on a day and is retired is explained once', () => {
  const retired = { ...notice(id), version: version(3, 'retired', 'Health data notice') };
  const question = { kind: 'question', ask: '2026-05-28', meaning: 'at the end of 27 May 2026' } as const;
  for (const [read, answer] of [
    [question, retired],
    [{ kind: 'none' }, undefined],
  ] as const) {
    const page = buildNoticePage({
      id,
      current: retired,
      read,
      answer,
      known: new Map(),
      versions: { versions: [], paging: onePage },
      asked: { date: '', time: '', count: 'through', page: 0, size: 20 },
    });
    const [note, ...others] = listed(page.notes);
    assert.deepEqual(others, []);
    assert.match(note?.lines.join() ?? '', /published last counts as active until a newer one/);
  }
});

describe('A choice in place of an id', () => {
  const chosenFrom = (things: readonly { id: string; name: string }[], value = '', mistake?: string) => {
    const field = input({ id: 'assigneeId', label: 'Assignee', value });
    const groups = [{ label: 'People', things }];
    const mistakes = mistake === undefined ? [] : [{ field: 'assigneeId', text: mistake }];
    const fields = choose({ field, groups, nothing: 'Nobody', other: 'By id' });
    const blocks = [form({ id: 'task', action: '/staff/tasks/new', fields })];
    const [shown] = staffPage(staffContext, { title: '', section: 'tasks', mistakes, blocks }).blocks;
    return { field, shown: shown?.kind === 'form' ? shown.fields : [] };
  };
  const mira = [{ id, name: 'Mira Sand' }];

  test('a choice is the field alone where nothing is known', () => {
    const { field, shown } = chosenFrom([]);
    assert.deepEqual(shown, [field]);
  });

  for (const [name, value, mistake, isOpen] of [
    ['the field is folded away where the id is known', id.toUpperCase(), undefined, false],
    ['the field is open with an id without a name', organization, undefined, true],
    ['the field is open with a mistake', '', 'Enter an id', true],
  ] as const) {
    test(name, () => {
      const [menu, folded] = chosenFrom(mira, value, mistake).shown;
      assert.ok(menu?.kind === 'select' && folded?.kind === 'folded');
      const [, person] = menu.options;
      assert.deepEqual([person?.label, person?.selected], ['Mira Sand', !isOpen]);
      const typed = folded.fields.map((one) => 'value' in one && one.value);
      assert.deepEqual([folded.open, typed], [isOpen, [isOpen ? value : '']]);
    });
  }

  test('a choice offers fifty of a kind at most', () => {
    const many = Array.from({ length: 60 }, (_, at) => ({ id: String(at), name: `Person ${at}` }));
    const [menu] = chosenFrom(many).shown;
    assert.equal(menu?.kind === 'select' && menu.options.length, 51);
  });
});
