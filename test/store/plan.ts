import { DatabaseSync } from 'node:sqlite';
import type { Prepared } from '../../src/store/sql.ts';
import type { TestDatabase } from '../kit/postgres.ts';

/**
 * The steps by which SQLite finds the rows of a statement, over these tables. A step that begins with INNER
 * reads a given list again for each row of the step before it.
 */
export function plansInFile(layout: readonly string[]): (text: string) => readonly string[] {
  const database = new DatabaseSync(':memory:');
  for (const part of layout) database.exec(part);
  return (text) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ parent, detail }, index, steps) => {
        const isInner = steps
          .slice(0, index)
          .some((step) => step['parent'] === parent && isLoop(step['detail']));
        return isInner && isOverList(detail) ? `INNER ${detail}` : String(detail);
      });
}

const isLoop = (detail: unknown) => /^(SEARCH|SCAN) /.test(String(detail));
const isOverList = (detail: unknown) => /^SCAN json_each /.test(String(detail));

/** The plan of a statement for any values: a plan for these values would prove less. */
export async function planInPostgres(
  database: TestDatabase,
  { name, text, values }: Prepared,
): Promise<string> {
  const given = values.length === 0 ? '' : `(${values.map(() => 'NULL').join(', ')})`;
  const plan = await database.query(
    `SET plan_cache_mode = force_generic_plan; PREPARE "${name}" AS ${text}; EXPLAIN EXECUTE "${name}"${given}`,
  );
  return plan.map((row) => String(row['QUERY PLAN'])).join('\n');
}

/** Every index that is no key, in order. */
export async function indexesInPostgres(database: TestDatabase): Promise<readonly string[]> {
  const found = await database.query(
    `SELECT i.relname AS name FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
     WHERE i.relnamespace = 'public'::regnamespace AND NOT x.indisunique`,
  );
  return found.map(({ name }) => String(name)).toSorted();
}
