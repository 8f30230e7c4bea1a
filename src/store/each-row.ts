import { endTurn } from '../turn.ts';
import type { Queries, Statement, Values } from './sql.ts';

/** Milliseconds of work on rows after which the turn of the event loop ends, so that other requests run. */
const longMs = 10;

/**
 * All rows of a statement, read `limit` at a time: rows may be long, and a statement has a deadline. `next`
 * gives the values with which the statement continues after a row.
 */
export async function* eachRow<Row>(
  queries: Queries,
  statement: Statement<Row>,
  [first, next]: readonly [Values & { readonly limit: number }, (last: Row) => Values],
): AsyncGenerator<Row> {
  let begun = performance.now();
  for (let values: Values = first; ; ) {
    const rows = await queries.all(statement, values);
    for (const row of rows) {
      yield row;
      if (performance.now() - begun < longMs) continue;
      await endTurn();
      begun = performance.now();
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < first.limit) return;
    values = { ...values, ...next(last) };
  }
}

/** The last argument of `eachRow` for a statement that reads sequences above `:after`. */
export const bySequence = (limit: number, more: Values = {}) =>
  [
    { ...more, after: 0, limit },
    ({ sequence }: { readonly sequence: number }) => ({ after: sequence }),
  ] as const;
