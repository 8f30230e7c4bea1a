/** Writes the table of docs/settings.md from src/config/settings.ts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsTable } from '../test/config/settings-table.ts';

const page = join(import.meta.dirname, '..', 'docs', 'settings.md');
const table = /^\| name \| default \|[\s\S]*?and so on\.$/m;
writeFileSync(
  page,
  readFileSync(page, 'utf8').replace(table, () => settingsTable()),
);
