import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { Journal } from '../../src/ports/journal.ts';
import { record } from '../core/center-builder.ts';
import { off, on } from '../core/changes.ts';
import { settled } from './fake-time.ts';
import { anna, aSubject, asking, openFixture, outcomes } from './fixture.ts';

const subjects = [aSubject({ purposes: [record('a', 'active')] })];

/** Opens two processes: `fixture.delivery`, and `delivery`, whose store the test watches. */
async function twoProcesses(t: TestContext, change: (people: Journal) => Partial<Journal> = () => ({})) {
  const fixture = await openFixture({ subjects });
  t.after(() => fixture[Symbol.asyncDispose]());
  return { fixture, delivery: fixture.beside(change) };
}

suite('several processes on one store', () => {
  test('a withdrawal in one process stops a grant that the other process is about to send', async (t) => {
    let isRecorded = false;
    const { fixture, delivery } = await twoProcesses(t, (people) => ({
      async keep(...asked) {
        // The record was read before, so this is the last write before the call.
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

  test('a process makes no call after another one took its lease', async (t) => {
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

  test('a process makes no call if its lease ends while it stores the call', async (t) => {
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
    assert.deepEqual(kinds.slice(0, 3), ['read', 'read', 'put'], 'the work is resumed with a new reading');
    assert.equal(fixture.platform.statusOf(anna, 'a'), 'off');
  });

  test('a request that waits in one process learns of the result of another within about a second', async () => {
    await using fixture = await openFixture({ subjects });
    const { time, platform } = fixture;
    const here = fixture.beside(() => ({ claim: async () => undefined }));
    let answer: string | undefined;
    const waiting = here.submit(asking(off('a')), { waitMs: 7_500 }).then((submission) => {
      answer = outcomes(submission);
    });
    await settled();
    // No news is published, as if it were lost.
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
