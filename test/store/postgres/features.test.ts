/**
 * Repeats tests of the product's features on PostgreSQL: a chosen part, or with `--long` all that use no
 * files and no clock that the test moves (the time is the database's then).
 */
import '../../kit/postgres-here.ts';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { suite } from 'node:test';
import { postgres } from '../../kit/postgres.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const chosen = ['centers/saved-here', 'identity/sessions'];
const elsewhere = [
  // This test reads the folder.
  'centers/delivery',
  'centers/record',
  'end-to-end/',
  'identity/hidden-values',
  'identity/hosted-links',
  'identity/rows',
  'start/',
  // These tests move the clock, or make it run fast for all that follows.
  'centers/elsewhere',
  'centers/promises',
  'centers/shared-consent',
  'centers/time',
  'centers/wrong-once',
  'staff/session.',
];

const isLong = process.env['SAYSO_LONG'] === '1';
const files = globSync('test/features/**/*.test.ts', { cwd: root })
  .toSorted()
  .filter((file) =>
    isLong ? !elsewhere.some((part) => file.includes(part)) : chosen.some((part) => file.includes(part)),
  );

for (const file of files)
  suite(`${file} on PostgreSQL`, { skip: postgres.skip }, async () => {
    await import(join(root, file));
  });
