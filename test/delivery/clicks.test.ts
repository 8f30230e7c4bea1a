import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import {
  centerOf,
  type DesiredCenter,
  emptyState,
  usualLimits,
} from '../../src/core/consent/desired-state.ts';
import type { Person } from '../../src/core/consent/person.ts';
import type { SubmissionRequest } from '../../src/core/model/submission/submission-request.ts';
import { recorded } from '../../src/delivery/recording.ts';
import { aCenter, aPurpose, record } from '../core/center-builder.ts';
import { intentOf, leaveAll, off, on } from '../core/changes.ts';
import { settled } from './fake-time.ts';
import { anna, aRequest, aSubject, asking, openFixture, outcomes } from './fixture.ts';

const active = () => aSubject({ purposes: [record('a', 'active'), record('b', 'active')] });
const minute = 60_000;

async function open(t: TestContext, center = aCenter([aPurpose('a'), aPurpose('b')]), subject = active()) {
  const fixture = await openFixture({ subjects: [subject], center });
  t.after(() => fixture[Symbol.asyncDispose]());
  fixture.delivery.start();
  const rows = async () => await fixture.journal.list({ limit: 1_000 });
  const click = async (change: Partial<SubmissionRequest> = {}) => {
    const request = aRequest({ intent: leaveAll, channel: 'one-click', scope: 'withdraw', ...change });
    const submission = await fixture.delivery.submit(request);
    await settled();
    return submission;
  };
  const isOff = (purpose = 'a') => fixture.platform.statusOf(anna, purpose) !== 'active';
  /** Clicks nine times, as often as clicks are carried out at once within an hour. */
  const clickOften = async (change: Partial<SubmissionRequest> = {}) => {
    for (let count = 1; count <= 9; count += 1) {
      fixture.platform.put(subject);
      await click(change);
      assert.ok(isOff(), `click ${count}`);
      await fixture.time.advance(minute / 2);
    }
  };
  return { ...fixture, rows, click, clickOften, isOff };
}

suite('One-clicks of a person', () => {
  test('leave no new row if their purposes are withdrawn already, and the first row stays', async (t) => {
    const { click, rows, isOff, time } = await open(t);
    const first = await click();
    assert.ok(isOff());
    for (let count = 0; count < 8; count += 1) {
      await time.advance(minute);
      await click();
    }
    assert.deepEqual(
      (await rows()).map(({ reference, state }) => `${reference} ${state}`),
      [`${first.reference} done`],
    );
  });

  test('withdraw again what was granted elsewhere since, once a reading is new enough, and leave no new row', async (t) => {
    const { click, rows, isOff, platform, time } = await open(t);
    for (let round = 1; round <= 5; round += 1) {
      platform.put(active());
      await click();
      await time.advance(11_000);
      assert.ok(isOff(), `round ${round}`);
      assert.equal((await rows()).length, 1);
    }
  });

  test('during an outage of the platform share one row, which is sent when the platform is back', async (t) => {
    const { click, rows, isOff, platform, time } = await open(t);
    platform.script = () => ({ kind: 'fails', code: 'platform-unreachable' });
    for (let count = 0; count < 60; count += 1) {
      await click();
      if (count % 10 === 0) await time.advance(7_000);
    }
    assert.ok((await rows()).length <= 2, `${(await rows()).length} rows`);
    platform.script = () => undefined;
    await time.advance(5 * minute);
    assert.ok(isOff());
    assert.ok((await rows()).every(({ state }) => state === 'done'));
  });

  test('and forms of a withdraw-only link leave no more rows than there are purposes', async (t) => {
    const ids = [...'abcdef'];
    const statusOf = (id: string) => (id === 'f' ? 'always-active' : id === 'e' ? 'off' : 'active');
    const purposes = ids.slice(1).map((id) => record(id, statusOf(id)));
    const { click, rows, time } = await open(
      t,
      aCenter(ids.map((id) => aPurpose(id))),
      aSubject({ purposes }),
    );
    for (let subset = 1; subset < 2 ** ids.length; subset += 1) {
      const named = ids.filter((_, place) => (subset & (2 ** place)) !== 0);
      await click({ intent: intentOf(...named.map(off)), channel: 'link' });
      await time.advance(20_000);
    }
    assert.equal((await rows()).length, ids.length);
  });

  test('beyond nine in an hour wait ten minutes together, make no more calls, and lose no withdrawal', async (t) => {
    const { click, clickOften, rows, isOff, platform, time } = await open(t);
    await clickOften();
    const before = platform.calls.length;
    platform.put(active());
    for (let count = 0; count < 20; count += 1) await click();
    assert.deepEqual([platform.calls.length, isOff()], [before, false]);
    await time.advance(10 * minute);
    assert.ok(isOff(), 'a grant in between is withdrawn, too');
    assert.deepEqual(
      (await rows()).map(({ state }) => state),
      ['done'],
    );
  });

  test('that wait delay neither a grant nor another withdrawal of the person', async (t) => {
    const { click, clickOften, delivery, platform, time, isOff } = await open(t);
    await clickOften();
    await click();
    const { reference } = await delivery.submit(asking(on('b')));
    // This is after the reading for the clicks before, and long before the click that waits.
    await time.advance(12_000);
    assert.equal(platform.statusOf(anna, 'b'), 'active');
    assert.equal((await delivery.find(reference, anna))?.items[0]?.outcome, 'saved');
    await time.advance(20 * minute);
    assert.equal(platform.statusOf(anna, 'b'), 'active', 'the later word counts');
    await click({ intent: intentOf(off('b')) });
    assert.ok(isOff('b'), 'at once, though there were many before it');
  });

  test('that wait delay no other withdrawal that is retried', async (t) => {
    const { click, clickOften, delivery, platform, time, isOff } = await open(t);
    const again = () => click({ intent: intentOf(off('a')) });
    await clickOften({ intent: intentOf(off('a')) });
    await again();
    platform.script = ({ kind }) =>
      kind === 'put' ? { kind: 'fails', code: 'platform-refused' } : undefined;
    await delivery.submit(asking(off('b')));
    await time.advance(minute);
    platform.script = () => undefined;
    await again();
    await time.advance(minute / 2);
    assert.ok(isOff('b'));
  });
});

