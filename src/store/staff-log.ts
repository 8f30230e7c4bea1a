import type { AuditEntry } from '../core/model/staff/audit-entry.ts';
import {
  failedSignInLimits,
  failedSignInLine,
  failedSignInNumber,
} from '../core/model/staff/failed-sign-in.ts';
import type { AuditFilter, StaffLog } from '../ports/staff-log.ts';
import { endTurn } from '../turn.ts';
import { type Dialect, type Queries, type Row, reading, type StoreParts, writing } from './sql.ts';

/** So many tasks of each member of staff are remembered. */
const mostRecent = 20;
/** Lines that are read at a time. */
const mostInPart = 1_000;
/** A form's token is refused long before. Milliseconds. */
const formLifeMs = 7 * 24 * 60 * 60 * 1000;

const insert = writing(
  `INSERT INTO audit (at, staff, name, does, about, outcome)
   VALUES (:at, :staff, :name, :does, :about, :outcome) RETURNING sequence`,
);
const settle = writing('UPDATE audit SET outcome = :outcome, about = :about WHERE sequence = :sequence');
// Two nodes that see the first of a kind at once: the second waits here for what the first writes.
const beginKind = writing(
  `INSERT INTO failed_sign_in AS f (kind, started_at, lines, count) VALUES (:kind, :now, 0, 0)
   ON CONFLICT (kind) DO UPDATE SET lines = f.lines RETURNING started_at, lines, count, sequence`,
);
const countFailures = writing(
  'UPDATE failed_sign_in SET started_at = :startedAt, lines = :lines, count = :count, sequence = :sequence WHERE kind = :kind',
);
const remember = writing(
  `INSERT INTO recent_task (staff, task, name, at) VALUES (:staff, :task, :name, :at)
   ON CONFLICT (staff, task) DO UPDATE SET name = :name, at = :at`,
);
const forget = writing(
  `DELETE FROM recent_task WHERE staff = :staff AND task NOT IN
     (SELECT task FROM recent_task WHERE staff = :staff ORDER BY at DESC, sequence DESC LIMIT ${mostRecent})`,
);
const recent = reading(
  'SELECT task, name, at FROM recent_task WHERE staff = :staff ORDER BY at DESC, sequence DESC',
);
const claim = writing('INSERT INTO form (nonce, at) VALUES (:nonce, :at) ON CONFLICT DO NOTHING');
const formOf = reading('SELECT result FROM form WHERE nonce = :nonce');
const finish = writing('UPDATE form SET result = :result WHERE nonce = :nonce');
const release = writing('DELETE FROM form WHERE nonce = :nonce AND result IS NULL');
const statements = ({ isIn, deleteSome, position }: Dialect) => {
  const chosen = `(CAST(:staff AS text) IS NULL OR staff = :staff)
    AND (CAST(:text AS text) IS NULL OR ${position}(lower(does || ' ' || coalesce(about, '')), lower(:text)) > 0)
    AND (CAST(:from AS bigint) IS NULL OR at >= :from) AND (CAST(:to AS bigint) IS NULL OR at < :to)`;
  const newest = `FROM audit WHERE ${chosen} ORDER BY sequence DESC LIMIT :limit OFFSET :offset`;
  return {
    list: reading(`SELECT * ${newest}`),
    numbers: reading(`SELECT sequence ${newest}`),
    numbered: reading(`SELECT * FROM audit WHERE ${isIn('sequence', 'numbers')} ORDER BY sequence DESC`),
    count: reading(`SELECT count(*) AS count FROM audit WHERE ${chosen}`),
    overAudit: deleteSome('audit', 'at'),
    overTasks: deleteSome('recent_task', 'at'),
    overForms: deleteSome('form', 'at'),
    overFailures: deleteSome('failed_sign_in', 'started_at'),
  };
};

