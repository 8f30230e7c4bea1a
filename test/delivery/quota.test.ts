import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { SubmissionRequest } from '../../src/core/model/submission/submission-request.ts';
import type { CallOptions, Platform } from '../../src/ports/platform.ts';
import { createPacer } from '../../src/upstream/pacer.ts';
import { aCenter, aPurpose, record } from '../core/center-builder.ts';
import { intentOf, leaveAll, off, on, reduce } from '../core/changes.ts';
import { memoryStore } from '../upstream/pacing-world.ts';
import { anna, aRequest, aSubject, asking, ben, openFixture, outcomes } from './fixture.ts';
import type { Fault, ScriptedPlatform } from './scripted-platform.ts';

const usedUp = (retryAfter: number): Fault => ({ kind: 'fails', code: 'quota-used-up', retryAfter });

async function begin(t: TestContext) {
  const fixture = await openFixture({ purposes: [record('a', 'active')] });
  t.after(() => fixture[Symbol.asyncDispose]());
  fixture.delivery.start();
  const submit = async (request: Partial<SubmissionRequest>) => {
    const { reference, subject } = { subject: anna, ...(await fixture.delivery.submit(aRequest(request))) };
    await fixture.time.advance(1_000);
    return () => fixture.delivery.find(reference, request.subject ?? subject);
  };
  return { ...fixture, submit };
}

/** Collects the calls of the platform as texts. */
function noted(
  platform: ScriptedPlatform,
  textOf: (name: string, subject: unknown, priority: CallOptions['priority']) => string,
): string[] {
  const said: string[] = [];
  for (const name of ['readSubject', 'updateConsent', 'withdrawAll'] as const) {
    const call = platform[name].bind(platform) as (...args: unknown[]) => Promise<never>;
    const made = (...args: unknown[]) => {
      said.push(textOf(name, args[1], (args.at(-1) as CallOptions | undefined)?.priority));
      return call(...args);
    };
    Object.assign(platform, { [name]: made });
  }
  return said;
}

