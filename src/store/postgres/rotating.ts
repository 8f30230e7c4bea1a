import type { Queries, Transactions } from './database.ts';
import { statement } from './statement.ts';

const hold = statement('SELECT pg_advisory_xact_lock(hashtextextended(:id, 0))');

/**
 * `ids`: of one thing, under every secret. While these are rotated, nodes whose first ones differ write of it under
 * different ids, so that no row keeps them apart: one at a time, then.
 */
export function whileRotating<T>(
  database: Transactions,
  ids: readonly string[],
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  if (ids.length < 2) return work(database);
  const [first = ''] = ids.toSorted();
  return database.together(async (queries) => {
    await queries.get(hold, { id: first });
    return work(queries);
  });
}
