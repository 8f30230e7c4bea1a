import type { JournalEntry } from '../../core/model/journal-entry.ts';
import type { SubjectId } from '../../core/model/subject.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import { createTurn, endTurn, longBytes } from '../../turn.ts';
import type { Layout } from '../drivers/layout.ts';
import type { Database, Row } from '../drivers/sqlite/file.ts';
import { readEntry, text } from '../journal-entry.ts';
import { hashesOf, isLong, openWork } from '../journal-seal.ts';
import { eventTables } from './event-tables.ts';
import { reportCounters } from './journal-counters.ts';

/**
 * What comes in thousands at once is pending: no index has it that is of what was done, and of two that begin with the
 * same column one is enough.
 */
const fewerIndexes = `
  DROP INDEX submission_due;
  DROP INDEX submission_waiting;
  DROP INDEX submission_withdrawal;
  CREATE INDEX submission_withdrawal ON submission (submitted_at, withdraws)
    WHERE state = 'pending' AND done_at IS NULL;
  DROP INDEX submission_done;
  CREATE INDEX submission_done ON submission (done_at) WHERE payload IS NOT NULL AND done_at IS NOT NULL;
  DROP INDEX submission_recent;
  CREATE INDEX submission_recent ON submission (subject, done_at) WHERE done_at IS NOT NULL`;

export const journalTables: Layout = [
  `CREATE TABLE submission (
     sequence INTEGER PRIMARY KEY AUTOINCREMENT,
     reference TEXT NOT NULL UNIQUE,
     nonce TEXT NOT NULL UNIQUE,
     digest TEXT NOT NULL,
     center TEXT NOT NULL,
     subject TEXT NOT NULL,
     door TEXT NOT NULL,
     state TEXT NOT NULL,
     everything INTEGER NOT NULL,
     withdraws INTEGER NOT NULL,
     gpc INTEGER NOT NULL,
     submitted_at INTEGER NOT NULL,
     due_at INTEGER NOT NULL,
     expires_at INTEGER,
     done_at INTEGER,
     passable INTEGER NOT NULL DEFAULT 0,
     lease_owner TEXT,
     lease_until INTEGER NOT NULL DEFAULT 0,
     undoes TEXT,
     undone_by TEXT,
     receipts TEXT NOT NULL DEFAULT '[]',
     payload TEXT
   ) STRICT;
   CREATE INDEX submission_due ON submission (due_at) WHERE state = 'pending';
   CREATE INDEX submission_open ON submission (subject, center, sequence) WHERE state = 'pending';
   CREATE INDEX submission_subject ON submission (subject, center, sequence);
   CREATE INDEX submission_time ON submission (submitted_at);
   CREATE INDEX submission_done ON submission (done_at) WHERE payload IS NOT NULL;
   CREATE TABLE reason (
     sequence INTEGER PRIMARY KEY,
     center TEXT NOT NULL,
     day INTEGER NOT NULL,
     id TEXT,
     text TEXT NOT NULL
   ) STRICT;
   CREATE INDEX reason_day ON reason (day)`,
  `CREATE INDEX submission_next ON submission (withdraws, due_at, sequence) WHERE state = 'pending';
   CREATE INDEX submission_expiry ON submission (expires_at, sequence)
     WHERE state = 'pending' AND expires_at IS NOT NULL;
   CREATE INDEX submission_waiting ON submission (submitted_at) WHERE state = 'pending';
   CREATE TABLE submission_count (state TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT;
   INSERT INTO submission_count SELECT state, count(*) FROM submission GROUP BY state;
   CREATE TRIGGER submission_made AFTER INSERT ON submission BEGIN
     INSERT INTO submission_count VALUES (new.state, 1) ON CONFLICT (state) DO UPDATE SET count = count + 1;
   END;
   CREATE TRIGGER submission_moved AFTER UPDATE OF state ON submission WHEN old.state <> new.state BEGIN
     UPDATE submission_count SET count = count - 1 WHERE state = old.state;
     INSERT INTO submission_count VALUES (new.state, 1) ON CONFLICT (state) DO UPDATE SET count = count + 1;
   END`,
  `CREATE TABLE platform (one INTEGER PRIMARY KEY CHECK (one = 1), address TEXT NOT NULL) STRICT`,
  `ALTER TABLE submission ADD COLUMN evidence TEXT;
   CREATE INDEX submission_over ON submission (done_at) WHERE done_at IS NOT NULL;
   CREATE TRIGGER submission_gone AFTER DELETE ON submission BEGIN
     UPDATE submission_count SET count = count - 1 WHERE state = old.state;
   END`,
  `ALTER TABLE submission ADD COLUMN repeats TEXT;
   CREATE TABLE click (subject TEXT PRIMARY KEY, count INTEGER NOT NULL, ends_at INTEGER NOT NULL) STRICT;
   CREATE INDEX click_end ON click (ends_at)`,
  'CREATE INDEX submission_recent ON submission (subject, done_at)',
  reportCounters,
  eventTables,
  fewerIndexes,
  `ALTER TABLE submission ADD COLUMN said_again_at INTEGER;
   CREATE INDEX submission_said_again ON submission (subject, said_again_at) WHERE said_again_at IS NOT NULL`,
  'CREATE INDEX submission_leased ON submission (subject, lease_until) WHERE lease_until > 0',
  `CREATE INDEX submission_blocking ON submission (subject, center, sequence)
     WHERE state = 'pending' AND passable = 0`,
  // The bound of one-clicks holds for every submission by which anybody can only withdraw.
  `ALTER TABLE submission ADD COLUMN bounded INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX submission_other ON submission (subject, sequence) WHERE bounded = 0`,
  'CREATE INDEX reason_words ON reason (center, day, sequence) WHERE id IS NULL',
];

