import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createForwardClock } from '../src/clock.ts';

suite('The clock for lifetimes, leases and pauses', () => {
  const cases = [
    {
      name: 'the clock keeps to the machine’s time',
      wall: [1_000, 1_500, 2_000],
      elapsed: [0, 500, 1_000],
      last: 2_000,
    },
    {
      name: 'the clock goes ahead with the machine’s clock',
      wall: [1_000, 1_500, 9_000],
      elapsed: [0, 500, 1_000],
      last: 9_000,
    },
    {
      name: 'the clock goes on when the machine’s clock is set back',
      wall: [9_000, 9_500, 1_000],
      elapsed: [0, 500, 1_000],
      last: 10_000,
    },
    {
      name: 'the clock stays ahead of a machine’s clock that was set back',
      wall: [9_000, 1_000, 1_500],
      elapsed: [0, 0, 500],
      last: 9_500,
    },
    {
      name: 'the clock is in step again when the machine’s clock is put right',
      wall: [9_000, 1_000, 9_800],
      elapsed: [0, 100, 200],
      last: 9_800,
    },
  ];
  for (const { name, wall, elapsed, last } of cases) {
    test(name, () => {
      let index = 0;
      const clock = createForwardClock({ now: () => wall[index] ?? 0 }, () => elapsed[index] ?? 0);
      let latest = 0;
      for (index = 1; index < wall.length; index += 1) {
        const now = clock.now();
        assert.ok(now >= latest);
        latest = now;
      }
      assert.equal(latest, last);
    });
  }
});
