import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { Problem } from '../../src/core/model/problem.ts';
import { noIntent } from '../../src/core/model/submission/intent.ts';
import type { Submission } from '../../src/core/model/submission/submission.ts';
import type { SubmissionRequest } from '../../src/core/model/submission/submission-request.ts';
import { recorded } from '../../src/delivery/recording.ts';
import { aCenter, anElement, aPurpose, record } from '../core/center-builder.ts';
import { intentOf, leaveAll, off, on } from '../core/changes.ts';
import { settled } from './fake-time.ts';
import { anna, aRequest, aSubject, asking, ben, type Fixture, openFixture, outcomes } from './fixture.ts';

async function submit(fixture: Fixture, request: SubmissionRequest) {
  const { reference } = await fixture.delivery.submit(request);
  await settled();
  return async () => await fixture.delivery.find(reference, request.subject);
}

const away = () => ({ kind: 'fails', code: 'platform-unreachable' }) as const;

suite('one at a time for each person', () => {
  test('submissions of one person never overlap, but those of two people do', async () => {
    await using fixture = await openFixture();
    const inHand: string[] = [];
    let [most, mostOfOne] = [0, 0];
    const read = fixture.platform.readSubject.bind(fixture.platform);
    fixture.platform.readSubject = async (center, id) => {
      inHand.push(id);
      most = Math.max(most, inHand.length);
      mostOfOne = Math.max(mostOfOne, inHand.filter((each) => each === id).length);
      // These turns give any overlapping reading time to begin.
      for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      inHand.splice(inHand.indexOf(id), 1);
      return read(center, id);
    };
    const asked = [anna, ben].flatMap((subject) => [
      aRequest({ subject, center: 'center', intent: intentOf(on('a')) }),
      aRequest({ subject, center: 'center', intent: intentOf(on('b')) }),
      aRequest({ subject, center: 'another center', intent: intentOf(on('c')) }),
    ]);
    await Promise.all(asked.map((request) => fixture.delivery.submit(request)));
    // The loop repeats a reading that may be older than a change elsewhere.
    for (let second = 0; second < 60; second += 1) await fixture.time.advance(1_000);
    assert.equal(mostOfOne, 1);
    assert.equal(most, 2);
    assert.equal(fixture.platform.subject(anna).purposes.length, 3);
  });
});

suite('undo', () => {
  const center = aCenter([aPurpose('a'), aPurpose('b'), anElement('e')]);
  const purposes = [record('a', 'active', ['t1'], [{ id: 'p', options: ['o'] }])];

  test('reverses saved changes once, within thirty minutes', async () => {
    await using fixture = await openFixture({
      center,
      subjects: [aSubject({ purposes, dataElements: { E: 'old' } })],
    });
    const dataElements = [{ element: 'e', label: 'E', value: 'new' }];
    const asked = aRequest({ intent: { ...intentOf(off('a'), on('b')), dataElements } });
    const { reference } = await fixture.delivery.submit(asked);
    await fixture.delivery.settle();
    const inverse = (await fixture.delivery.undoOf(reference, anna))?.intent;
    assert.ok(inverse);
    fixture.time.pass(30 * 60_000 - 1);
    assert.ok(await fixture.delivery.undoOf(reference, anna));
    const undone = await submit(fixture, aRequest({ intent: inverse, undoes: reference }));
    assert.equal(outcomes(await undone()), 'a:saved b:saved e:saved');
    assert.deepEqual(
      fixture.platform
        .subject(anna)
        .purposes.map(({ purpose, status, topics, preferences }) => [purpose, status, topics, preferences]),
      [
        ['a', 'active', ['t1'], [{ id: 'p', options: ['o'] }]],
        ['b', 'off', [], []],
      ],
    );
    assert.equal(fixture.platform.subject(anna).dataElements['E'], 'old');
    assert.equal(await fixture.delivery.undoOf(reference, anna), undefined);
    const { undoneBy } = (await fixture.delivery.find(reference, anna)) ?? {};
    assert.equal(undoneBy, (await undone())?.reference);
  });

  for (const [what, intent] of [
    ['one purpose', intentOf(off('a'))],
    ['everything', leaveAll],
  ] as const)
    test(`of ${what} without a form grants again, unless a withdrawal came in between`, async () => {
      for (const meanwhile of [noIntent, leaveAll, intent]) {
        await using fixture = await openFixture({ center, purposes });
        const say = (said: Partial<SubmissionRequest>) =>
          fixture.delivery.submit(aRequest({ form: undefined, ...said }));
        const { reference } = await say({ intent });
        await fixture.delivery.settle();
        const undo = await fixture.delivery.undoOf(reference, anna);
        assert.ok(undo);
        if (meanwhile !== noIntent) await say({ intent: meanwhile, channel: 'one-click', scope: 'withdraw' });
        await say({ intent: undo.intent, undoes: reference });
        await fixture.delivery.settle();
        assert.equal(fixture.platform.statusOf(anna, 'a'), meanwhile === noIntent ? 'active' : 'off');
      }
    });

  test('is no longer offered after thirty minutes', async () => {
    await using fixture = await openFixture({ center, purposes });
    const { reference } = await fixture.delivery.submit(asking(off('a')));
    await settled();
    fixture.time.pass(30 * 60_000);
    assert.equal(await fixture.delivery.undoOf(reference, anna), undefined);
  });

  test('that was not saved can be tried again', async () => {
    await using fixture = await openFixture({ center, purposes });
    fixture.delivery.start();
    const { reference } = await fixture.delivery.submit(asking(off('a')));
    await settled();
    const undo = () => fixture.delivery.undoOf(reference, anna);
    const { intent = noIntent } = (await undo()) ?? {};
    fixture.platform.script = away;
    await submit(fixture, aRequest({ intent, undoes: reference }));
    assert.equal(await undo(), undefined);
    await fixture.time.advance(61_000);
    assert.ok(await undo());
    assert.equal(fixture.platform.statusOf(anna, 'a'), 'off');
  });
});

