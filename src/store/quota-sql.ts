/** Of both adapters. Bounded by `:latest`, for a clock that was set back must not make a turn of days. */
export const quotaSql = {
  find: 'SELECT text, version FROM quota',
  keep: `INSERT INTO quota AS q (one, text, version) VALUES (1, :text, 1)
    ON CONFLICT (one) DO UPDATE SET
      text = CASE WHEN q.version = :after THEN excluded.text ELSE q.text END,
      version = CASE WHEN q.version = :after THEN q.version + 1 ELSE q.version END
    RETURNING text, version`,
  findTurn: 'SELECT number FROM quota_turn WHERE id = :id AND ends_at > :now AND ends_at <= :latest',
  keepTurn: `INSERT INTO quota_turn (id, number, ends_at) VALUES (:id, :number, :endsAt)
    ON CONFLICT (id) DO UPDATE SET number = excluded.number, ends_at = excluded.ends_at`,
  dropTurn: 'DELETE FROM quota_turn WHERE id = :id',
} as const;

/** A turn that ends later than in a day was kept before the clock was set back. Milliseconds. */
export const longestTurnMs = 24 * 3_600_000;
