import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { Problem, type ProblemCode } from '../../src/core/model/problem.ts';
import { noIntent, type PurposeChange } from '../../src/core/model/submission/intent.ts';
import type { Platform } from '../../src/ports/platform.ts';
import { aCenter, aPurpose, purposeOf, record } from '../core/center-builder.ts';
import { intentOf, leaveAll, off, on, reduce } from '../core/changes.ts';
import { settled } from './fake-time.ts';
import { anna, aRequest, asking, ben, type Fixture, openFixture, outcomes } from './fixture.ts';

function statuses(fixture: Fixture): string {
  return fixture.platform
    .subject(anna)
    .purposes.map(({ purpose, status }) => `${purpose}:${status}`)
    .join(' ');
}

function kinds(fixture: Fixture): string {
  return fixture.platform.calls.map((call) => call.kind).join(' ');
}

/** Submits a request and waits for all work that needs no time. */
async function submit(fixture: Fixture, ...[request]: Parameters<Fixture['delivery']['submit']>) {
  const { reference } = await fixture.delivery.submit(request);
  await fixture.delivery.settle();
  return async () => await fixture.delivery.find(reference, request.subject);
}

suite('A recorded submission is not told as failed while the journal cannot be read', () => {
  /** Submits to a platform that does not answer and a journal whose method `broken` fails. */
  async function submitted(t: TestContext, broken: 'wake' | 'find', times: number) {
    const fixture = await openFixture({ purposes: [record('a', 'active')] });
    t.after(() => fixture[Symbol.asyncDispose]());
    fixture.platform.readSubject = () => new Promise(() => undefined);
    let failed = 0;
    const away = async () => {
      failed += 1;
      throw new Problem('store-unavailable');
    };
    const delivery = fixture.beside(() => ({ [broken]: away }));
    const request = asking(off('a'));
    const told = [];
    for (let each = 0; each < times; each += 1) {
      const [answer] = await Promise.all([
        delivery.submit(request, { waitMs: 100 }),
        fixture.time.advance(100),
      ]);
      told.push(`${answer.state} ${outcomes(answer)}`);
    }
    assert.ok(failed > 0);
    return told;
  }

  test('for its result', async (t) => {
    assert.deepEqual(await submitted(t, 'find', 1), ['pending a:being-carried-out']);
  });

  test('to resume the work for a repetition', async (t) => {
    const same = 'pending a:being-carried-out';
    assert.deepEqual(await submitted(t, 'wake', 2), [same, same]);
  });
});

suite('A form posted as it was shown', () => {
  const posted = ({ time }: Fixture, ...purposes: PurposeChange[]) =>
    aRequest({ intent: intentOf(...purposes), form: { at: time.now(), order: 0, revision: '1' } });
  const start = [record('b', 'active', ['t1', 't2'])];

  test('lets a later post with changes withdraw, but not grant', async () => {
    await using fixture = await openFixture({ purposes: start });
    const request = posted(fixture, on('a'), reduce('b', { topicsOff: ['t1'] }));
    await fixture.delivery.postAsShown(request);
    await submit(fixture, request);
    assert.deepEqual(fixture.platform.subject(anna).purposes, [record('b', 'active', ['t2'])]);
    await submit(fixture, aRequest({ intent: intentOf(on('a')) }));
    assert.equal(fixture.platform.statusOf(anna, 'a'), 'active', 'another form may grant');
  });

  test('is refused if its post with changes came before', async () => {
    await using fixture = await openFixture({ purposes: start });
    const request = posted(fixture, on('a'));
    await submit(fixture, request);
    const asShown = fixture.delivery.postAsShown({ ...request, intent: noIntent });
    await assert.rejects(asShown, { code: 'nonce-reused' });
    assert.equal(fixture.platform.statusOf(anna, 'a'), 'active');
  });

  test('is accepted twice, and is no submission', async () => {
    await using fixture = await openFixture({ purposes: start });
    const request = posted(fixture);
    await fixture.delivery.postAsShown(request);
    await fixture.delivery.postAsShown(request);
    await fixture.delivery.settle();
    const { total } = await fixture.delivery.history(request.center, anna, { limit: 9, offset: 0 });
    assert.deepEqual([total, kinds(fixture)], [0, '']);
  });

  test('leaves a waiting withdrawal due', async () => {
    await using fixture = await openFixture({ purposes: start });
    fixture.delivery.start();
    fixture.platform.script = () => ({ kind: 'fails', code: 'platform-unreachable' });
    await fixture.delivery.submit(asking(off('b')));
    await settled();
    await fixture.delivery.postAsShown(posted(fixture));
    fixture.platform.script = () => undefined;
    await fixture.time.advance(3_600_000);
    assert.equal(fixture.platform.statusOf(anna, 'b'), 'off');
  });
});

