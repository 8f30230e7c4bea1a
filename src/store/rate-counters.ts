import type { RateCounters } from '../ports/rate-counters.ts';
import { type Columns, deleteSome, reading, type StoreParts, writing } from './sql.ts';

type Period = Columns<'count' | 'endsAt', number>;

/** The clocks of two processes may differ by this. Milliseconds. */
const apartMs = 1_000;

// A period that ends later than `latest` began before a clock was set back, and is over.
const isOver = '(t.ends_at <= :now OR t.ends_at > :latest)';
const find = reading<Period>`SELECT count, ends_at AS "endsAt" FROM rate_counter WHERE id = :id`;
// Writes nothing, and gives no row, if the count is used up.
const count = writing<Period>`INSERT INTO rate_counter AS t (id, count, ends_at) VALUES (:id, 1, :endsAt)
  ON CONFLICT (id) DO UPDATE SET
    count = CASE WHEN ${isOver} THEN 1 ELSE t.count + 1 END,
    ends_at = CASE WHEN ${isOver} THEN :endsAt ELSE t.ends_at END
  WHERE ${isOver} OR t.count < :most
  RETURNING count, ends_at AS "endsAt"`;
const giveBack = writing`
  UPDATE rate_counter SET count = count - 1 WHERE id = :id AND ends_at = :endsAt AND count > 0`;
const over = deleteSome('rate_counter', 'ends_at');

/** Counters under keyed hashes, shared by all processes. A new secret starts them anew. */
export function openRateCounters({ sql, seal }: StoreParts): RateCounters {
  const idOf = (use: string, key: string) => seal.hash('rate-counter', `${use} ${key}`);
  return {
    async count(use, key, { most, withinMs }) {
      const id = idOf(use, key);
      const now = sql.clock.now();
      const endsAt = now + withinMs;
      const row = await sql.get(count, { id, most, now, endsAt, latest: endsAt + apartMs });
      if (row !== undefined) return { kind: 'counted', ...row };
      const full = await sql.get(find, { id });
      return { kind: 'full', waitMs: Math.max(1, (full?.endsAt ?? now) - now) };
    },
    async giveBack(use, key, { endsAt }) {
      await sql.run(giveBack, { id: idOf(use, key), endsAt });
    },
    async look(use, key, withinMs) {
      const { count, endsAt } = (await sql.get(find, { id: idOf(use, key) })) ?? { count: 0, endsAt: 0 };
      const leftMs = endsAt - sql.clock.now();
      const isOn = leftMs > 0 && leftMs <= withinMs + apartMs;
      return isOn ? { count, leftMs: Math.min(leftMs, withinMs) } : { count: 0, leftMs: 0 };
    },
    sweep: () => sql.run(over, { before: sql.clock.now() + 1 }),
  };
}
