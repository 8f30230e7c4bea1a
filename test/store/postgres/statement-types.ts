import type { Prepared } from '../../../src/store/sql.ts';
import type { TestDatabase } from '../../kit/postgres.ts';

/** The names of values that PostgreSQL takes for numbers of 32 bits: no time in milliseconds fits. */
export async function smallNumbers(database: TestDatabase, asked: Iterable<Prepared>) {
  const names = new Set<string>();
  for (const { name, text, values } of asked) {
    if (values.length === 0) continue;
    const [row] = await database.query(
      `PREPARE "${name}" AS ${text};
       SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = '${name}'`,
    );
    const types = row?.['types'];
    if (!Array.isArray(types)) throw new Error(`not prepared: ${text}`);
    for (const [index, type] of types.entries())
      if (type === 'integer' || type === 'smallint') names.add(values[index] ?? '');
  }
  return [...names].sort();
}

/**
 * Whether a SELECT that takes some rows and skips locked ones is at the top level, or within a part that
 * PostgreSQL promises to run once: no plan may run it again for each other row.
 */
export function isTakenOnce(text: string): boolean {
  return [...text.matchAll(/\bLIMIT\b[^()]*\bFOR UPDATE\b/g)].every(({ index }) => {
    const around: string[] = [];
    let depth = 0;
    for (let at = index; at >= 0; at -= 1) {
      if (text[at] === ')') depth += 1;
      if (text[at] === '(' && depth-- === 0) {
        around.push(text.slice(0, at));
        depth = 0;
      }
    }
    return around.length === 0 || around.some((before) => /(MATERIALIZED|ARRAY) ?$/.test(before));
  });
}