test('A used form that asks for something else withdraws, and grants nothing', async () => {
  await using fixture = await openFixture({ purposes: [record('b', 'active'), record('c', 'active')] });
  const request = aRequest({ intent: intentOf(on('a')) });
  await submit(fixture, request);
  for (const intent of [intentOf(off('a'), on('d')), intentOf(off('b')), intentOf(on('d'))]) {
    await assert.rejects(fixture.delivery.submit({ ...request, intent }), { code: 'nonce-reused' });
    await fixture.delivery.settle();
  }
  assert.equal(statuses(fixture), 'b:off c:active a:off');
});

suite('when all goes well', () => {
  test('changes are saved with their receipt, and all other purposes stay', async () => {
    const purposes = [record('a', 'active'), record('c', 'active', ['t1']), record('z', 'active', ['t9'])];
    await using fixture = await openFixture({ purposes });
    const request = aRequest({ intent: intentOf(off('a'), on('b', { topics: ['t2'] })) });
    const done = await fixture.delivery.submit(request, { waitMs: 1000 });
    assert.equal(done.state, 'done');
    assert.equal(outcomes(done), 'a:saved b:saved');
    assert.deepEqual(done.receipts, ['receipt-1']);
    assert.deepEqual(
      done.items.map((item) => item.receipt),
      ['receipt-1', 'receipt-1'],
    );
    assert.deepEqual(
      fixture.platform.subject(anna).purposes.map(({ purpose, status, topics }) => [purpose, status, topics]),
      [
        ['a', 'off', []],
        ['c', 'active', ['t1']],
        ['z', 'active', ['t9']],
        ['b', 'active', ['t2']],
      ],
    );
    const again = await fixture.delivery.submit(request, { waitMs: 1000 });
    assert.deepEqual(
      [again.reference, again.state],
      [done.reference, 'done'],
      'a repetition gives the same submission',
    );
    assert.equal(kinds(fixture), 'read put read');
  });

  test('a submission is found by its own person and by no other', async () => {
    await using fixture = await openFixture();
    const done = await fixture.delivery.submit(asking(on('a')), { waitMs: 1000 });
    assert.equal((await fixture.delivery.find(done.reference, anna))?.reference, done.reference);
    assert.equal(await fixture.delivery.find(done.reference, ben), undefined);
    assert.equal((await fixture.delivery.history('center', anna, { limit: 9, offset: 0 })).total, 1);
    assert.equal((await fixture.delivery.history('center', ben, { limit: 9, offset: 0 })).total, 0);
    assert.equal((await fixture.delivery.history('other', anna, { limit: 9, offset: 0 })).total, 0);
    assert.equal(await fixture.delivery.undoOf(done.reference, ben), undefined);
  });

  test('each call is kept with its answer or its problem', async () => {
    await using fixture = await openFixture({ purposes: [record('a', 'active')] });
    const { platform, journal, time, delivery } = fixture;
    delivery.start();
    platform.script = ({ kind }) =>
      kind === 'put' && platform.writes().length === 1
        ? { kind: 'fails', code: 'platform-denied' }
        : undefined;
    const find = await submit(fixture, asking(off('a')));
    await time.advance(10_000);
    const entry = await journal.find((await find())?.reference ?? '');
    assert.deepEqual(
      entry?.work?.progress.calls.map(({ answer, problem, isUnsent }) => {
        return [answer?.items.map(({ receipt }) => receipt), problem, isUnsent];
      }),
      [
        [undefined, 'platform-denied', true],
        [['receipt-1'], undefined, undefined],
      ],
    );
  });

  test('a long history is read in batches, each entry once, even if new entries arrive', async (t) => {
    await using fixture = await openFixture();
    const { journal, delivery } = fixture;
    const references: string[] = [];
    for (let each = 0; each < 120; each += 1)
      references.unshift((await delivery.submit(asking(off('a')))).reference);
    // The worker reads the history, too, so it must be idle before the reads are counted.
    await delivery.settle();
    const read = journal.historyOf;
    const limits: number[] = [];
    t.mock.method(journal, 'historyOf', async (...asked: Parameters<typeof read>) => {
      limits.push(asked[2].limit);
      const found = await read(...asked);
      if (limits.length === 1) await delivery.submit(asking(off('b')));
      return found;
    });
    const { submissions, total } = await delivery.history('center', anna, { limit: 110, offset: 0 });
    assert.ok(limits.length > 1 && limits.every((limit) => limit <= 50), limits.join());
    assert.deepEqual(
      submissions.map(({ reference }) => reference),
      references.slice(0, submissions.length),
    );
    assert.ok(submissions.length >= 108);
    assert.equal(total, 121);
  });
});

