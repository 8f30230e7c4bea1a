import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { PublicKey } from '../../core/model/record-copy.ts';
import type { RecordKeys } from '../../ports/record-keys.ts';
import { makeOwnFile } from '../data-folder.ts';
import { openDatabase } from './database.ts';

const migrations = [
  'CREATE TABLE record_key (number INTEGER PRIMARY KEY, kid TEXT NOT NULL UNIQUE, jwk TEXT NOT NULL) STRICT',
];

/**
 * The public keys of signed records in one SQLite file. Versions before kept them in `list` (JSON) alone: what stands
 * there is taken over, and all are written there too, for as long as such a version may run beside this one.
 */
export function openRecordKeys({ file, list }: { file: string; list: string }): RecordKeys {
  const database = openDatabase(file, migrations);
  const insert = database.prepare('INSERT OR IGNORE INTO record_key (kid, jwk) VALUES (:kid, :jwk)');
  const select = database.prepare('SELECT jwk FROM record_key ORDER BY number');
  const all = (): readonly PublicKey[] => select.all().map(({ jwk }) => JSON.parse(String(jwk)));
  return {
    async publish(keys) {
      database.together(() => {
        const listed: readonly PublicKey[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
        for (const key of [...listed, ...keys]) insert.run({ kid: key.kid, jwk: JSON.stringify(key) });
        if (all().length > listed.length) write(list, all());
      });
    },
    all: async () => all(),
    close: async () => database.close(),
  };
}

function write(list: string, keys: readonly PublicKey[]): void {
  rmSync(`${list}.new`, { force: true });
  makeOwnFile(`${list}.new`);
  writeFileSync(`${list}.new`, `${JSON.stringify(keys, undefined, 2)}\n`);
  renameSync(`${list}.new`, list);
}
