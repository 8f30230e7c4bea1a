import type { AuditEntry } from '../../core/model/audit-entry.ts';
import { failedSignInLimits, failedSignInLine, failedSignInNumber } from '../../core/model/failed-sign-in.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StaffLog } from '../../ports/staff-log.ts';
import {
  entryValues,
  filterValues,
  formLifeMs,
  mostInPart,
  mostRecent,
  readEntry,
  readHour,
  readRecentTask,
} from '../staff-log-rows.ts';
import type { Database, Queries } from './database.ts';
import { deleteSome, upkeep } from './maintained.ts';
import { statement } from './statement.ts';

const insert = statement(
  `INSERT INTO audit (at, staff, name, does, about, outcome)
   VALUES (:at, :staff, :name, :does, :about, :outcome) RETURNING sequence`,
);
const settle = statement('UPDATE audit SET outcome = :outcome, about = :about WHERE sequence = :sequence');
const chosen = `(:staff::text IS NULL OR staff = :staff)
   AND (:text::text IS NULL OR strpos(lower(does || ' ' || coalesce(about, '')), lower(:text)) > 0)
   AND (:from::bigint IS NULL OR at >= :from) AND (:to::bigint IS NULL OR at < :to)`;
const list = statement(
  `SELECT * FROM audit WHERE ${chosen} ORDER BY sequence DESC LIMIT :limit OFFSET :offset`,
);
const numbers = statement(
  `SELECT sequence FROM audit WHERE ${chosen} ORDER BY sequence DESC LIMIT :limit OFFSET :offset`,
);
const numbered = statement(
  'SELECT * FROM audit WHERE sequence = ANY (:numbers::bigint[]) ORDER BY sequence DESC',
);
const count = statement(`SELECT count(*) AS count FROM audit WHERE ${chosen}`);
// Two nodes that see the first of a kind at once: the second waits here for what the first writes.
const beginKind = statement(
  `INSERT INTO failed_sign_in AS f (kind, started_at, lines, count) VALUES (:kind, :now, 0, 0)
   ON CONFLICT (kind) DO UPDATE SET lines = f.lines RETURNING started_at, lines, count, sequence`,
);
const countFailures = statement(
  'UPDATE failed_sign_in SET started_at = :startedAt, lines = :lines, count = :count, sequence = :sequence WHERE kind = :kind',
);
const remember = statement(
  `INSERT INTO recent_task (staff, task, name, at) VALUES (:staff, :task, :name, :at)
   ON CONFLICT (staff, task) DO UPDATE SET name = :name, at = :at`,
);
const forget = statement(
  `DELETE FROM recent_task WHERE staff = :staff AND task NOT IN
     (SELECT task FROM recent_task WHERE staff = :staff ORDER BY at DESC, sequence DESC LIMIT ${mostRecent})`,
);
const recent = statement(
  'SELECT task, name, at FROM recent_task WHERE staff = :staff ORDER BY at DESC, sequence DESC',
);
const claim = statement('INSERT INTO form (nonce, at) VALUES (:nonce, :at) ON CONFLICT DO NOTHING');
const formOf = statement('SELECT result FROM form WHERE nonce = :nonce');
const finish = statement('UPDATE form SET result = :result WHERE nonce = :nonce');
const release = statement('DELETE FROM form WHERE nonce = :nonce AND result IS NULL');
const overAudit = deleteSome('audit', 'at');
const overTasks = deleteSome('recent_task', 'at');
const overForms = deleteSome('form', 'at');
const overFailures = deleteSome('failed_sign_in', 'started_at');

/** Audit log, recently used tasks and sent forms. `auditMs`: milliseconds for which a line is kept. */
export function openStaffLog({
  database,
  auditMs,
  clock = database.clock,
}: {
  database: Database;
  auditMs: number;
  clock?: Clock;
}): StaffLog {
  async function write(queries: Queries, entry: AuditEntry): Promise<number> {
    const row = await queries.get(insert, entryValues(entry));
    return Number(row?.['sequence']);
  }

  return {
    begin: (entry) => write(database, entry),
    async settle(sequence, { outcome, about }) {
      await database.run(settle, { sequence, outcome, about: about ?? null });
    },
    async list({ limit, offset = 0, ...filter }) {
      return (await database.all(list, { ...filterValues(filter), limit, offset })).map(readEntry);
    },
    async *parts({ limit, offset = 0, ...filter }) {
      const rows = await database.all(numbers, { ...filterValues(filter), limit, offset });
      const found = rows.map(({ sequence }) => Number(sequence));
      for (let at = 0; at < found.length; at += mostInPart) {
        const part = await database.all(numbered, { numbers: found.slice(at, at + mostInPart) });
        yield part.map(readEntry);
      }
    },
    count: async (filter) => Number((await database.get(count, filterValues(filter)))?.['count'] ?? 0),
    addFailedSignIn(failed, times) {
      const { kind } = failed;
      return database.together(async (queries) => {
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
      return (await database.all(recent, { staff })).map(readRecentTask);
    },
    async rememberTask(staff, { id, name }) {
      await database.run(remember, { staff, task: id, name, at: clock.now() });
      await database.run(forget, { staff });
    },
    claimForm: async (nonce) => (await database.run(claim, { nonce, at: clock.now() })) === 1,
    async formResult(nonce) {
      const result = (await database.get(formOf, { nonce }))?.['result'];
      return typeof result === 'string' ? result : undefined;
    },
    async finishForm(nonce, result) {
      await database.run(finish, { nonce, result });
    },
    async releaseForm(nonce) {
      await database.run(release, { nonce });
    },
    async sweep() {
      const now = clock.now();
      const audit = await database.run(overAudit, { before: now - auditMs });
      const tasks = await database.run(overTasks, { before: now - auditMs });
      const failures = await database.run(overFailures, { before: now - failedSignInLimits.withinMs });
      return audit + tasks + failures + (await database.run(overForms, { before: now - formLifeMs }));
    },
    ...upkeep(database),
  };
}