suite('a repeated nonce', () => {
  for (const [what, intent] of [
    ['a form', intentOf(off('a'), on('b'))],
    ['leaving everything', leaveAll],
  ] as const)
    test(`of ${what} withdraws later grants, too, and grants nothing`, async () => {
      await using fixture = await openFixture({ purposes: [record('a', 'active')] });
      fixture.delivery.start();
      const request = aRequest({ intent });
      const press = async (pressed = request) => {
        const { reference } = await fixture.delivery.submit(pressed);
        await fixture.time.advance(30_000);
        return reference;
      };
      const first = await press();
      assert.equal(await press(), first);
      await press(asking(on('a'), off('b')));
      assert.equal(fixture.platform.statusOf(anna, 'a'), 'active');
      const second = await press();
      assert.notEqual(second, first);
      assert.equal(fixture.platform.statusOf(anna, 'a'), 'off');
      assert.notEqual(fixture.platform.statusOf(anna, 'b'), 'active');
      if (intent === leaveAll) assert.equal(await press(), second);
    });
});

test('An unsaved change is offered again, unless it was withdrawn since', async () => {
  await using fixture = await openFixture({ purposes: [] });
  const { delivery, platform, time } = fixture;
  delivery.start();
  const form = { at: time.now(), order: 0, revision: '1' };
  platform.script = ({ kind }) => (kind === 'put' ? { kind: 'fails', code: 'platform-refused' } : undefined);
  const intent = intentOf(on('a'));
  const { reference } = await delivery.submit(aRequest({ intent, form }));
  await time.advance(70_000);
  assert.deepEqual(await delivery.unsavedIntent(reference, anna), intent);
  assert.equal(await delivery.unsavedIntent(reference, ben), undefined);
  platform.script = () => undefined;
  for (const change of [on('a'), off('a')]) {
    await delivery.submit(asking(change));
    await time.advance(30_000);
  }
  assert.equal(platform.statusOf(anna, 'a'), 'off');
  assert.equal(await delivery.unsavedIntent(reference, anna), undefined);
});

