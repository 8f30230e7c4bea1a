import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { times } from '../chaos/dice.ts';
import { aCenter, aPurpose, record } from '../core/center-builder.ts';
import { intentOf, leaveAll, off, on } from '../core/changes.ts';
import { settled } from './fake-time.ts';
import { anna, aRequest, asking, openFixture, outcomes } from './fixture.ts';
import type { PlatformCall } from './scripted-platform.ts';

const lease = 20_000;
const center = aCenter([aPurpose('a'), aPurpose('b'), aPurpose('d', { onByDefault: true })]);
const purposes = [record('a', 'active')];

// Below nothing: the clock was set back meanwhile.
const downtimes = [lease + 1, 90_000, -3_600_000];
/** Where the process dies: at the nth call, before it arrives or after it took effect. */
const points = [1, 2, 3, 4, 5, 6].flatMap((call) =>
  [false, true].map((arrives) => {
    const one = downtimes.filter((_, index) => index === (2 * call + Number(arrives)) % 3);
    return { call, arrives, downtimes: times(one, downtimes) };
  }),
);

function dieAt(point: { call: number; arrives: boolean }) {
  let isDead = false;
  let calls = 0;
  return {
    isDead: () => isDead,
    wrap<T>(kind: PlatformCall['kind'], act: () => Promise<T>): Promise<T> {
      calls += 1;
      if (isDead || calls < point.call) return act();
      isDead = true;
      if (point.arrives && kind !== 'read') void act();
      return new Promise(() => undefined);
    },
  };
}

suite('a process that dies', () => {
  for (const [what, intent] of [
    ['a mixed submission', intentOf(off('a'), on('b'), off('d'))],
    ['leaving everything', leaveAll],
  ] as const) {
    for (const point of points) {
      for (const downtime of point.downtimes) {
        const when = point.arrives ? 'after' : 'before';
        test(`${when} call ${point.call} of ${what}, back after ${downtime} ms, loses no withdrawal and grants nothing late`, async (t) => {
          const fixture = await openFixture({ center, purposes });
          const death = dieAt(point);
          const { readSubject, updateConsent, withdrawAll } = fixture.platform;
          const { platform } = fixture;
          platform.readSubject = (...args) => death.wrap('read', () => readSubject.apply(platform, args));
          platform.updateConsent = (...args) => death.wrap('put', () => updateConsent.apply(platform, args));
          platform.withdrawAll = (...args) => death.wrap('delete', () => withdrawAll.apply(platform, args));

          const { reference } = await fixture.delivery.submit(aRequest({ intent }));
          await settled();
          const onAtDeath = platform.statusOf(anna, 'b') === 'active';
          const wasDead = death.isDead();
          Object.assign(platform, { readSubject, updateConsent, withdrawAll });
          fixture.time.pass(downtime);
          const after = await fixture.restart();
          t.after(after.close);
          after.delivery.start();
          await after.time.advance(45_000);

          assert.equal(platform.statusOf(anna, 'a'), 'off');
          assert.equal(platform.statusOf(anna, 'd'), 'off');
          if (wasDead && Math.abs(downtime) > 60_000 && !onAtDeath)
            assert.notEqual(platform.statusOf(anna, 'b'), 'active');
          const found = await after.delivery.find(reference, anna);
          assert.notEqual(found?.state, 'pending');
          const told = outcomes(found);
          assert.equal(told.includes('b:saved'), platform.statusOf(anna, 'b') === 'active');
          assert.match(told, /a:saved/);
          assert.match(told, /d:saved/);
          await after.delivery.stop();
        });
      }
    }
  }

  test('leaves its lease to no one before it has run out', async (t) => {
    const fixture = await openFixture({ center, purposes });
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
