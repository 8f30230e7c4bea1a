import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Problem } from '../../../src/core/model/problem.ts';
import type { Notice } from '../../../src/core/model/staff/notice.ts';
import type { Task } from '../../../src/core/model/staff/task.ts';
import { createKnownThings, createNoticeNames } from '../../../src/features/staff/names.ts';

const paging = { page: 0, size: 10, totalPages: 1, totalElements: 1, first: true, last: true };
const notice = (id: string, lastPublishedDate = 'a'): Notice => ({
  id,
  createdDate: undefined,
  lastPublishedDate,
  organizationId: undefined,
  responsibleUserId: undefined,
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
      listNotices: async () => ({ notices: [notice('one'), notice('two')], paging }),
      async listNoticeVersions(id) {
        asked.push(id);
        const number = asked.length;
        atOnce += 1;
        most = Math.max(most, atOnce);
        await new Promise((resolve) => setImmediate(resolve));
        atOnce -= 1;
        if (fails(number)) throw new Problem('platform-busy', { retryAfter: 60 });
        const version = { id, version: 1, status: 'active' as const, publishedDate: undefined };
        return {
          versions: [{ ...version, name: `Name of ${id}`, publishedBy: undefined, languages: [] }],
          paging,
        };
      },
    },
  });
  return { names, asked, mostAtOnce: () => most, pass: (ms: number) => (now += ms) };
}

describe('The names of notices', () => {
  test('are read once in ten minutes, four at a time, and again for another version', async () => {
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

  test('are not asked for any more once the platform has said no', async () => {
    const { names, asked } = reader((number) => number > 4);
    const found = await names.namesOf(Array.from({ length: 20 }, (_, at) => notice(`n${at}`)));
    assert.equal(found.size, 4);
    assert.ok(asked.length <= 8, `${asked.length} calls`);
  });

  test('of the newest are there to be chosen from', async () => {
    assert.deepEqual(
      (await reader().names.newest()).map(({ id, name }) => [id, name]),
      [
        ['one', 'Name of one'],
        ['two', 'Name of two'],
      ],
    );
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

describe('What tasks have told', () => {
  test('is known by its name: organizations, people, groups and records', () => {
    const known = createKnownThings({ platform: { findTask: async () => undefined } });
    known.note(task('1'));
    assert.deepEqual(known.organizations(), [{ id: 'org', name: 'Alster Bank' }]);
    assert.deepEqual(known.people(), [
      { id: 'group', name: 'Champions', type: 'group' },
      { id: 'p1', name: 'Person 1', type: 'user' },
    ]);
    assert.deepEqual(known.records(), [{ id: 'parent-1', name: 'Task 1' }]);
    assert.equal(known.names.get('org'), 'Alster Bank');
  });

  test('is bounded, and what was met last stays', () => {
    const known = createKnownThings({ platform: { findTask: async () => undefined } });
    for (let at = 0; at < 500; at += 1) known.note(task(String(at)));
    assert.deepEqual([known.records().length, known.records()[0]?.name], [200, 'Task 499']);
    assert.ok(known.people().length <= 200);
  });

  test('is read from eight tasks at most, each once', async () => {
    const asked: string[] = [];
    const known = createKnownThings({
      platform: {
        async findTask(id) {
          asked.push(id);
          return task(id);
        },
      },
    });
    const recent = Array.from({ length: 20 }, (_, at) => ({ id: String(at) }));
    await known.meet(recent);
    assert.equal(asked.length, 8);
    await known.meet(recent.slice(0, 8));
    assert.equal(asked.length, 8);
  });
});
