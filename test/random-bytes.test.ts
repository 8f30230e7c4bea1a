import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutFormulas } from '../src/core/model/formula.ts';
import { random, randomBytes } from '../src/random-bytes.ts';

test('random bytes have the length asked for, and no part of a batch is given twice', () => {
  const seen = new Set<string>();
  let count = 0;
  for (const length of [12, 18, 65, 4_095, 4_096, 4_097, 8]) {
    for (let turn = 0; turn < 20; turn += 1) {
      const bytes = randomBytes(length);
      assert.equal(bytes.length, length);
      for (let at = 0; at + 8 <= length; at += 8) {
        seen.add(bytes.toString('hex', at, at + 8));
        count += 1;
      }
    }
  }
  assert.equal(seen.size, count);
});

test('bytes that were given stay the same when the next batch is made', () => {
  const given = randomBytes(64);
  const before = given.toString('hex');
  for (let turn = 0; turn < 200; turn += 1) randomBytes(64);
  assert.equal(given.toString('hex'), before);
});

test('a random id has 24 characters, and is no formula in a file for the staff', () => {
  for (let turn = 0; turn < 2_000; turn += 1) {
    const id = random.id();
    assert.match(id, /^[\w-]{24}$/);
    assert.equal(withoutFormulas(id), id);
  }
});
