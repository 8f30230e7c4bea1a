import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { SubjectId } from '../../../src/core/model/subject.ts';
import { tellAccepted } from '../../../src/delivery/telling.ts';
import { newWork } from '../../../src/delivery/work.ts';
import { openPasscodes } from '../../../src/store/passcodes.ts';
import { openSharedStores } from '../../../src/store/postgres/stores.ts';
import { openQuotaStore } from '../../../src/store/quota-store.ts';
import { openRateCounters } from '../../../src/store/rate-counters.ts';
import { openReplayGuard } from '../../../src/store/replay-guard.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { openSessionStore } from '../../../src/store/sessions.ts';
import type { Statement } from '../../../src/store/sql.ts';
import { openStaffLog } from '../../../src/store/staff-log.ts';
import { aRequest, intentOf, leaveAll, off } from '../../delivery/fixture.ts';
import { postgres, type TestDatabase } from '../../kit/postgres.ts';
import { newReference, secret, submissionMade, unchanged } from '../contract/journal-fixture.ts';

/** Every index that is no key, and a part of the statement that walks it. */
const users: Readonly<Record<string, RegExp>> = {
  submission_next: /FOR UPDATE OF s, p SKIP LOCKED/,
  submission_expiry: /^SELECT least\(/,
  submission_waiting: /^SELECT count\(\*\) AS count, min\(submitted_at\) AS oldest/,
  submission_open: /^WITH person AS \(INSERT INTO journal_person/,
  submission_subject: /ORDER BY sequence DESC LIMIT \$\d OFFSET/,
  submission_recent: /AS every_kind/,
  submission_said_again: /AS every_kind/,
  submission_other: /AS repeats_done/,
  submission_time: /submitted_at >= \$\d AND submitted_at < /,
  submission_done: /payload IS NOT NULL AND done_at < /,
  submission_over: /^DELETE FROM submission WHERE ctid/,
  submission_failed: /state = 'failed' AND done_at >= /,
  submission_center: /WHERE center = \$\d ORDER BY sequence DESC/,
  submission_leased: /^WITH leased AS MATERIALIZED/,
  journal_person_touched: /FROM journal_person\s+WHERE touched_at < /,
  reason_day: /^DELETE FROM reason/,
  reason_words: /r\.id IS NULL/,
  event_unplaced: /SET position = /,
  event_at: /DELETE FROM event WHERE position IS NOT NULL/,
  event_queue_next: /ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED/,
  event_delivery_event: /DELETE FROM event WHERE position IS NOT NULL/,
  event_stop_at: /^DELETE FROM event_stop/,
  session_end: /^SELECT store, id FROM session WHERE ends_at/,
  session_subject_session: /^DELETE FROM session_subject/,
  sign_out_at: /^DELETE FROM sign_out/,
  passcode_end: /^DELETE FROM passcode/,
  passcode_person: /SET ended_at/,
  passcode_receiver: /receiver = ANY/,
  spent_until: /^DELETE FROM spent/,
  tally_end: /^DELETE FROM tally/,
  quota_turn_end: /^DELETE FROM quota_turn/,
  audit_at: /^DELETE FROM audit/,
  recent_task_at: /^DELETE FROM recent_task/,
  form_at: /^DELETE FROM form/,
};

const dayMs = 86_400_000;
const now = Date.now();
const rows = 20_000;
/** As after a year: of a hundred submissions one is pending, of a thousand one has failed. */
const fill = `
  INSERT INTO submission (reference, nonce, digest, center, subject, channel, state, everything, withdraws, gpc, bounded,
    submitted_at, due_at, expires_at, done_at, passable, payload, said_again_at)
  SELECT 'r' || n, 'n' || n, 'd', 'center' || n % 500, md5((n / 3)::text), 'link',
    CASE WHEN n % 100 = 0 THEN 'pending' WHEN n % 1000 = 1 THEN 'failed' ELSE 'done' END, n % 2 = 0, n % 7 > 0, false,
    n % 5 > 0, t, t, CASE WHEN n % 500 = 0 THEN t END, CASE WHEN n % 100 > 0 THEN t END, false,
    CASE WHEN n % 10 = 0 THEN 'unreadable' END, CASE WHEN n % 900 = 1 THEN t END
  FROM (SELECT n, ${now - 365 * dayMs} + n::bigint * 365 * ${dayMs} / ${rows} AS t FROM generate_series(1, ${rows}) AS n) AS made;
  INSERT INTO journal_person (subject, touched_at) SELECT subject, max(submitted_at) FROM submission GROUP BY subject;
  INSERT INTO reason SELECT n, 'center' || n % 50, ${now} - n::bigint * 1000000, CASE WHEN n % 4 > 0 THEN 'id' END, 'text'
  FROM generate_series(1, ${rows}) AS n;
  INSERT INTO event (id, center, position, reference, at, payload)
  SELECT 'e' || n, 'center' || n % 50, CASE WHEN n % 100 > 0 THEN n END, 'r' || n, ${now} - n::bigint * 1000000, 'unreadable'
  FROM generate_series(1, ${rows}) AS n;
  INSERT INTO event_queue SELECT 'crm' || n % 5, md5(n::text), CASE WHEN n % 3 > 0 THEN 'due' ELSE 'held' END,
    ${now} + n, ${now} FROM generate_series(1, ${rows}) AS n;
  INSERT INTO event_delivery SELECT 'crm' || n % 5, md5(n::text), n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO event_stop SELECT 'r' || n, 'CRM', ${now} - n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO session SELECT CASE WHEN n % 20 = 0 THEN 'staff' ELSE 'visitors' END, md5(n::text), NULL, ${now}, ${now}, ${now} + n
  FROM generate_series(1, ${rows}) AS n;
  INSERT INTO session_subject SELECT 'visitors', md5((n / 2)::text), md5(n::text) FROM generate_series(1, ${rows}) AS n;
  INSERT INTO sign_out SELECT 'visitors', md5(n::text), ${now} - n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO passcode (id, link, code, center, subject, person, receiver, digits, ends_at)
  SELECT 'p' || n, 'l' || n, 'c', 'center', 's', md5(n::text), md5(n::text), 6, ${now} + n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO spent SELECT 's' || n, ${now} + n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO quota_turn SELECT 'q' || n, n, ${now} + n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO tally SELECT 't' || n, 1, ${now} + n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO audit (at, name, does, outcome) SELECT ${now} - n, 'Eva', 'read', 'done' FROM generate_series(1, ${rows}) AS n;
  INSERT INTO recent_task (staff, task, name, at) SELECT 'eva', 't' || n, 'Task', ${now} - n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO form SELECT 'f' || n, ${now} - n, NULL FROM generate_series(1, ${rows}) AS n;
  ANALYZE`;

suite('Each index', { skip: postgres.skip, concurrency: false }, () => {
  let database: TestDatabase;
  const asked = new Map<string, Statement>();
  before(async () => {
    database = await postgres.database();
    const times = { idleMs: 1, absoluteMs: 1, longestIssuedMs: 1 };
    const seal = createSeal([secret]);
    const stores = await openSharedStores({
      ...{ url: database.url, poolSize: 4, deadlineMs: 5_000, seal, random: { id: () => 'node' } },
      routes: () => ({ receivers: [{ id: 'crm', types: ['withdrawal.accepted'] }] }),
      onStatement: (statement) =>
        void (typeof statement !== 'string' && asked.set(statement.name, statement)),
    });
    const { journal, events, sql } = stores;
    const passcodes = openPasscodes({ sql, seal });
    const anna = 'anna@example.org' as SubjectId;
    const request = aRequest({
      subject: anna,
      intent: intentOf(off('a')),
      channel: 'one-click',
      scope: 'withdraw',
    });
    const told = tellAccepted(newWork(request), newReference(), now);
    await journal.record(request, { ...submissionMade(request, now), ...told });
    await journal.record(aRequest({ intent: leaveAll }), submissionMade(aRequest({ intent: leaveAll }), now));
    await journal.resume({ now, lease: 1_000 });
    const claimed = await journal.claim({ owner: 'me', now, until: now + 1_000 });
    assert.ok(claimed?.entry.work);
    const change = {
      ...unchanged,
      work: claimed.entry.work,
      state: 'done' as const,
      dueAt: now,
      doneAt: now,
    };
    await journal.save(claimed.entry.reference, 'me', change);
    await journal.nextDueAt();
    await journal.makeDue({ now, spread: 1, limit: 1 });
    await journal.pendingOf('center', anna);
    await journal.recentOf(anna, now);
    await journal.historyOf('center', anna, { limit: 9, offset: 0 });
    await journal.list({ limit: 9, from: 1, to: 2 });
    await journal.list({ limit: 9, center: 'center' });
    await journal.waitingWithdrawals(9);
    await journal.failedSince(0, 9);
    await journal.ownWords({}, { centers: ['center'], limit: 9 });
    await events.page('center', { after: 0, limit: 9 });
    await events.claim('crm', { owner: 'me', now, until: now + 1_000 });
    await passcodes.endOf(anna);
    await passcodes.findShared('center', anna);
    const sessions = openSessionStore({ sql, seal, store: 'visitors', ...times });
    await sessions.save('over', {});
    const over = { now, workBefore: 0, evidenceBefore: 0, reasonsBefore: 0 };
    await journal.sweep(over);
    for (const store of [
      events,
      sessions,
      passcodes,
      openReplayGuard({ sql, hash: seal }),
      openRateCounters({ sql, hash: seal }),
      openStaffLog({ sql, auditMs: dayMs }),
      openQuotaStore({ sql, hash: seal }),
    ])
      await store.sweep();
    await stores.close();
    await database.emptied();
    await database.query(fill);
  });
  after(() => database?.end());

  /** Of any values: each is planned for what it says, not for what it is asked with. */
  async function planOf({ name, text, values }: Statement): Promise<string> {
    const given = values.length === 0 ? '' : `(${values.map(() => 'NULL').join(', ')})`;
    const plan = await database.query(
      `SET plan_cache_mode = force_generic_plan; PREPARE "${name}" AS ${text}; EXPLAIN EXECUTE "${name}"${given}`,
    );
    return plan.map((row) => String(row['QUERY PLAN'])).join('\n');
  }

  test('is named here with the statement that walks it, which does', async () => {
    const found = await database.query(
      `SELECT i.relname AS name FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
       WHERE i.relnamespace = 'public'::regnamespace AND NOT x.indisunique`,
    );
    assert.deepEqual(found.map(({ name }) => String(name)).toSorted(), Object.keys(users).toSorted());
    const unused: string[] = [];
    for (const [index, user] of Object.entries(users)) {
      const named = [...asked.values()].filter(({ text }) => user.test(text));
      if (named.length === 0) unused.push(`${index}: no such statement was asked`);
      const plans = await Promise.all(named.map(planOf));
      if (named.length > 0 && !plans.some((plan) => plan.includes(` ${index} `)))
        unused.push(`${index}: ${plans.join('\n')}`);
    }
    assert.deepEqual(unused, [], unused.join('\n\n'));
  });
});
