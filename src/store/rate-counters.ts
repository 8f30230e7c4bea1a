import type { RateCounters } from '../ports/rate-counters.ts';
import type { KeyedHash } from '../ports/seal.ts';
import { type Dialect, type Row, reading, type StoreParts, writing } from './sql.ts';

/** The clocks of two processes may differ by this. Milliseconds. */
const apartMs = 1_000;

// A window that ends later than `latest` began before a clock was set back, and is over.
const isOver = '(t.ends_at <= :now OR t.ends_at > :latest)';
const find = reading('SELECT count, ends_at FROM rate_counter WHERE id = :id');
// Writes nothing when it is one too many.
const count = writing(
  `INSERT INTO rate_counter AS t (id, count, ends_at) VALUES (:id, 1, :endsAt)
   ON CONFLICT (id) DO UPDATE SET
     count = CASE WHEN ${isOver} THEN 1 ELSE t.count + 1 END,
     ends_at = CASE WHEN ${isOver} THEN :endsAt ELSE t.ends_at END
   WHERE ${isOver} OR t.count < :most
   RETURNING count, ends_at`,
);
const giveBack = writing(
  'UPDATE rate_counter SET count = count - 1 WHERE id = :id AND ends_at = :endsAt AND count > 0',
);
const statements = ({ deleteSome }: Dialect) => ({ sweep: deleteSome('rate_counter', 'ends_at') });

/** Counts under keyed hashes, the same for all processes. A new secret starts anew. */
export function openRateCounters({
  sql,
  hash,
  clock = sql.clock,
}: StoreParts & { readonly hash: KeyedHash }): RateCounters {
  const { sweep } = statements(sql.dialect);
  const idOf = (use: string, key: string) => hash.hash('rate-counter', `${use} ${key}`);
  return {
    async count(use, key, { most, withinMs }) {
      const id = idOf(use, key);
      const now = clock.now();
      const endsAt = now + withinMs;
      const row = await sql.get(count, { id, most, now, endsAt, latest: endsAt + apartMs });
      if (row !== undefined)
        return { kind: 'counted', count: Number(row['count']), endsAt: Number(row['ends_at']) };
      const full = await sql.get(find, { id });
      return { kind: 'full', waitMs: Math.max(1, Number(full?.['ends_at'] ?? now) - now) };
    },
    async giveBack(use, key, { endsAt }) {
      await sql.run(giveBack, { id: idOf(use, key), endsAt });
    },
    async look(use, key, withinMs) {
      return stateOf(await sql.get(find, { id: idOf(use, key) }), clock.now(), withinMs);
    },
    sweep: () => sql.run(sweep, { before: clock.now() + 1 }),
  };
}

function stateOf(row: Row | undefined, now: number, withinMs: number) {
  const leftMs = Number(row?.['ends_at'] ?? 0) - now;
  const isOn = leftMs > 0 && leftMs <= withinMs + apartMs;
  return isOn
    ? { count: Number(row?.['count']), leftMs: Math.min(leftMs, withinMs) }
    : { count: 0, leftMs: 0 };
}
