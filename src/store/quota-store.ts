import type { KeptQuota, QuotaStore } from '../ports/quota-store.ts';
import { type Columns, deleteSome, reading, type StoreParts, writing } from './sql.ts';

/** A turn that ends later than in a day was kept before the clock was set back. Milliseconds. */
const longestTurnMs = 24 * 3_600_000;

const find = reading<KeptQuota>`SELECT text, version FROM quota`;
// A process that is not the first gets the row of the first one.
const keep = writing<KeptQuota>`INSERT INTO quota AS q (one, text, version) VALUES (1, :text, 1)
  ON CONFLICT (one) DO UPDATE SET
    text = CASE WHEN q.version = :after THEN excluded.text ELSE q.text END,
    version = CASE WHEN q.version = :after THEN q.version + 1 ELSE q.version END
  RETURNING text, version`;
const findTurn = reading<Columns<'number', number>>`
  SELECT number FROM quota_turn WHERE id = :id AND ends_at > :now AND ends_at <= :latest`;
const keepTurn = writing`INSERT INTO quota_turn (id, number, ends_at) VALUES (:id, :number, :endsAt)
  ON CONFLICT (id) DO UPDATE SET number = excluded.number, ends_at = excluded.ends_at`;
const over = deleteSome('quota_turn', 'ends_at');
const dropTurn = writing`DELETE FROM quota_turn WHERE id = :id`;

/** The platform's quota, shared by all processes. */
export function openQuotaStore({ sql, seal }: StoreParts): QuotaStore {
  const idOf = (key: string) => seal.hash('rate-counter', `turn ${key}`);
  return {
    read: () => sql.get(find),
    // The statement always gives a row.
    keep: async (text, after) => (await sql.get(keep, { text, after })) as KeptQuota,
    async findTurn(key) {
      const now = sql.clock.now();
      return (await sql.get(findTurn, { id: idOf(key), now, latest: now + longestTurnMs }))?.number;
    },
    async keepTurn(key, { number, lifeMs }) {
      const endsAt = sql.clock.now() + Math.min(lifeMs, longestTurnMs);
      await sql.run(keepTurn, { id: idOf(key), number, endsAt });
    },
    async dropTurn(key) {
      await sql.run(dropTurn, { id: idOf(key) });
    },
    sweep: () => sql.run(over, { before: sql.clock.now() + 1 }),
  };
}
