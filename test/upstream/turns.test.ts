import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { times } from '../chaos/dice.ts';
import { pacingWorld } from './pacing-world.ts';

const minute = 60_000;

type World = ReturnType<typeof pacingWorld>;

/** The waiting time that a person is told; the process itself may wait a moment. */
async function told(world: World, node: number, turnOf?: string) {
  const asked = world.ask(node, 'read-subject', 'person', { turnOf });
  await world.pass(1_300, 100);
  return asked;
}

suite('People that wait for the quota', () => {
  for (const nodes of times([3], [1, 3])) {
    test(`people go in the order in which they came, evenly over the minute, on ${nodes} nodes`, async (t) => {
      const world = pacingWorld(t, { perMinute: 200, perHour: 40_000 }, { nodes });
      const gone: { readonly came: number; readonly went: number }[] = [];
      const went = (came: number) => void gone.push({ came, went: world.now() });
      await world.come(60, { person: 6.7 }, { everyMs: 100, went });
      await world.pass(160_000, 100);
      assert.equal(gone.length, 402);
      let latest = 0;
      for (const { came, went } of gone) {
        assert.ok(came > latest - 2_000, `one that came at ${latest} went before one of ${came}, at ${went}`);
        latest = Math.max(latest, came);
      }
      for (let from = 0; from < 2 * minute; from += 10_000) {
        const now = gone.filter(({ went }) => went >= from && went < from + 10_000).length;
        assert.ok(now >= 20 && now <= 60, `${now} in the ten seconds from ${from}`);
      }
      assert.ok(world.most(minute) <= 180);
    });

    test(`a person is told the right waiting time, on ${nodes} nodes`, async (t) => {
      const world = pacingWorld(t, { perMinute: 200, perHour: 40_000 }, { nodes });
      void world.crowd(120, 'person');
      await world.pass(2_000);
      const wait = await told(world, 0, 'anna');
      assert.ok(wait !== undefined && wait > 10_000 && wait < minute, String(wait));
      void world.crowd(50, 'person');
      await world.pass(wait - 5_000 - 1_300);
      const rest = await told(world, nodes - 1, 'anna');
      assert.ok(rest !== undefined && Math.abs(rest - 5_000) < 1_500, `${rest} of 5,000 are left`);
      await world.pass(rest);
      const before = world.calls.length;
      assert.equal(await told(world, nodes - 1, 'anna'), undefined);
      assert.ok(world.calls.length > before);
    });
  }

  test('a person uses a turn number once', async (t) => {
    const world = pacingWorld(t, { perMinute: 200, perHour: 40_000 });
    void world.crowd(300, 'person');
    await world.pass(2_000);
    const wait = await told(world, 0, 'anna');
    await world.pass(wait ?? assert.fail('there is room'), 100);
    assert.equal(await told(world, 0, 'anna'), undefined);
    void world.crowd(300, 'person');
    await world.pass(2_000);
    const again = await told(world, 0, 'anna');
    assert.ok((again ?? 0) > minute, String(again));
  });

  test('turns begin anew after the stored quota is lost', async (t) => {
    const world = pacingWorld(t, { perMinute: 200, perHour: 40_000 });
    void world.crowd(300, 'person');
    await world.pass(2_000);
    assert.ok((await told(world, 0, 'anna')) !== undefined);
    await world.store.keep('', (await world.store.read())?.version ?? 0);
    world.replace(0);
    assert.equal(await told(world, 0, 'anna'), undefined);
  });
});

/**
 * Another program of the tenant takes its share evenly for six minutes. In two of them there are clicks. The
 * platform counts full minutes of each endpoint. Returns the calls that the platform refused.
 */
