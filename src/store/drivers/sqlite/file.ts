import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Problem } from '../../../core/model/problem.ts';
import { makeOwnFile } from '../../data-folder.ts';
import { digestOf, type Layout, UnknownLayout } from '../layout.ts';

/** Milliseconds to wait for a lock that is held elsewhere, during which the whole process stands still. */
const busyTimeoutMs = 1_000;
/** The same after a lock was waited for in vain: its holder may be hung. */
const hungTimeoutMs = 5;
/** SQLITE_BUSY. */
const busy = 5;
/** SQLITE_NOTADB. */
const noDatabase = 26;

/**
 * The loss that a commit survives: a loss of power (each commit waits for the disk), or only a kill of the
 * process (a loss of power undoes the last commits, each as a whole).
 */
export type Survives = 'power-loss' | 'kill';

/**
 * Opens a file in WAL mode, in which deleted content is overwritten. A new file gets the tables of `layout`;
 * a file of another layout is refused. A lock that another process holds is waited for one second; once that
 * was in vain, it is only looked at, until it was free once.
 */
export function openFile(file: string, layout: Layout, survives: Survives) {
  assertLayout(file, layout);
  const database = guarded(() => {
    if (file !== ':memory:') {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      makeOwnFile(file);
    }
    return new DatabaseSync(file, { timeout: busyTimeoutMs });
  });
  let waitMs = busyTimeoutMs;

  function waitFor(ms: number): void {
    if (ms !== waitMs) database.exec(`PRAGMA busy_timeout = ${ms}`);
    waitMs = ms;
  }

  /** Every fault is `store-unavailable`. */
  const use = <T>(work: (database: DatabaseSync) => T): T =>
    guarded(() => {
      try {
        return work(database);
      } catch (fault) {
        if (hasCode(fault, busy)) waitFor(hungTimeoutMs);
        throw fault;
      }
    });

  /** Begins a transaction with the writer's lock. */
  function begin(): void {
    use(() => database.exec('BEGIN IMMEDIATE'));
    // Readers of a WAL never wait for a lock: only a write shows that it is free.
    use(() => waitFor(busyTimeoutMs));
  }

  /**
   * Writes the content of the -wal into the file and empties it, so that deleted data is gone everywhere.
   * Does not wait: false while another process reads or writes.
   */
  function emptyLog(): boolean {
    const usual = waitMs;
    return use(() => {
      try {
        waitFor(0);
        return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
      } finally {
        waitFor(usual);
      }
    });
  }

  try {
    use(() => {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON');
      database.exec(`PRAGMA synchronous = ${survives === 'kill' ? 'NORMAL' : 'FULL'}`);
      // Savepoints write to a temporary file otherwise, and a container on a read-only root has no folder for
      // one.
      database.exec('PRAGMA temp_store = MEMORY');
      begin();
      const isNew = makeLayout(database, file, layout);
      database.exec('COMMIT');
      if (isNew) emptyLog();
    });
  } catch (fault) {
    database.close();
    throw fault;
  }
  return { use, begin, emptyLog };
}

/** Refuses a file of another layout, and leaves it as it is. */
export function assertLayout(file: string, layout: Layout): void {
  if (!existsSync(file)) return;
  guarded(() => {
    using database = new DatabaseSync(file, { timeout: busyTimeoutMs });
    stateOf(database, file, layout);
  });
}

/** Makes the tables of a new file, and gives true for one. */
function makeLayout(database: DatabaseSync, file: string, layout: Layout): boolean {
  if (stateOf(database, file, layout) === 'made') return false;
  for (const part of layout) database.exec(part);
  database.exec(`PRAGMA user_version = ${numberOf(layout)}`);
  return true;
}

function stateOf(database: DatabaseSync, file: string, layout: Layout): 'new' | 'made' {
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version === numberOf(layout)) return 'made';
    if (version === 0 && database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) return 'new';
  } catch (fault) {
    if (!hasCode(fault, noDatabase)) throw fault;
  }
  throw new UnknownLayout(`DATA_DIR (${basename(file)})`);
}

/** The number of a layout, for `PRAGMA user_version`, which holds 31 bits. */
function numberOf(layout: Layout): number {
  return Number.parseInt(digestOf(layout).slice(0, 8), 16) >>> 1;
}

function hasCode(fault: unknown, code: number): boolean {
  return fault instanceof Error && 'errcode' in fault && fault.errcode === code;
}

function guarded<T>(use: () => T): T {
  try {
    return use();
  } catch (fault) {
    if (fault instanceof Problem || fault instanceof UnknownLayout) throw fault;
    throw new Problem('store-unavailable', { cause: fault });
  }
}
