import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { Problem } from '../../src/core/model/problem.ts';
import type { SubmissionRequest } from '../../src/core/model/submission-request.ts';
import { createDelivery } from '../../src/delivery/delivery.ts';
import { createSeal } from '../../src/store/seal.ts';
import { openJournal } from '../../src/store/sqlite/journal.ts';
import { settled } from './fake-time.ts';
import { record } from './scripted-platform.ts';
import {
  anna,
  anOrder,
  aSubject,
  intentOf,
  leaveAll,
  off,
  on,
  openWorkbench,
  outcomes,
  type Workbench,
} from './workbench.ts';

/** An opt-in to `b` whose first call is lost on its way, and lands when `land` is called. */
async function lostOnItsWay(
  t: TestContext,
  { closes = true, ...options }: Parameters<typeof openWorkbench>[0] & { closes?: boolean } = {},
) {
  const bench = openWorkbench({ subjects: [aSubject({ purposes: [record('a', 'active')] })], ...options });
  if (closes) t.after(bench.close);
  const { platform } = bench;
  const { updateConsent } = platform;
  let sent: Parameters<typeof updateConsent> | undefined;
  platform.updateConsent = async (...call) => {
    if (sent !== undefined) return updateConsent.apply(platform, call);
    sent = call;
    throw new Problem('platform-slow', { answerLost: true });
  };
  return {
    bench,
    land: async () => {
      assert.ok(sent);
      await updateConsent.apply(platform, sent);
    },
  };
}

async function submit(bench: Workbench, request: SubmissionRequest) {
  const { reference } = await bench.delivery.submit(request);
  await bench.time.advance(15_000);
  return () => bench.delivery.find(reference, anna);
}

suite('a call in doubt', () => {
  for (const [what, intent] of [
    ['one purpose', intentOf(off('a'))],
    ['everything', leaveAll],
  ] as const) {
    for (const readBackDelaysMs of [31_000, 121_000, 601_000]) {
      test(`that lands before ${readBackDelaysMs} ms does not bring back ${what}`, async (t) => {
        const { bench, land } = await lostOnItsWay(t);
        bench.delivery.start();
        const granted = await submit(bench, anOrder({ intent: intentOf(on('b')) }));
        assert.equal(outcomes(granted()), 'b:in-doubt');
        const left = await submit(bench, anOrder({ intent }));
        assert.equal(left()?.state, 'done');
        assert.equal(left()?.aftermath, 'watched');
        await bench.time.advance(readBackDelaysMs - 20_000);
        await land();
        assert.equal(bench.platform.statusOf(anna, 'a'), 'active');
        await bench.time.advance(25_000);
        assert.equal(bench.platform.statusOf(anna, 'a'), 'off');
        assert.equal(left()?.aftermath, 'repeated');
        if (intent === leaveAll) assert.equal(bench.platform.statusOf(anna, 'b'), 'off');
        await bench.time.advance(900_000);
        assert.equal(bench.journal.nextDueAt(), undefined, 'nobody looks again');
        await bench.delivery.stop();
      });
    }
  }

  test('is remembered over a restart', async (t) => {
    const { bench, land } = await lostOnItsWay(t, { closes: false });
    await bench.delivery.submit(anOrder({ intent: intentOf(on('b')) }));
    await bench.time.advance(15_000);
    await bench.delivery.submit(anOrder({ intent: leaveAll }));
    await bench.time.advance(15_000);
    const after = bench.restart();
    after.delivery.start();
    await land();
    await after.time.advance(61_000);
    assert.equal(bench.platform.statusOf(anna, 'a'), 'off');
    assert.equal(bench.platform.statusOf(anna, 'b'), 'off');
    await after.delivery.stop();
    t.after(after.close);
  });

  test('of one process, and of one center, is known to another', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sayso-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'journal.db');
    const { bench, land } = await lostOnItsWay(t, { file });
    const journal = openJournal({ file, seal: createSeal(['a secret of at least thirty-two bytes']) });
    t.after(() => journal.close());
    const { time, platform } = bench;
    const other = createDelivery({
      platform,
      journal,
      clock: time,
      timer: time,
      random: { id: () => `other-${Math.random()}` },
      log: { info() {}, warn() {}, error() {} },
      confirmAfter: 0,
    });
    await bench.delivery.submit(anOrder({ intent: intentOf(on('b')), center: 'another center' }));
    await time.advance(15_000);
    await other.submit(anOrder({ intent: intentOf(off('a')) }));
    await settled();
    assert.equal(platform.statusOf(anna, 'a'), 'off');
    await land();
    assert.equal(platform.statusOf(anna, 'a'), 'active');
    await bench.delivery.stop();
    other.start();
    await time.advance(61_000);
    assert.equal(platform.statusOf(anna, 'a'), 'off');
    await other.stop();
  });

  test('does not take back what was asked for since', async (t) => {
    const { bench, land } = await lostOnItsWay(t);
    bench.delivery.start();
    await submit(bench, anOrder({ intent: intentOf(on('b')) }));
    await submit(bench, anOrder({ intent: intentOf(off('a')) }));
    const again = await submit(bench, anOrder({ intent: intentOf(on('a')) }));
    assert.equal(outcomes(again()), 'a:saved');
    await land();
    await bench.time.advance(900_000);
    assert.equal(bench.platform.statusOf(anna, 'a'), 'active');
    await bench.delivery.stop();
  });

  test('is told as saved once it is on, and as not saved when it never is', async (t) => {
    for (const lands of [true, false]) {
      const { bench, land } = await lostOnItsWay(t);
      bench.delivery.start();
      const granted = await submit(bench, anOrder({ intent: intentOf(on('b')) }));
      await bench.time.advance(70_000);
      assert.equal(outcomes(granted()), 'b:in-doubt');
      if (lands) await land();
      await bench.time.advance(600_000);
      assert.equal(outcomes(granted()), lands ? 'b:saved' : 'b:not-saved');
      assert.equal(granted()?.state, lands ? 'done' : 'failed');
      assert.equal(bench.platform.writes().length, lands ? 1 : 0, 'it was never sent again');
      await bench.delivery.stop();
    }
  });
});
