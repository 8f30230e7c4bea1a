import type { Clock } from '../../ports/clock.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { QuotaStore } from '../../ports/quota-store.ts';
import { longestTurnMs, quotaSql } from '../quota-sql.ts';
import { rateId } from '../rate-window.ts';
import { bite, openDatabase, upkeep } from './database.ts';

const migrations = [
  `CREATE TABLE quota (
     one INTEGER PRIMARY KEY CHECK (one = 1),
     text TEXT NOT NULL,
     version INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE quota_turn (
     id TEXT PRIMARY KEY,
     number INTEGER NOT NULL,
     ends_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX quota_turn_end ON quota_turn (ends_at)`,
];

/** The platform's quota, shared by the processes of one data folder. */
export function openQuotaStore({
  file,
  hash,
  clock,
}: {
  file: string;
  hash: KeyedHash;
  clock: Clock;
}): QuotaStore {
  const database = openDatabase(file, migrations);
  // A call waits for each write. What a loss of power takes with it is a minute's counts.
  database.prepare('PRAGMA synchronous = NORMAL').get();
  const find = database.prepare(quotaSql.find);
  const keep = database.prepare(quotaSql.keep);
  const findTurn = database.prepare(quotaSql.findTurn);
  const keepTurn = database.prepare(quotaSql.keepTurn);
  const dropTurn = database.prepare(quotaSql.dropTurn);
  const sweep = database.prepare(
    `DELETE FROM quota_turn WHERE id IN (SELECT id FROM quota_turn WHERE ends_at <= :now ORDER BY ends_at LIMIT ${bite})`,
  );
  const idOf = (key: string) => rateId(hash, 'turn', key);
  return {
    async read() {
      const row = find.get();
      return row && { text: String(row['text']), version: Number(row['version']) };
    },
    async keep(text, after) {
      const row = keep.get({ text, after });
      return { text: String(row?.['text']), version: Number(row?.['version']) };
    },
    async findTurn(key) {
      const now = clock.now();
      const row = findTurn.get({ id: idOf(key), now, latest: now + longestTurnMs });
      return row && Number(row['number']);
    },
    async keepTurn(key, { number, lifeMs }) {
      keepTurn.run({ id: idOf(key), number, endsAt: clock.now() + Math.min(lifeMs, longestTurnMs) });
    },
    async dropTurn(key) {
      dropTurn.run({ id: idOf(key) });
    },
    sweep: async () => sweep.run({ now: clock.now() }),
    ...upkeep(database),
  };
}
