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
