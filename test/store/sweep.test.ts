import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { sweptJournal } from '../../src/compose/sweep.ts';
import { readConfig } from '../../src/config/environment.ts';
import type { Maintained } from '../../src/ports/maintained.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { embeddedFiles } from '../../src/store/layouts.ts';
import { openPasscodes } from '../../src/store/passcodes.ts';
import { openRateCounters } from '../../src/store/rate-counters.ts';
import { openReplayGuard } from '../../src/store/replay-guard.ts';
import { createSeal } from '../../src/store/seal.ts';
import { openSessionStore } from '../../src/store/sessions.ts';
import { openStaffLog } from '../../src/store/staff-log.ts';
import { times } from '../chaos/dice.ts';
import { anna, aRequest, intentOf, off } from '../delivery/fixture.ts';
import { newFolder } from '../kit/folder.ts';
import { openNode, withdrawal } from './contract/event-fixture.ts';
import { aPeopleStore, finish, put } from './contract/people-fixture.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const secrets = ['a secret of at least thirty-two bytes'];
const seal = createSeal(secrets);
const home = newFolder();

const failed = {
  kind: 'stranger',
  staff: undefined,
  name: 'nobody',
  does: 'tried to sign in',
  about: 'single sign-on failed',
  from: '203.0.113.0/24',
} as const;

const retention = (env: Record<string, string>) => readConfig(env, () => '');

suite('A year of visits, sign-ins, one-clicks and staff work', () => {
  test('leaves only what is kept on purpose, in rows, files and logs.', async () => {
    const clock = { at: Date.parse('2026-01-01'), now: () => clock.at };
    const config = retention({
      REASON_DAYS: '60',
      AUDIT_DAYS: '90',
      EVIDENCE_DAYS: '100',
    });
    const [journalFile, sessionFile] = embeddedFiles(home);
    const sql = openSqlite({ ...sessionFile, clock });
    const journalSql = openSqlite({ ...journalFile, clock });
    const sessions = openSessionStore({
      sql,
      store: 'visitors',
      seal,
      idleMs: 30 * minute,
      absoluteMs: 720 * minute,
      longestIssuedMs: 3_651 * day,
    });
    const passcodes = openPasscodes({ sql, seal });
    const replayGuard = openReplayGuard({ sql, seal });
    const rateCounters = openRateCounters({ sql, seal });
    const staff = openStaffLog({ sql: journalSql, auditMs: config.auditDays * day });
    const journal = aPeopleStore({ sql: journalSql, secrets, clock });
    const routes = () => ({ receivers: [] });
    const node = await openNode({ sql: journalSql, secrets, clock, routes });
    const swept: readonly Maintained[] = [
      sessions,
      passcodes,
      replayGuard,
      rateCounters,
      staff,
      node.events,
      sweptJournal(journal, config, clock),
    ];
    const perDay = times(1, 3);
    const biggest = new Map<string, number>();
    for (let number = 0; number < 365 * perDay; number += 1) {
      clock.at += day / perDay;
      const id = `n${number}`;
      const now = clock.at;
      const visit = { center: 'c', subject: anna, scope: 'manage', channel: 'link', since: now } as const;
      await sessions.save(id, { visits: [visit] });
      if (number % 2 === 0) await sessions.end(id);
      if (number % 50 === 0) await sessions.endAllOf(anna);
      await passcodes.open({
        id,
        center: 'c',
        subject: anna,
        link: id,
        code: '1',
        endsAt: now + 10 * minute,
        isShared: number % 2 === 0,
      });
      await replayGuard.spend('ticket', id, now + 10 * minute);
      await rateCounters.count('tries', id, { most: 3, withinMs: 60 * minute });
      const sequence = await staff.begin({
        at: now,
        staff: 'kim',
        name: 'Kim',
        does: 'x',
        about: undefined,
        outcome: 'begun',
      });
      await staff.settle(sequence, { outcome: 'done', about: 'x' });
      await staff.rememberTask(id, { id, name: id });
      await staff.claimForm(id);
      await staff.addFailedSignIn(failed, 1);
      const reasons = [{ id: undefined, text: 'own words' }];
      const request = aRequest({ intent: intentOf(off('a')), reasons });
      await put(journal, request, { now, reference: id });
      await finish(journal, now);
      await node.write(withdrawal({ off: ['a'], at: now }));
      if (number % perDay < perDay - 1) continue;
      for (const store of swept) while ((await store.sweep()) > 0);
      for (const each of [sql, journalSql]) await each.emptyLog();
      for (const name of readdirSync(home)) {
        biggest.set(name, Math.max(biggest.get(name) ?? 0, statSync(join(home, name)).size));
      }
    }
    const rows = countRows(home);
    assert.ok((rows['journal.sqlite submission'] ?? 0) >= 100 * perDay, 'what is kept on purpose is there');
    const most: Readonly<Record<string, number>> = {
      'journal.sqlite submission': 101 * perDay,
      'journal.sqlite submission_count': 3,
      'journal.sqlite submission_day': 102,
      'journal.sqlite reason': 62 * perDay,
      'journal.sqlite reason_count': 62 * perDay,
      'journal.sqlite event': 31 * perDay,
      'journal.sqlite audit': 2 * 91 * perDay,
      'journal.sqlite recent_task': 91 * perDay,
      'journal.sqlite form': 8 * perDay,
    };
    for (const [table, count] of Object.entries(rows)) {
      assert.ok(count <= (most[table] ?? 2 * perDay), `${table}: ${count} rows`);
    }
    // A file does not shrink, but it does not grow by the year either.
    for (const [name, size] of biggest) {
      assert.ok(size <= 1_000_000, `${name}: ${size} bytes`);
    }
    for (const name of readdirSync(home).filter((each) => each.endsWith('-wal'))) {
      assert.equal(statSync(join(home, name)).size, 0, name);
    }
    for (const each of [node, journal, sql, journalSql]) await each.close();
  });
});

suite('How long things are kept', () => {
  test('is three years for what was changed and what staff did, one for reasons, unless it is set.', () => {
    const { evidenceDays, reasonDays, auditDays } = retention({});
    assert.deepEqual([evidenceDays, reasonDays, auditDays], [1_095, 365, 1_095]);
    assert.equal(retention({ EVIDENCE_DAYS: '400' }).evidenceDays, 400);
  });

  for (const [name, value] of [
    ['EVIDENCE_DAYS', '29'],
    ['REASON_DAYS', '0'],
    ['AUDIT_DAYS', 'ever'],
    ['EVIDENCE_DAYS', '1.5'],
    ['AUDIT_DAYS', '99999'],
  ] as const) {
    test(`is refused at the start as ${name}=${value}.`, () => {
      assert.throws(() => retention({ [name]: value }), new RegExp(`${name} must be a whole number`));
    });
  }
});

function countRows(folder: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.sqlite')) continue;
    const database = new DatabaseSync(join(folder, name), { readOnly: true });
    const tables = database.prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
    );
    for (const { name: table } of tables.all()) {
      const row = database.prepare(`SELECT count(*) AS count FROM "${table}"`).get();
      counts[`${name} ${table}`] = Number(row?.['count']);
    }
    database.close();
  }
  return counts;
}
