import { join } from 'node:path';
import type { Layout } from './drivers/layout.ts';
import { postgresDialect } from './drivers/postgres/dialect.ts';
import { sqliteDialect } from './drivers/sqlite/dialect.ts';
import { eventTables } from './event-tables.ts';
import { messageTables } from './messages.ts';
import { peopleTables } from './people-schema.ts';
import { erasureTables } from './person-erasure.ts';
import { hostedLinkTables, quotaTables, sessionTables, staffTables } from './schema.ts';
import { stuckTaskTables } from './stuck-tasks.ts';

const ofPeople = [peopleTables, eventTables];
const rest = [stuckTaskTables, messageTables, erasureTables];

/** The layout of a PostgreSQL database, which holds all tables. */
export const postgresLayout: Layout = [
  ...ofPeople,
  ...[sessionTables, staffTables, quotaTables, hostedLinkTables],
  ...rest,
].flatMap((tables) => tables(postgresDialect));

/**
 * The files of a data folder. Tables that are written in one transaction are in one file. Sessions are apart:
 * while their file is locked, unsubscribing by one click still works. The quota is apart: each call of the
 * platform waits for its write, and a loss of power may lose the last ones, since the platform then answers
 * 429. Hosted links are apart: a command writes a million of them while people use the rest.
 */
export function embeddedFiles(dataDir: string) {
  const journal = [...ofPeople, staffTables, ...rest].flatMap((tables) => tables(sqliteDialect));
  return [
    { file: join(dataDir, 'journal.sqlite'), layout: journal },
    { file: join(dataDir, 'sessions.sqlite'), layout: sessionTables(sqliteDialect) },
    { file: join(dataDir, 'quota.sqlite'), layout: quotaTables(sqliteDialect), survives: 'kill' },
    { file: join(dataDir, 'hosted-links.sqlite'), layout: hostedLinkTables(sqliteDialect) },
  ] as const;
}
