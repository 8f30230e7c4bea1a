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

describe('a center once read', () => {
  async function scene(t: TestContext) {
    const clock = stoppedClock();
    /** What is answered once. */
    const once: Scripted[] = [];
    let answer: Scripted = { body: single };
    const parts = await openPlatform(t, {
      answer: ({ path }) => (path.includes('/v2/') ? { status: 404 } : (once.pop() ?? answer)),
      // On a machine that is busy.
      options: { clock, timeouts: { breakerOpen: 1, schema: 60_000, center: 60_000 } },
    });
    const set = (next: Scripted) => {
      answer = next;
    };
    return { ...parts, clock, once, set, find: finderOf(parts.platform) };
  }
  const titled = (title: string): Scripted => ({ body: { ...single, PortalSettings: { Title: title } } });
  /** A reading in the background, and the turns in which its answer is read, are mostly over by then. */
  const settle = () => pause(25);

  /** Once what was read again has come. */
  async function becomes(find: () => Promise<unknown>, wanted: unknown): Promise<void> {
    for (let tries = 0; tries < 1_000 && (await find()) !== wanted; tries += 1) await settle();
    assert.equal(await find(), wanted);
  }

  /** A platform whose answers wait: `asked` until the nth call is there, `answer` lets it have the center. */
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

  it('is asked for once by all who want it at once, and not again while it is fresh', async (t) => {
    const { platform, server, clock, find } = await scene(t);
    await Promise.all(Array.from({ length: 50 }, () => find()));
    clock.advance(59_000);
    await platform.findCenter(singlePageId.toUpperCase());
    assert.equal(server.calls.length, 1);
  });

  it('is served as it is while it is read again, until it has changed or is gone', async (t) => {
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

  it('is read afresh for who asks for it as it was read since, once for all who ask at once', async (t) => {
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

  it('whose reading began too early is waited for, and read once more', async (t) => {
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

  it('that nobody has yet, and whose reading began too early, is read once more, too', async (t) => {
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

  it('is kept for a day while the platform is down, which is then asked only now and again', async (t) => {
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
    ['it is itself', { status: 404 }],
    ['one of its purposes is', fewer],
    ['all of them are', { body: { ...single, Purposes: [{ Id: null }] } }],
  ] as const) {
    it(`is as it was when ${name} gone in one reading, and not in the next`, async (t) => {
      const { server, clock, once, find } = await scene(t);
      assert.equal(await size(find), purposes.length);
      clock.advance(1);
      const before = server.calls.length;
      once.push(wrong);
      assert.equal(await size(find, { readWithin: 0 }), purposes.length);
      assert.ok(server.calls.length > before + 1);
    });
  }

  it('has a purpose no more when two readings say so', async (t) => {
    const { server, clock, set, find } = await scene(t);
    await find();
    clock.advance(1);
    set(fewer);
    assert.equal(await size(find, { readWithin: 0 }), purposes.length - 1);
    assert.equal(server.calls.length, 3);
  });

  it('is read once more for who asks for two readings that say the same, and no more after them', async (t) => {
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

  it('that does not exist is not asked for again for five seconds; what is no GUID never', async (t) => {
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

  it('survives a flood of invented ids', async (t) => {
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

  it('keeps a visitor waiting no longer than his page may, and is there for the next', async (t) => {
    const { server, answer, find } = await held(t, { center: 50 });
    await assert.rejects(find(), { code: 'platform-slow' });
    await answer(1);
    await until(async () => (await codeOf(find())) === 'ok');
    assert.equal(server.calls.length, 1);
  });
});
