import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureGrowth } from './growth.ts';
import { openTrack } from './race.ts';

test('the benchmark reaches the product and its rivals, and its measures are numbers', async () => {
  await using track = await openTrack();
  for (const contestant of await Promise.all([track.enter('raw-trivial'), track.enter('sayso-whole')])) {
    const lap = await track.run(contestant, { duration: 2_000, most: 3 });
    assert.ok(lap.cpu > 0 && lap.bytes > 100, contestant.name);
  }
  const growth = await measureGrowth(track.upstream, { sizes: [2, 6], rounds: 1 });
  assert.deepEqual([...growth.cost.keys()], [2, 6]);
  assert.ok(Number.isFinite(growth.exponent));
});
