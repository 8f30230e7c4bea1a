/**
 * `node test/bench/piled-up.ts [rows]` measures PostgreSQL with a million rows, in a new database that is
 * dropped afterwards. Prints times, rows and the size of indexes. It takes minutes, and PostgreSQL uses most
 * of the CPU.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/store/drivers/postgres/database.ts';
import { openEvents } from '../../src/store/events.ts';
import { postgresLayout } from '../../src/store/layouts.ts';
import { openPeople } from '../../src/store/people.ts';
import { createSeal } from '../../src/store/seal.ts';
import { postgres } from '../kit/postgres.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const dayMs = 86_400_000;
const now = Math.floor(Date.now() / dayMs) * dayMs;
const old = now - 40 * dayMs;
const text = 'x'.repeat(300);

/**
 * Turns triggers off, which would take hours for a million rows of one statement; counters are filled at
 * once.
 */
const untriggered = 'SET session_replication_role = replica;';
const fill = {
  submissions: `${untriggered}
    INSERT INTO submission (reference, nonce, digest, center, subject, channel, state, everything, withdraws, gpc,
      submitted_at, done_at, receipts, asked_leaf, asked)
    SELECT md5(n || 'r'), md5(n || 'n'), md5(n || 'd'), 'center', md5(n::text), 'one-click',
      CASE n % 2 WHEN 0 THEN 'pending' ELSE 'done' END, 1, 1, 0, ${old} + n, CASE n % 2 WHEN 1 THEN ${old} + n END, '[]',
      '', '${text}' FROM generate_series(1, ${rows}) AS n;
    INSERT INTO person (subject, version, document, due_at, withdraws, lease_until, touched_at)
    SELECT subject, 1, '${text}', CASE state WHEN 'pending' THEN ${now} + sequence END, 1, 0, submitted_at FROM submission;
    INSERT INTO submission_count SELECT state, 0, count(*) FROM submission GROUP BY state;
    INSERT INTO submission_day
    SELECT submitted_at - submitted_at % ${dayMs}, 0, count(*), count(*) FROM submission GROUP BY 1`,
  events: `
    INSERT INTO event (id, center, position, reference, at, payload)
    SELECT md5(n || 'e'), 'center', NULL, md5(n || 'r'), ${now} + n, '${text}' FROM generate_series(1, ${rows}) AS n`,
  reasons: `${untriggered}
    INSERT INTO reason (sequence, center, day, id, text)
    SELECT n, 'center', ${now - 30 * dayMs} + (n::bigint * 30 / ${rows}) * ${dayMs}, CASE WHEN n % 4 > 0 THEN 'id' || n % 4 END,
      '${text}' FROM generate_series(1, ${rows}) AS n;
    INSERT INTO reason_count SELECT day, center, coalesce(id, ''), 0, count(*), max(sequence) FROM reason GROUP BY 1, 2, 3`,
};

const database = await postgres.database();
const say = (what: string, figure: string) => process.stdout.write(`${what}: ${figure}\n`);

let refused = 0;
/** Asks again, and counts it, where a busy machine does not answer within a second. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (fault) {
      if (tries === 20) throw fault;
      refused += 1;
      await pause(500);
    }
  }
}

async function timed(what: string, act: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  const told = await act().then(
    (result) => (result === undefined ? '' : `, ${result}`),
    (fault: Error & { cause?: Error }) => `, FAILED: ${fault.message} (${fault.cause?.message})`,
  );
  say(what, `${Math.round(performance.now() - began)} ms${told}`);
}

try {
  const first = await openDatabase({
    url: database.url,
    layout: postgresLayout,
    poolSize: 1,
    deadlineMs: 5_000,
  });
  await first.close();
  for (const [what, sql] of Object.entries(fill))
    await timed(`fill ${what}`, async () => void (await database.query(sql)));
  await database.query('VACUUM ANALYZE');
  const [size] = await database.query(
    `SELECT pg_size_pretty(pg_table_size('submission')) AS rows, pg_size_pretty(pg_indexes_size('submission')) AS indexes,
       (SELECT count(*) FROM pg_indexes WHERE tablename = 'submission') AS count`,
  );
  say('submissions', `${size?.['rows']}, ${size?.['count']} indexes ${size?.['indexes']}`);

  const seal = createSeal(['a secret of at least thirty-two bytes']);
  const connected = await openDatabase({
    url: database.url,
    layout: postgresLayout,
    poolSize: 10,
    deadlineMs: 1_000,
  });
  const { events, newsWrites } = await openEvents({ sql: connected, seal, routes: () => undefined });
  const journal = openPeople({ sql: connected, seal, random: { id: () => 'node' }, newsWrites });

  await timed('feed, first page', async () => {
    const { events: found, last } = await events.page('center', { after: 0, limit: 100 });
    return `${found.length} events, ${last} with a position`;
  });
  await timed('feed, all have a position', async () => {
    for (;;) {
      const { last } = await untilAnswered(() => events.page('center', { after: 0, limit: 1 }));
      if (last >= rows) return;
      await pause(100);
    }
  });
  const over = { now, workBefore: 0, evidenceBefore: 0, reasonsBefore: 0 };
  await timed('retention of people, half of whom wait', async () => {
    while ((await untilAnswered(() => journal.sweep({ ...over, workBefore: now }))) > 0) await pause(20);
  });
  await timed('retention of submissions and reasons', async () => {
    const began = performance.now();
    while (
      (await untilAnswered(() => journal.sweep({ ...over, evidenceBefore: now, reasonsBefore: now }))) > 0
    )
      await pause(20);
    const [left] = await database.query(
      `SELECT (SELECT count(*) FROM submission) + (SELECT count(*) FROM reason) AS count`,
    );
    const gone = 2 * rows - Number(left?.['count']);
    return `${gone} rows, ${Math.round(gone / ((performance.now() - began) / 1_000))} a second`;
  });
  say('not answered within a second', `${refused} times`);
  await journal.close();
  await connected.close();
} finally {
  await database.end();
}
