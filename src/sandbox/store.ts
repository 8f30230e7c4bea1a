import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isObject, type JsonObject, parseJson } from './json.ts';

export type Collection =
  | 'purposes'
  | 'purpose-drafts'
  | 'former-purposes'
  | 'preferences'
  | 'receipts'
  | 'tasks'
  | 'files';

/** The sandbox's storage: one SQLite file. */
export interface Store {
  /** Key that signs tokens; stored, so that tokens stay valid after a restart. */
  readonly tokenKey: Buffer;
  findSubject(center: string, identifier: string): string | undefined;
  saveSubject(center: string, identifier: string, record: string): void;
  /** A person's records in all centers, by folded center id. */
  recordsOf(identifier: string): ReadonlyMap<string, string>;
  /** Identifiers of all people on record, sorted. */
  identifiers(): string[];
  /** Adds a record unless one exists; returns true when added. */
  addSubject(center: string, identifier: string, record: string): boolean;
  find(collection: Collection, id: string): JsonObject | undefined;
  save(collection: Collection, id: string, body: JsonObject): void;
  /** Adds a resource unless one exists. */
  add(collection: Collection, id: string, body: JsonObject): void;
  remove(collection: Collection, id: string): void;
  all(collection: Collection): JsonObject[];
  together<T>(work: () => T): T;
  close(): void;
}

const TABLES = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA temp_store = MEMORY;
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS subjects (
    center TEXT NOT NULL, identifier TEXT NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (center, identifier)
  );
  CREATE INDEX IF NOT EXISTS subjects_by_identifier ON subjects (identifier);
  CREATE TABLE IF NOT EXISTS resources (
    shelf TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (shelf, id)
  );
`;

export function openStore(dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'sandbox.sqlite');
  // Only the owner may read it, under any umask; SQLite gives its files beside it the same rights.
  if (!existsSync(file)) {
    closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
  }
  const db = new DatabaseSync(file, { timeout: 5000 });
  db.exec(TABLES);
  const findSubject = db.prepare('SELECT record FROM subjects WHERE center = ? AND identifier = ?');
  const recordsOf = db.prepare('SELECT center, record FROM subjects WHERE identifier = ? ORDER BY center');
  const identifiers = db.prepare('SELECT DISTINCT identifier FROM subjects ORDER BY identifier');
  const saveSubject = db.prepare('INSERT OR REPLACE INTO subjects VALUES (?, ?, ?)');
  const addSubject = db.prepare('INSERT OR IGNORE INTO subjects VALUES (?, ?, ?)');
  const find = db.prepare('SELECT body FROM resources WHERE shelf = ? AND id = ?');
  const save = db.prepare('INSERT OR REPLACE INTO resources VALUES (?, ?, ?)');
  const add = db.prepare('INSERT OR IGNORE INTO resources VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM resources WHERE shelf = ? AND id = ?');
  const all = db.prepare('SELECT body FROM resources WHERE shelf = ? ORDER BY id');

  function bodyOf(row: Record<string, unknown> | undefined): JsonObject | undefined {
    const body = row?.['body'];
    const value = typeof body === 'string' ? parseJson(body) : undefined;
    return isObject(value) ? value : undefined;
  }

  return {
    tokenKey: tokenKey(db),
    findSubject(center, identifier) {
      const record = findSubject.get(center, identifier)?.['record'];
      return typeof record === 'string' ? record : undefined;
    },
    recordsOf: (identifier) =>
      new Map(recordsOf.all(identifier).map(({ center, record }) => [String(center), String(record)])),
    identifiers: () => identifiers.all().map(({ identifier }) => String(identifier)),
    saveSubject: (center, identifier, record) => void saveSubject.run(center, identifier, record),
    addSubject: (center, identifier, record) => addSubject.run(center, identifier, record).changes > 0,
    find: (collection, id) => bodyOf(find.get(collection, id)),
    save: (collection, id, body) => void save.run(collection, id, JSON.stringify(body)),
    add: (collection, id, body) => void add.run(collection, id, JSON.stringify(body)),
    remove: (collection, id) => void remove.run(collection, id),
    all: (collection) =>
      all
        .all(collection)
        .map(bodyOf)
        .filter((body) => body !== undefined),
    together(work) {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        db.exec('COMMIT');
        return result;
      } catch (fault) {
        db.exec('ROLLBACK');
        throw fault;
      }
    },
    close: () => db.close(),
  };
}

function tokenKey(db: DatabaseSync): Buffer {
  db.prepare('INSERT OR IGNORE INTO settings VALUES (?, ?)').run('token-key', randomBytes(32));
  const value = db.prepare('SELECT value FROM settings WHERE name = ?').get('token-key')?.['value'];
  if (!(value instanceof Uint8Array)) throw new Error('sandbox.sqlite holds no token key');
  return Buffer.from(value);
}
