import type { Clock } from '../../ports/clock.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { ReplayGuard } from '../../ports/replay-guard.ts';
import { bite, openDatabase } from './database.ts';

const migrations = [
  `CREATE TABLE spent (id TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT;
   CREATE INDEX spent_until ON spent (until)`,
];

export interface ReplayGuardStore extends ReplayGuard {
  /** Deletes some of what no longer has to be remembered; 0 when there is no more. */
  sweep(): number;
  emptyLog(): void;
  close(): void;
}

/** What was used once, in one SQLite file, as keyed hashes. */
export function openReplayGuard({
  file,
  hash,
  clock,
}: {
  file: string;
  hash: KeyedHash;
  clock: Clock;
}): ReplayGuardStore {
  const database = openDatabase(file, migrations);
  const find = database.prepare('SELECT 1 FROM spent WHERE id IN (SELECT value FROM json_each(:ids))');
  const insert = database.prepare('INSERT OR IGNORE INTO spent (id, until) VALUES (:id, :until)');
  const sweep = database.prepare(
    `DELETE FROM spent WHERE id IN (SELECT id FROM spent WHERE until < :now ORDER BY until LIMIT ${bite})`,
  );
  return {
    spend(use, id, until) {
      const [newest = '', ...others] = hash.hashes('spent', `${use} ${id}`);
      return database.together(() => {
        if (others.length > 0 && find.get({ ids: JSON.stringify(others) }) !== undefined) return false;
        return insert.run({ id: newest, until }) === 1;
      });
    },
    isUsed(use, id) {
      const ids = JSON.stringify(hash.hashes('spent', `${use} ${id}`));
      return find.get({ ids }) !== undefined;
    },
    sweep: () => sweep.run({ now: clock.now() }),
    emptyLog: database.emptyLog,
    close: () => database.close(),
  };
}