test('Defaults are never confirmed under Global Privacy Control, even if a form showed them', async () => {
  const center = aCenter([aPurpose('a', { onByDefault: true }), aPurpose('b')], { confirmsDefaults: true });
  await using fixture = await openFixture({ center, purposes: [] });
  const request = { drawnByDefault: ['a'], globalPrivacyControl: true };
  await submit(fixture, aRequest({ intent: intentOf(on('b')), ...request }));
  const sent = fixture.platform.writes()[0]?.update?.purposes.map(({ id }) => id);
  assert.deepEqual(sent, ['b']);
});

test('Nothing is granted if the wording changed during a slow reading', async () => {
  for (const [milliseconds, told] of [
    [9_900, 'b:saved'],
    [10_000, 'b:reworded'],
  ] as const) {
    const center = aCenter([aPurpose('a'), aPurpose('b')]);
    await using fixture = await openFixture({ center, purposes: [record('a', 'active')] });
    const { platform, time } = fixture;
    const { readSubject } = platform;
    platform.readSubject = async (...call) => {
      await undefined;
      time.pass(milliseconds);
      platform.findCenter = async () => ({ ...center, revision: '2' });
      return readSubject.apply(platform, call);
    };
    const drawn = [{ purpose: 'a', status: 'active', isOn: true }];
    const form = { at: time.now(), order: 0, revision: '1', drawn };
    const found = await submit(fixture, aRequest({ intent: intentOf(on('b')), form }));
    assert.equal(outcomes(await found()), told);
  }
});

suite('delivery at its stop', () => {
  test('finishes its current work, and accepts no new submission', async () => {
    await using fixture = await openFixture({ purposes: [] });
    fixture.delivery.start();
    const found = await fixture.delivery.submit(asking(on('a')));
    await fixture.delivery.stop();
    assert.equal(outcomes(await fixture.delivery.find(found.reference, anna)), 'a:saved');
    await assert.rejects(fixture.delivery.submit(asking(on('b'))), { code: 'draining' });
  });

  test('refuses a submission that the journal cannot record, and makes no call', async () => {
    await using fixture = await openFixture({ purposes: [] });
    const fault = new Problem('store-unavailable');
    fixture.journal.record = () => {
      throw fault;
    };
    await assert.rejects(fixture.delivery.submit(asking(on('a'))), fault);
    assert.equal(fixture.platform.calls.length, 0);
  });

  test('makes no call if the journal fails before it, and tells no wrong outcome', async () => {
    await using fixture = await openFixture({ purposes: [] });
    fixture.journal.keep = () => {
      throw new Problem('store-unavailable');
    };
    const found = await fixture.delivery.submit(asking(on('a')));
    await fixture.delivery.settle();
    assert.equal(fixture.platform.writes().length, 0);
    assert.equal(outcomes(await fixture.delivery.find(found.reference, anna)), 'a:in-progress');
  });
});

