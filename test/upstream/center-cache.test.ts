import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { everyPurpose } from '../../src/core/model/center/center.ts';
import type { Timeouts } from '../../src/upstream/limits.ts';
import type { HttpPlatform } from '../../src/upstream/platform.ts';
import { until } from '../kit/until.ts';
import { recorded, singlePageId } from './recorded.ts';
import { codeOf, openPlatform, type Scripted, stoppedClock } from './scripted-platform.ts';

const single = recorded('01_v1_schema.json') as Record<string, unknown>;

const finderOf = (platform: HttpPlatform) => (asked?: Parameters<HttpPlatform['findCenter']>[1]) =>
  platform.findCenter(singlePageId, asked);

describe('the cache of centers', () => {
  async function scene(t: TestContext) {
    const clock = stoppedClock();
    /** Answers that are sent once, before `answer`. */
    const once: Scripted[] = [];
    let answer: Scripted = { body: single };
    const parts = await openPlatform(t, {
      answer: ({ path }) => (path.includes('/v2/') ? { status: 404 } : (once.pop() ?? answer)),
      // The time-outs are long, because the machine may be busy.
      options: { clock, timeouts: { breakerOpen: 1, schema: 60_000, center: 60_000 } },
    });
    const set = (next: Scripted) => {
      answer = next;
    };
    return { ...parts, clock, once, set, find: finderOf(parts.platform) };
  }
  const titled = (title: string): Scripted => ({ body: { ...single, PortalSettings: { Title: title } } });
  /** Waits until a reading in the background is mostly over. */
  const settle = () => pause(25);

  /** Waits until `find` gives the wanted value. */
  async function becomes(find: () => Promise<unknown>, wanted: unknown): Promise<void> {
    for (let tries = 0; tries < 1_000 && (await find()) !== wanted; tries += 1) await settle();
    assert.equal(await find(), wanted);
  }

  /**
   * A platform whose answers wait. `asked` waits for the nth call; `answer` sends the center as its answer.
   */
  async function held(t: TestContext, timeouts: Partial<Timeouts> = {}) {
    const clock = stoppedClock();
    const gates: ((answer: Scripted) => void)[] = [];
    const asked = (place: number) => until(() => gates.length >= place);
    const answer = async (place: number) => {
      await asked(place);
      gates[place - 1]?.({ body: single });
    };
    const parts = await openPlatform(t, {
      answer: () => new Promise<Scripted>((resolve) => gates.push(resolve)),
      options: { clock, timeouts },
    });
    return { ...parts, clock, asked, answer, find: finderOf(parts.platform) };
  }

  it('simultaneous visitors cause one reading of a center, and a fresh center causes none', async (t) => {
    const { platform, server, clock, find } = await scene(t);
    await Promise.all(Array.from({ length: 50 }, () => find()));
    clock.advance(59_000);
    await platform.findCenter(singlePageId.toUpperCase());
    assert.equal(server.calls.length, 1);
  });

  it('a stale center is served while it is renewed, and then the changed center or none', async (t) => {
    const { clock, set, find } = await scene(t);
    set(titled('Old'));
    assert.equal((await find())?.title, 'Old');
    set(titled('New'));
    clock.advance(61_000);
    assert.equal((await find())?.title, 'Old');
    await becomes(async () => (await find())?.title, 'New');
    set({ status: 404 });
    clock.advance(61_000);
    assert.equal((await find())?.title, 'New');
    await becomes(() => find(), undefined);
  });

  it('a center older than `readWithin` is read again, once for all simultaneous callers', async (t) => {
    const { server, clock, set, find } = await scene(t);
    set(titled('Old'));
    await find();
    clock.advance(10);
    assert.equal((await find({ readWithin: 10 }))?.title, 'Old');
    assert.equal(server.calls.length, 1);
    set(titled('New'));
    const asked = { readWithin: 9 };
    const titles = Array.from({ length: 20 }, () => find(asked).then((each) => each?.title));
    assert.deepEqual(new Set(await Promise.all(titles)), new Set(['New']));
    assert.equal(server.calls.length, 2);
    clock.advance(10);
    set({ status: 500 });
    await assert.rejects(find({ readWithin: 9 }));
    assert.equal((await find())?.title, 'New');
  });

  it('a running renewal that began too early is awaited, and the center is read again', async (t) => {
    const { server, clock, asked, answer, find } = await held(t);
    const early = find();
    await answer(1);
    await early;
    clock.advance(1);
    const priority = find({ readWithin: 0 });
    await asked(2);
    clock.advance(1);
    const later = find({ readWithin: 0 });
    await answer(2);
    await priority;
    await answer(3);
    await later;
    assert.equal(server.calls.length, 3);
  });

  it('a running first reading that began too early is awaited, and the center is read again', async (t) => {
    const { server, clock, asked, answer, find } = await held(t);
    const early = find();
    await asked(1);
    clock.advance(11);
    const later = find({ readWithin: 10 });
    await answer(1);
    await early;
    await answer(2);
    await later;
    assert.equal(server.calls.length, 2);
  });

  it('a center is kept for a day while the platform is down, and the platform gets few calls', async (t) => {
    const { server, clock, set, find } = await scene(t);
    await find();
    set({ status: 500 });
    for (let hour = 0; hour < 23; hour += 1) {
      clock.advance(3_600_000);
      for (let call = 0; call < 20; call += 1) assert.ok(await find());
      await settle();
      for (let call = 0; call < 20; call += 1) assert.ok(await find());
    }
    assert.ok(server.calls.length <= 30, String(server.calls.length));
    clock.advance(3_600_001);
    await assert.rejects(find(), { code: 'platform-unreachable' });
  });

  const purposes = single['Purposes'] as unknown[];
  const fewer: Scripted = { body: { ...single, Purposes: purposes.slice(1) } };
  type Find = ReturnType<typeof finderOf>;
  const size = async (find: Find, ...asked: Parameters<Find>) => {
    const center = await find(...asked);
    return center && everyPurpose(center).length;
  };

  for (const [name, wrong] of [
    ['the center', { status: 404 }],
    ['one purpose', fewer],
    ['every purpose', { body: { ...single, Purposes: [{ Id: null }] } }],
  ] as const) {
    it(`a center stays as it was when a single reading lacks ${name}`, async (t) => {
      const { server, clock, once, find } = await scene(t);
      assert.equal(await size(find), purposes.length);
      clock.advance(1);
      const before = server.calls.length;
      once.push(wrong);
      assert.equal(await size(find, { readWithin: 0 }), purposes.length);
      assert.ok(server.calls.length > before + 1);
    });
  }

  it('a purpose is removed when two readings lack it', async (t) => {
    const { server, clock, set, find } = await scene(t);
    await find();
    clock.advance(1);
    set(fewer);
    assert.equal(await size(find, { readWithin: 0 }), purposes.length - 1);
    assert.equal(server.calls.length, 3);
  });

  it('`isConfirmed` causes one more reading, and none after two equal readings', async (t) => {
    const { server, clock, set, find } = await scene(t);
    set(fewer);
    assert.equal(await size(find), purposes.length - 1);
    clock.advance(1);
    set({ body: single });
    const confirmed = { readWithin: 30_000, isConfirmed: true };
    assert.equal(await size(find, confirmed), purposes.length);
    clock.advance(1);
    assert.equal(await size(find, confirmed), purposes.length);
    for (let again = 0; again < 3; again += 1) await size(find, confirmed);
    assert.equal(server.calls.length, 3);
  });

  it('an unknown center is not read again for five seconds, and an id that is no GUID never', async (t) => {
    const { platform, server, clock, set, find } = await scene(t);
    set({ status: 404 });
    for (let call = 0; call < 10; call += 1) assert.equal(await find(), undefined);
    assert.equal(server.calls.length, 2, 'v1 and v2');
    clock.advance(5_000);
    set({ body: single });
    assert.ok(await find());
    for (const id of ['', 'x', '../../etc', `${singlePageId}/x`, 'constructor', '__proto__']) {
      assert.equal(await platform.findCenter(id), undefined);
    }
    assert.equal(server.calls.length, 3);
  });

  it('a flood of invented ids does not remove a known center', async (t) => {
    const { platform, server, clock, set, find } = await scene(t);
    await find();
    set({ status: 404 });
    const invented = (place: number) => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;
    for (let place = 0; place < 1_500; place += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, more) => platform.findCenter(invented(place + more))));
    }
    set(titled('New'));
    clock.advance(61_000);
    await find();
    await becomes(async () => (await find())?.title, 'New');
    assert.ok(server.calls.length <= 2 * 1_500 + 2);
  });

  it('a visitor waits for a slow reading no longer than the limit, and the next one gets its center', async (t) => {
    const { server, answer, find } = await held(t, { center: 50 });
    await assert.rejects(find(), { code: 'platform-slow' });
    await answer(1);
    await until(async () => (await codeOf(find())) === 'ok');
    assert.equal(server.calls.length, 1);
  });
});
