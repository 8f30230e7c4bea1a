import type { Clock } from '../../ports/clock.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { ReplayGuard } from '../../ports/replay-guard.ts';
import type { Database } from './database.ts';
import { deleteSome, upkeep } from './maintained.ts';
import { statement } from './statement.ts';

const find = statement('SELECT 1 FROM spent WHERE id = ANY (:ids)');
// Under an earlier secret it was spent before this one was the first: no other process writes that.
const spend = statement(
  `INSERT INTO spent (id, until) SELECT :id, :until WHERE NOT EXISTS (SELECT 1 FROM spent WHERE id = ANY (:ids))
   ON CONFLICT DO NOTHING`,
);
const sweep = deleteSome('spent', 'until');

/** What was used once, as keyed hashes. */
export function openReplayGuard({
  database,
  hash,
  clock = database.clock,
}: {
  database: Database;
  hash: KeyedHash;
  clock?: Clock;
}): ReplayGuard {
  const idsOf = (use: string, id: string) => hash.hashes('spent', `${use} ${id}`);
  return {
    async spend(use, id, until) {
      const [newest = '', ...others] = idsOf(use, id);
      return (await database.run(spend, { id: newest, ids: others, until })) === 1;
    },
    isUsed: async (use, id) => (await database.get(find, { ids: idsOf(use, id) })) !== undefined,
    sweep: () => database.run(sweep, { before: clock.now() }),
    ...upkeep(database),
  };
}
