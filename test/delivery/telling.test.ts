import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { LineOutcome, Phase } from '../../src/core/consent/desired-state.ts';
import { nonces } from '../../src/core/consent/nonce.ts';
import type { Person, PersonChange } from '../../src/core/consent/person.ts';
import type { Intent } from '../../src/core/model/submission/intent.ts';
import { type ToldChange, withLines } from '../../src/delivery/person-change.ts';
import { recorded } from '../../src/delivery/recording.ts';
import { record } from '../core/center-builder.ts';
import { intentOf, leaveAll, off, on } from '../core/changes.ts';
import { settled } from './fake-time.ts';
import { anna, aRequest, aSubject, asking, type Fixture, openFixture } from './fixture.ts';

async function open(t: TestContext): Promise<Fixture> {
  const fixture = await openFixture({
    purposes: [record('a', 'active'), record('b', 'active')],
    routes: () => ({ receivers: [] }),
  });
  t.after(() => fixture[Symbol.asyncDispose]());
  fixture.delivery.start();
  return fixture;
}

async function told({ events }: Fixture): Promise<string[]> {
  const page = await events.page('center', { after: 0, limit: 100 });
  return page.events.map(
    ({ event }) => `${event?.type} ${event?.purpose ?? 'everything'} ${event?.change} ${event?.outcome}`,
  );
}

const mayUse = async ({ events }: Fixture, purpose: string) =>
  (await events.mayUse('center', purpose, [anna])).answers[0];

suite('the events of a submission', () => {
  test('tell a purpose that went off beside the asked ones once, as not usable', async (t) => {
    const fixture = await open(t);
    const { platform, delivery, time } = fixture;
    const { updateConsent } = platform;
    let hasLost = false;
    platform.updateConsent = async (...asked) => {
      const answer = await updateConsent.apply(platform, asked);
      // The platform loses one purpose of the set.
      if (!hasLost)
        platform.put(
          aSubject({ purposes: [record('a', 'off'), record('b', 'active'), record('c', 'active')] }),
        );
      hasLost = true;
      return answer;
    };
    await delivery.submit(asking(on('c')));
    await time.advance(700_000);
    assert.ok(hasLost);
    assert.deepEqual((await told(fixture)).sort(), [
      'consent.verified a off withdrawn-elsewhere',
      'consent.verified c on saved',
    ]);
    assert.deepEqual([await mayUse(fixture, 'a'), await mayUse(fixture, 'c')], [false, true]);
  });

  for (const [what, intent, when] of [
    ['the purpose', intentOf(off('c')), 'while it was read back'],
    ['everything', leaveAll, 'while it was read back'],
    ['the purpose', intentOf(off('c')), 'just before it was told'],
    ['everything', leaveAll, 'just before it was told'],
  ] as const)
    test(`tell no grant as usable after a withdrawal of ${what} that came ${when}`, async (t) => {
      const fixture = await open(t);
      const { platform, time, delivery, journal } = fixture;
      let hasCome = false;
      const come = async () => {
        hasCome = true;
        void delivery.submit(aRequest({ intent }));
        await settled();
      };
      if (when === 'while it was read back') {
        const { readSubject } = platform;
        platform.readSubject = async (...asked) => {
          const read = await readSubject.apply(platform, asked);
          if (!hasCome && read.purposes.some(({ purpose }) => purpose === 'c')) await come();
          return read;
        };
      } else {
        const { keep } = journal;
        journal.keep = async (...kept) => {
          const events = kept[1].news.flatMap((each) => each.events);
          if (!hasCome && events.some(({ type }) => type === 'consent.verified')) await come();
          return keep(...kept);
        };
      }
      await delivery.submit(asking(on('c')));
      await time.advance(30_000);
      assert.ok(hasCome);
      const all = await told(fixture);
      assert.deepEqual(
        all.filter((each) => each.startsWith('consent.verified c on')),
        [],
        all.join(', '),
      );
      assert.equal(await mayUse(fixture, 'c'), false);
    });

  for (const isWholeFirst of [true, false])
    test(`are the same for both posts of one form, the whole one ${isWholeFirst ? 'first' : 'last'}`, async (t) => {
      const { delivery, platform, time } = await open(t);
      platform.script = () => ({ kind: 'fails', code: 'platform-unreachable' });
      const form = { at: time.now(), order: 0, revision: '1' };
      const whole = aRequest({ nonce: nonces.ofForm('form'), intent: intentOf(off('a'), on('c')), form });
      const part = aRequest({ nonce: nonces.ofWithdrawals('form'), intent: intentOf(off('a')), form });
      const posted = isWholeFirst ? [whole, part] : [part, whole];
      const made = await Promise.all(posted.map((request) => delivery.submit(request)));
      const all = async () => {
        const known = await Promise.all(made.map(({ reference }) => delivery.find(reference, anna)));
        return known.map((each) => each?.items.flatMap(({ id, outcome }) => (id === 'a' ? outcome : [])));
      };
      await time.advance(100);
      assert.deepEqual(await all(), [['being-carried-out'], ['being-carried-out']]);
      platform.script = () => undefined;
      await time.advance(60_000);
      assert.deepEqual(await all(), [['saved'], ['saved']]);
    });

  test('tell everything once as a whole, and each purpose as it was found', async (t) => {
    const fixture = await open(t);
    const { reference } = await fixture.delivery.submit(aRequest({ intent: leaveAll }));
    await fixture.time.advance(15_000);
    const found = await fixture.delivery.find(reference, anna);
    assert.deepEqual([found?.everything, found?.receipts], [true, ['receipt-1']]);
    assert.deepEqual(
      found?.items.map(({ id, receipt }) => `${id} ${receipt}`),
      ['a receipt-1', 'b receipt-1'],
    );
    const [first, ...rest] = await told(fixture);
    assert.equal(first, 'withdrawal.accepted everything everything accepted');
    assert.deepEqual(rest.toSorted(), [
      'consent.verified a off saved',
      'consent.verified b off saved',
      'consent.verified everything everything saved',
    ]);
  });

  test('tell nothing twice, even if the work is done again after a crash', async (t) => {
    const fixture = await open(t);
    const { reference } = await fixture.delivery.submit(asking(off('a')));
    await fixture.delivery.stop();
    const again = await fixture.restart();
    t.after(again.close);
    again.delivery.start();
    await again.time.advance(30_000);
    assert.equal((await again.delivery.find(reference, anna))?.state, 'done');
    assert.deepEqual(await told(again), [
      'withdrawal.accepted a off accepted',
      'consent.verified a off saved',
    ]);
  });
});

