import type { JournalEntry } from '../../core/model/journal-entry.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import { createTurn, endTurn } from '../../turn.ts';
import type { Database } from '../drivers/postgres/database.ts';
import { readEntry, text } from '../journal-entry.ts';
import { isLong, openSuperseded, openWork } from '../journal-seal.ts';
import { type Row, statement } from '../sql.ts';

/** The rows of a person; `:subjects` are what `hashesOf` gives. */
export const own = 'subject = ANY (:subjects)';

/**
 * The hash under which a person queues: that of what is open, else the one of the first secret. So there is one queue,
 * also while nodes with different first secrets run beside each other.
 */
export const queueing = `coalesce(
  (SELECT o.subject FROM submission o WHERE o.subject = ANY (:subjects) AND o.state = 'pending' LIMIT 1), :subject)`;

const pending = statement(
  `SELECT * FROM submission WHERE state = 'pending' AND sequence > :after ORDER BY sequence LIMIT 200`,
);

/** All that waits, in its order; read a few at a time, as nobody may hold all of it. */
export async function* pendingRows(database: Database): AsyncGenerator<Row, void, undefined> {
  for (let after = 0; ; ) {
    const rows = await database.all(pending, { after });
    if (rows.length === 0) return;
    yield* rows;
    after = Number(rows.at(-1)?.['sequence']);
  }
}

export function entryOf(seal: Seal & KeyedHash, row: Row): JournalEntry {
  return readEntry(seal, row, { channel: text(row, 'channel'), work: workOf(seal, row) });
}

/** What comes after one whose work is long has a turn of its own. */
export async function openInTurn(seal: Seal & KeyedHash, row: Row): Promise<JournalEntry> {
  const entry = entryOf(seal, row);
  if (isLong(row['payload'])) await endTurn();
  return entry;
}

/** As many in one turn as are not long together. */
export async function openInTurns(
  seal: Seal & KeyedHash,
  rows: readonly Row[],
): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  const turn = createTurn();
  for (const row of rows) {
    if (turn.isLong() || isLong(row['payload'])) await turn.end();
    entries.push(entryOf(seal, row));
  }
  if (turn.isLong()) await turn.end();
  return entries;
}

function workOf(seal: Seal & KeyedHash, row: Row) {
  const work = row['payload'] === null ? undefined : openWork(seal, row);
  const later = supersededOf(seal, row);
  if (work === undefined || later.length === 0) return work;
  return { ...work, superseded: [...new Set([...later, ...work.superseded])] };
}

/** What others wrote beside the work, so that nobody has to open it for that. */
export function supersededOf(seal: Seal, row: Row): readonly string[] {
  const { superseded } = row;
  if (!Array.isArray(superseded)) return [];
  return superseded.flatMap((sealed) => openSuperseded(seal, text(row, 'reference'), sealed));
}
