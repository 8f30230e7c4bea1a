import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { promises } from './promises.ts';
import { printed } from './script-random.ts';
import { play } from './script-world.ts';

for (const [about, scripts] of Object.entries(promises))
  describe(about, () => {
    for (const [name, script] of Object.entries(scripts))
      test(name, async () => {
        const { faults, course } = await play(script());
        assert.deepEqual(faults, [], printed(course));
      });
  });
