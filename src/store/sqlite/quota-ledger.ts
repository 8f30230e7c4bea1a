import type { QuotaLedger } from '../../ports/quota-ledger.ts';
import { openDatabase } from '../drivers/sqlite/file.ts';

const migrations = [
  `CREATE TABLE quota (
     one INTEGER PRIMARY KEY CHECK (one = 1),
     text TEXT NOT NULL,
     version INTEGER NOT NULL
   ) STRICT`,
];

/** The platform's quota, shared by the processes of one data folder. */
export function openQuotaLedger({ file }: { file: string }): QuotaLedger {
  const database = openDatabase(file, migrations);
  const find = database.prepare('SELECT text, version FROM quota');
  const first = database.prepare('INSERT OR IGNORE INTO quota VALUES (1, :text, 1)');
  const next = database.prepare(
    'UPDATE quota SET text = :text, version = version + 1 WHERE version = :after',
  );
  return {
    async read() {
      const row = find.get();
      return row && { text: String(row['text']), version: Number(row['version']) };
    },
    async keep(text, after) {
      const rows = after === undefined ? first.run({ text }) : next.run({ text, after });
      return rows === 0 ? undefined : (after ?? 0) + 1;
    },
    close: async () => database.close(),
  };
}
