import type { PublicKey } from '../../core/model/record-copy.ts';
import type { RecordKeys } from '../../ports/record-keys.ts';
import type { Database } from './database.ts';
import { statement } from './statement.ts';

const publish = statement(
  'INSERT INTO record_key (kid, key) SELECT * FROM unnest(:kids::text[], :keys::text[]) ON CONFLICT DO NOTHING',
);
const all = statement('SELECT key FROM record_key ORDER BY sequence');

/** The public keys of signed records, of every node. */
export function openRecordKeys({ database }: { database: Database }): RecordKeys {
  return {
    async publish(keys) {
      const kids = keys.map(({ kid }) => kid);
      await database.run(publish, { kids, keys: keys.map((key) => JSON.stringify(key)) });
    },
    async all() {
      const rows = await database.all(all);
      return rows.map((row) => JSON.parse(String(row['key'])) as PublicKey);
    },
    async close() {},
  };
}
