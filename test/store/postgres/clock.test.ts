import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createDatabaseClock } from '../../../src/store/drivers/postgres/clock.ts';

const noon = 1_700_000_000_000;

function setUp() {
  let elapsed = 5_000;
  const clock = createDatabaseClock(() => elapsed);
  return {
    clock,
    pass: (ms: number) => {
      elapsed += ms;
    },
    /** The database gives this time at this moment. */
    measure: (at: number) => clock.measure({ at, from: elapsed, to: elapsed }),
  };
}

suite('The clock of the database', () => {
  test('The clock goes on from the database’s time by what has elapsed here, and forward with it at once', () => {
    const { clock, pass, measure } = setUp();
    measure(noon);
    assert.equal(clock.now(), noon);
    pass(1_500);
    assert.equal(clock.now(), noon + 1_500);
    measure(noon + 3_600_000);
    assert.equal(clock.now(), noon + 3_600_000);
  });

  test('The clock takes the middle of a question and its answer for the time of the answer', () => {
    const { clock, pass } = setUp();
    pass(100);
    clock.measure({ at: noon, from: 5_000, to: 5_100 });
    assert.equal(clock.now(), noon + 50);
  });

  test('An answer that hung moves the clock only as far as its bounds say', () => {
    const { clock, pass, measure } = setUp();
    measure(noon);
    pass(30_000);
    // The question came just after the database hung, or the answer just before: half a minute either way.
    clock.measure({ at: noon + 30_000, from: 5_000, to: 35_000 });
    assert.equal(clock.now(), noon + 30_000);
    clock.measure({ at: noon, from: 5_000, to: 35_000 });
    pass(1_000);
    assert.equal(clock.now(), noon + 31_000);
    clock.measure({ at: noon + 90_000, from: 35_000, to: 36_000 });
    assert.equal(clock.now(), noon + 90_000, 'the database’s clock was set');
  });

  test('The clock never goes back: it runs at half speed until the database has caught up, and then with it', () => {
    const { clock, pass, measure } = setUp();
    measure(noon);
    pass(1_000);
    measure(noon);
    assert.equal(clock.now(), noon + 1_000);
    const times = Array.from({ length: 30 }, () => {
      pass(100);
      return clock.now() - noon;
    });
    assert.deepEqual(
      times.toSorted((one, other) => one - other),
      times,
    );
    assert.deepEqual([times[0], times[9], times[19], times[29]], [1_050, 1_500, 2_000, 3_000]);
  });
});