suite('Where the quota is used up', () => {
  test('everything is withdrawn without a reading, and read back when the quota allows it', async (t) => {
    const { platform, time, submit } = await begin(t);
    platform.script = ({ kind }) => (kind === 'read' ? usedUp(20) : undefined);
    const left = await submit({ intent: leaveAll });
    assert.equal(platform.statusOf(anna, 'a'), 'off');
    assert.equal((await left())?.state, 'pending');
    platform.script = () => undefined;
    await time.advance(30_000);
    assert.equal((await left())?.state, 'done');
    assert.equal(platform.writes().length, 1);
  });

  test('a call that cannot be sent delays no other person, and is sent at its Retry-After', async (t) => {
    const { platform, time, submit } = await begin(t);
    platform.script = ({ subject }) => (subject === anna ? usedUp(120) : undefined);
    const later = await submit({ intent: intentOf(off('a')) });
    const other = await submit({ subject: ben, intent: intentOf(on('b')) });
    assert.equal(outcomes(await other()), 'b:saved');
    assert.equal(outcomes(await later()), 'a:being-carried-out');
    platform.script = () => undefined;
    await time.advance(110_000);
    assert.equal(platform.statusOf(anna, 'a'), 'active');
    await time.advance(15_000);
    assert.equal(outcomes(await later()), 'a:saved');
  });

  test('each call has the priority of its kind', async (t) => {
    const { platform, time, submit } = await begin(t);
    const said = noted(
      platform,
      (name, _, priority) => `${name} ${name === 'withdrawAll' ? 'withdrawal' : priority}`,
    );
    const saidFor = async (request: Partial<SubmissionRequest>) => {
      said.length = 0;
      await submit(request);
      await time.advance(10_000);
      return [...new Set(said)];
    };
    assert.deepEqual(await saidFor({ intent: intentOf(on('b')) }), [
      'readSubject person',
      'updateConsent person',
    ]);
    platform.put(aSubject({ purposes: [record('a', 'active', ['t1', 't2']), record('b', 'active')] }));
    assert.deepEqual(await saidFor({ intent: intentOf(reduce('a', { topicsOff: ['t1'] })) }), [
      'readSubject withdrawal',
      'updateConsent withdrawal',
      'readSubject person',
    ]);
    assert.deepEqual(await saidFor({ intent: intentOf(off('a')) }), [
      'readSubject withdrawal',
      'updateConsent withdrawal',
      'readSubject person',
    ]);
    assert.deepEqual(await saidFor({ intent: leaveAll, channel: 'one-click' }), [
      'withdrawAll withdrawal',
      'readSubject background',
    ]);
  });

  test('a person who submits without end gets the lowest priority for that time, and loses nothing', async (t) => {
    const { platform, delivery, time } = await begin(t);
    const said = noted(platform, (_, subject, priority) => `${subject} ${priority}`);
    const saidFor = async (subject: typeof anna, change: typeof on | typeof off) => {
      said.length = 0;
      const intent = intentOf(change('b'));
      const { reference } = await delivery.submit(aRequest({ subject, intent }));
      await time.advance(500);
      assert.equal(outcomes(await delivery.find(reference, subject)), 'b:saved');
      return [...new Set(said)];
    };
    for (let times = 0; times < 6; times += 1) {
      await saidFor(anna, on);
      assert.ok((await saidFor(anna, off)).includes(`${anna} withdrawal`));
    }
    for (const change of [on, off, on]) assert.deepEqual(await saidFor(anna, change), [`${anna} background`]);
    said.length = 0;
    await delivery.submit(aRequest({ intent: leaveAll }));
    await time.advance(500);
    assert.deepEqual([...new Set(said)], [`${anna} background`]);
    await saidFor(ben, on);
    assert.ok((await saidFor(ben, off)).includes(`${ben} withdrawal`));
    await time.advance(60_000);
    await saidFor(anna, on);
    assert.ok((await saidFor(anna, off)).includes(`${anna} withdrawal`));
  });

  for (const perMinute of [1, 2, 3]) {
    test(`of ${perMinute} a minute, a purpose that is only on by default gets a refusal on record, and is never granted`, async (t) => {
      const center = aCenter([aPurpose('a', { onByDefault: true }), aPurpose('b')]);
      const fixture = await openFixture({ center, purposes: [record('b', 'active')] });
      const { platform, time, delivery } = fixture;
      const pacer = createPacer({
        quota: { perMinute, perHour: 10_000 },
        store: memoryStore(time.now),
        clock: time,
        longestWaitMs: { withdrawal: 0, person: 0, background: 0 },
      });
      t.after(async () => {
        await fixture[Symbol.asyncDispose]();
        pacer.close();
      });
      const { updateConsent } = platform;
      const went: number[] = [];
      platform.updateConsent = async (...call) => {
        const { priority = 'person', permits = 1 } = (call as Parameters<Platform['updateConsent']>)[3] ?? {};
        const { signal } = new AbortController();
        if (permits !== 0) await pacer.admit('update-consent', { priority, calls: permits, signal });
        went.push(time.now());
        return updateConsent.apply(platform, call);
      };
      delivery.start();
      const { reference } = await delivery.submit(asking(off('a')));
      let agreed = 0;
      for (let second = 0; second < 240; second += 1) {
        await time.advance(1_000);
        if (platform.statusOf(anna, 'a') === 'active') agreed += 1;
      }
      assert.equal(outcomes(await delivery.find(reference, anna)), 'a:saved');
      assert.equal(platform.statusOf(anna, 'a'), 'off');
      assert.equal(agreed, 0);
      const [first = 0, second = 0, third = 0] = went;
      assert.equal(went.length, 3);
      assert.equal(second, third, 'both at once');
      if (perMinute < 3) assert.ok(second - first >= 60_000, `after ${second - first} ms`);
    });
  }
});
