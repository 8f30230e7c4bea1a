import type { Clock } from '../../ports/clock.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { RateCounters } from '../../ports/rate-counters.ts';
import { rateId, rateOf, rateWindow } from '../rate-window.ts';
import type { Database } from './database.ts';
import { deleteSome, upkeep } from './maintained.ts';
import { statement } from './statement.ts';

const find = statement('SELECT count, ends_at FROM tally WHERE id = :id');
// A clock that was set back must not make a while of days.
const isOver = '(t.ends_at <= :now OR t.ends_at > :latest)';
// Where it is one too many nothing is written.
const count = statement(
  `INSERT INTO tally AS t (id, count, ends_at) VALUES (:id, 1, :endsAt)
   ON CONFLICT (id) DO UPDATE SET
     count = CASE WHEN ${isOver} THEN 1 ELSE t.count + 1 END,
     ends_at = CASE WHEN ${isOver} THEN :endsAt ELSE t.ends_at END
   WHERE ${isOver} OR t.count < :most::bigint
   RETURNING count, ends_at`,
);
const giveBack = statement(
  'UPDATE tally SET count = count - 1 WHERE id = :id AND ends_at = :endsAt AND count > 0',
);
const sweep = deleteSome('tally', 'ends_at');

/** What was done how often, by keyed hashes: the same for every node. A new secret begins anew. */
export function openRateCounters({
  database,
  hash,
  clock = database.clock,
}: {
  database: Database;
  hash: KeyedHash;
  clock?: Clock;
}): RateCounters {
  return {
    async count(use, key, { most, withinMs }) {
      const id = rateId(hash, use, key);
      const now = clock.now();
      const row = await database.get(count, { id, most, ...rateWindow(now, withinMs) });
      if (row !== undefined)
        return { kind: 'counted', count: Number(row['count']), endsAt: Number(row['ends_at']) };
      const full = await database.get(find, { id });
      return { kind: 'full', waitMs: Math.max(1, Number(full?.['ends_at'] ?? now) - now) };
    },
    async giveBack(use, key, { endsAt }) {
      await database.run(giveBack, { id: rateId(hash, use, key), endsAt });
    },
    async look(use, key, withinMs) {
      return rateOf(await database.get(find, { id: rateId(hash, use, key) }), clock.now(), withinMs);
    },
    sweep: () => database.run(sweep, { before: clock.now() + 1 }),
    ...upkeep(database),
  };
}
