import type { Layout } from '../drivers/layout.ts';
import { postgresDialect } from '../drivers/postgres/dialect.ts';
import { eventTables } from '../event-tables.ts';
import { messageTables } from '../messages.ts';
import { peopleTables } from '../people-schema.ts';
import { erasureTables } from '../person-erasure.ts';
import { hostedLinkTables, quotaTables, sessionTables, staffTables } from '../schema.ts';
import { stuckTaskTables } from '../stuck-tasks.ts';

/** Everything in one database. */
export const postgresLayout: Layout = [
  ...peopleTables(postgresDialect),
  ...eventTables(postgresDialect),
  ...sessionTables(postgresDialect),
  ...staffTables(postgresDialect),
  ...quotaTables(postgresDialect),
  ...hostedLinkTables(postgresDialect),
  ...stuckTaskTables(postgresDialect),
  ...messageTables(postgresDialect),
  ...erasureTables(postgresDialect),
];
