import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Problem } from '../../core/model/problem.ts';
import type { Maintained } from '../../ports/maintained.ts';
import { makeOwnFile } from '../data-folder.ts';

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
  /**
   * Writes what the -wal holds into the file and empties it, so that what was deleted is nowhere any more. Waits for
   * nobody: while another process reads, it is left for the next time.
   */
  emptyLog(): void;
  close(): void;
}

/** SQL, or what it takes a program to do. */
export type Migration = string | ((database: Pick<Database, 'prepare'>) => void);

/** So many rows at most a store deletes at a time: the process stands still meanwhile. */
export const bite = 100;

/** Milliseconds to wait for a lock that is held elsewhere, during which the whole process stands still. */
const busyTimeoutMs = 1_000;
/** SQLITE_BUSY. */
const busy = 5;

/**
 * Opens a file that survives kill -9 and power loss: WAL, synchronous FULL, deleted content overwritten.
 * `migrations` are applied once each, in order. A lock held elsewhere is waited for one second, and after that in
 * vain only looked at, until it was free once: who holds it may be hung.
 */
export function openDatabase(file: string, migrations: readonly Migration[]): Database {
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
      setPatience();
    };
    const setPatience = () => database.exec(`PRAGMA busy_timeout = ${isHung ? 5 : busyTimeoutMs}`);
    const emptyLog = () =>
      guarded(() => {
        try {
          database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
        } finally {
          setPatience();
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
    const prepare = (sql: string) => statement(database.prepare(sql), noteLock);
    if (together(() => migrate({ database, prepare }, migrations))) emptyLog();
    return {
      prepare,
      together,
      emptyLog,
      close: () => {
        if (database.isOpen) database.close();
      },
    };
  });
}

/** What every store offers, but how it is swept. */
export function upkeep({ prepare, emptyLog, close }: Database): Omit<Maintained, 'sweep'> {
  const answers = prepare('SELECT name FROM sqlite_schema LIMIT 1');
  return {
    emptyLog: async () => emptyLog(),
    check: async () => void answers.get(),
    close: async () => close(),
  };
}

/** True when there was anything to do. */
function migrate(
  { database, prepare }: { database: DatabaseSync; prepare: Database['prepare'] },
  migrations: readonly Migration[],
): boolean {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (version > migrations.length) throw new Error(`the file is of a newer version: ${version}`);
  for (const step of migrations.slice(version)) {
    if (typeof step === 'string') database.exec(step);
    else step({ prepare });
  }
  if (version < migrations.length) database.exec(`PRAGMA user_version = ${migrations.length}`);
  return version < migrations.length;
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
  return cause instanceof Error && 'errcode' in cause && cause.errcode === busy;
}

function guarded<T>(use: () => T): T {
  try {
    return use();
  } catch (fault) {
    if (fault instanceof Problem) throw fault;
    throw new Problem('store-unavailable', { cause: fault });
  }
}
