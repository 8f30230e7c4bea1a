import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CallPriority } from '../../src/ports/platform.ts';
import { times } from '../chaos/dice.ts';
import { type Call, pacingWorld } from './pacing-world.ts';

const quota = { perMinute: 1_000, perHour: 200_000 };
const minute = 60_000;

function count(calls: readonly Call[], priority: CallPriority, from = 0, to = Infinity): number {
  return calls.filter((call) => call.priority === priority && call.at >= from && call.at < to).length;
}

suite('Calls within the quota of the platform', () => {
  for (const nodes of times([3], [1, 3])) {
    test(`${nodes} nodes together stay within the quota of any minute, and withdrawals use all of it`, async (t) => {
      const world = pacingWorld(t, { perMinute: 200, perHour: 40_000 }, { nodes });
      const clicks = world.crowd(600, 'withdrawal', 'withdraw-all');
      await world.pass(3.3 * minute, 50);
      assert.ok(world.most(minute, 'withdraw-all') <= 200);
      assert.equal(world.calls.length, 600);
      // The third 200 can go two minutes after the first at best.
      assert.ok((world.calls.at(-1)?.at ?? 0) <= 1.1 * 2 * minute);
      await Promise.all(clicks);
    });
  }

  test('withdrawals go first, people keep a tenth, and background calls wait', async (t) => {
    const world = pacingWorld(t, { perMinute: 200, perHour: 40_000 }, { nodes: 2 });
    await world.come(60, { person: 8, background: 4 });
    const began = world.now();
    await world.come(120, { withdrawal: 5, person: 2, background: 2 });
    assert.ok(world.most(minute) <= 200);
    // The calls of people before are no longer counted in the second minute.
    const calls = (priority: CallPriority) =>
      count(world.calls, priority, began + minute, began + 2 * minute);
    assert.ok(calls('person') <= 20, 'people get more than their tenth');
    assert.ok(calls('person') >= 14, 'people are locked out');
    assert.ok(calls('withdrawal') >= 150);
    assert.equal(calls('background'), 0);
    for (const { retryAfter } of world.refused) assert.ok(retryAfter >= 1);
  });

  test('people’s calls go at once, with at most one statement for each', async (t) => {
    const world = pacingWorld(t, quota);
    await world.come(60, { person: 6 });
    assert.equal(count(world.calls, 'person'), 360);
    assert.equal(world.refused.length, 0);
    assert.ok(world.store.statements <= 362, `${world.store.statements} statements`);
  });

  test('replacing a node causes no calls beyond the quota', async (t) => {
    const world = pacingWorld(t, quota, { nodes: 3 });
    for (let round = 0; round < 12; round += 1) {
      await world.come(10, { person: 20, withdrawal: 10 });
      world.replace(round % 3);
    }
    assert.ok(world.most(minute) <= 1_000, String(world.most(minute)));
    assert.ok(world.calls.length > 1_600);
  });

  test('the nodes follow a lower limit that the platform names, and a higher one after it', async (t) => {
    const world = pacingWorld(t, quota, { nodes: 2 });
    const minuteOf = { period: 'MINUTE', made: undefined, waitSeconds: undefined } as const;
    const say = (allowed: number) => world.pacers[0]?.hear('read-subject', { ...minuteOf, allowed });
    await world.come(30, { person: 10 });
    say(100);
    const cut = world.now();
    await world.come(150, { person: 10, withdrawal: 2 });
    const after = world.calls.filter(({ at }) => at > cut + 100);
    for (const { at } of after)
      assert.ok(world.calls.filter((call) => call.at > at - minute && call.at <= at).length <= 100);
    assert.ok(after.length >= 100);
    say(1_000);
    const restored = world.now();
    // Calls that wait long ask once a minute.
    await world.come(120, { person: 10 });
    assert.ok(count(world.calls, 'person', restored) >= 1_000);
  });

  test('a quarter of the hour stays ours while other programs stay within the rest', async (t) => {
    const world = pacingWorld(t, { perMinute: 1_000, perHour: 50_000, hourShare: 1 / 4 });
    const hour = { period: 'HOUR', allowed: 800, waitSeconds: undefined } as const;
    await world.come(1, { withdrawal: 2 });
    world.pacers[0]?.hear('withdraw-all', { ...hour, made: 500 });
    await world.come(60, { withdrawal: 10 });
    assert.equal(world.calls.length, 200);
    world.pacers[0]?.hear('withdraw-all', { ...hour, allowed: 1_600, made: 1_500 });
    await world.come(60, { withdrawal: 10 });
    assert.ok(world.calls.length <= 300, 'others leave 300 of the 400');
    assert.ok(world.calls.length >= 290, String(world.calls.length));
  });

  test('no endpoint is called while other programs have used up the hour', async (t) => {
    const world = pacingWorld(t, quota, { nodes: 2 });
    await world.come(5, { person: 10 });
    const used = { period: 'HOUR', allowed: 200_000, made: 200_001, waitSeconds: 1_200 } as const;
    world.pacers[0]?.hear('read-subject', used);
    await world.pass(1_000);
    const before = world.calls.length;
    assert.ok(Number(await world.ask(0, 'withdraw-all', 'withdrawal')) >= 1_190_000);
    assert.ok(Number(await world.ask(1, 'read-subject', 'person')) >= 1_190_000);
    await world.pass(1_195_000, 5_000);
    assert.equal(world.calls.length, before);
  });

  test('clocks that are set back cause no calls beyond the quota', async (t) => {
    const world = pacingWorld(t, { perMinute: 60, perHour: 40_000 }, { nodes: 2 });
    assert.equal(await world.ask(0, 'update-consent', 'withdrawal'), undefined);
    await world.pass(10 * minute, 5_000);
    for (const node of [1, 0, 1, 0]) {
      for (let calls = 0; calls < 60; calls += 1) void world.insist(node, 'update-consent', 'withdrawal');
      await world.pass(3_000);
      // Setting back the time of day makes no room, but adds a moment of caution.
      world.clock.setBackMs += minute;
    }
    assert.equal(world.most(minute), 60);
    await world.pass(6 * minute, 100);
    assert.equal(world.calls.length, 241);
    assert.equal(world.most(minute), 60);
  });

  test('nodes that call rarely, each behind the other, stay within the quota', async (t) => {
    const world = pacingWorld(t, { perMinute: 10, perHour: 40_000 }, { nodes: 2 });
    for (let round = 0; round < 40; round += 1) {
      void world.insist(round % 2, 'update-consent', 'withdrawal');
      await world.pass(round % 2 === 0 ? 7_000 : 900, 100);
    }
    await world.pass(5 * minute, 100);
    assert.equal(world.calls.length, 40);
    assert.ok(world.most(minute) <= 10, String(world.most(minute)));
  });

  for (const perMinute of times([1, 3], [1, 2, 3, 10, 60])) {
    test(`a pair of calls goes together among many withdrawals, with ${perMinute} calls a minute`, async (t) => {
      const world = pacingWorld(t, { perMinute, perHour: 40_000 }, { nodes: 2 });
      // The flood is a little more than there is room for.
      const flood = (seconds: number) =>
        world.come(seconds, { withdrawal: (1.2 * perMinute) / 60 }, { endpoint: 'update-consent' });
      await flood(60);
      let wentAt: number | undefined;
      void world.insist(0, 'update-consent', 'withdrawal', 2).then(() => {
        wentAt = world.now();
      });
      const asked = world.now();
      await flood(perMinute === 60 ? 120 : 180);
      assert.ok(wentAt !== undefined, 'the pair never went');
      const pair = world.calls.filter(
        ({ at }, index) => world.calls[index + 1]?.at === at || world.calls[index - 1]?.at === at,
      );
      assert.ok(pair.length >= 2, 'at once');
      t.diagnostic(`after ${(wentAt - asked) / 1_000} s`);
      // If there is never room for two, the pair is one call too many.
      const most = world.most(minute);
      assert.ok(most <= (perMinute < 3 ? perMinute + 1 : perMinute), String(most));
      // No room is kept for the pair after it went.
      const before = world.calls.length;
      await flood(120);
      assert.ok(world.calls.length - before >= 1.5 * perMinute, `${world.calls.length - before} calls`);
    });
  }

  test('a pair of calls waits while there is room for only one', async (t) => {
    const world = pacingWorld(t, { perMinute: 100, perHour: 40_000 });
    void world.crowd(99, 'withdrawal', 'update-consent');
    await world.pass(200);
    assert.equal(world.calls.length, 99);
    const wait = world.ask(0, 'update-consent', 'withdrawal', { together: 2 });
    await world.pass(2_000);
    assert.ok(((await wait) ?? 0) > 50_000);
    assert.equal(world.calls.length, 99);
  });
});
