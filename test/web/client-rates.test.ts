import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Counted } from '../../src/ports/rate-counters.ts';
import { createClientRates, createMemoryCounters } from '../../src/web/client-rates.ts';

function startRates() {
  let now = 1_000_000;
  const clock = { now: () => now };
  const store = createMemoryCounters(clock);
  const rows = new Set<string>();
  const rateCounters = {
    async count(use: string, key: string, allowed: Parameters<typeof store.count>[2]): Promise<Counted> {
      rows.add(`${use} ${key}`);
      return store.count(use, key, allowed);
    },
    async giveBack(use: string, key: string, counted: { readonly endsAt: number }) {
      store.giveBack(use, key, counted);
    },
  };
  return {
    rows,
    rates: createClientRates({ rateCounters, clock }),
    store,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const allowed = { most: 2, withinMs: 60_000 };

suite('The rate of a client', () => {
  test('has one row for each /48 or /24, however many addresses it has', async () => {
    const { rows, rates } = startRates();
    const many = { most: 10_000, withinMs: 60_000 };
    for (let index = 0; index < 1_589; index += 1)
      await rates.take('messages', `2001:db8:1:${index.toString(16)}::1`, many);
    assert.deepEqual([...rows], ['messages 2001:db8:1::/48']);
    for (let index = 0; index < 200; index += 1) await rates.take('messages', `192.0.2.${index}`, many);
    assert.equal(rows.size, 2);
  });

  test('refuses a narrow network before its neighbours, and a wide one for all', async () => {
    const { rates, pass } = startRates();
    const take = (ip: string) =>
      rates.take('messages', ip, allowed).then(
        () => 'taken',
        (fault: { code: string; retryAfter: number }) => `${fault.code} ${fault.retryAfter}`,
      );
    const narrow = [await take('192.0.2.1:1025'), await take('192.0.2.1:1026'), await take('192.0.2.1')];
    assert.deepEqual(narrow, ['taken', 'taken', 'too-many-requests 60']);
    for (const ip of ['192.0.2.2', '192.0.2.2', '192.0.2.3', '192.0.2.3', '192.0.2.4', '192.0.2.4'])
      assert.equal(await take(ip), 'taken', ip);
    assert.equal(await take('192.0.2.5'), 'too-many-requests 60', 'of the /24');
    pass(60_000);
    assert.equal(await take('192.0.2.1'), 'taken');
  });

  test('undoes a count in every network', async () => {
    const { rates, store } = startRates();
    for (let tries = 0; tries < 20; tries += 1) await (await rates.take('messages', '192.0.2.1', allowed))();
    assert.deepEqual(store.count('messages', '192.0.2.0/24', allowed), {
      kind: 'counted',
      count: 1,
      endsAt: 1_060_000,
    });
  });
});

suite('A counter in memory', () => {
  test('forgets the oldest of very many', () => {
    const counters = createMemoryCounters({ now: () => 0 });
    const one = { most: 1, withinMs: 1_000 };
    for (let index = 0; index < 20_001; index += 1) counters.count('key', String(index), one);
    assert.equal(counters.count('key', '0', one).kind, 'counted');
    assert.equal(counters.count('key', '20000', one).kind, 'full');
  });

  test('begins anew when a clock was set back', () => {
    let now = 1_000_000;
    const counters = createMemoryCounters({ now: () => now });
    const one = { most: 1, withinMs: 1_000 };
    counters.count('key', '', one);
    now = 0;
    assert.equal(counters.count('key', '', one).kind, 'counted');
  });
});
