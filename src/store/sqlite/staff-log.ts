import type { AuditEntry } from '../../core/model/audit-entry.ts';
import { failedSignInLimits, failedSignInLine, failedSignInNumber } from '../../core/model/failed-sign-in.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StaffLog } from '../../ports/staff-log.ts';
import { endTurn } from '../../turn.ts';
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
import { bite, type Database, openDatabase, upkeep } from './database.ts';

const migrations = [
  `CREATE TABLE audit (
     sequence INTEGER PRIMARY KEY AUTOINCREMENT,
     at INTEGER NOT NULL,
     staff TEXT,
     name TEXT NOT NULL,
     does TEXT NOT NULL,
     about TEXT,
     outcome TEXT NOT NULL
   ) STRICT;
   CREATE INDEX audit_at ON audit (at);
   CREATE TABLE recent_task (
     staff TEXT NOT NULL,
     task TEXT NOT NULL,
     name TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (staff, task)
   ) STRICT;
   CREATE TABLE form (
     nonce TEXT PRIMARY KEY,
     at INTEGER NOT NULL,
     result TEXT
   ) STRICT`,
  `CREATE INDEX recent_task_at ON recent_task (at);
   CREATE INDEX form_at ON form (at)`,
  `CREATE TABLE failed_sign_in (
     kind TEXT PRIMARY KEY,
     started_at INTEGER NOT NULL,
     lines INTEGER NOT NULL,
     count INTEGER NOT NULL,
     sequence INTEGER
   ) STRICT`,
];

export interface StaffLogOptions {
  readonly file: string;
  readonly clock: Clock;
  /** Milliseconds for which a line is kept. */
  readonly auditMs: number;
}

