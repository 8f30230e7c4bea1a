import type { QuotaLedger } from '../../ports/quota-ledger.ts';
import type { Database } from '../drivers/postgres/database.ts';
import { statement } from '../sql.ts';

const find = statement('SELECT text, version FROM quota');
const first = statement('INSERT INTO quota VALUES (1, :text, 1) ON CONFLICT DO NOTHING');
const next = statement('UPDATE quota SET text = :text, version = version + 1 WHERE version = :after');

/** The platform's quota, shared by all nodes. Who is not the first reads again: nobody waits for a lock. */
export function openQuotaLedger({ database }: { database: Database }): QuotaLedger {
  return {
    async read() {
      const row = await database.get(find);
      return row && { text: String(row['text']), version: Number(row['version']) };
    },
    async keep(text, after) {
      const rows = await (after === undefined
        ? database.run(first, { text })
        : database.run(next, { text, after }));
      return rows === 0 ? undefined : (after ?? 0) + 1;
    },
    async close() {},
  };
}
