import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Intent, PurposeChange } from '../../src/core/model/intent.ts';
import { underwayOf } from '../../src/delivery/underway.ts';
import { newWork } from '../../src/delivery/work.ts';
import { record } from '../core/center-builder.ts';
import { anna, aRequest, aSubject, intentOf, leaveAll, off, on, openFixture, outcomes } from './fixture.ts';

const reduce = { kind: 'reduce', purpose: 'a', topicsOff: ['t1'], optionsOff: [] } as const;
const choices = { topicsOn: ['t1'], topicsOff: [], optionsOn: [], optionsOff: [] };
const add: PurposeChange = { kind: 'adjust', purpose: 'a', ...choices };

/** A second apart, the first at 0. */
function pending(...intents: Intent[]) {
  return intents.map((intent, index) => {
    return { work: newWork(aRequest({ intent })), submittedAt: index * 1_000 };
  });
}

suite('What is underway', () => {
  test('is everything that is left, but for what is asked for again since', () => {
    const everything = { but: [] };
    assert.deepEqual(underwayOf(pending(leaveAll), 5_000), { changes: [], everything });
    const [left, again] = [leaveAll, intentOf(on('a', ['t2']))];
    assert.deepEqual(underwayOf(pending(left, again), 5_000), { changes: [on('a', ['t2'])], everything });
    assert.deepEqual(underwayOf(pending(again, left), 5_000), { changes: [], everything });
  });

  test('is the last that was asked for of a purpose', () => {
    const [left, joined] = [intentOf(off('a'), off('b')), intentOf(on('a'))];
    assert.deepEqual(underwayOf(pending(left, joined), 5_000).changes, [on('a'), off('b')]);
    assert.deepEqual(underwayOf(pending(left, joined, left), 5_000).changes, [off('a'), off('b')]);
  });

  test('is no grant whose minute is over', () => {
    const entries = pending(intentOf(off('a')), intentOf(on('a')));
    assert.deepEqual(underwayOf(entries, 60_999).changes, [on('a')]);
    assert.deepEqual(underwayOf(entries, 61_000).changes, [off('a')]);
  });

  test('is what is taken out under a purpose, and chosen again since', () => {
    assert.deepEqual(underwayOf(pending(intentOf(reduce), intentOf(add)), 5_000).changes, [reduce, add]);
  });

  test('is no grant of what nothing takes back', () => {
    const entries = pending(intentOf(on('c')), intentOf(off('b')), intentOf({ ...add, purpose: 'd' }));
    assert.deepEqual(underwayOf(entries, 5_000), { changes: [off('b')], everything: undefined });
  });

  for (const intent of [leaveAll, intentOf(off('a'), off('b'))]) {
    const name = intent.everything === undefined ? 'one by one' : 'all at once';
    test(`is nothing of what is on again while the rest is still being left, ${name}`, async (t) => {
      const purposes = [record('a', 'active'), record('b', 'active')];
      const { platform, delivery, close } = openFixture({ subjects: [aSubject({ purposes })] });
      t.after(close);
      platform.script = ({ kind, update }) => {
        const isMade = kind === 'read' || update?.purposes.some(({ id }) => id === 'a');
        return isMade ? undefined : { kind: 'fails', code: 'platform-refused' };
      };
      await delivery.submit(aRequest({ intent }));
      await delivery.settle();
      assert.deepEqual((await delivery.underway('center', anna)).changes, [off('a'), off('b')]);
      const { reference } = await delivery.submit(aRequest({ intent: intentOf(on('a')) }));
      await delivery.settle();
      assert.equal(outcomes(await delivery.find(reference, anna)), 'a:saved');
      const { changes, everything } = await delivery.underway('center', anna);
      assert.deepEqual(changes, [off('b')]);
      assert.deepEqual(everything?.but, intent === leaveAll ? ['a'] : undefined);
    });
  }
});