/** Audit log, recently used tasks and sent forms in one SQLite file. */
export function openStaffLog({ file, clock, auditMs }: StaffLogOptions): StaffLog {
  const database = openDatabase(file, migrations);
  const { prepare, together } = database;
  const insert = prepare(
    `INSERT INTO audit (at, staff, name, does, about, outcome)
     VALUES (:at, :staff, :name, :does, :about, :outcome) RETURNING sequence`,
  );
  const settle = prepare('UPDATE audit SET outcome = :outcome, about = :about WHERE sequence = :sequence');
  const chosen = `(:staff IS NULL OR staff = :staff)
       AND (:text IS NULL OR instr(lower(does || ' ' || ifnull(about, '')), lower(:text)) > 0)
       AND (:from IS NULL OR at >= :from) AND (:to IS NULL OR at < :to)`;
  const list = prepare(
    `SELECT * FROM audit WHERE ${chosen} ORDER BY sequence DESC LIMIT :limit OFFSET :offset`,
  );
  const numbers = prepare(
    `SELECT sequence FROM audit WHERE ${chosen} ORDER BY sequence DESC LIMIT :limit OFFSET :offset`,
  );
  const numbered = prepare(
    'SELECT * FROM audit WHERE sequence IN (SELECT value FROM json_each(:numbers)) ORDER BY sequence DESC',
  );
  const count = prepare(`SELECT count(*) AS count FROM audit WHERE ${chosen}`);
  const remember = prepare(
    `INSERT INTO recent_task (staff, task, name, at) VALUES (:staff, :task, :name, :at)
     ON CONFLICT (staff, task) DO UPDATE SET name = :name, at = :at`,
  );
  const forget = prepare(
    `DELETE FROM recent_task WHERE staff = :staff AND task NOT IN
       (SELECT task FROM recent_task WHERE staff = :staff ORDER BY at DESC, rowid DESC LIMIT :most)`,
  );
  const recent = prepare(
    'SELECT task, name, at FROM recent_task WHERE staff = :staff ORDER BY at DESC, rowid DESC',
  );
  const claim = prepare('INSERT INTO form (nonce, at) VALUES (:nonce, :at) ON CONFLICT DO NOTHING');
  const formOf = prepare('SELECT result FROM form WHERE nonce = :nonce');
  const finish = prepare('UPDATE form SET result = :result WHERE nonce = :nonce');
  const release = prepare('DELETE FROM form WHERE nonce = :nonce AND result IS NULL');
  const overAudit = sweepOf(database, 'audit');
  const overTasks = sweepOf(database, 'recent_task');
  const overForms = sweepOf(database, 'form');
  const failures = prepare('SELECT * FROM failed_sign_in WHERE kind = :kind');
  const countFailures = prepare(
    `INSERT INTO failed_sign_in (kind, started_at, lines, count, sequence)
     VALUES (:kind, :startedAt, :lines, :count, :sequence)
     ON CONFLICT (kind) DO UPDATE SET started_at = :startedAt, lines = :lines, count = :count, sequence = :sequence`,
  );

  const overFailures = prepare('DELETE FROM failed_sign_in WHERE started_at < :before');

  const write = (entry: AuditEntry) => Number(insert.get(entryValues(entry))?.['sequence']);

  return {
    begin: async (entry) => write(entry),
    async settle(sequence, { outcome, about }) {
      settle.run({ sequence, outcome, about: about ?? null });
    },
    async list({ limit, offset = 0, ...filter }) {
      return list.all({ ...filterValues(filter), limit, offset }).map(readEntry);
    },
    async *parts({ limit, offset = 0, ...filter }) {
      const found = numbers.all({ ...filterValues(filter), limit, offset }).map(({ sequence }) => sequence);
      for (let at = 0; at < found.length; at += mostInPart) {
        await endTurn();
        yield numbered.all({ numbers: JSON.stringify(found.slice(at, at + mostInPart)) }).map(readEntry);
      }
    },
    count: async (filter) => Number(count.get(filterValues(filter))?.['count'] ?? 0),
    async addFailedSignIn(failed, times) {
      const now = clock.now();
      return together(() => {
        const hour = readHour(failures.get({ kind: failed.kind }), now);
        const isLine = hour.lines < failedSignInLimits.lines;
        const more = hour.count + times - (isLine ? 1 : 0);
        if (isLine) write(failedSignInLine(failed, now));
        const entry = failedSignInNumber(failed, now, more);
        if (hour.sequence !== null) settle.run({ ...settled(entry), sequence: hour.sequence });
        const sequence = hour.sequence ?? (more > 0 ? write(entry) : null);
        const lines = hour.lines + (isLine ? 1 : 0);
        const { kind } = failed;
        countFailures.run({ kind, startedAt: hour.startedAt, lines, count: more, sequence });
        return { kind: isLine ? 'line' : 'number', until: hour.startedAt + failedSignInLimits.withinMs };
      });
    },
    recentTasks: async (staff) => recent.all({ staff }).map(readRecentTask),
    async rememberTask(staff, { id, name }) {
      together(() => {
        remember.run({ staff, task: id, name, at: clock.now() });
        forget.run({ staff, most: mostRecent });
      });
    },
    claimForm: async (nonce) => claim.run({ nonce, at: clock.now() }) === 1,
    async formResult(nonce) {
      const result = formOf.get({ nonce })?.['result'];
      return typeof result === 'string' ? result : undefined;
    },
    async finishForm(nonce, result) {
      finish.run({ nonce, result });
    },
    async releaseForm(nonce) {
      release.run({ nonce });
    },
    async sweep() {
      const now = clock.now();
      return (
        overAudit.run({ before: now - auditMs }) +
        overTasks.run({ before: now - auditMs }) +
        overForms.run({ before: now - formLifeMs }) +
        overFailures.run({ before: now - failedSignInLimits.withinMs })
      );
    },
    ...upkeep(database),
  };
}

function settled({ outcome, about }: AuditEntry) {
  return { outcome, about: about ?? null };
}

/** Deletes some rows of before `:before`. */
function sweepOf({ prepare }: Database, table: 'audit' | 'recent_task' | 'form') {
  return prepare(
    `DELETE FROM ${table} WHERE rowid IN
       (SELECT rowid FROM ${table} WHERE at < :before ORDER BY at LIMIT ${bite})`,
  );
}
