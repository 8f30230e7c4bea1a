import type { PublicKey } from '../core/model/evidence/record-copy.ts';
import type { RecordKeys } from '../ports/signed-records.ts';
import { reading, type Sql, writing } from './sql.ts';

const publish = writing`INSERT INTO record_key (kid, key) VALUES (:kid, :key) ON CONFLICT DO NOTHING`;
const all = reading<{ readonly key: string }>`SELECT key FROM record_key ORDER BY sequence`;

/** The public keys of signed records, of every node. */
export function openRecordKeys({ sql }: { sql: Sql }): RecordKeys {
  return {
    async publish(keys) {
      await sql.transaction(async (queries) => {
        for (const key of keys) await queries.run(publish, { kid: key.kid, key: JSON.stringify(key) });
      });
    },
    async all() {
      const rows = await sql.all(all);
      return rows.map((row) => JSON.parse(row.key) as PublicKey);
    },
  };
}
