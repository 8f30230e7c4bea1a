import type { Maintained } from '../../ports/maintained.ts';
import type { Database } from './database.ts';
import { type Statement, statement } from './statement.ts';

/** So many rows at most a store deletes at a time: what others do waits for none of it. */
export const bite = 100;

const answers = statement('SELECT 1');

/** Of all stores alike: the database is closed by who opened it, and overwrites by itself what was deleted. */
export function upkeep(database: Database): Omit<Maintained, 'sweep'> {
  return {
    async emptyLog() {},
    async check() {
      await database.get(answers);
    },
    async close() {},
  };
}

/** Deletes some rows of `table` whose `column` is less than `:before`; others that do the same take other rows. */
export function deleteSome(table: string, column: string, only?: string): Statement {
  return deletion(table, column, { only, limit: String(bite) });
}

/** The same, of `:limit` rows. */
export function deleteBatch(table: string, column: string, only?: string): Statement {
  return deletion(table, column, { only, limit: ':limit' });
}

function deletion(
  table: string,
  column: string,
  { only = 'true', limit }: { readonly only: string | undefined; readonly limit: string },
): Statement {
  return statement(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${table} WHERE ${column} < :before AND ${only} ORDER BY ${column} LIMIT ${limit}
       FOR UPDATE SKIP LOCKED))`,
  );
}
