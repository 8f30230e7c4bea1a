import type { EventRoutes } from '../../ports/event-routes.ts';
import type { Events } from '../../ports/events.ts';
import type { Journal } from '../../ports/journal.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Random } from '../../ports/random.ts';
import type { Seal } from '../../ports/seal.ts';
import type { Layout } from '../drivers/layout.ts';
import { type DatabaseOptions, openDatabase } from '../drivers/postgres/database.ts';
import { postgresDialect } from '../drivers/postgres/dialect.ts';
import { quotaTables, sessionTables, staffTables } from '../schema.ts';
import type { Sql } from '../sql.ts';
import { openEvents } from './events.ts';
import { openJournal } from './journal.ts';
import { journalSchema } from './schema.ts';

export interface SharedStoresOptions extends Omit<DatabaseOptions, 'layout'> {
  readonly seal: Seal & KeyedHash;
  readonly random: Random;
  readonly routes: EventRoutes;
}

/** The database of all nodes, and the stores that have an adapter of their own. */
export interface SharedStores {
  readonly sql: Sql;
  readonly journal: Journal;
  readonly events: Events;
  close(): Promise<void>;
}

/** Everything in one database. */
export const postgresLayout: Layout = [
  ...journalSchema,
  ...sessionTables(postgresDialect),
  ...staffTables(postgresDialect),
  ...quotaTables(postgresDialect),
];

export async function openSharedStores(options: SharedStoresOptions): Promise<SharedStores> {
  const { seal, random, routes } = options;
  const database = await openDatabase({ ...options, layout: postgresLayout });
  try {
    const journal = await openJournal({ database, seal, random, routes });
    return {
      sql: database,
      journal,
      events: await openEvents({ database, seal }),
      async close() {
        await journal.close();
        await database.close();
      },
    };
  } catch (fault) {
    await database.close();
    throw fault;
  }
}
