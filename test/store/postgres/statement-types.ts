import type { Statement } from '../../../src/store/sql.ts';
import type { TestDatabase } from '../../kit/postgres.ts';

/** The statements that a suite asks, to see what PostgreSQL takes their values for. */
export function collectStatements() {
  const texts = new Map<string, Statement>();
  return {
    note(asked: Statement | string): void {
      if (typeof asked !== 'string') texts.set(asked.name, asked);
    },
    all: () => [...texts.values()],
    /** Those that take some rows and pass over what is locked where a plan may do so over and over, for each other row. */
    repeatable(): readonly string[] {
      return [...texts.values()].map(({ text }) => text).filter((text) => !isTakenOnce(text));
    },
    /** The names of values that are taken for numbers of 32 bits: no time in milliseconds fits. */
    async smallNumbers(database: TestDatabase): Promise<readonly string[]> {
      const names = new Set<string>();
      for (const { name, text, values } of texts.values()) {
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
    },
  };
}

/** By itself, or within what PostgreSQL promises to do once. */
function isTakenOnce(text: string): boolean {
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
