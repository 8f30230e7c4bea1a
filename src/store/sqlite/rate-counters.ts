import type { Clock } from '../../ports/clock.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { RateCounters } from '../../ports/rate-counters.ts';
import { rateId, rateOf, rateWindow } from '../rate-window.ts';
import { bite, openDatabase, upkeep } from './database.ts';

const migrations = [
  `CREATE TABLE tally (id TEXT PRIMARY KEY, count INTEGER NOT NULL, ends_at INTEGER NOT NULL) STRICT;
   CREATE INDEX tally_end ON tally (ends_at)`,
];

/**
 * What was done how often, in one SQLite file, by keyed hashes: after a restart, and on another process of this
 * machine, it goes on where it was. A new secret begins anew.
 */
export function openRateCounters({
  file,
  hash,
  clock,
}: {
  file: string;
  hash: KeyedHash;
  clock: Clock;
}): RateCounters {
  const database = openDatabase(file, migrations);
  // A clock that was set back must not make a while of days.
  const isOver = '(ends_at <= :now OR ends_at > :latest)';
  const find = database.prepare('SELECT count, ends_at FROM tally WHERE id = :id');
  // Where it is one too many nothing is written: a flood costs no more than looking.
  const count = database.prepare(
    `INSERT INTO tally (id, count, ends_at) VALUES (:id, 1, :endsAt)
     ON CONFLICT (id) DO UPDATE SET
       count = CASE WHEN ${isOver} THEN 1 ELSE count + 1 END,
       ends_at = CASE WHEN ${isOver} THEN :endsAt ELSE ends_at END
     WHERE ${isOver} OR count < :most
     RETURNING count, ends_at`,
  );
  const giveBack = database.prepare(
    'UPDATE tally SET count = count - 1 WHERE id = :id AND ends_at = :endsAt AND count > 0',
  );
  const sweep = database.prepare(
    `DELETE FROM tally WHERE id IN (SELECT id FROM tally WHERE ends_at <= :now ORDER BY ends_at LIMIT ${bite})`,
  );
  return {
    async count(use, key, { most, withinMs }) {
      const now = clock.now();
      const id = rateId(hash, use, key);
      return database.together(() => {
        const row = count.get({ id, most, ...rateWindow(now, withinMs) });
        if (row !== undefined)
          return { kind: 'counted', count: Number(row['count']), endsAt: Number(row['ends_at']) };
        return { kind: 'full', waitMs: Math.max(1, Number(find.get({ id })?.['ends_at']) - now) };
      });
    },
    async giveBack(use, key, { endsAt }) {
      giveBack.run({ id: rateId(hash, use, key), endsAt });
    },
    async look(use, key, withinMs) {
      return rateOf(find.get({ id: rateId(hash, use, key) }), clock.now(), withinMs);
    },
    sweep: async () => sweep.run({ now: clock.now() }),
    ...upkeep(database),
  };
}