suite('when the platform is away', () => {
  const away = (code: ProblemCode) => () => ({ kind: 'fails', code }) as const;

  test('a withdrawal is accepted, shown as being carried out, and delivered soon after its return', async () => {
    await using fixture = await openFixture({ purposes: [record('a', 'active')] });
    fixture.platform.script = away('platform-unreachable');
    fixture.delivery.start();
    const shown = fixture.delivery.submit(asking(off('a')), { waitMs: 5000 });
    await settled();
    const told = await shown;
    assert.equal(told.state, 'pending');
    assert.equal(outcomes(told), 'a:being-carried-out');
    assert.deepEqual((await fixture.delivery.underway('center', anna)).changes, [off('a')]);
    assert.deepEqual((await fixture.delivery.underway('center', ben)).changes, []);

    await fixture.time.advance(600_000);
    assert.equal(fixture.platform.statusOf(anna, 'a'), 'active');
    fixture.platform.script = () => undefined;
    await fixture.time.advance(60_000);
    assert.equal(fixture.platform.statusOf(anna, 'a'), 'off');
    assert.equal(outcomes(await fixture.delivery.find(told.reference, anna)), 'a:saved');
    assert.deepEqual((await fixture.delivery.underway('center', anna)).changes, []);
  });

  test('the minute of an opt-in is checked immediately before the call, after a slow reading', async () => {
    await using fixture = await openFixture({ purposes: [record('b', 'active')], lease: 120_000 });
    fixture.platform.afterCall = (call) => {
      if (call.kind === 'read') fixture.time.pass(60_000);
    };
    const found = await submit(fixture, asking(on('a'), off('b')));
    assert.equal(outcomes(await found()), 'a:not-saved b:saved');
    assert.equal(statuses(fixture), 'b:off');
  });

  for (const seconds of [1, 60, 3600]) {
    test(`Retry-After ${seconds} s is obeyed in full`, async () => {
      await using fixture = await openFixture({ purposes: [record('a', 'active')] });
      fixture.platform.script = () => ({ kind: 'fails', code: 'platform-busy', retryAfter: seconds });
      fixture.delivery.start();
      const found = await submit(fixture, asking(off('a')));
      const calls = fixture.platform.calls.length;
      fixture.platform.script = () => undefined;
      await fixture.delivery.submit(asking(off('b')));
      await fixture.time.advance(seconds * 1000 - 1);
      assert.equal(fixture.platform.calls.length, calls);
      await fixture.time.advance(5000);
      assert.equal(outcomes(await found()), 'a:saved');
    });
  }
});

test('A missing center ends an opt-in, and delays no withdrawal', async () => {
  await using fixture = await openFixture({ purposes: [record('a', 'active')] });
  fixture.platform.findCenter = async () => undefined;
  const found = await submit(fixture, asking(off('a'), on('b')));
  assert.equal(outcomes(await found()), 'a:saved b:not-saved');
});

suite('a withdrawal of a purpose that is only on by default', () => {
  const hidden = [purposeOf('d', { onByDefault: true })];
  const center = aCenter([aPurpose('a', { onByDefault: true }), aPurpose('b')], { hidden });
  const purposes = [record('b', 'active', ['t'])];

  for (const code of [
    'quota-used-up',
    'platform-busy',
    'platform-slow',
    'platform-unreachable',
    'platform-denied',
    'overloaded',
    'store-unavailable',
    'draining',
  ] as const) {
    test(`makes neither call if the first cannot be sent (${code}), and both as soon as possible`, async () => {
      await using fixture = await openFixture({ center, purposes });
      const { platform, time } = fixture;
      const { updateConsent } = platform;
      const permits: unknown[] = [];
      platform.updateConsent = (...call) => {
        permits.push((call as Parameters<Platform['updateConsent']>)[3]?.permits);
        return updateConsent.apply(platform, call);
      };
      let tries = 3;
      platform.script = ({ update }) => {
        const isAssumed = update?.purposes.some(({ id }) => id === 'a') === true;
        if (!isAssumed || tries === 0) return undefined;
        tries -= 1;
        return { kind: 'fails', code };
      };
      fixture.delivery.start();
      const found = await submit(fixture, asking(off('a')));
      await time.advance(120_000);
      assert.equal(outcomes(await found()), 'a:saved');
      assert.equal(statuses(fixture), 'b:active a:off');
      // Only the second call of a pair is unmetered, and the call before the pair is not repeated.
      assert.deepEqual(permits, [undefined, 2, 2, 2, 2, 0]);
    });
  }

  test('makes the second call even if the answer of the first cannot be stored', async () => {
    await using fixture = await openFixture({ center, purposes });
    const { platform, journal, time, delivery } = fixture;
    delivery.start();
    const { keep } = journal;
    let isAway = false;
    platform.afterCall = ({ update }) => {
      isAway ||= update?.purposes.some(({ id }) => id === 'a') === true;
    };
    journal.keep = (...change) => {
      if (!isAway) return keep(...change);
      isAway = false;
      platform.afterCall = () => undefined;
      return Promise.reject(new Problem('store-unavailable'));
    };
    fixture.delivery.start();
    const found = await submit(fixture, asking(off('a')));
    assert.equal(statuses(fixture), 'b:active a:off', 'at once');
    await time.advance(60_000);
    assert.equal(outcomes(await found()), 'a:saved');
  });
});
