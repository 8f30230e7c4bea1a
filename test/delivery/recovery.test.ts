import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { record } from '../core/center-builder.ts';
import { off, on } from '../core/changes.ts';
import { settled } from './fake-time.ts';
import { anna, asking, openFixture, outcomes } from './fixture.ts';

const lease = 20_000;
const purposes = [record('a', 'active')];

// `interleavings.test.ts` covers kills at all other times, and the results that a person is told.
suite('a process that dies', () => {
  for (const [when, downtime] of [
    ['is back after a minute', 90_000],
    ['is back after the clock was set back by an hour', -3_600_000],
  ] as const)
    test(`and ${when} loses no withdrawal and grants nothing late`, async (t) => {
      const fixture = await openFixture({ purposes });
      const { platform } = fixture;
      const { updateConsent } = platform;
      platform.updateConsent = () => new Promise(() => undefined);
      const { reference } = await fixture.delivery.submit(asking(off('a'), on('b')));
      await settled();
      platform.updateConsent = updateConsent;
      fixture.time.pass(downtime);
      const after = await fixture.restart();
      t.after(after.close);
      after.delivery.start();
      await after.time.advance(45_000);
      assert.deepEqual([platform.statusOf(anna, 'a'), platform.statusOf(anna, 'b')], ['off', undefined]);
      assert.match(outcomes(await after.delivery.find(reference, anna)), /^a:saved b:(?!saved)/);
      await after.delivery.stop();
    });

  test('keeps its lease until the lease ends', async (t) => {
    const fixture = await openFixture({ purposes });
    fixture.platform.readSubject = () => new Promise(() => undefined);
    await fixture.delivery.submit(asking(off('a')));
    await settled();
    const after = await fixture.restart();
    t.after(after.close);
    let reads = 0;
    fixture.platform.readSubject = async () => {
      reads += 1;
      return fixture.platform.subject(anna);
    };
    after.delivery.start();
    await after.time.advance(lease - 1);
    assert.equal(reads, 0);
    await after.time.advance(5_000);
    assert.ok(reads > 0);
    await after.delivery.stop();
  });
});
