import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { createDelivery } from '../../src/delivery/delivery.ts';
import { newWork } from '../../src/delivery/work.ts';
import type { Journal } from '../../src/ports/journal.ts';
import { record } from '../core/center-builder.ts';
import { settled } from './fake-time.ts';
import {
  anna,
  aRequest,
  aSubject,
  type Fixture,
  intentOf,
  off,
  on,
  openFixture,
  outcomes,
} from './fixture.ts';
import { strictLog } from './strict-log.ts';

const subjects = [aSubject({ purposes: [record('a', 'active')] })];

function deliveryOn(fixture: Fixture, journal: Journal, name: string) {
  let made = 0;
  return createDelivery({
    platform: fixture.platform,
    journal,
    clock: fixture.time,
    timer: fixture.time,
    random: { id: () => `${name}-${++made}` },
    log: strictLog,
    jitter: () => 0.5,
    confirmAfter: 0,
  });
}

function onJournal(t: TestContext, change: (journal: Journal) => Partial<Journal>) {
  const fixture = openFixture({ subjects });
  t.after(fixture.close);
  const { journal } = fixture;
  const changed = change(journal);
  const seen = new Proxy(journal, {
    get: (target, name: keyof Journal) => changed[name] ?? target[name],
  });
  return { fixture, delivery: deliveryOn(fixture, seen, 'here') };
}

