import { deleteRows, postgresDialect } from '../drivers/postgres/dialect.ts';
import type { Statement } from '../sql.ts';

export { batchRows as bite } from '../sql.ts';
export { upkeep } from '../upkeep.ts';
export const { deleteSome } = postgresDialect;

/** Like `deleteSome`, of `:limit` rows. */
export function deleteBatch(table: string, column: string, only?: string): Statement {
  return deleteRows({ table, column, only, limit: ':limit' });
}
