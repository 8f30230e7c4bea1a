import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { AuditEntry } from '../../../src/core/model/staff/audit-entry.ts';
import type { FailedSignIn } from '../../../src/core/model/staff/failed-sign-in.ts';
import type { StaffLog } from '../../../src/ports/staff-log.ts';
import { atOnce, day, hour, type MakeTestStore, testsOf } from './test-store.ts';

/** Milliseconds for which the handles of this suite keep a line. */
export const auditMs = 90 * day;

const entry: AuditEntry = {
  at: 1_000,
  staff: 'robin',
  name: 'Robin',
  does: 'created a task',
  about: undefined,
  outcome: 'begun',
};

const failed: FailedSignIn = {
  kind: 'stranger',
  staff: undefined,
  name: 'nobody',
  does: 'tried to sign in',
  about: 'single sign-on failed',
  from: '203.0.113.0/24',
};

export function staffLogContract(make: MakeTestStore<StaffLog>): void {
  const test = testsOf(make, ({ store: log }) => {
    const lines = async () =>
      (await log.list({ limit: 1_000 })).map(({ name, about }) => `${name}: ${about}`);
    return { log, lines };
  });

  suite('The staff log', () => {
    test('The log keeps lines and outcomes over a restart', async ({ another, end, log: first }) => {
      const number = await first.begin(entry);
      await first.begin({ ...entry, at: 2_000, staff: 'kim', does: 'signed out', outcome: 'done' });
      await end(first);
      const log = await another();
      assert.equal((await log.list({ limit: 9 })).at(-1)?.outcome, 'begun');
      await log.settle(number, { outcome: 'done', about: 'task 1' });
      assert.deepEqual(await log.list({ staff: 'robin', limit: 9 }), [
        { ...entry, outcome: 'done', about: 'task 1' },
      ]);
      const [other] = await log.list({ limit: 9 });
      assert.deepEqual([other?.staff, other?.about], ['kim', undefined]);
      assert.equal(await log.count({ text: 'TASK' }), 1);
      assert.equal(await log.count({ text: '%' }), 0, 'the text of a filter is not a pattern');
      assert.equal(await log.count({ from: 1_000, to: 2_000 }), 1);
      assert.equal((await log.list({ limit: 1, offset: 1 }))[0]?.staff, 'robin');
    });

    test('The log gives all lines of a filter in parts, newest first, without lines that come meanwhile', async (used) => {
      const { log } = used;
      await log.begin({ ...entry, staff: 'kim' });
      for (let at = 1; at <= 1_001; at += 1) await log.begin({ ...entry, at });
      const given: number[] = [];
      let parts = 0;
      for await (const lines of log.parts({ staff: 'robin', limit: 5_000 })) {
        if (parts === 0) await log.begin({ ...entry, at: 2_000 });
        parts += 1;
        given.push(...lines.map(({ at }) => at));
      }
      assert.deepEqual(
        given,
        Array.from({ length: 1_001 }, (_, index) => 1_001 - index),
      );
      assert.equal(parts, 2);
    });

    test('The log remembers the last twenty tasks of each member', async ({ clock, log, beside }) => {
      for (let task = 0; task < 25; task += 1) {
        clock.at += 1;
        await log.rememberTask('robin', { id: `t${task}`, name: `Task ${task}` });
      }
      clock.at += 1;
      await beside.rememberTask('robin', { id: 't10', name: 'Task 10, renamed' });
      const recent = await log.recentTasks('robin');
      assert.equal(recent.length, 20);
      assert.deepEqual(recent[0], { id: 't10', name: 'Task 10, renamed', at: clock.at });
      assert.equal(recent[1]?.id, 't24');
      assert.deepEqual(await log.recentTasks('kim'), []);
    });

    test('One of many callers sends a form, on two processes, unless it had no effect, and the result is known', async (used) => {
      const { log, beside } = used;
      const claimed = await atOnce([log, beside], 10, (one) => one.claimForm('n'));
      assert.equal(claimed.filter(Boolean).length, 1);
      assert.equal(await beside.formResult('n'), undefined);
      await log.finishForm('n', 'task 1');
      assert.equal(await beside.formResult('n'), 'task 1');
      await log.releaseForm('n');
      assert.ok(!(await log.claimForm('n')), 'a form with a result is not released');
      assert.ok(await log.claimForm('m'));
      await log.releaseForm('m');
      assert.ok(await log.claimForm('m'));
    });

    // `features/staff/failed-sign-ins` tests the texts of the lines.
    test('The log counts failed sign-ins of each kind by itself, and loses none of many at once, on two processes', async (used) => {
      const { clock, log, beside, lines } = used;
      const added = await atOnce([log, beside], 50, (one) => one.addFailedSignIn(failed, 2));
      assert.equal(added.filter(({ kind }) => kind === 'line').length, 20);
      assert.ok(added.every(({ until }) => until === clock.at + hour));
      const all = await lines();
      assert.equal(all.length, 21);
      assert.ok(all.includes('nobody: 80 more within the hour (the last from 203.0.113.0/24)'));
      const norma = { ...failed, kind: 'no-role', staff: 'issuer norma', name: 'Norma' } as const;
      await log.addFailedSignIn(norma, 1);
      assert.equal((await lines())[0], 'Norma: single sign-on failed (203.0.113.0/24)');
      assert.equal((await log.list({ staff: 'issuer norma', limit: 9 })).length, 1);
    });

    test('The log forgets failed sign-ins after their hour, not before, and when the clock was set back', async (used) => {
      const { clock, log } = used;
      const kind = async () => (await log.addFailedSignIn(failed, 1)).kind;
      for (let times = 0; times < 21; times += 1) await kind();
      clock.at += hour - 1;
      assert.equal(await log.sweep(), 0);
      assert.equal(await kind(), 'number');
      clock.at += 2;
      assert.equal(await log.sweep(), 1);
      for (let times = 0; times < 20; times += 1) assert.equal(await kind(), 'line');
      assert.equal(await kind(), 'number');
      clock.at -= day;
      assert.deepEqual(await log.addFailedSignIn(failed, 1), { kind: 'line', until: clock.at + hour });
    });

    test('The log deletes lines and tasks after the time that is set, and forms after a week', async (used) => {
      const { clock, log } = used;
      await log.begin({ ...entry, at: clock.at });
      await log.rememberTask('robin', { id: 't', name: 'Task' });
      await log.claimForm('n');
      assert.equal(await log.sweep(), 0);
      clock.at += 7 * day + 1;
      assert.equal(await log.sweep(), 1);
      assert.ok(await log.claimForm('n'));
      await log.releaseForm('n');
      clock.at += auditMs - 7 * day;
      assert.equal(await log.sweep(), 2);
      assert.deepEqual(await log.recentTasks('robin'), []);
      assert.equal(await log.count({}), 0);
    });
  });
}
