import assert from 'node:assert/strict';
import { test as plainTest } from 'node:test';
import { Problem } from '../../src/core/model/problem.ts';
import { oneMonthAfter } from '../../src/core/model/staff/stuck-task.ts';
import type { Task, TaskCreate } from '../../src/core/model/staff/task.ts';
import { createStuckTasks, type StuckOutcome } from '../../src/delivery/stuck-tasks.ts';
import { peopleTables } from '../../src/store/people-schema.ts';
import { openStuckTasks, stuckTaskTables } from '../../src/store/stuck-tasks.ts';
import { intentOf, off, on } from '../core/changes.ts';
import { aPeopleStore, finish, put } from '../store/contract/people-fixture.ts';
import { hour, type MakeTestStore, minute, testsOf } from '../store/contract/test-store.ts';
import { onBoth } from '../store/judged.ts';
import { aRequest, ben } from './fixture.ts';

type Handle = ReturnType<typeof openBoth>;
const openBoth = (given: Parameters<typeof aPeopleStore>[0]) => ({
  ...aPeopleStore(given),
  stuck: openStuckTasks(given),
});

/** A platform whose next answer is given, lost or refused by `next`. */
function aPlatform() {
  const made: (TaskCreate & { id: string; status: 'open' | 'closed'; assignments: [] })[] = [];
  const platform = {
    made,
    next: [] as ('lost-before' | 'lost-after' | 'refused' | 'away')[],
    isAway: false,
    async createTask(task: TaskCreate): Promise<Task> {
      const how = platform.next.shift();
      if (how === 'refused') throw new Problem('platform-refused');
      if (how === 'lost-before') throw new Problem('platform-slow', { answerLost: true });
      const id = `task-${made.length}`;
      made.push({ ...task, id, status: 'open', assignments: [] });
      if (how === 'lost-after') throw new Problem('platform-slow', { answerLost: true });
      return { id } as Task;
    },
    async findTask(id: string) {
      if (platform.isAway) throw new Problem('platform-unreachable');
      return made.find((task) => task.id === id) as unknown as Task | undefined;
    },
    async updateTask(id: string, { status }: { status?: 'open' | 'closed' | undefined }) {
      const task = made.find((each) => each.id === id);
      if (task !== undefined && status !== undefined) task.status = status;
      return task as unknown as Task | undefined;
    },
    async listNotices() {
      return { notices: [{ organizationId: 'org-1' }] } as never;
    },
  };
  return platform;
}

function contract(make: MakeTestStore<Handle>): void {
  const stuckAfter = 4 * hour;

  const test = testsOf(make, ({ handles, clock }) => {
    const platform = aPlatform();
    const counted: Partial<Record<StuckOutcome, number>> = {};
    const log = { info() {}, warn() {}, error() {} };
    const workers = handles.map(({ stuck: tasks }) =>
      createStuckTasks({
        platform,
        tasks,
        clock,
        log,
        stuckAfter,
        timer: { after: () => () => undefined },
        organization: undefined,
        addressOf: (reference) => `https://sayso.example/staff/submissions/${reference}`,
        count: (outcome, times) => {
          counted[outcome] = (counted[outcome] ?? 0) + times;
        },
      }),
    );
    const run = () => Promise.all(workers.map((worker) => worker.run()));
    return { people: handles[0], platform, counted, run };
  });

  const withdrawal = () => aRequest({ intent: intentOf(off('a')), channel: 'one-click' });

  test('a withdrawal that waits for four hours gets one task, even from several processes and looks', async (used) => {
    const { clock, people, platform, counted, run } = used;
    const submittedAt = clock.at;
    const { entry } = await put(people, withdrawal(), { now: clock.at });
    await put(people, aRequest({ subject: ben, intent: intentOf(on('a')) }), { now: clock.at });
    clock.at += stuckAfter - 1;
    await run();
    assert.equal(platform.made.length, 0);
    clock.at += 1;
    for (let times = 0; times < 5; times += 1) await run();
    assert.equal(platform.made.length, 1);
    const [task] = platform.made;
    assert.deepEqual(task?.context, { parameters: { reference: entry.reference } });
    assert.equal(task?.deadline, new Date(oneMonthAfter(submittedAt)).toISOString());
    assert.equal(task?.orgGroupId, 'org-1');
    assert.doesNotMatch(JSON.stringify(task), /@example\.org/);
    assert.deepEqual(counted, { made: 1 });
  });

  test('a task is closed only after its withdrawal is done', async (used) => {
    const { clock, people, platform, counted, run } = used;
    await put(people, withdrawal(), { now: clock.at });
    clock.at += stuckAfter;
    await run();
    await run();
    assert.equal(platform.made[0]?.status, 'open');
    await finish(people, clock.at);
    clock.at += hour;
    await run();
    assert.equal(platform.made[0]?.status, 'closed');
    assert.deepEqual(counted, { made: 1, closed: 1 });
  });

  for (const [how, tasks] of [
    ['lost-before', 0],
    ['lost-after', 1],
  ] as const)
    test(`a call whose answer is ${how.replace('-', ' ')} it took effect is never followed by another task`, async (used) => {
      const { clock, people, platform, counted, run } = used;
      const { entry } = await put(people, withdrawal(), { now: clock.at });
      platform.next.push(how);
      for (let times = 0; times < 5; times += 1) {
        clock.at += stuckAfter;
        await run();
      }
      assert.equal(platform.made.length, tasks);
      assert.deepEqual(counted, { lost: 1 });
      assert.equal((await people.stuck.find(entry.reference))?.state, 'lost');
    });

  test('a refused task is tried again, and so is an unreachable platform', async (used) => {
    const { clock, people, platform, run } = used;
    await put(people, withdrawal(), { now: clock.at });
    platform.next.push('refused');
    clock.at += stuckAfter;
    await run();
    platform.isAway = true;
    clock.at += 10 * minute;
    await run();
    assert.equal(platform.made.length, 0);
    platform.isAway = false;
    clock.at += 10 * minute;
    await run();
    assert.equal(platform.made.length, 1);
  });

  test('a task that a process was creating when it ended is not created again', async (used) => {
    const { clock, people, platform, counted, run } = used;
    await put(people, withdrawal(), { now: clock.at });
    clock.at += stuckAfter;
    assert.ok(await people.stuck.claim({ now: clock.at, before: clock.at - stuckAfter }));
    await run();
    clock.at += 11 * minute;
    await run();
    assert.equal(platform.made.length, 0);
    assert.deepEqual(counted, { lost: 1 });
  });
}

onBoth('Tasks for stuck withdrawals', {
  contract: (storeOf) => contract(storeOf(openBoth)),
  layoutOf: (dialect) => [...peopleTables(dialect), ...stuckTaskTables(dialect)],
});

plainTest('a task is due one month after the request, or on the last day of a shorter month', () => {
  const due = (text: string) => new Date(oneMonthAfter(Date.parse(text))).toISOString();
  assert.equal(due('2026-11-23T10:00:00.000Z'), '2026-12-23T10:00:00.000Z');
  assert.equal(due('2027-01-31T10:00:00.000Z'), '2027-02-28T10:00:00.000Z');
  assert.equal(due('2026-12-31T23:59:59.999Z'), '2027-01-31T23:59:59.999Z');
});
