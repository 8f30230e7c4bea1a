import { postgresDialect } from '../drivers/postgres/dialect.ts';

export { batchRows as bite } from '../sql.ts';
export { upkeep } from '../upkeep.ts';
export const { deleteSome } = postgresDialect;
