import type { Clock } from '../../ports/clock.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { ReplayGuard } from '../../ports/replay-guard.ts';
import { bite, openDatabase, upkeep } from './database.ts';

const migrations = [
  `CREATE TABLE spent (id TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT;
   CREATE INDEX spent_until ON spent (until)`,
];

/** What was used once, in one SQLite file, as keyed hashes. */
export function openReplayGuard({
  file,
  hash,
  clock,
}: {
  file: string;
  hash: KeyedHash;
  clock: Clock;
}): ReplayGuard {
  const database = openDatabase(file, migrations);
  const find = database.prepare('SELECT 1 FROM spent WHERE id IN (SELECT value FROM json_each(:ids))');
  const insert = database.prepare('INSERT OR IGNORE INTO spent (id, until) VALUES (:id, :until)');
  const sweep = database.prepare(
    `DELETE FROM spent WHERE id IN (SELECT id FROM spent WHERE until < :now ORDER BY until LIMIT ${bite})`,
  );
  return {
    async spend(use, id, until) {
      const [newest = '', ...others] = hash.hashes('spent', `${use} ${id}`);
      return database.together(() => {
        if (others.length > 0 && find.get({ ids: JSON.stringify(others) }) !== undefined) return false;
        return insert.run({ id: newest, until }) === 1;
      });
    },
    async isUsed(use, id) {
      const ids = JSON.stringify(hash.hashes('spent', `${use} ${id}`));
      return find.get({ ids }) !== undefined;
    },
    sweep: async () => sweep.run({ now: clock.now() }),
    ...upkeep(database),
  };
}
