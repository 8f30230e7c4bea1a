import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '../../../src/store/sqlite/database.ts';

test('A database writes no temporary files: a container on a read-only root has no folder for them.', () => {
  const database = openDatabase(':memory:', []);
  const memory = 2;
  assert.equal(database.prepare('PRAGMA temp_store').get()?.['temp_store'], memory);
  database.close();
});
