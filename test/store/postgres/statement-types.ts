import type { Statement } from '../../../src/store/postgres/statement.ts';
import type { TestDatabase } from '../../kit/postgres.ts';

/** The statements that a suite asks, to see what PostgreSQL takes their values for. */
export function collectStatements() {
  const texts = new Map<string, Statement>();
  return {
    note(asked: Statement | string): void {
      if (typeof asked !== 'string') texts.set(asked.name, asked);
    },
    /** The names of values that are taken for numbers of 32 bits: no time in milliseconds fits. */
    async smallNumbers(database: TestDatabase): Promise<readonly string[]> {
      const names = new Set<string>();
      for (const { name, text, values } of texts.values()) {
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
