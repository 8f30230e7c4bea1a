import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Problem } from '../../../core/model/problem.ts';
import { makeOwnFile } from '../../data-folder.ts';
import { digestOf, type Layout, UnknownLayout } from '../layout.ts';

export type Row = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, SQLInputValue>>;

/** A prepared statement. Values go in by name; every fault is `store-unavailable`. */
export interface Statement {
  run(values?: Values): number;
  get(values?: Values): Row | undefined;
  all(values?: Values): readonly Row[];
}

export interface Database {
  prepare(sql: string): Statement;
  /** All or nothing; the writer's lock is taken at the start. */
  together<T>(write: () => T): T;
  isInTransaction(): boolean;
  /**
   * Writes what the -wal holds into the file and empties it, so that what was deleted is nowhere any more. Does not
   * wait: false while another process reads or writes.
   */
  emptyLog(): boolean;
  close(): void;
}

/** Milliseconds to wait for a lock that is held elsewhere, during which the whole process stands still. */
const busyTimeoutMs = 1_000;
/** SQLITE_BUSY. */
const busy = 5;
/** SQLITE_NOTADB. */
const noDatabase = 26;

/**
 * Opens a file that survives kill -9 and power loss: WAL, synchronous FULL, deleted content overwritten. A new file gets
 * the tables of `layout`; a file of another layout is refused. A lock held elsewhere is waited for one second, and after
 * that in vain only looked at, until it was free once: who holds it may be hung.
 */
export function openDatabase(file: string, layout: Layout): Database {
  assertLayout(file, layout);
  let isHung = false;
  return guarded(() => {
    if (file !== ':memory:') {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      makeOwnFile(file);
    }
    const database = new DatabaseSync(file, { timeout: busyTimeoutMs, allowBareNamedParameters: true });
    const noteLock = (hung: boolean) => {
      if (hung === isHung) return;
      isHung = hung;
      setBusyTimeout();
    };
    const setBusyTimeout = () => database.exec(`PRAGMA busy_timeout = ${isHung ? 5 : busyTimeoutMs}`);
    const emptyLog = () =>
      guarded(() => {
        try {
          database.exec('PRAGMA busy_timeout = 0');
          return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
        } finally {
          setBusyTimeout();
        }
      });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
    // Savepoints write to a temporary file otherwise, and a container on a read-only root has no folder for one.
    database.exec('PRAGMA temp_store = MEMORY');
    const together = <T>(write: () => T): T => {
      const result = watched(() => transaction(database, write), noteLock);
      noteLock(false);
      return result;
    };
    const prepare = (sql: string) => guarded(() => statement(database.prepare(sql), noteLock));
    if (together(() => makeLayout(database, file, layout))) emptyLog();
    return {
      prepare,
      together,
      isInTransaction: () => database.isOpen && database.isTransaction,
      emptyLog,
      close: () => {
        if (database.isOpen) database.close();
      },
    };
  });
}

/** Refuses a file of another layout, and leaves it as it is. */
export function assertLayout(file: string, layout: Layout): void {
  if (!existsSync(file)) return;
  guarded(() => {
    const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
    try {
      stateOf(database, file, layout);
    } finally {
      database.close();
    }
  });
}

/** True when the file was new. */
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

/** `PRAGMA user_version` holds 31 bits. */
function numberOf(layout: Layout): number {
  return Number.parseInt(digestOf(layout).slice(0, 8), 16) >>> 1;
}

function transaction<T>(database: DatabaseSync, write: () => T): T {
  return guarded(() => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = write();
      database.exec('COMMIT');
      return result;
    } catch (fault) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw fault;
    }
  });
}

function statement(prepared: StatementSync, noteLock: NoteLock): Statement {
  return {
    run(values = {}) {
      const changes = watched(() => Number(prepared.run(values).changes), noteLock);
      noteLock(false);
      return changes;
    },
    get: (values = {}) => watched(() => prepared.get(values), noteLock),
    all: (values = {}) => watched(() => prepared.all(values), noteLock),
  };
}

type NoteLock = (isHung: boolean) => void;

/** Only what wrote shows that a lock is free; readers of a WAL never wait for one. */
function watched<T>(use: () => T, noteLock: NoteLock): T {
  try {
    return guarded(use);
  } catch (fault) {
    if (fault instanceof Problem && isBusy(fault.cause)) noteLock(true);
    throw fault;
  }
}

function isBusy(cause: unknown): boolean {
  return hasCode(cause, busy);
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
