import type { Clock } from '../../ports/clock.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { QuotaStore } from '../../ports/quota-store.ts';
import { longestTurnMs, quotaSql } from '../quota-sql.ts';
import { rateId } from '../rate-window.ts';
import type { Database } from './database.ts';
import { deleteSome, upkeep } from './maintained.ts';
import { statement } from './statement.ts';

const find = statement(quotaSql.find);
const keep = statement(quotaSql.keep);
const findTurn = statement(quotaSql.findTurn);
const keepTurn = statement(quotaSql.keepTurn);
const dropTurn = statement(quotaSql.dropTurn);
const sweep = deleteSome('quota_turn', 'ends_at');

/** The platform's quota, shared by all nodes. A write that was not the first gives what was: no lock is waited for. */
export function openQuotaStore({
  database,
  hash,
  clock = database.clock,
}: {
  database: Database;
  hash: KeyedHash;
  clock?: Clock;
}): QuotaStore {
  const idOf = (key: string) => rateId(hash, 'turn', key);
  return {
    async read() {
      const row = await database.get(find);
      return row && { text: String(row['text']), version: Number(row['version']) };
    },
    async keep(text, after) {
      const row = await database.get(keep, { text, after });
      return { text: String(row?.['text']), version: Number(row?.['version']) };
    },
    async findTurn(key) {
      const now = clock.now();
      const row = await database.get(findTurn, { id: idOf(key), now, latest: now + longestTurnMs });
      return row && Number(row['number']);
    },
    async keepTurn(key, { number, lifeMs }) {
      const endsAt = clock.now() + Math.min(lifeMs, longestTurnMs);
      await database.run(keepTurn, { id: idOf(key), number, endsAt });
    },
    async dropTurn(key) {
      await database.run(dropTurn, { id: idOf(key) });
    },
    sweep: () => database.run(sweep, { before: clock.now() + 1 }),
    ...upkeep(database),
  };
}
