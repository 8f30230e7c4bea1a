import { endTurn } from '../turn.ts';
import type { Queries, Statement, Values } from './sql.ts';

/** Rows that are read at a time. */
const limit = 500;
/** What is done with rows for longer than this ends the turn, so that other requests run. Milliseconds. */
const longMs = 10;

/**
 * All rows of a statement with a `:limit`, some at a time. `next` gives the values by which it goes on behind a row.
 */
export async function* eachRow<Row>(
  queries: Queries,
  statement: Statement<Row>,
  [first, next]: readonly [Values, (last: Row) => Values],
): AsyncGenerator<Row> {
  let begun = performance.now();
  for (let values = first; ; ) {
    const rows = await queries.all(statement, { ...values, limit });
    for (const row of rows) {
      yield row;
      if (performance.now() - begun < longMs) continue;
      await endTurn();
      begun = performance.now();
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    values = { ...values, ...next(last) };
  }
}

/** Where `:after` is a number of a row. */
export const bySequence = [
  { after: 0 },
  ({ sequence }: { readonly sequence: number }) => ({ after: sequence }),
] as const;