/** The rows of a person; `:subjects` is what `subjectsOf` gives. */
export const ownSubjects = 'subject IN (SELECT value FROM json_each(:subjects))';

export function subjectsOf(hash: KeyedHash, subject: SubjectId): string {
  return JSON.stringify(hashesOf(hash, subject));
}

/** All that waits, in its order; read one at a time, as nobody may hold all of it. */
export function* pendingRows({ prepare }: Pick<Database, 'prepare'>): Generator<Row, void, undefined> {
  const numbers = prepare(`SELECT sequence FROM submission WHERE state = 'pending' ORDER BY sequence`).all();
  const whole = prepare('SELECT * FROM submission WHERE sequence = :sequence');
  for (const { sequence } of numbers) {
    const row = whole.get({ sequence: Number(sequence) });
    if (row !== undefined) yield row;
  }
}

export function entryOf(seal: Seal & KeyedHash, row: Row): JournalEntry {
  const work = row['payload'] === null ? undefined : openWork(seal, row);
  return readEntry(seal, row, { channel: text(row, 'door'), work });
}

export interface EntryReader {
  /** Of rows of which there may be many: they are read by themselves. */
  readonly columns: string;
  /** Of a whole row; what comes after one that is long has a turn of its own. */
  one(row: Row): Promise<JournalEntry>;
  /** Of rows of `columns`, as many in one turn as are not long together; without what went meanwhile. */
  all(rows: readonly Row[]): Promise<readonly JournalEntry[]>;
}

export function entryReader({ prepare }: Pick<Database, 'prepare'>, seal: Seal & KeyedHash): EntryReader {
  const whole = prepare('SELECT * FROM submission WHERE sequence = :sequence');
  return {
    columns: 'sequence, coalesce(octet_length(payload), 0) AS bytes',
    async one(row) {
      const entry = entryOf(seal, row);
      if (isLong(row['payload'])) await endTurn();
      return entry;
    },
    async all(rows) {
      const entries: JournalEntry[] = [];
      const turn = createTurn();
      for (const row of rows) {
        if (turn.isLong() || Number(row['bytes']) >= longBytes) await turn.end();
        const found = whole.get({ sequence: Number(row['sequence']) });
        if (found !== undefined) entries.push(entryOf(seal, found));
      }
      if (turn.isLong()) await turn.end();
      return entries;
    },
  };
}
