/**
 * Run by test/run.ts as one test file: those of its arguments, one after another in this process, each a suite of its
 * own, so that its hooks are its own too. What a process costs to start is paid once.
 */
import { join } from 'node:path';
import process from 'node:process';
import { suite } from 'node:test';

for (const file of process.argv.slice(2))
  suite(file, async () => {
    await import(join(import.meta.dirname, '..', '..', file));
  });