async function shareWith(world: World, perMinute: number) {
  const made = new Map<string, number>();
  const refused: { readonly at: number; readonly endpoint: string }[] = [];
  let seen = 0;
  const shiftMs = 17_300;
  // The other program made calls before.
  let others = (0.3 * perMinute * shiftMs) / minute;
  let due = 0;
  let index = 0;
  const count = (endpoint: string) => {
    const key = `${endpoint} ${Math.floor((world.now() + shiftMs) / minute)}`;
    made.set(key, (made.get(key) ?? 0) + 1);
    return made.get(key) ?? 0;
  };
  for (let at = 0; at < 6 * 600; at += 1) {
    for (others += (0.3 * perMinute) / 600; others >= 1; others -= 1)
      for (const endpoint of ['read-subject', 'withdraw-all']) count(endpoint);
    if (at < 2 * 600) due += (1.5 * perMinute) / 600;
    for (; due >= 1; due -= 1, index += 1) {
      void world.insist(index % world.pacers.length, 'withdraw-all', 'withdrawal');
      void world.insist(index % world.pacers.length, 'read-subject', 'person');
    }
    await world.pass(100, 100);
    for (; seen < world.calls.length; seen += 1) {
      const call = world.calls[seen] ?? assert.fail();
      const calls = count(call.endpoint);
      if (calls <= perMinute) continue;
      refused.push({ at: world.now(), endpoint: call.endpoint });
      const waitSeconds = Math.ceil((minute - ((world.now() + shiftMs) % minute)) / 1_000);
      const said = { period: 'MINUTE', allowed: perMinute, made: calls, waitSeconds } as const;
      world.pacers[call.node]?.hear(call.endpoint, said);
    }
  }
  return refused;
}

suite('Another program that takes 30 % of the quota', () => {
  for (const nodes of times([3], [1, 3]))
    for (const perMinute of times([40], [40, 60, 200, 1_000])) {
      test(`another program causes only one moment of 429s on ${nodes} nodes, with ${perMinute} calls a minute`, async (t) => {
        const world = pacingWorld(t, { perMinute, perHour: 40_000 }, { nodes });
        const refused = await shareWith(world, perMinute);
        assert.ok(refused.length > 0, 'nothing was learned');
        // Calls of the same moment were already sent.
        for (const [endpoint, all] of Map.groupBy(refused, (each) => each.endpoint))
          for (const { at } of all) assert.ok(at < (all[0]?.at ?? 0) + 1_000, `${endpoint} after ${at} ms`);
        assert.ok(world.calls.length >= 5 * perMinute, `${world.calls.length} calls`);
      });
    }
});

suite('A store that does not answer', () => {
  test('a failing store counts only calls that were made, and pages go on at once when it is back', async (t) => {
    const world = pacingWorld(t, { perMinute: 200, perHour: 40_000 }, { nodes: 2 });
    await world.ask(0, 'read-subject', 'person');
    await world.ask(1, 'read-subject', 'person');
    for (const fault of ['answer-lost', 'refused'] as const) {
      world.store.fault = fault;
      for (let page = 0; page < 60; page += 1) void world.ask(page % 2, 'read-subject', 'person');
      await world.pass(3_000);
    }
    world.store.fault = undefined;
    await world.pass(3_000);
    for (let page = 0; page < 10; page += 1) assert.equal(await told(world, page % 2), undefined);
    const { endpoints } = JSON.parse((await world.store.read())?.text ?? '');
    const counts = Object.values<number[]>(endpoints['read-subject'].parts);
    const counted = counts.reduce((sum, [all = 0]) => sum + all, 0);
    assert.equal(counted, world.calls.length);
  });

  test('each process uses a tenth of the quota while the store fails, withdrawals first', async (t) => {
    const world = pacingWorld(t, { perMinute: 200, perHour: 40_000 }, { nodes: 3 });
    for (const node of [0, 1, 2]) await world.ask(node, 'update-consent', 'withdrawal');
    world.store.fault = 'refused';
    for (const priority of ['person', 'withdrawal'] as const) {
      for (let call = 0; call < 90; call += 1) void world.ask(call % 3, 'update-consent', priority);
      await world.pass(100);
    }
    await world.pass(29_900, 100);
    const went = (priority: string) => world.calls.filter((call) => call.priority === priority).length;
    assert.ok(went('withdrawal') >= 3 * 16, `${went('withdrawal')} withdrawals`);
    assert.ok(went('person') >= 3, `${went('person')} pages`);
    assert.ok(world.most(minute) <= 3 * 20 + 3, String(world.most(minute)));
  });
});
