import { endTurn } from '../turn.ts';
import type { Queries, Statement, Values } from './sql.ts';

/** What is done with rows for longer than this ends the turn, so that other requests run. Milliseconds. */
const longMs = 10;

/**
 * All rows of a statement, `limit` at a time: a row may be long, and a statement has a deadline. `next` gives the values
 * by which it goes on behind a row.
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

/** Where `:after` is a number of a row. */
export const bySequence = (limit: number, more: Values = {}) =>
  [
    { ...more, after: 0, limit },
    ({ sequence }: { readonly sequence: number }) => ({ after: sequence }),
  ] as const;
