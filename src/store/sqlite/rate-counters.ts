import type { Clock } from '../../ports/clock.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import { bite, openDatabase } from './database.ts';

const migrations = [
  `CREATE TABLE tally (id TEXT PRIMARY KEY, count INTEGER NOT NULL, ends_at INTEGER NOT NULL) STRICT;
   CREATE INDEX tally_end ON tally (ends_at)`,
];

export interface RateCounterStore {
  /** Counts one more and gives 0; where that is one too many, the milliseconds until there is. */
  count(use: string, key: string, allowed: { readonly most: number; readonly within: number }): number;
  /** What was counted, and the milliseconds until it is forgotten; nothing is written. */
  look(use: string, key: string, within: number): { readonly count: number; readonly left: number };
  /** Deletes some of what is over; 0 when there is no more. */
  sweep(): number;
  emptyLog(): void;
  close(): void;
}

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
}): RateCounterStore {
  const database = openDatabase(file, migrations);
  // A clock that was set back must not make a while of days.
  const isOver = '(ends_at <= :now OR ends_at > :endsAt)';
  const find = database.prepare('SELECT count, ends_at FROM tally WHERE id = :id');
  // Where it is one too many nothing is written: a flood costs no more than looking.
  const count = database.prepare(
    `INSERT INTO tally (id, count, ends_at) VALUES (:id, 1, :endsAt)
     ON CONFLICT (id) DO UPDATE SET
       count = CASE WHEN ${isOver} THEN 1 ELSE count + 1 END,
       ends_at = CASE WHEN ${isOver} THEN :endsAt ELSE ends_at END
     WHERE ${isOver} OR count < :most`,
  );
  const sweep = database.prepare(
    `DELETE FROM tally WHERE id IN (SELECT id FROM tally WHERE ends_at <= :now ORDER BY ends_at LIMIT ${bite})`,
  );
  return {
    count(use, key, { most, within }) {
      const now = clock.now();
      const id = hash.hash('tally', `${use} ${key}`);
      return database.together(() => {
        if (count.run({ id, now, endsAt: now + within, most }) === 1) return 0;
        return Math.max(1, Number(find.get({ id })?.['ends_at']) - now);
      });
    },
    look(use, key, within) {
      const row = find.get({ id: hash.hash('tally', `${use} ${key}`) });
      const left = Number(row?.['ends_at'] ?? 0) - clock.now();
      return left > 0 && left <= within ? { count: Number(row?.['count']), left } : { count: 0, left: 0 };
    },
    sweep: () => sweep.run({ now: clock.now() }),
    emptyLog: database.emptyLog,
    close: () => database.close(),
  };
}