suite('an unreachable platform', () => {
  const people = Array.from({ length: 40 }, (_, index) => `click.${index}@example.org` as SubjectId);

  test('gets no call for a second after five failures in a row', async () => {
    const subjects = people.map((id) => aSubject({ id, purposes: [record('a', 'active')] }));
    await using fixture = await openFixture({ subjects });
    fixture.delivery.start();
    fixture.platform.script = away;
    for (const subject of people) await submit(fixture, aRequest({ subject, intent: leaveAll }));
    assert.equal(fixture.platform.calls.length, 5);
    await fixture.time.advance(900);
    assert.equal(fixture.platform.calls.length, 5);
    fixture.platform.script = () => undefined;
    await fixture.time.advance(30_000);
    for (const subject of people) assert.equal(fixture.platform.statusOf(subject, 'a'), 'off');
  });

  test('then gets one trial call at a time', async () => {
    await using fixture = await openFixture();
    fixture.delivery.start();
    fixture.platform.script = away;
    for (const subject of people) await submit(fixture, aRequest({ subject, intent: leaveAll }));
    await fixture.time.advance(10_000);
    const { length } = fixture.platform.calls;
    assert.ok(length > 10 && length <= 15, `${length} calls in ten seconds`);
  });

  test('delays no answer to a withdrawal, but the answer to an opt-in', async () => {
    await using fixture = await openFixture({ purposes: [record('a', 'active')] });
    fixture.delivery.start();
    fixture.platform.script = away;
    for (const subject of people.slice(0, 5)) await submit(fixture, aRequest({ subject, intent: leaveAll }));
    const left = await fixture.delivery.submit(asking(off('a')), { waitMs: 5_000 });
    assert.equal(outcomes(left), 'a:being-carried-out');
    let joined: Submission | undefined;
    void fixture.delivery
      .submit(aRequest({ subject: ben, intent: intentOf(on('b')) }), { waitMs: 5_000 })
      .then((submission) => {
        joined = submission;
      });
    await settled();
    assert.equal(joined, undefined);
    fixture.platform.script = () => undefined;
    await fixture.time.advance(2_000);
    assert.equal(outcomes(joined), 'b:saved');
  });

  test('gets the calls of all people at once if some calls succeed', async () => {
    await using fixture = await openFixture();
    fixture.delivery.start();
    let call = 0;
    fixture.platform.script = () => (++call % 5 === 0 ? undefined : away());
    for (const subject of people) await submit(fixture, aRequest({ subject, intent: leaveAll }));
    assert.ok(fixture.platform.calls.length >= people.length);
  });
});

suite('A used form posted again', () => {
  const cases = [
    ['its withdrawal', intentOf(off('a'))],
    ['its withdrawal, but not its grant', intentOf(off('a'), on('b'))],
    ['its withdrawal of everything', leaveAll],
  ] as const;
  for (const [what, intent] of cases)
    test(`repeats ${what} against a grant by another system, without a row of its own`, async () => {
      const active = { id: anna, language: undefined, dataElements: {}, purposes: [record('a', 'active')] };
      await using fixture = await openFixture({ subjects: [active] });
      const { platform, journal, time, delivery } = fixture;
      delivery.start();
      const request = aRequest({ intent });
      const first = await delivery.submit(request);
      await time.advance(20_000);
      for (let round = 1; round <= 3; round += 1) {
        platform.put(active);
        const again = await delivery.submit(request);
        assert.equal(again.reference, first.reference);
        await time.advance(20_000);
        assert.notEqual(platform.statusOf(anna, 'a'), 'active', `round ${round}`);
        assert.notEqual(platform.statusOf(anna, 'b'), 'active', `round ${round}`);
      }
      assert.equal((await journal.list({ limit: 9, offset: 0 })).length, 1);
    });

  test('shows its own result, though a later submission withdrew more', async () => {
    await using fixture = await openFixture({ purposes: [record('a', 'active'), record('b', 'active')] });
    const { time, delivery } = fixture;
    delivery.start();
    const request = aRequest({ intent: intentOf(off('a')) });
    const first = await delivery.submit(request);
    await time.advance(20_000);
    await delivery.submit(aRequest({ intent: intentOf(off('a'), off('b')) }));
    await time.advance(20_000);
    assert.equal((await delivery.submit(request)).reference, first.reference);
  });
});

test('a form from before an erasure grants nothing against a withdrawal after it', () => {
  const now = Date.UTC(2026, 0, 1);
  const form = { at: now - 60_000, order: 57, revision: '1' };
  const left = recorded(undefined, { request: asking(off('a')), reference: 'r1', now });
  const request = aRequest({ intent: intentOf(on('a')), form });
  const { person } = recorded(left.change.person, { request, reference: 'r2', now: now + 1 }).change;
  const words = person.desired.centers.flatMap(({ items }) => items.map(({ key, want }) => `${key} ${want}`));
  assert.deepEqual(words, ['purpose a off']);
});
