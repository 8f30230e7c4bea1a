import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { SubmissionRequest } from '../../src/core/model/submission/submission-request.ts';
import { record } from '../core/center-builder.ts';
import { anna, aRequest, aSubject, asking, intentOf, off, on, openFixture, outcomes } from './fixture.ts';

/** A person with `p` and its topics on, and an opt-in to `b` that hangs and carries them. */
async function hanging(t: TestContext, topics: readonly string[]) {
  const fixture = openFixture({ purposes: [record('p', 'active', topics)] });
  t.after(() => fixture[Symbol.asyncDispose]());
  const { platform, delivery, time } = fixture;
  platform.script = ({ kind }, writes) => (kind === 'put' && writes === 1 ? { kind: 'late' } : undefined);
  delivery.start();
  async function submit(request: Partial<SubmissionRequest>) {
    const { reference } = await delivery.submit(aRequest(request));
    await time.advance(15_000);
    return async () => await delivery.find(reference, anna);
  }
  await submit({ intent: intentOf(on('b')) });
  const land = async () => platform.land();
  const topicsOf = () => platform.subject(anna).purposes.find(({ purpose }) => purpose === 'p')?.topics;
  return { fixture, submit, land, topicsOf };
}

suite('A call that lands late', () => {
  test('does not bring back a topic with which a purpose was on before it was switched off and on again', async (t) => {
    const { fixture, submit, land, topicsOf } = await hanging(t, ['t1', 't2']);
    const left = await submit({ intent: intentOf(off('p')) });
    const again = await submit({ intent: intentOf(on('p', ['t2'])) });
    assert.equal(outcomes(await left()), 'p:saved');
    assert.equal(outcomes(await again()), 'p:saved');
    await land();
    assert.deepEqual(topicsOf(), ['t1', 't2']);
    await fixture.time.advance(120_000);
    assert.deepEqual(topicsOf(), ['t2']);
    assert.equal(fixture.platform.statusOf(anna, 'p'), 'active');
    assert.equal(outcomes(await left()), 'p:saved');
    assert.equal(outcomes(await again()), 'p:saved');
    assert.equal((await again())?.aftermath, 'repeated');
    await fixture.time.advance(900_000);
    assert.deepEqual(topicsOf(), ['t2']);
    assert.equal(await fixture.journal.nextDueAt(), undefined, 'nobody looks again');
  });

  test('is no reason to take out a topic that it does not carry, and that others have chosen', async (t) => {
    const { fixture, submit, land, topicsOf } = await hanging(t, []);
    const change = { purpose: 'p', topicsOff: [], optionsOn: [], optionsOff: [] };
    await submit({ intent: intentOf({ kind: 'adjust', ...change, topicsOn: ['t1'] }) });
    await submit({
      intent: intentOf({ kind: 'reduce', purpose: 'p', topicsOff: ['t1'], optionsOff: [] }),
    });
    await land();
    fixture.platform.put(aSubject({ purposes: [record('p', 'active', ['t1']), record('b', 'active')] }));
    await fixture.time.advance(120_000);
    assert.deepEqual(topicsOf(), ['t1']);
  });

  test('does not bring back a topic that was exchanged for another', async (t) => {
    const { fixture, submit, land, topicsOf } = await hanging(t, ['t1']);
    await submit({
      intent: intentOf({
        kind: 'adjust',
        purpose: 'p',
        topicsOn: ['t2'],
        topicsOff: ['t1'],
        optionsOn: [],
        optionsOff: [],
      }),
    });
    assert.deepEqual(topicsOf(), ['t2']);
    await land();
    assert.deepEqual(topicsOf(), ['t1']);
    await fixture.time.advance(120_000);
    assert.deepEqual(topicsOf(), []);
  });

  test('leaves a topic that was asked for again since', async (t) => {
    const { fixture, submit, land, topicsOf } = await hanging(t, ['t1']);
    await submit({ intent: intentOf(off('p')) });
    await submit({ intent: intentOf(on('p', ['t1'])) });
    const writes = fixture.platform.writes().length;
    await land();
    await fixture.time.advance(900_000);
    assert.deepEqual(topicsOf(), ['t1']);
    assert.equal(fixture.platform.writes().length, writes, 'nothing but what was late');
  });
});

suite('A reading that is older than the last word', () => {
  test('does not carry along a topic without which a purpose was switched on again', async () => {
    await using fixture = openFixture({ purposes: [record('p', 'active', ['t1'])] });
    const { platform, delivery, time } = fixture;
    delivery.start();
    const submit = async (request: Partial<SubmissionRequest>) => {
      await delivery.submit(aRequest(request));
      await time.advance(5_000);
    };
    await submit({ intent: intentOf(off('p')) });
    await submit({ intent: intentOf(on('p')) });
    const { readSubject } = platform;
    const until = time.now() + 4_000;
    platform.readSubject = async (...call) =>
      time.now() < until
        ? aSubject({ purposes: [record('p', 'active', ['t1'])] })
        : readSubject.apply(platform, call);
    await submit({ intent: intentOf(on('b')) });
    assert.equal(platform.statusOf(anna, 'b'), 'active');
    const last = platform
      .writes()
      .at(-1)
      ?.update?.purposes.find(({ id }) => id === 'p');
    assert.deepEqual(last?.topics, []);
  });
});

suite('What was switched on again', () => {
  test('is not switched off by an earlier withdrawal that goes on while the later one has something left to do', async () => {
    const both = [record('a', 'active'), record('b', 'active')];
    await using fixture = openFixture({ purposes: both });
    const { journal, platform, time, delivery } = fixture;
    delivery.start();
    // The withdrawal of `a` is refused, and waits.
    platform.script = (call) =>
      call.kind === 'put' ? { kind: 'fails', code: 'platform-refused' } : undefined;
    const { reference } = await delivery.submit(asking(off('a')));
    await time.advance(5_000);
    // Then `a` is switched on again, and the withdrawal of `b` with it does not come about.
    const isOfFirst = (purposes: readonly { id: string }[] = []) => !purposes.some(({ id }) => id === 'a');
    platform.script = (call) =>
      call.kind === 'put' && isOfFirst(call.update?.purposes)
        ? { kind: 'fails', code: 'platform-refused' }
        : undefined;
    platform.afterCall = ({ kind }) => {
      if (kind === 'put') platform.put(aSubject({ purposes: both }));
    };
    const again = await delivery.submit(asking(on('a'), off('b')));
    await time.advance(20_000);
    assert.equal(outcomes(await delivery.find(again.reference, anna)), 'a:unchanged b:being-carried-out');
    platform.script = () => undefined;
    platform.afterCall = () => undefined;
    await journal.retry(reference, time.now());
    await time.advance(3_000);
    assert.equal(platform.statusOf(anna, 'a'), 'active');
    assert.equal(
      (await delivery.find(reference, anna))?.state,
      'failed',
      'there is nothing left of it to do',
    );
    await time.advance(1_200_000);
    assert.equal(platform.statusOf(anna, 'a'), 'active');
    assert.equal(platform.statusOf(anna, 'b'), 'off');
  });
});
