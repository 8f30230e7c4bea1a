import type { Clock } from '../../ports/clock.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { ReplayGuard } from '../../ports/replay-guard.ts';
import type { Database } from './database.ts';
import { deleteSome, upkeep } from './maintained.ts';
import { whileRotating } from './rotating.ts';
import { statement } from './statement.ts';

const find = statement('SELECT 1 FROM spent WHERE id = ANY (:ids)');
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
      const ids = idsOf(use, id);
      const [newest = '', ...others] = ids;
      const values = { id: newest, ids: others, until };
      return whileRotating(database, ids, async (queries) => (await queries.run(spend, values)) === 1);
    },
    isUsed: async (use, id) => (await database.get(find, { ids: idsOf(use, id) })) !== undefined,
    sweep: () => database.run(sweep, { before: clock.now() }),
    ...upkeep(database),
  };
}
