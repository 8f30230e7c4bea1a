import type { AuditEntry } from '../core/model/staff/audit-entry.ts';
import {
  failedSignInLimits,
  failedSignInLine,
  failedSignInNumber,
} from '../core/model/staff/failed-sign-in.ts';
import type { StaffLog } from '../ports/staff-log.ts';
import { endTurn } from '../turn.ts';
import { isIn, part, position } from './dialect.ts';
import { type Columns, deleteSome, type Queries, reading, type Sql, writing } from './sql.ts';

/** Tasks that are remembered for each member of staff. */
const mostRecent = 20;
/** Lines that are read at a time. */
const mostInPart = 1_000;
/** Milliseconds for which a sent form is remembered; its token is refused long before. */
const formLifeMs = 7 * 24 * 60 * 60 * 1000;

type RecentTask = Awaited<ReturnType<StaffLog['recentTasks']>>[number];

const columns = 'at, staff, name, does, about, outcome';
const insert = writing<Columns<'sequence', number>>`INSERT INTO audit (at, staff, name, does, about, outcome)
  VALUES (:at, :staff, :name, :does, :about, :outcome) RETURNING sequence`;
const settle = writing`UPDATE audit SET outcome = :outcome, about = :about WHERE sequence = :sequence`;
// If two nodes begin a kind at once, the second waits here for what the first writes.
const beginKind = writing<FailureHour>`
  INSERT INTO failed_sign_in AS f (kind, started_at, lines, count) VALUES (:kind, :now, 0, 0)
  ON CONFLICT (kind) DO UPDATE SET lines = f.lines
    RETURNING started_at AS "startedAt", lines, count, sequence`;
const countFailures = writing`
  UPDATE failed_sign_in SET started_at = :startedAt, lines = :lines, count = :count, sequence = :sequence
    WHERE kind = :kind`;
const remember = writing`INSERT INTO recent_task (staff, task, name, at) VALUES (:staff, :task, :name, :at)
  ON CONFLICT (staff, task) DO UPDATE SET name = :name, at = :at`;
const forget = writing`DELETE FROM recent_task WHERE staff = :staff AND task NOT IN
  (SELECT task FROM recent_task WHERE staff = :staff ORDER BY at DESC, sequence DESC LIMIT ${mostRecent})`;
const recent = reading<RecentTask>`
  SELECT task AS id, name, at FROM recent_task WHERE staff = :staff ORDER BY at DESC, sequence DESC`;
const claim = writing`INSERT INTO form (nonce, at) VALUES (:nonce, :at) ON CONFLICT DO NOTHING`;
const formOf = reading<{ readonly result?: string }>`SELECT result FROM form WHERE nonce = :nonce`;
const finish = writing`UPDATE form SET result = :result WHERE nonce = :nonce`;
const release = writing`DELETE FROM form WHERE nonce = :nonce AND result IS NULL`;
const chosen = part`(CAST(:staff AS text) IS NULL OR staff = :staff)
  AND (CAST(:text AS text) IS NULL OR ${position}(lower(does || ' ' || coalesce(about, '')), lower(:text)) > 0)
  AND (CAST(:from AS bigint) IS NULL OR at >= :from) AND (CAST(:to AS bigint) IS NULL OR at < :to)`;
const newest = part`FROM audit WHERE ${chosen} ORDER BY sequence DESC
  LIMIT :limit OFFSET coalesce(CAST(:offset AS bigint), 0)`;
const list = reading<AuditEntry>`SELECT ${columns} ${newest}`;
const numbers = reading<{ readonly sequence: number }>`SELECT sequence ${newest}`;
const numbered = reading<AuditEntry>`
  SELECT ${columns} FROM audit WHERE ${isIn('sequence', 'numbers')} ORDER BY sequence DESC`;
const count = reading<Columns<'count', number>>`SELECT count(*) AS count FROM audit WHERE ${chosen}`;
const overAudit = deleteSome('audit', 'at');
const overTasks = deleteSome('recent_task', 'at');
const overForms = deleteSome('form', 'at');
const overFailures = deleteSome('failed_sign_in', 'started_at');

