import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { builtIn } from '../src/i18n/catalogue.ts';

test('The notes for reviewers have a row for each language but English', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/translations.md'), 'utf8');
  const rows = [...page.matchAll(/^\| ([a-z]{2}(?:-\w+)?) \|/gm)].map(([, tag = '']) => tag);
  const tags = builtIn.languages.filter((tag) => tag !== 'en');
  assert.deepEqual(rows.toSorted(), tags.toSorted());
});
