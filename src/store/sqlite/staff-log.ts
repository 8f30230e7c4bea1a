import type { AuditEntry } from '../../core/model/audit-entry.ts';
import type { AuditFilter, StaffLog } from '../../ports/staff-log.ts';
import { bite, type Database, openDatabase, type Row } from './database.ts';

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
];

const mostRecent = 20;
/** A form's token is refused long before. Milliseconds. */
const formLife = 7 * 24 * 60 * 60 * 1000;

/** Audit log, recently used tasks and sent forms in one SQLite file. */
export function openStaffLog({ file }: { file: string }): StaffLog {
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
  const isThere = prepare('SELECT 1 FROM audit LIMIT 1');

  return {
    begin({ staff, about, ...entry }) {
      const row = insert.get({ ...entry, staff: staff ?? null, about: about ?? null });
      return Number(row?.['sequence']);
    },
    settle(sequence, { outcome, about }) {
      settle.run({ sequence, outcome, about: about ?? null });
    },
    list({ limit, offset = 0, ...filter }) {
      return list.all({ ...values(filter), limit, offset }).map(readEntry);
    },
    count: (filter) => Number(count.get(values(filter))?.['count'] ?? 0),
    recentTasks(staff) {
      return recent
        .all({ staff })
        .map((row) => ({ id: String(row['task']), name: String(row['name']), at: Number(row['at']) }));
    },
    rememberTask(staff, { id, name, at }) {
      together(() => {
        remember.run({ staff, task: id, name, at });
        forget.run({ staff, most: mostRecent });
      });
    },
    claimForm(nonce, at) {
      return claim.run({ nonce, at }) === 1;
    },
    formResult(nonce) {
      const result = formOf.get({ nonce })?.['result'];
      return typeof result === 'string' ? result : undefined;
    },
    finishForm(nonce, result) {
      finish.run({ nonce, result });
    },
    releaseForm(nonce) {
      release.run({ nonce });
    },
    sweep({ now, auditBefore }) {
      return (
        overAudit.run({ before: auditBefore }) +
        overTasks.run({ before: auditBefore }) +
        overForms.run({ before: now - formLife })
      );
    },
    emptyLog: database.emptyLog,
    check() {
      isThere.get();
    },
    close: () => database.close(),
  };
}

/** Deletes some rows of before `:before`. */
function sweepOf({ prepare }: Database, table: 'audit' | 'recent_task' | 'form') {
  return prepare(
    `DELETE FROM ${table} WHERE rowid IN
       (SELECT rowid FROM ${table} WHERE at < :before ORDER BY at LIMIT ${bite})`,
  );
}

function values({ staff, text, from, to }: Omit<AuditFilter, 'limit' | 'offset'>) {
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
