import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { Journal } from '../../src/ports/journal.ts';
import { record } from '../core/center-builder.ts';
import { off, on } from '../core/changes.ts';
import { settled } from './fake-time.ts';
import { anna, aSubject, asking, openFixture, outcomes } from './fixture.ts';

const subjects = [aSubject({ purposes: [record('a', 'active')] })];

/** `fixture.delivery` is one process, `delivery` another, whose store is watched. */
async function twoProcesses(t: TestContext, change: (people: Journal) => Partial<Journal> = () => ({})) {
  const fixture = await openFixture({ subjects });
  t.after(() => fixture[Symbol.asyncDispose]());
  return { fixture, delivery: fixture.beside(change) };
}

suite('several processes on one store', () => {
  test('what is switched off in one while the other is about to switch it on is not switched on', async (t) => {
    let isRecorded = false;
    const { fixture, delivery } = await twoProcesses(t, (people) => ({
      async keep(...asked) {
        // After the record was read: this is the last write before the call.
        if (!isRecorded && fixture.platform.calls.length > 0) {
          isRecorded = true;
          await fixture.delivery.submit(asking(off('b')));
          assert.equal((await people.keep(...asked)).kind, 'changed');
        }
        return people.keep(...asked);
      },
    }));
    const { reference } = await delivery.submit(asking(on('b')));
    await fixture.time.advance(30_000);
    assert.ok(isRecorded);
    const sent = fixture.platform
      .writes()
      .flatMap(({ update }) => update?.purposes.map(({ id }) => id) ?? []);
    assert.ok(!sent.includes('b'), sent.join(' '));
    assert.equal(outcomes(await delivery.find(reference, anna)), 'b:replaced');
    assert.notEqual(fixture.platform.statusOf(anna, 'b'), 'active');
  });

  test('a call is not made by one whose lease the other has taken meanwhile', async (t) => {
    let isTaken = false;
    const { fixture, delivery } = await twoProcesses(t, (people) => ({
      async keep(...asked) {
        if (!isTaken) {
          isTaken = true;
          const now = fixture.time.now() + 30_000;
          assert.ok(await people.claim({ owner: 'other', now, until: now + 20_000 }));
        }
        const kept = await people.keep(...asked);
        assert.equal(kept.kind, 'lost');
        return kept;
      },
    }));
    const { reference } = await delivery.submit(asking(on('b')));
    await delivery.settle();
    assert.ok(isTaken);
    assert.deepEqual(fixture.platform.writes(), []);
    assert.equal((await delivery.find(reference, anna))?.state, 'pending');
  });

  test('a call is not made once the lease ran out while it was written down', async (t) => {
    let isLate = false;
    const { fixture, delivery } = await twoProcesses(t, (people) => ({
      async keep(...asked) {
        const kept = await people.keep(...asked);
        if (!isLate) fixture.time.pass(20_000);
        isLate = true;
        return kept;
      },
    }));
    await delivery.submit(asking(off('a')));
    await fixture.time.advance(60_000);
    await delivery.settle();
    assert.ok(isLate);
    const kinds = fixture.platform.calls.map(({ kind }) => kind);
    assert.deepEqual(kinds.slice(0, 3), ['read', 'read', 'put'], 'it was taken up again, and read anew');
    assert.equal(fixture.platform.statusOf(anna, 'a'), 'off');
  });

  test('a try that was stopped for longer than its lease does nothing beside the next one of the same process', async () => {
    await using fixture = await openFixture({ subjects });
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
    const { reference } = await delivery.submit(asking(on('b')));
    await settled();
    time.pass(20_001);
    const settling = delivery.settle();
    await settled();
    const calls = async () => (await journal.find(reference))?.work?.progress.calls.length;
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

  test('what one was about to withdraw while it stood still stays on where another one carried out a later word', async (t) => {
    const { fixture, delivery: there } = await twoProcesses(t);
    const { platform, time, delivery } = fixture;
    const stopped = Promise.withResolvers<void>();
    const { readSubject } = platform;
    let reads = 0;
    platform.readSubject = async (...asked) => {
      reads += 1;
      if (reads === 1) await stopped.promise;
      return readSubject.apply(platform, asked);
    };
    const early = await delivery.submit(asking(off('a')));
    await settled();
    time.pass(20_001);
    const { reference } = await there.submit(asking(on('a')));
    await there.settle();
    assert.equal(outcomes(await there.find(reference, anna)), 'a:unchanged');
    stopped.resolve();
    await delivery.settle();
    assert.equal(outcomes(await delivery.find(early.reference, anna)), 'a:replaced');
    assert.deepEqual(platform.writes(), []);
    assert.equal(platform.statusOf(anna, 'a'), 'active');
  });

  test('what waits in one hears of what the other has finished within about a second', async () => {
    await using fixture = await openFixture({ subjects });
    const { time, platform } = fixture;
    const here = fixture.beside(() => ({ claim: async () => undefined }));
    let answer: string | undefined;
    const waiting = here.submit(asking(off('a')), { waitMs: 7_500 }).then((submission) => {
      answer = outcomes(submission);
    });
    await settled();
    // As where the news is lost on its way.
    const there = fixture.beside((people) => ({
      keep: (held, change, lease) => people.keep(held, { ...change, told: [] }, lease),
    }));
    await there.settle();
    assert.equal(platform.statusOf(anna, 'a'), 'off');
    await time.advance(1_001);
    assert.equal(answer, 'a:saved');
    await waiting;
  });
});
