import { join } from 'node:path';
import type { Layout } from '../drivers/layout.ts';
import { sqliteDialect } from '../drivers/sqlite/dialect.ts';
import { quotaTables, sessionTables, staffTables } from '../schema.ts';
import { journalTables } from './journal-row.ts';

export interface EmbeddedFile {
  readonly file: string;
  readonly layout: Layout;
}

/**
 * The files of a data folder: what commits together is in one. Sessions are apart: while that file is locked, one-clicks
 * are still taken. The quota is apart: each call of the platform waits for its write.
 */
export function embeddedFiles(
  dataDir: string,
): readonly [EmbeddedFile, EmbeddedFile, EmbeddedFile, EmbeddedFile] {
  return [
    { file: join(dataDir, 'journal.sqlite'), layout: journalTables },
    { file: join(dataDir, 'sessions.sqlite'), layout: sessionTables(sqliteDialect) },
    { file: join(dataDir, 'staff.sqlite'), layout: staffTables(sqliteDialect) },
    { file: join(dataDir, 'quota.sqlite'), layout: quotaTables(sqliteDialect) },
  ];
}
