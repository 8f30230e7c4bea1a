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

describe('a center once read', () => {
  async function scene(t: TestContext) {
    const clock = stoppedClock();
    const wrong: Scripted[] = [];
    let answer: Scripted = { body: single };
    const parts = await openPlatform(t, {
      answer: ({ path }) => (path.includes('/v2/') ? { status: 404 } : (wrong.pop() ?? answer)),
      // On a machine that is busy.
      options: { clock, timeouts: { breakerOpen: 1, schema: 60_000, center: 60_000 } },
    });
    const set = (next: Scripted, { once } = { once: false }) => {
      if (once) wrong.push(next);
      else answer = next;
    };
    return { ...parts, clock, set };
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
    const gates: (() => void)[] = [];
    const asked = async (place: number) => {
      while (gates.length < place) await pause(1);
    };
    const answer = async (place: number) => {
      await asked(place);
      gates[place - 1]?.();
    };
    const parts = await openPlatform(t, {
      answer: async () => {
        await new Promise<void>((resolve) => gates.push(resolve));
        return { body: single };
      },
      options: { clock, timeouts },
    });
    return { ...parts, clock, asked, answer };
  }

  it('is asked for once by all who want it at once, and not again while it is fresh', async (t) => {
    const { platform, server, clock } = await scene(t);
    await Promise.all(Array.from({ length: 50 }, () => platform.findCenter(singlePageId)));
    clock.advance(59_000);
    await platform.findCenter(singlePageId.toUpperCase());
    assert.equal(server.calls.length, 1);
  });

  it('is served as it is while it is read again, until it has changed or is gone', async (t) => {
    const { platform, clock, set } = await scene(t);
    set(titled('Old'));
    assert.equal((await platform.findCenter(singlePageId))?.title, 'Old');
    set(titled('New'));
    clock.advance(61_000);
    assert.equal((await platform.findCenter(singlePageId))?.title, 'Old');
    await becomes(async () => (await platform.findCenter(singlePageId))?.title, 'New');
    set({ status: 404 });
    clock.advance(61_000);
    assert.equal((await platform.findCenter(singlePageId))?.title, 'New');
    await becomes(() => platform.findCenter(singlePageId), undefined);
  });

  it('is read afresh for who asks for it as it was read since, once for all who ask at once', async (t) => {
    const { platform, server, clock, set } = await scene(t);
    set(titled('Old'));
    await platform.findCenter(singlePageId);
    clock.advance(10);
    assert.equal((await platform.findCenter(singlePageId, { readWithin: 10 }))?.title, 'Old');
    assert.equal(server.calls.length, 1);
    set(titled('New'));
    const asked = { readWithin: 9 };
    const titles = Array.from({ length: 20 }, () =>
      platform.findCenter(singlePageId, asked).then((each) => each?.title),
    );
    assert.deepEqual(new Set(await Promise.all(titles)), new Set(['New']));
    assert.equal(server.calls.length, 2);
    clock.advance(10);
    set({ status: 500 });
    await assert.rejects(platform.findCenter(singlePageId, { readWithin: 9 }));
    assert.equal((await platform.findCenter(singlePageId))?.title, 'New');
  });

  it('whose reading began too early is waited for, and read once more', async (t) => {
    const { platform, server, clock, asked, answer } = await held(t);
    const early = platform.findCenter(singlePageId);
    await answer(1);
    await early;
    clock.advance(1);
    const priority = platform.findCenter(singlePageId, { readWithin: 0 });
    await asked(2);
    clock.advance(1);
    const later = platform.findCenter(singlePageId, { readWithin: 0 });
    await answer(2);
    await priority;
    await answer(3);
    await later;
    assert.equal(server.calls.length, 3);
  });

  it('that nobody has yet, and whose reading began too early, is read once more, too', async (t) => {
    const { platform, server, clock, asked, answer } = await held(t);
    const early = platform.findCenter(singlePageId);
    await asked(1);
    clock.advance(11);
    const later = platform.findCenter(singlePageId, { readWithin: 10 });
    await answer(1);
    await early;
    await answer(2);
    await later;
    assert.equal(server.calls.length, 2);
  });

  it('is kept for a day while the platform is down, which is then asked only now and again', async (t) => {
    const { platform, server, clock, set } = await scene(t);
    await platform.findCenter(singlePageId);
    set({ status: 500 });
    for (let hour = 0; hour < 23; hour += 1) {
      clock.advance(3_600_000);
      for (let call = 0; call < 20; call += 1) assert.ok(await platform.findCenter(singlePageId));
      await settle();
      for (let call = 0; call < 20; call += 1) assert.ok(await platform.findCenter(singlePageId));
    }
    assert.ok(server.calls.length <= 30, String(server.calls.length));
    clock.advance(3_600_001);
    await assert.rejects(platform.findCenter(singlePageId), { code: 'platform-unreachable' });
  });

  const purposes = single['Purposes'] as unknown[];
  const fewer: Scripted = { body: { ...single, Purposes: purposes.slice(1) } };
  const size = async (platform: HttpPlatform, options?: Parameters<HttpPlatform['findCenter']>[1]) => {
    const center = await platform.findCenter(singlePageId, options);
    return center && everyPurpose(center).length;
  };

  for (const [name, wrong] of [
    ['it is itself', { status: 404 }],
    ['one of its purposes is', fewer],
    ['all of them are', { body: { ...single, Purposes: [{ Id: null }] } }],
  ] as const) {
    it(`is as it was when ${name} gone in one reading, and not in the next`, async (t) => {
      const { platform, server, clock, set } = await scene(t);
      assert.equal(await size(platform), purposes.length);
      clock.advance(1);
      const before = server.calls.length;
      set(wrong, { once: true });
      assert.equal(await size(platform, { readWithin: 0 }), purposes.length);
      assert.ok(server.calls.length > before + 1);
    });
  }

  it('has a purpose no more when two readings say so', async (t) => {
    const { platform, server, clock, set } = await scene(t);
    await platform.findCenter(singlePageId);
    clock.advance(1);
    set(fewer);
    assert.equal(await size(platform, { readWithin: 0 }), purposes.length - 1);
    assert.equal(server.calls.length, 3);
  });

  it('is read once more for who asks for two readings that say the same, and no more after them', async (t) => {
    const { platform, server, clock, set } = await scene(t);
    set(fewer);
    assert.equal(await size(platform), purposes.length - 1);
    clock.advance(1);
    set({ body: single });
    const confirmed = { readWithin: 30_000, isConfirmed: true };
    assert.equal(await size(platform, confirmed), purposes.length);
    clock.advance(1);
    assert.equal(await size(platform, confirmed), purposes.length);
    for (let again = 0; again < 3; again += 1) await size(platform, confirmed);
    assert.equal(server.calls.length, 3);
  });

  it('that does not exist is not asked for again for five seconds; what is no GUID never', async (t) => {
    const { platform, server, clock, set } = await scene(t);
    set({ status: 404 });
    for (let call = 0; call < 10; call += 1) assert.equal(await platform.findCenter(singlePageId), undefined);
    assert.equal(server.calls.length, 2, 'v1 and v2');
    clock.advance(5_000);
    set({ body: single });
    assert.ok(await platform.findCenter(singlePageId));
    for (const id of ['', 'x', '../../etc', `${singlePageId}/x`, 'constructor', '__proto__']) {
      assert.equal(await platform.findCenter(id), undefined);
    }
    assert.equal(server.calls.length, 3);
  });

  it('survives a flood of invented ids', async (t) => {
    const { platform, server, clock, set } = await scene(t);
    await platform.findCenter(singlePageId);
    set({ status: 404 });
    const invented = (place: number) => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;
    for (let place = 0; place < 1_500; place += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, more) => platform.findCenter(invented(place + more))));
    }
    set(titled('New'));
    clock.advance(61_000);
    await platform.findCenter(singlePageId);
    await becomes(async () => (await platform.findCenter(singlePageId))?.title, 'New');
    assert.ok(server.calls.length <= 2 * 1_500 + 2);
  });

  it('keeps a visitor waiting no longer than his page may, and is there for the next', async (t) => {
    const { platform, server, answer } = await held(t, { center: 50 });
    await assert.rejects(platform.findCenter(singlePageId), { code: 'platform-slow' });
    await answer(1);
    await until(async () => (await codeOf(platform.findCenter(singlePageId))) === 'ok');
    assert.equal(server.calls.length, 1);
  });
});
