import type { Queries, Transactions } from './sql.ts';

/**
 * `ids` are of one thing under every secret. While secrets are rotated, nodes with different first secrets write it
 * under different ids, and no unique row keeps them apart: they take turns.
 */
export function whileRotating<T>(
  sql: Transactions,
  ids: readonly string[],
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  if (ids.length < 2) return work(sql);
  return sql.transaction(async (queries) => {
    await queries.hold(ids.toSorted().slice(0, 1), 'alone');
    return work(queries);
  });
}