const everything = { staff: undefined, text: undefined, from: undefined, to: undefined, offset: undefined };

/** Audit log, recently used tasks and sent forms. `auditMs`: milliseconds for which a line is kept. */
export function openStaffLog({ sql, auditMs }: { readonly sql: Sql; readonly auditMs: number }): StaffLog {
  async function write(queries: Queries, { at, staff, name, does, about, outcome }: AuditEntry) {
    const row = await queries.get(insert, { at, staff, name, does, about, outcome });
    return row?.sequence ?? 0;
  }

  return {
    begin: (entry) => write(sql, entry),
    async settle(sequence, change) {
      await sql.run(settle, { sequence, ...change });
    },
    list: (filter) => sql.all(list, { ...everything, ...filter }),
    async *parts(filter) {
      const rows = await sql.all(numbers, { ...everything, ...filter });
      const found = rows.map(({ sequence }) => sequence);
      for (let at = 0; at < found.length; at += mostInPart) {
        await endTurn();
        yield await sql.all(numbered, { numbers: found.slice(at, at + mostInPart) });
      }
    },
    count: async (filter) => (await sql.get(count, { ...everything, ...filter }))?.count ?? 0,
    addFailedSignIn(failed, times) {
      const { kind } = failed;
      return sql.transaction(async (queries) => {
        const now = sql.clock.now();
        const hour = hourOf(await queries.get(beginKind, { kind, now }), now);
        const isLine = hour.lines < failedSignInLimits.lines;
        const more = hour.count + times - (isLine ? 1 : 0);
        if (isLine) await write(queries, failedSignInLine(failed, now));
        const entry = failedSignInNumber(failed, now, more);
        const { outcome, about } = entry;
        if (hour.sequence !== undefined)
          await queries.run(settle, { sequence: hour.sequence, outcome, about });
        const sequence = hour.sequence ?? (more > 0 ? await write(queries, entry) : undefined);
        const { startedAt } = hour;
        const lines = hour.lines + (isLine ? 1 : 0);
        await queries.run(countFailures, { kind, startedAt, lines, count: more, sequence });
        return { kind: isLine ? 'line' : 'number', until: startedAt + failedSignInLimits.withinMs };
      });
    },
    recentTasks: (staff) => sql.all(recent, { staff }),
    async rememberTask(staff, { id, name }) {
      await sql.run(remember, { staff, task: id, name, at: sql.clock.now() });
      await sql.run(forget, { staff });
    },
    claimForm: async (nonce) => (await sql.run(claim, { nonce, at: sql.clock.now() })) === 1,
    formResult: async (nonce) => (await sql.get(formOf, { nonce }))?.result,
    async finishForm(nonce, result) {
      await sql.run(finish, { nonce, result });
    },
    async releaseForm(nonce) {
      await sql.run(release, { nonce });
    },
    async sweep() {
      const now = sql.clock.now();
      const audit = await sql.run(overAudit, { before: now - auditMs });
      const tasks = await sql.run(overTasks, { before: now - auditMs });
      const failures = await sql.run(overFailures, { before: now - failedSignInLimits.withinMs });
      return audit + tasks + failures + (await sql.run(overForms, { before: now - formLifeMs }));
    },
  };
}

/**
 * Failed sign-ins of a kind in the hour that began with the first of them. `count`: those without a line of
 * their own, which the line `sequence` tells.
 */
type FailureHour = Columns<'startedAt' | 'lines' | 'count', number> & Partial<Columns<'sequence', number>>;

/** The current hour of a kind. A new one begins after its end, and after a clock was set back. */
function hourOf(known: FailureHour | undefined, now: number): FailureHour {
  const isOver = known === undefined || Math.abs(now - known.startedAt) >= failedSignInLimits.withinMs;
  return isOver ? { startedAt: now, lines: 0, count: 0 } : known;
}
