import assert from 'node:assert/strict';
import { test } from 'node:test';
import { times } from '../chaos/dice.ts';
import { bench } from './bench.ts';

const skip = times<string | false>('nine servers are measured in npm run test:long', false);

test('every measurement of the benchmark ends with a number', { skip }, async () => {
  const effort = { rounds: 1, duration: 2_000, most: 3, warmUp: 3, sizes: [2, 1_000], rows: 10 };
  const lines = await bench(effort, () => {});
  assert.ok(lines.length > 10);
  for (const { what, value } of lines) assert.match(value, /^\d+(\.\d+)?( |$)/, what);
});