/** Audit log, recently used tasks and sent forms. `auditMs`: milliseconds for which a line is kept. */
export function openStaffLog({
  sql,
  auditMs,
  clock = sql.clock,
}: StoreParts & { readonly auditMs: number }): StaffLog {
  const asked = statements(sql.dialect);

  async function write(queries: Queries, entry: AuditEntry): Promise<number> {
    const row = await queries.get(insert, entryValues(entry));
    return Number(row?.['sequence']);
  }

  return {
    begin: (entry) => write(sql, entry),
    async settle(sequence, { outcome, about }) {
      await sql.run(settle, { sequence, outcome, about: about ?? null });
    },
    async list({ limit, offset = 0, ...filter }) {
      return (await sql.all(asked.list, { ...filterValues(filter), limit, offset })).map(readEntry);
    },
    async *parts({ limit, offset = 0, ...filter }) {
      const rows = await sql.all(asked.numbers, { ...filterValues(filter), limit, offset });
      const found = rows.map(({ sequence }) => Number(sequence));
      for (let at = 0; at < found.length; at += mostInPart) {
        await endTurn();
        const part = await sql.all(asked.numbered, { numbers: found.slice(at, at + mostInPart) });
        yield part.map(readEntry);
      }
    },
    count: async (filter) => Number((await sql.get(asked.count, filterValues(filter)))?.['count'] ?? 0),
    addFailedSignIn(failed, times) {
      const { kind } = failed;
      return sql.transaction(async (queries) => {
        const now = clock.now();
        const hour = readHour(await queries.get(beginKind, { kind, now }), now);
        const isLine = hour.lines < failedSignInLimits.lines;
        const more = hour.count + times - (isLine ? 1 : 0);
        if (isLine) await write(queries, failedSignInLine(failed, now));
        const entry = failedSignInNumber(failed, now, more);
        const { outcome, about = null } = entry;
        if (hour.sequence !== null) await queries.run(settle, { sequence: hour.sequence, outcome, about });
        const sequence = hour.sequence ?? (more > 0 ? await write(queries, entry) : null);
        const { startedAt } = hour;
        const lines = hour.lines + (isLine ? 1 : 0);
        await queries.run(countFailures, { kind, startedAt, lines, count: more, sequence });
        return { kind: isLine ? 'line' : 'number', until: startedAt + failedSignInLimits.withinMs };
      });
    },
    async recentTasks(staff) {
      return (await sql.all(recent, { staff })).map(readRecentTask);
    },
    async rememberTask(staff, { id, name }) {
      await sql.run(remember, { staff, task: id, name, at: clock.now() });
      await sql.run(forget, { staff });
    },
    claimForm: async (nonce) => (await sql.run(claim, { nonce, at: clock.now() })) === 1,
    async formResult(nonce) {
      const result = (await sql.get(formOf, { nonce }))?.['result'];
      return typeof result === 'string' ? result : undefined;
    },
    async finishForm(nonce, result) {
      await sql.run(finish, { nonce, result });
    },
    async releaseForm(nonce) {
      await sql.run(release, { nonce });
    },
    async sweep() {
      const now = clock.now();
      const audit = await sql.run(asked.overAudit, { before: now - auditMs });
      const tasks = await sql.run(asked.overTasks, { before: now - auditMs });
      const failures = await sql.run(asked.overFailures, { before: now - failedSignInLimits.withinMs });
      return audit + tasks + failures + (await sql.run(asked.overForms, { before: now - formLifeMs }));
    },
  };
}

/** Failed sign-ins of a kind since the first of them, for an hour at the most. */
interface FailureHour {
  readonly startedAt: number;
  readonly lines: number;
  /** Of those without a line of their own. */
  readonly count: number;
  /** Of the line with that number. */
  readonly sequence: number | null;
}

/** A clock that was set back begins another one. */
function readHour(row: Row | undefined, now: number): FailureHour {
  const startedAt = Number(row?.['started_at']);
  if (row === undefined || Math.abs(now - startedAt) >= failedSignInLimits.withinMs)
    return { startedAt: now, lines: 0, count: 0, sequence: null };
  const { lines, count, sequence } = row;
  return {
    startedAt,
    lines: Number(lines),
    count: Number(count),
    sequence: typeof sequence === 'number' ? sequence : null,
  };
}

function entryValues({ staff, about, ...entry }: AuditEntry) {
  return { ...entry, staff: staff ?? null, about: about ?? null };
}

function filterValues({ staff, text, from, to }: Omit<AuditFilter, 'limit' | 'offset'>) {
  return { staff: staff ?? null, text: text ?? null, from: from ?? null, to: to ?? null };
}

function readEntry(row: Row): AuditEntry {
  const optional = (column: string) => (row[column] === null ? undefined : String(row[column]));
  return {
    at: Number(row['at']),
    staff: optional('staff'),
    name: String(row['name']),
    does: String(row['does']),
    about: optional('about'),
    outcome: String(row['outcome']) as AuditEntry['outcome'],
  };
}

function readRecentTask(row: Row) {
  return { id: String(row['task']), name: String(row['name']), at: Number(row['at']) };
}
