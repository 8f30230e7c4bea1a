import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { Problem } from '../../src/core/model/problem.ts';
import { record } from '../core/center-builder.ts';
import { adjust, intentOf, leaveAll, off, on, reduce } from '../core/changes.ts';
import { settled } from './fake-time.ts';
import { anna, aRequest, aSubject, asking, openFixture } from './fixture.ts';

/** An opt-in to `b` whose first call is lost on its way, and lands when `land` is called. */
async function lostOnItsWay(
  t: TestContext,
  { closes = true, ...options }: Parameters<typeof openFixture>[0] & { closes?: boolean } = {},
) {
  const fixture = openFixture({ purposes: [record('a', 'active')], ...options });
  if (closes) t.after(() => fixture[Symbol.asyncDispose]());
  const { platform } = fixture;
  const { updateConsent } = platform;
  let sent: Parameters<typeof updateConsent> | undefined;
  platform.updateConsent = async (...call) => {
    if (sent !== undefined) return updateConsent.apply(platform, call);
    sent = call;
    throw new Problem('platform-slow', { answerLost: true });
  };
  return {
    fixture,
    land: async () => {
      assert.ok(sent);
      await updateConsent.apply(platform, sent);
    },
  };
}

test('Who leaves everything by hand right after a click leaves what a reading does not show yet, too.', async () => {
  for (const [channel, deletes] of [
    ['link', 2],
    ['one-click', 1],
  ] as const) {
    await using fixture = openFixture({ purposes: [record('a', 'active')] });
    const { platform, delivery } = fixture;
    delivery.start();
    const leave = async (by: typeof channel) => {
      await delivery.submit(aRequest({ intent: leaveAll, channel: by }));
      await fixture.time.advance(2_000);
    };
    await leave('one-click');
    const shown = platform.subject(anna);
    platform.put(aSubject({ purposes: [record('a', 'active')] }));
    const { readSubject } = platform;
    platform.readSubject = async (...call) =>
      platform.writes().length === 1 ? shown : readSubject.apply(platform, call);
    await leave(channel);
    assert.equal(platform.writes().length, deletes, channel);
    if (channel === 'link') assert.equal(platform.statusOf(anna, 'a'), 'off');
  }
});

suite('a call in doubt', () => {
  test('is remembered over a restart', async (t) => {
    const { fixture, land } = await lostOnItsWay(t, { closes: false });
    await fixture.delivery.submit(asking(on('b')));
    await fixture.time.advance(15_000);
    await fixture.delivery.submit(aRequest({ intent: leaveAll }));
    await fixture.time.advance(15_000);
    const after = fixture.restart();
    after.delivery.start();
    await land();
    await after.time.advance(61_000);
    assert.equal(fixture.platform.statusOf(anna, 'a'), 'off');
    assert.equal(fixture.platform.statusOf(anna, 'b'), 'off');
    await after.delivery.stop();
    t.after(after.close);
  });

  test('of one process, and of one center, is known to another', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sayso-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'journal.db');
    const { fixture, land } = await lostOnItsWay(t, { file });
    const { time, platform } = fixture;
    const other = fixture.beside();
    await fixture.delivery.submit(aRequest({ intent: intentOf(on('b')), center: 'another center' }));
    await time.advance(15_000);
    await other.submit(asking(off('a')));
    await settled();
    assert.equal(platform.statusOf(anna, 'a'), 'off');
    await land();
    assert.equal(platform.statusOf(anna, 'a'), 'active');
    await fixture.delivery.stop();
    other.start();
    await time.advance(61_000);
    assert.equal(platform.statusOf(anna, 'a'), 'off');
    await other.stop();
  });
});

test('what was on all along stays on, though more of it was not saved and the call that kept it is in doubt.', async () => {
  await using fixture = openFixture({
    purposes: [record('a', 'active', ['t1']), record('b', 'active', ['t1', 't2'])],
  });
  fixture.delivery.start();
  const { platform, time } = fixture;
  platform.script = () => ({ kind: 'fails', code: 'platform-unreachable' });
  const { reference } = await fixture.delivery.submit(
    asking(adjust('a', { topicsOn: ['t2'] }), reduce('b', { topicsOff: ['t2'] })),
  );
  await settled();
  await time.advance(70_000);
  platform.script = (call) =>
    call.kind === 'put' && platform.writes().length === 1
      ? { kind: 'lost', code: 'platform-slow' }
      : undefined;
  await time.advance(400_000);
  const items = (await fixture.delivery.find(reference, anna))?.items;
  assert.deepEqual(
    items?.map(({ id, change, outcome }) => `${id} ${change} ${outcome}`),
    ['a adjust not-saved', 'b reduce saved'],
  );
  assert.equal(platform.statusOf(anna, 'a'), 'active');
});
