import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { openDatabase } from '../../../src/store/drivers/postgres/database.ts';
import { postgresDialect } from '../../../src/store/drivers/postgres/dialect.ts';
import { openHostedLinks } from '../../../src/store/hosted-links.ts';
import { openPasscodes } from '../../../src/store/passcodes.ts';
import { erasureStatements } from '../../../src/store/person-erasure.ts';
import { openQuotaStore } from '../../../src/store/quota-store.ts';
import { openRateCounters } from '../../../src/store/rate-counters.ts';
import { openReplayGuard } from '../../../src/store/replay-guard.ts';
import { hostedLinkTables, quotaTables, sessionTables, staffTables } from '../../../src/store/schema.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { openSessionStore } from '../../../src/store/sessions.ts';
import type { Statement } from '../../../src/store/sql.ts';
import { openStaffLog } from '../../../src/store/staff-log.ts';
import { forSuite } from '../../kit/for-suite.ts';
import { postgres } from '../../kit/postgres.ts';
import { anna, secret } from '../contract/test-store.ts';
import { indexesInPostgres, planInPostgres } from '../plan.ts';

/** Every index that is no key, and a part of the statement that walks it. */
const users: Readonly<Record<string, RegExp>> = {
  session_end: /^SELECT store, id FROM session WHERE ends_at/,
  session_subject_session: /^DELETE FROM session_subject/,
  sign_out_at: /^DELETE FROM sign_out/,
  passcode_end: /^DELETE FROM passcode/,
  passcode_person: /SET ended_at/,
  passcode_receiver: /receiver = ANY/,
  used_token_until: /^DELETE FROM used_token/,
  rate_counter_end: /^DELETE FROM rate_counter/,
  quota_turn_end: /^DELETE FROM quota_turn/,
  hosted_link_end: /^DELETE FROM hosted_link WHERE (?!person)/,
  hosted_link_person: /^DELETE FROM hosted_link WHERE person/,
  audit_at: /^DELETE FROM audit/,
  recent_task_at: /^DELETE FROM recent_task/,
  form_at: /^DELETE FROM form/,
};

const dayMs = 86_400_000;
const now = Date.now();
const rows = 20_000;
const fill = `
  INSERT INTO session SELECT CASE WHEN n % 20 = 0 THEN 'staff' ELSE 'visitors' END, md5(n::text), NULL, ${now}, ${now}, ${now} + n
  FROM generate_series(1, ${rows}) AS n;
  INSERT INTO session_subject SELECT 'visitors', md5((n / 2)::text), md5(n::text) FROM generate_series(1, ${rows}) AS n;
  INSERT INTO sign_out SELECT 'visitors', md5(n::text), ${now} - n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO passcode (id, link, code, center, subject, person, receiver, digits, ends_at)
  SELECT 'p' || n, 'l' || n, 'c', 'center', 's', md5(n::text), md5(n::text), 6, ${now} + n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO used_token SELECT 's' || n, ${now} + n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO quota_turn SELECT 'q' || n, n, ${now} + n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO rate_counter SELECT 't' || n, 1, ${now} + n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO hosted_link SELECT 'h' || n, md5(n::text), 's', ${now}, ${now} + n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO audit (at, name, does, outcome) SELECT ${now} - n, 'Eva', 'read', 'done' FROM generate_series(1, ${rows}) AS n;
  INSERT INTO recent_task (staff, task, name, at) SELECT 'eva', 't' || n, 'Task', ${now} - n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO form SELECT 'f' || n, ${now} - n, NULL FROM generate_series(1, ${rows}) AS n;
  ANALYZE`;

suite('Each index of sessions, staff and quota', { skip: postgres.skip, concurrency: false }, () => {
  const asked = new Map<string, Statement>();
  const database = forSuite(
    () => postgres.database(),
    (database) => database.end(),
  );
  before(async () => {
    const times = { idleMs: 1, absoluteMs: 1, longestIssuedMs: 1 };
    const seal = createSeal([secret]);
    const sql = await openDatabase({
      ...{ url: database.url, poolSize: 4, deadlineMs: 5_000 },
      layout: [
        ...sessionTables(postgresDialect),
        ...staffTables(postgresDialect),
        ...quotaTables(postgresDialect),
        ...hostedLinkTables(postgresDialect),
      ],
      onStatement: (statement) =>
        void (typeof statement !== 'string' && asked.set(statement.name, statement)),
    });
    const passcodes = openPasscodes({ sql, seal });
    await passcodes.endOf(anna);
    await passcodes.findShared('center', anna);
    const sessions = openSessionStore({ sql, seal, store: 'visitors', ...times });
    await sessions.save('over', {});
    for (const store of [
      sessions,
      passcodes,
      openReplayGuard({ sql, seal }),
      openRateCounters({ sql, seal }),
      openStaffLog({ sql, auditMs: dayMs }),
      openQuotaStore({ sql, seal }),
      openHostedLinks({ sql, seal }),
    ])
      await store.sweep();
    await sql.run(erasureStatements(postgresDialect).eraseHostedLinks, { people: [] });
    await sql.close();
    await database.emptied();
    await database.query(fill);
  });

  test('is named here with the statement that walks it, which does', async () => {
    assert.deepEqual(await indexesInPostgres(database), Object.keys(users).toSorted());
    const unused: string[] = [];
    for (const [index, user] of Object.entries(users)) {
      const named = [...asked.values()].filter(({ text }) => user.test(text));
      if (named.length === 0) unused.push(`${index}: no such statement was asked`);
      const plans = await Promise.all(named.map((each) => planInPostgres(database, each)));
      if (named.length > 0 && !plans.some((plan) => plan.includes(` ${index} `)))
        unused.push(`${index}: ${plans.join('\n')}`);
    }
    assert.deepEqual(unused, [], unused.join('\n\n'));
  });
});
