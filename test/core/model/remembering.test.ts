import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remembering } from '../../../src/core/model/remembering.ts';

test('Each value is made once, until too many are kept: then all are made again', () => {
  const made: string[] = [];
  const upper = remembering(2, (text) => {
    made.push(text);
    return text.toUpperCase();
  });
  assert.deepEqual(['a', 'b', 'a', 'b'].map(upper), ['A', 'B', 'A', 'B']);
  assert.deepEqual(made, ['a', 'b']);
  assert.deepEqual(['c', 'c', 'a'].map(upper), ['C', 'C', 'A']);
  assert.deepEqual(made, ['a', 'b', 'c', 'a']);
});
