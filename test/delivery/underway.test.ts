import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { usualLimits } from '../../src/core/consent/desired-state.ts';
import { underway } from '../../src/core/consent/told.ts';
import type { Intent } from '../../src/core/model/submission/intent.ts';
import { newPerson, recorded } from '../../src/delivery/recording.ts';
import { record } from '../core/center-builder.ts';
import { adjust, intentOf, leaveAll, off, on, reduce } from '../core/changes.ts';
import { anna, aRequest, asking, openFixture, outcomes } from './fixture.ts';

const less = reduce('a', { topicsOff: ['t1'] });
const more = adjust('a', { topicsOn: ['t1'] });

/** Said a second apart, the first at 0, and nothing of it carried out. */
function underwayAt(now: number, ...intents: Intent[]) {
  const person = intents.reduce(
    (known, intent, index) => {
      const submission = { request: aRequest({ intent }), reference: `r${index}`, now: index * 1_000 };
      return recorded(known, submission, undefined).change.person;
    },
    newPerson(anna, 0),
  );
  const { changes, everything } = underway(person, 'center', now);
  return { changes, everything };
}

suite('What is underway', () => {
  test('is everything that is left, but for what is asked for again since', () => {
    const everything = { but: [] };
    assert.deepEqual(underwayAt(5_000, leaveAll), { changes: [], everything });
    const again = intentOf(on('a', { topics: ['t2'] }));
    assert.deepEqual(underwayAt(5_000, leaveAll, again), {
      changes: [on('a', { topics: ['t2'] })],
      everything,
    });
    assert.deepEqual(underwayAt(5_000, again, leaveAll), { changes: [off('a')], everything });
  });

  test('is the last that was asked for of a purpose', () => {
    const [left, joined] = [intentOf(off('a'), off('b')), intentOf(on('a'))];
    assert.deepEqual(underwayAt(5_000, left, joined).changes, [on('a'), off('b')]);
    assert.deepEqual(underwayAt(5_000, left, joined, left).changes, [off('a'), off('b')]);
  });

  test('is no grant whose minute is over', () => {
    const said = [intentOf(off('a')), intentOf(on('a'))];
    assert.deepEqual(underwayAt(60_999, ...said).changes, [on('a')]);
    assert.deepEqual(underwayAt(61_000, ...said).changes, []);
  });

  test('is what is taken out under a purpose, unless it was chosen again since', () => {
    assert.deepEqual(underwayAt(5_000, intentOf(less)).changes, [less]);
    assert.deepEqual(underwayAt(5_000, intentOf(less), intentOf(more)).changes, [more]);
  });

  test('is a grant whose call was not made: who sees it as on can withdraw it', () => {
    const choice = adjust('d', { topicsOn: ['t1'] });
    const said = [intentOf(on('c')), intentOf(off('b')), intentOf(choice)];
    assert.deepEqual(underwayAt(5_000, ...said).changes, [on('c'), off('b'), choice]);
  });

  test('is what was withdrawn, for as long as a reading may not show it', async () => {
    await using fixture = openFixture({ purposes: [record('a', 'active')] });
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
    const { platform, delivery, close } = openFixture({ purposes });
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
