import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { AuditEntry } from '../../../src/core/model/audit-entry.ts';
import { openStaffLog } from '../../../src/store/sqlite/staff-log.ts';

const home = mkdtempSync(join(tmpdir(), 'sayso-staff-log-'));
after(() => rmSync(home, { recursive: true }));

const entry: AuditEntry = {
  at: 1_000,
  staff: 'robin',
  name: 'Robin',
  does: 'created a task',
  about: undefined,
  outcome: 'begun',
};

describe('The staff log', () => {
  test('keeps what was begun over a restart, and how it ended', () => {
    const file = join(home, 'audit.sqlite');
    const first = openStaffLog({ file });
    const number = first.begin(entry);
    first.begin({ ...entry, at: 2_000, staff: 'kim', does: 'signed out', outcome: 'done' });
    first.close();
    const log = openStaffLog({ file });
    assert.equal(log.list({ limit: 9 }).at(-1)?.outcome, 'begun');
    log.settle(number, { outcome: 'done', about: 'task 1' });
    assert.deepEqual(log.list({ staff: 'robin', limit: 9 }), [
      { ...entry, outcome: 'done', about: 'task 1' },
    ]);
    assert.equal(log.list({ limit: 9 })[0]?.staff, 'kim');
    assert.equal(log.count({ text: 'TASK' }), 1);
    assert.equal(log.count({ from: 1_000, to: 2_000 }), 1);
    assert.equal(log.list({ limit: 1, offset: 1 })[0]?.staff, 'robin');
    log.close();
  });

  test('remembers the last twenty tasks of each member', () => {
    const log = openStaffLog({ file: ':memory:' });
    for (let at = 0; at < 25; at += 1) log.rememberTask('robin', { id: `t${at}`, name: `Task ${at}`, at });
    log.rememberTask('robin', { id: 't10', name: 'Task 10, renamed', at: 99 });
    const recent = log.recentTasks('robin');
    assert.equal(recent.length, 20);
    assert.deepEqual(recent[0], { id: 't10', name: 'Task 10, renamed', at: 99 });
    assert.deepEqual(log.recentTasks('kim'), []);
    log.close();
  });

  test('lets a form be sent once, unless nothing came of it, and knows what did', () => {
    const log = openStaffLog({ file: ':memory:' });
    assert.ok(log.claimForm('n', 1));
    assert.equal(log.formResult('n'), undefined);
    assert.ok(!log.claimForm('n', 2));
    log.finishForm('n', 'task 1');
    assert.equal(log.formResult('n'), 'task 1');
    log.releaseForm('n');
    assert.ok(!log.claimForm('n', 3), 'what was done is not forgotten');
    assert.ok(log.claimForm('m', 4));
    log.releaseForm('m');
    assert.ok(log.claimForm('m', 5));
    log.close();
  });
});