suite('A click that repeats unfinished work', () => {
  const now = 1_000_000;
  const { lag } = usualLimits;
  const said = { by: 'r', at: now - 2 * lag, order: 1, reach: undefined } as const;
  const open: Partial<DesiredCenter> = { everything: { ...said, phase: 'open' } };
  const sent: Partial<DesiredCenter> = { everything: { ...said, phase: 'sent', call: 2 } };
  const retried = { center: 'center', attempts: 3, problem: undefined, until: now + 2 * minute };
  const cases: readonly (readonly [string, Partial<DesiredCenter>, Person['tries'], number])[] = [
    ['is due now if it was not sent', open, [], now],
    ['is due at the next try of that work', open, [retried], now + 2 * minute],
    ['waits for one reading if its call was made', sent, [], now + lag],
  ];
  for (const [what, center, tries, dueAt] of cases)
    test(`${what}, and does not count as a click`, () => {
      const centers = [{ ...centerOf(emptyState, 'center'), ...center }];
      const clicks = { count: 8, until: now + minute, dueAt: 0 };
      const known = { subject: anna, desired: { order: 3, centers }, open: [], tries, clicks };
      const request = aRequest({ intent: leaveAll, channel: 'one-click', scope: 'withdraw' });
      const { change, repeats } = recorded(known, { request, reference: 'again', now });
      assert.deepEqual([repeats, change.dueAt, change.person.clicks.count], ['r', dueAt, 8]);
    });
});

suite('One click for everything', () => {
  const kinds = ({ calls }: Awaited<ReturnType<typeof open>>['platform']) =>
    calls.map(({ kind }) => kind).join(' ');

  test('is a DELETE and one reading; a repetition soon adds a reading, and a later one a DELETE again', async (t) => {
    const { click, platform, time, isOff } = await open(t);
    await click();
    assert.ok(isOff() && isOff('b'));
    assert.equal(kinds(platform), 'delete read');
    await time.advance(6_000);
    await click();
    assert.equal(kinds(platform), 'delete read');
    await time.advance(minute);
    assert.equal(kinds(platform), 'delete read read');
    await click();
    assert.equal(kinds(platform), 'delete read read delete read');
  });

  for (const code of ['quota-used-up', 'platform-unreadable', 'platform-refused'] as const)
    test(`comes before a later opt-in, which fails after its minute without a reading: ${code}`, async (t) => {
      const { click, delivery, platform, time } = await open(t);
      platform.put(aSubject({ purposes: [record('a', 'off'), record('b', 'active')] }));
      platform.script = ({ kind }) =>
        kind === 'delete' ? { kind: 'fails', code: 'quota-used-up' } : undefined;
      await click();
      const { reference } = await delivery.submit(asking(on('a')));
      await settled();
      assert.equal(outcomes(await delivery.find(reference, anna)), 'a:in-progress');
      platform.script = ({ kind }) => (kind === 'read' ? { kind: 'fails', code } : undefined);
      await time.advance(5 * minute);
      assert.equal(outcomes(await delivery.find(reference, anna)), 'a:not-saved');
      platform.script = () => undefined;
      await time.advance(6 * minute);
      assert.deepEqual([platform.statusOf(anna, 'a'), platform.statusOf(anna, 'b')], ['off', 'off']);
    });
});