suite('several processes on one journal', () => {
  test('what is switched off in one while the other is about to switch it on is not switched on', async (t) => {
    let isRecorded = false;
    const { fixture, delivery } = onJournal(t, (journal) => ({
      async laterThan(...asked) {
        const found = await journal.laterThan(...asked);
        // After the record was read: this answer is the last one before the call.
        if (!isRecorded && fixture.platform.calls.length > 0) {
          isRecorded = true;
          const request = aRequest({ intent: intentOf(off('b')) });
          const made = { reference: 'elsewhere', now: fixture.time.now(), work: newWork(request) };
          await journal.record(request, { ...made, expiresAt: undefined });
        }
        return found;
      },
    }));
    const { reference } = await delivery.submit(aRequest({ intent: intentOf(on('b')) }));
    await fixture.time.advance(30_000);
    assert.ok(isRecorded);
    const sent = fixture.platform
      .writes()
      .flatMap(({ update }) => update?.purposes.map(({ id }) => id) ?? []);
    assert.ok(!sent.includes('b'), sent.join(' '));
    assert.equal(outcomes(await delivery.find(reference, anna)), 'b:withdrawn-elsewhere');
    assert.notEqual(fixture.platform.statusOf(anna, 'b'), 'active');
  });

  test('a call is not made by one whose lease the other has taken meanwhile', async (t) => {
    let isTaken = false;
    const { fixture, delivery } = onJournal(t, (journal) => ({
      async save(...asked) {
        if (!isTaken) {
          isTaken = true;
          const now = fixture.time.now() + 30_000;
          assert.ok(await journal.claim({ owner: 'other', now, until: now + 20_000 }));
        }
        return journal.save(...asked);
      },
    }));
    const { reference } = await delivery.submit(aRequest({ intent: intentOf(on('b')) }));
    await delivery.settle();
    assert.ok(isTaken);
    assert.deepEqual(fixture.platform.writes(), []);
    assert.equal((await delivery.find(reference, anna))?.state, 'pending');
  });

  test('a call is not made once the lease ran out while it was written down', async (t) => {
    let isLate = false;
    const { fixture, delivery } = onJournal(t, (journal) => ({
      async save(...asked) {
        const saved = await journal.save(...asked);
        if (!isLate) fixture.time.pass(20_000);
        isLate = true;
        return saved;
      },
    }));
    await delivery.submit(aRequest({ intent: intentOf(off('a')) }));
    await delivery.settle();
    assert.ok(isLate);
    const kinds = fixture.platform.calls.map(({ kind }) => kind);
    assert.deepEqual(kinds.slice(0, 3), ['read', 'read', 'put'], 'it was taken up again, and read anew');
    assert.equal(fixture.platform.statusOf(anna, 'a'), 'off');
  });

  test('a try that was stopped for longer than its lease does nothing beside the next one of the same process', async (t) => {
    const fixture = openFixture({ subjects });
    t.after(fixture.close);
    const { platform, time, delivery, journal } = fixture;
    const [stopped, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { readSubject, updateConsent } = platform;
    let reads = 0;
    platform.readSubject = async (...asked) => {
      reads += 1;
      if (reads === 1) await stopped.promise;
      return readSubject.apply(platform, asked);
    };
    platform.updateConsent = async (...asked) => {
      await slow.promise;
      return updateConsent.apply(platform, asked);
    };
    const { reference } = await delivery.submit(aRequest({ intent: intentOf(on('b')) }));
    await settled();
    time.pass(20_001);
    const settling = delivery.settle();
    await settled();
    const calls = async () => (await journal.find(reference))?.work?.calls.length;
    assert.deepEqual([reads, await calls()], [2, 1], 'the second one makes its call');
    stopped.resolve();
    await settled();
    slow.resolve();
    await settling;
    await time.advance(30_000);
    assert.equal(platform.writes().length, 1);
    assert.equal(await calls(), 1);
    assert.equal(outcomes(await delivery.find(reference, anna)), 'b:saved');
  });

  test('what one has switched on while the other stood still, about to take it back, stays on', async (t) => {
    const fixture = openFixture({ subjects });
    t.after(fixture.close);
    const { platform, time, journal, delivery } = fixture;
    // Withdrawn elsewhere while its call is in doubt, and brought back by that: to be switched off again.
    platform.script = ({ kind }) => (kind === 'put' ? { kind: 'late' } : undefined);
    const early = await delivery.submit(aRequest({ intent: intentOf(on('b')) }));
    await time.advance(15_000);
    await delivery.settle();
    platform.script = () => undefined;
    platform.put(aSubject({ purposes: [record('b', 'off')] }));
    await time.advance(30_000);
    await delivery.settle();
    assert.equal(outcomes(await delivery.find(early.reference, anna)), 'b:withdrawn-elsewhere');
    platform.land();
    platform.script = ({ kind }) =>
      kind === 'put' ? { kind: 'fails', code: 'platform-refused' } : undefined;
    time.pass(120_000);
    await delivery.settle();
    platform.script = () => undefined;
    assert.equal(
      outcomes(await delivery.find(early.reference, anna)),
      'b:withdrawn-elsewhere b:being-carried-out',
    );

    const stopped = Promise.withResolvers<void>();
    const { readSubject } = platform;
    let reads = 0;
    platform.readSubject = async (...asked) => {
      reads += 1;
      if (reads === 1) await stopped.promise;
      return readSubject.apply(platform, asked);
    };
    await delivery.retry(early.reference);
    const settling = delivery.settle();
    await settled();
    time.pass(20_001);
    let claims = 0;
    const claimingOnce = new Proxy(journal, {
      get: (target, name: keyof Journal) =>
        name === 'claim' && ++claims > 1 ? async () => undefined : target[name],
    });
    const there = deliveryOn(fixture, claimingOnce, 'there');
    const { reference } = await there.submit(aRequest({ intent: intentOf(on('b'), off('c')) }));
    await there.settle();
    assert.equal(outcomes(await there.find(reference, anna)), 'b:saved c:unchanged');

    stopped.resolve();
    await settling;
    assert.equal(outcomes(await delivery.find(early.reference, anna)), 'b:withdrawn-elsewhere b:not-saved');
    assert.equal(platform.statusOf(anna, 'b'), 'active');
  });

  test('who waits in one hears of what the other has finished within about a second', async (t) => {
    const fixture = openFixture({ subjects });
    t.after(fixture.close);
    const { journal, time, platform } = fixture;
    const withoutClaims = new Proxy(journal, {
      get: (target, name: keyof Journal) => (name === 'claim' ? async () => undefined : target[name]),
    });
    const here = deliveryOn(fixture, withoutClaims, 'here');
    let answer: string | undefined;
    const waiting = here
      .submit(aRequest({ intent: intentOf(off('a')) }), { waitMs: 7_500 })
      .then((submission) => {
        answer = outcomes(submission);
      });
    await settled();
    const there = deliveryOn(fixture, new Proxy(journal, withoutNews), 'there');
    await there.settle();
    assert.equal(platform.statusOf(anna, 'a'), 'off');
    await time.advance(1_001);
    assert.equal(answer, 'a:saved');
    await waiting;
  });
});

/** As where nobody here is told of it. */
const withoutNews: ProxyHandler<Journal> = {
  get: (target, name: keyof Journal) =>
    name === 'save'
      ? (((reference, owner, change) =>
          target.save(reference, owner, { ...change, isTold: false })) satisfies Journal['save'])
      : target[name],
};