const about = { key: 'purpose a', row: 'row', at: 2 } as const;

function saidOnce(intent: Intent): PersonChange {
  const submission = { request: aRequest({ intent }), reference: 'r', now: 1 };
  return recorded(undefined, submission).change;
}

/** Writes one more line of the only submission of a person, and sets the phase of its word. */
function ended(
  { person }: { readonly person: Person },
  outcome: LineOutcome,
  { isOff = true, phase = 'verified' }: { readonly isOff?: boolean; readonly phase?: Phase } = {},
): ToldChange {
  const centers = person.desired.centers.map((center) => {
    return { ...center, items: center.items.map((item) => ({ ...item, phase })) };
  });
  const change = { desired: { ...person.desired, centers }, ended: [{ ...about, by: 'r', outcome, isOff }] };
  const told = withLines(person, { ...change, now: 2 });
  // The store loads a closed submission again for a line about it.
  const open = person.open.map((each) => {
    const kept = told.submissions[0];
    return told.person.open[0] ?? (kept === undefined ? each : { ...each, ...kept });
  });
  return { ...told, person: { ...told.person, open } };
}

suite('the digest of a result', () => {
  const accepted = saidOnce(intentOf(off('a')));
  /** Settles the words without a line, and gives the digest that is written then. */
  const settled = ({ person }: { readonly person: Person }) => {
    const centers = person.desired.centers.map((center) => ({
      ...center,
      items: center.items.map((item) => ({ ...item, phase: 'verified' as const })),
    }));
    const change = withLines(person, { desired: { ...person.desired, centers }, ended: [], now: 3 });
    assert.equal(change.submissions[0]?.state, 'done', 'it is closed now');
    return change.submissions[0].ended;
  };
  const kept = ended(accepted, 'saved', { phase: 'in-doubt' });

  test('stays while the result is the same', () => {
    assert.ok(kept.submissions[0]?.ended, 'it was written when it was done');
    assert.equal(settled(kept), undefined);
  });

  test('changes with the result', () => {
    const [before] = kept.person.open;
    assert.ok(before);
    const earlier = { ...before, doneAt: undefined };
    assert.ok(settled({ person: { ...kept.person, open: [earlier] } }));
  });
});

suite('the events of an outcome', () => {
  const accepted = saidOnce(intentOf(off('a')));
  const eventsOf = ({ news }: Pick<ToldChange, 'news'>) => news.flatMap(({ events }) => events);
  const typesOf = (change: Pick<ToldChange, 'news'>) =>
    eventsOf(change).map(({ type, outcome }) => `${type} ${outcome}`);
  const wordsOf = ({ news }: Pick<ToldChange, 'news'>) => news.flatMap(({ words }) => words);

  test('tell that a finished withdrawal is open again, and that it is done again', () => {
    const saved = ended(accepted, 'saved');
    const reopened = ended(saved, 'being-carried-out', { phase: 'open' });
    assert.deepEqual(typesOf(reopened), ['consent.not-saved being-carried-out']);
    const again = ended(reopened, 'saved');
    assert.deepEqual(typesOf(again), ['consent.verified saved']);
    const ids = [accepted, saved, reopened, again].flatMap(eventsOf).map(({ id }) => id);
    assert.deepEqual(ids, ['r-0', 'r-1', 'r-2', 'r-3']);
  });

  test('tell a purpose as usable that an objection leaves alone because it was agreed to', () => {
    const left = ended(accepted, 'agreed', { phase: 'over' });
    assert.deepEqual(typesOf(left), ['consent.not-saved not-saved']);
    assert.deepEqual(wordsOf(left), [{ purpose: 'a', isOff: false }]);
  });

  for (const outcome of ['withdrawn-elsewhere', 'switched-off'] as const)
    test(`tell a grant as no longer usable that a later reading finds ${outcome}`, () => {
      const kept = ended(saidOnce(intentOf(on('a'))), 'saved', { isOff: false });
      assert.deepEqual(wordsOf(kept), [{ purpose: 'a', isOff: false }]);
      const gone = ended(kept, outcome, { isOff: false });
      assert.deepEqual(typesOf(gone), ['consent.not-saved withdrawn-elsewhere']);
      assert.deepEqual(wordsOf(gone), [{ purpose: 'a', isOff: true }]);
    });
});
