import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { usualLimits } from '../../src/core/consent/desired-state.ts';
import { record } from '../core/center-builder.ts';
import { off, on } from '../core/changes.ts';
import { anna, asking, openFixture, outcomes } from './fixture.ts';

suite('What is underway', () => {
  test('is what was withdrawn, for as long as a reading may not show it', async () => {
    await using fixture = await openFixture({ purposes: [record('a', 'active')] });
    const { delivery, time } = fixture;
    await delivery.submit(asking(off('a')));
    await delivery.settle();
    const shown = async () => {
      const { changes, isCalled } = await delivery.underway('center', anna);
      return [changes, isCalled('a', true), isCalled('a', false)];
    };
    assert.deepEqual(await shown(), [[off('a')], true, false]);
    await time.advance(usualLimits.lag);
    assert.deepEqual(await shown(), [[], false, false]);
  });

  test('is nothing of what is on again while the rest is still being left', async (t) => {
    const purposes = [record('a', 'active'), record('b', 'active')];
    const { platform, delivery, close } = await openFixture({ purposes });
    t.after(close);
    platform.script = ({ kind }) =>
      kind === 'read' ? undefined : { kind: 'fails', code: 'platform-refused' };
    await delivery.submit(asking(off('a'), off('b')));
    await delivery.settle();
    assert.deepEqual((await delivery.underway('center', anna)).changes, [off('a'), off('b')]);
    const { reference } = await delivery.submit(asking(on('a')));
    await delivery.settle();
    assert.equal(outcomes(await delivery.find(reference, anna)), 'a:unchanged');
    assert.deepEqual((await delivery.underway('center', anna)).changes, [off('b')]);
  });
});
