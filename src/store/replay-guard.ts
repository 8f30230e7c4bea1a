import type { ReplayGuard } from '../ports/replay-guard.ts';
import { isIn } from './dialect.ts';
import { deleteSome, reading, type StoreParts, writing } from './sql.ts';

const find = reading`SELECT 1 FROM used_token WHERE ${isIn('id', 'ids')}`;
const spend = writing`
  INSERT INTO used_token (id, until) SELECT :id, :until WHERE NOT EXISTS (SELECT 1 FROM used_token
    WHERE ${isIn('id', 'ids')})
  ON CONFLICT DO NOTHING`;
const sweep = deleteSome('used_token', 'until');

/** Keeps used tokens under keyed hashes. */
export function openReplayGuard({ sql, seal }: StoreParts): ReplayGuard {
  const idsOf = (use: string, id: string) => seal.hashes('used-token', `${use} ${id}`);
  return {
    async spend(use, id, until) {
      const ids = idsOf(use, id);
      const [newest = '', ...others] = ids;
      const values = { id: newest, ids: others, until };
      if (others.length === 0) return (await sql.run(spend, values)) === 1;
      // Nodes with different first secrets write different ids, and no unique row keeps them apart: they take
      // turns.
      return sql.transaction(async (queries) => {
        await queries.hold(ids.toSorted().slice(0, 1));
        return (await queries.run(spend, values)) === 1;
      });
    },
    isUsed: async (use, id) => (await sql.get(find, { ids: idsOf(use, id) })) !== undefined,
    sweep: () => sql.run(sweep, { before: sql.clock.now() }),
  };
}
