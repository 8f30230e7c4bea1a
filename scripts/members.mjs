/** Writes the tables of docs/platform-api.md from src/upstream/members and test/upstream/members. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printTables } from '../test/upstream/members/table.ts';

const page = join(import.meta.dirname, '..', 'docs', 'platform-api.md');
const tables = /^\*\*single-page schema\*\*$[\s\S]*?(?=\n\n## )/m;
writeFileSync(
  page,
  readFileSync(page, 'utf8').replace(tables, () => printTables()),
);
