import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { believed, believedRecord, looksOlder } from '../../../src/core/consent/believed-reading.ts';
import { usualLag } from '../../../src/core/consent/call-in-doubt.ts';
import {
  changesOf,
  lastWords,
  nothingTakenBack,
  noWords,
  type ReachOf,
  reachedBy,
  takenBackIn,
} from '../../../src/core/consent/last-word.ts';
import { adjustment, noIntent } from '../../../src/core/model/intent.ts';
import type { CallMade, JournalEntry, Work } from '../../../src/core/model/journal-entry.ts';
import type { ItemResult, Outcome } from '../../../src/core/model/submission.ts';
import { newWork, regrantedBy } from '../../../src/delivery/work.ts';
import { aRequest } from '../../delivery/fixture.ts';
import { entry, everything, now, off, on, reading, record, reduce, said, words } from './journal-builder.ts';

const adjust = adjustment({
  purpose: 'a',
  topicsOn: ['t'],
  topicsOff: ['u'],
  optionsOn: [{ preference: 'p', option: 'o' }],
  optionsOff: [],
});

const adjusting = { ...noIntent, purposes: [adjust] };

function item(id: string, outcome: Outcome, what: ItemResult['what'] = 'purpose'): ItemResult {
  return { what, id, change: 'off', outcome, receipt: undefined };
}

function call(
  answered: boolean,
  ...purposes: readonly (readonly [id: string, ...topics: string[]])[]
): CallMade {
  return {
    at: now - 2_000,
    kind: 'put',
    why: 'change',
    changes: purposes.map(([id]) => `purpose:${id}`),
    update: {
      purposes: purposes.map(([id, ...topics]) => ({ id, topics, preferences: [] })),
      dataElements: {},
      language: undefined,
    },
    answer: answered ? { items: [] } : undefined,
    problem: undefined,
  };
}

const removal: CallMade = { ...call(true), kind: 'delete', update: undefined };

/** Switching `a` on, seen on record. */
const granting = (work: Partial<Work>) => entry(on('a'), 'saved', { work });
/** What was granted: its topics, and what was on record before. */
const grantOf = (work: Partial<Work>) => {
  const grant = words([granting(work)]).granted.get('a');
  return grant && [grant.update.topics.join(' '), grant.before];
};

suite('what an entry says', () => {
  test('by an adjustment is what it chooses, and takes out, and not that the purpose is asked for', () => {
    assert.equal(said(entry(adjust, 'saved')), '-a u, +a t, +a p o, =a');
    assert.equal(said(entry(adjust, 'not-saved')), '-a u', 'what it takes out is wanted all the same');
    assert.equal(said(entry(off('a'), 'saved'), entry(adjust, 'unconfirmed')), '-a, -a u, +a t, +a p o, =a');
  });

  test('is off where a call that came late was put right', () => {
    const told = { ...item('a', 'withdrawn-elsewhere'), change: 'on' as const };
    for (const outcome of ['being-carried-out', 'saved'] as const) {
      const items = [told, item('a', outcome), item('b', outcome)];
      assert.equal(said(granting({ items })), '-a, -b', outcome);
    }
    assert.equal(said(granting({ items: [told] })), '');
  });

  test('by switching on what was on is that it is asked for, and on', () => {
    assert.equal(said(entry(on('a'), 'unchanged')), '+a, =a');
  });

  test('that is done at no known time counts for nothing', () => {
    assert.equal(said(entry(off('a'), 'saved', { doneAt: undefined })), '');
  });

  test('of a purpose is not what became of a data element of that name, nor of nothing', () => {
    const items = [item('a', 'saved'), item('a', 'not-saved', 'data-element')];
    assert.equal(said(entry(off('a'), 'saved', { work: { items: items.toReversed() } })), '-a');
    assert.equal(said(entry(off('a'), 'saved', { work: { items } })), '-a');
    assert.equal(said(entry(off('a'), 'saved', { work: { items: [] } })), '');
  });

  test('by leaving everything in another center says nothing of this one, but that a reading may be older', () => {
    const items = [item('a', 'saved'), item('b', 'locked'), item('c', 'waiting')];
    const left = entry(everything, 'saved', { center: 'other', work: { items } });
    assert.equal(said(left), '');
    const known = words([left]);
    assert.deepEqual([...known.leftElsewhere.keys()], ['a', 'c']);
    const shows = reading(record('a', 'active'));
    assert.equal(looksOlder(shows, known, now), true);
    assert.equal(looksOlder(shows, known, now + usualLag), false);
    assert.equal(looksOlder(reading(record('a', 'off'), record('b', 'active')), known, now), false);
    const open = words([entry(everything, 'being-carried-out', { center: 'other', work: { items } })]);
    assert.equal(looksOlder(shows, open, now), true);
    assert.deepEqual([...words([left, entry(on('a'), 'saved')]).leftElsewhere.keys()], ['c']);
  });

  test('by leaving everything is not what was granted again since', () => {
    const items = [item('a', 'saved'), item('b', 'saved')];
    assert.equal(said(entry(everything, 'saved', { work: { items, superseded: ['a'] } })), '-all, -b, +a');
  });

  test('by taking a choice out leaves its purpose granted', () => {
    assert.equal(said(entry(on('a'), 'saved'), entry(reduce('a', 't'), 'saved')), '-a t, -a p o, +a, =a');
  });

  test('of what it grants is what became of that, and not of what it takes out', () => {
    const became = (change: ItemResult['change'], outcome: Outcome) => ({ ...item('a', outcome), change });
    const apart = [became('add', 'not-saved'), became('reduce', 'saved')];
    assert.equal(said(entry(adjust, 'saved', { work: { items: apart } })), '-a u');
    const late = [became('on', 'saved'), became('reduce', 'being-carried-out')];
    for (const reference of ['mine', 'another']) {
      const granted = entry(on('a', 't'), 'saved', { reference, work: { items: late } });
      assert.match(said(entry(off('a'), 'waiting'), granted), /^\+a, \+a t/, reference);
    }
    assert.deepEqual(regrantedBy({ ...newWork(aRequest({ intent: adjusting })), items: apart }), []);
    const saved = [became('add', 'saved'), became('reduce', 'saved')];
    assert.deepEqual(regrantedBy({ ...newWork(aRequest({ intent: adjusting })), items: saved }), [
      'a t',
      'a p o',
    ]);
  });

  test('of its own that takes out beside what it grants is said once that is taken out', () => {
    const mine = (outcome: Outcome) => {
      const added = { ...item('a', 'not-saved'), change: 'add' as const };
      const items = [added, { ...item('a', outcome), change: 'reduce' as const }];
      return said(entry(adjust, 'saved', { reference: 'mine', work: { items, calls: [] } }));
    };
    assert.equal(mine('being-carried-out'), '');
    assert.equal(mine('saved'), '-a u');
  });

  test('of its own, and not settled, is what was answered', () => {
    const mine = (calls: readonly CallMade[], outcome: Outcome = 'in-progress') => {
      return said(entry(on('a'), outcome, { reference: 'mine', work: { calls } }));
    };
    assert.equal(mine([call(true, ['a'])]), '+a');
    assert.equal(mine([call(false, ['a'])]), '');
    assert.equal(mine([call(true, ['b'])]), '');
    assert.equal(mine([call(false, ['a']), call(true, ['b'])]), '');
    assert.equal(mine([]), '');
    assert.equal(mine([], 'saved'), '+a');
  });

  test('of what came later, and is done, is also what was asked for and is not on record yet', () => {
    const mine = entry(off('z'), 'being-carried-out', { reference: 'mine' });
    assert.equal(said(mine, entry(on('a'), 'waiting')), '+a');
  });

  test('of its own does not make everything be left at another time', () => {
    const left = entry(everything, 'saved');
    const mine = entry(on('a'), 'saved', { reference: 'mine' });
    assert.equal(words([left, mine]).leftAt, now - 1_000);
  });

  test('by switching on from off takes out what was seen of that purpose alone, and nothing unseen', () => {
    const gone = (work: Partial<Work>) => [...words([granting(work)]).takenBack];
    assert.deepEqual(gone({ before: reading(), calls: [] }), []);
    assert.deepEqual(gone({ before: reading(), calls: [removal, call(true, ['b', 'x'])] }), []);
    assert.deepEqual(gone({ before: reading(), calls: [call(true, ['a', 'x'])] }), ['a x']);
    const before = reading(record('b', 'active', ['y']), record('a', 'off', ['t']));
    assert.deepEqual(gone({ before, calls: [] }), ['a t', 'a p o', 'a p q']);
  });

  test('by adjusting what was only assumed takes out what it says, and nothing that was seen', () => {
    const work = { before: reading(record('a', 'implicit', ['v'])) };
    assert.deepEqual([...words([entry(adjust, 'saved', { work })]).takenBack], ['a u']);
  });

  test('as granted is what the last answered call sent of it, over what was before of it', () => {
    const before = reading(record('b', 'active'), record('a', 'off'));
    const sent = call(true, ['b', 'x'], ['a', 't']);
    assert.deepEqual(grantOf({ before, calls: [sent] }), ['t', 'off']);
    assert.deepEqual(grantOf({ before, calls: [sent, call(false, ['a', 'w'])] }), ['t', 'off']);
    assert.deepEqual(grantOf({ before: reading(), calls: [sent] }), ['t', undefined]);
    assert.equal(grantOf({ before, calls: [call(true, ['b', 'x'])] }), undefined);
    assert.equal(grantOf({ before, calls: [sent, removal] }), undefined);
    assert.equal(grantOf({ before, calls: [call(false, ['a'])] }), undefined);
    assert.equal(grantOf({ before, calls: [] }), undefined);
  });

  test('that nobody can carry out is nothing', () => {
    assert.equal(said(entry({ ...noIntent, language: 'fr' }, 'saved')), '');
  });
});

suite('a reading', () => {
  test('of who took nothing back is believed as it is', () => {
    const read = record('a', 'active', ['t']);
    assert.equal(believedRecord(read, noWords), read);
  });

  test('that shows a purpose on shows what is chosen under it, whatever was sent', () => {
    const granted = words([entry(on('a', 't'), 'saved')]);
    const [found] = believed(reading(record('a', 'active', ['u'])), granted).purposes;
    assert.deepEqual(found?.topics, ['u']);
  });

  test('looks older by what it shows of the purpose that was granted, and never where that is on', () => {
    const granted = words([granting({ before: reading(record('a', 'off')) })]);
    const both = reading(record('b', 'active'), record('a', 'off'));
    assert.equal(looksOlder(both, granted, now), true);
    const wasOn = words([granting({ before: reading(record('a', 'active')) })]);
    assert.equal(looksOlder(reading(record('a', 'active', ['t'])), wasOn, now), false);
  });
});

suite('what everything says that was left unread', () => {
  const unread = { ...removal, changes: ['everything'] };
  const answered = (accepted: boolean) => ({
    ...unread,
    answer: { items: [{ purpose: 'a', accepted, receipt: undefined, messages: [] }] },
  });
  const left = (call: CallMade, change: Parameters<typeof entry>[2] = {}) =>
    words([entry(everything, 'saved', { ...change, work: { calls: [call] } })]).takenBack;

  test('is that each purpose is taken back which the answer names as withdrawn, in another center, too', () => {
    assert.deepEqual([...left(answered(true))], ['a']);
    const elsewhere = entry(everything, 'saved', { center: 'another', work: { calls: [answered(true)] } });
    assert.deepEqual([...words([elsewhere]).leftElsewhere.keys()], ['a']);
    assert.deepEqual([...left(answered(false))], []);
  });

  test('is nothing more where it was not answered, or was made for what had been read', () => {
    assert.deepEqual([...left({ ...unread, answer: undefined })], []);
    assert.deepEqual([...left({ ...answered(true), changes: ['purpose:b'] })], []);
  });
});

suite('what a submission is to change', () => {
  const changed = (...made: Parameters<typeof entry>) => {
    const { work } = entry(...made);
    return work && changesOf(work).map(({ kind, purpose }) => `${kind} ${purpose}`);
  };

  test('is what was asked', () => {
    assert.deepEqual(changed({ ...noIntent, purposes: [on('a'), off('b')] }, 'saved'), ['on a', 'off b']);
  });

  test('is to switch off again what came late, be it asked for or not, and no data element of that name', () => {
    const items = [item('b', 'being-carried-out'), item('a', 'saved'), item('c', 'saved', 'data-element')];
    assert.deepEqual(changed(on('a'), 'saved', { work: { items } }), ['off a', 'off b']);
  });

  test('is no purpose by its name where it is everything', () => {
    assert.deepEqual(changed(everything, 'saved', { work: { items: [item('a', 'saved')] } }), []);
  });
});

suite('what submissions take back', () => {
  /** `-a +b`: taken back, asked for since; `-all`: with whatever may be granted. */
  const backWhere = (reachOf: ReachOf, ...entries: readonly Pick<JournalEntry, 'center' | 'work'>[]) => {
    const { keys, everything, asked } = takenBackIn(entries, reachOf);
    return [
      ...(everything ? ['-all'] : []),
      ...[...keys].map((key) => `-${key}`),
      ...[...asked].map((key) => `+${key}`),
    ].join(', ');
  };
  const unread: ReachOf = () => undefined;
  const offered: ReachOf = (center) => new Set(center === 'other' ? ['o'] : ['a', 'b']);
  const kept = { work: { items: [] } };
  const unsaid = { center: 'center', work: undefined };

  const cases: readonly [string, readonly Pick<JournalEntry, 'center' | 'work'>[], string][] = [
    ['is nothing where there are none', [], ''],
    [
      'is nothing of what nobody can read, and all of what stands beside it',
      [unsaid, entry(off('a'), 'saved')],
      '-a',
    ],
    ['is what was switched off', [entry(off('a'), 'saved')], '-a'],
    ['is what is on its way off', [entry(off('a'), 'being-carried-out')], '-a'],
    ['is what is to be switched off, by what was asked alone', [entry(off('a'), 'saved', kept)], '-a'],
    ['is nothing of what is locked', [entry(off('a'), 'locked')], ''],
    ['is what was taken out', [entry(reduce('a', 't'), 'saved')], '-a t, -a p o'],
    [
      'is what is taken out under a purpose that is locked',
      [entry(reduce('a', 't'), 'locked')],
      '-a t, -a p o',
    ],
    ['is nothing of what is asked for', [entry(on('a', 't'), 'in-progress')], '+a, +a t'],
    ['is nothing of what was asked for in vain', [entry(on('a'), 'not-saved')], ''],
    ['is nothing of what was asked for, and never came to be', [entry(on('a'), 'saved', kept)], ''],
    ['is both of what an adjustment says', [entry(adjust, 'saved')], '-a u, +a t, +a p o'],
    ['is what was asked for before', [entry(on('a'), 'saved'), entry(off('a'), 'saved')], '-a'],
    ['is nothing that was asked for since', [entry(off('a'), 'saved'), entry(on('a'), 'saved')], '+a'],
    ['is what was asked for since in vain', [entry(off('a'), 'saved'), entry(on('a'), 'reworded')], '-a'],
  ];
  for (const [what, entries, expected] of cases) {
    test(what, () => assert.equal(backWhere(unread, ...entries), expected));
  }

  test('is nothing, whatever a center offers, where none are looked at', () => {
    assert.deepEqual(takenBackIn([], offered), nothingTakenBack);
  });

  test('is everything where a center was left of which nobody knows what it offers', () => {
    const left = entry(everything, 'saved', { work: { items: [item('a', 'saved')] } });
    assert.equal(backWhere(unread, left), '-all');
    assert.equal(backWhere(unread, entry(on('a'), 'saved'), left), '-all');
    assert.equal(backWhere(unread, left, entry(on('a'), 'saved')), '-all, +a');
  });

  test('is what a center offers that was left, and was not asked for since', () => {
    const left = entry(everything, 'saved', kept);
    assert.equal(backWhere(offered, left), '-a, -b');
    assert.equal(backWhere(offered, { ...left, center: 'other' }), '-o');
    assert.equal(backWhere(offered, entry(on('a'), 'saved'), entry(on('c'), 'saved'), left), '-a, -b, +c');
    assert.equal(backWhere(offered, left, entry(on('a'), 'saved')), '-b, +a');
  });

  test('by leaving a center reaches what it offers, what became of anything, and what was read', () => {
    const reached = (work: Work | undefined) => reachedBy({ center: 'other', work }, offered);
    const before = reading(record('r', 'active'));
    const { work } = entry(everything, 'saved', { work: { items: [item('a', 'saved')], before } });
    assert.deepEqual(reached(work), new Set(['o', 'a', 'r']));
    assert.deepEqual(reached(work && { ...work, before: undefined }), new Set(['o', 'a']));
    assert.deepEqual(reached(undefined), new Set(['o']));
    assert.equal(reachedBy({ center: 'other', work }, unread), undefined);
  });
});

test('the last words are looked for an entry at a time, each by its items and the choices it tells of', () => {
  const before = reading(record('a', 'active', ['t']), record('b', 'active'));
  const entries = [
    granting({ before, calls: [call(true, ['a', 't', 'u'], ['b', 'x']), removal] }),
    entry(off('a'), 'saved', { work: { calls: [] } }),
    { ...granting({}), work: undefined },
  ];
  const steps = lastWords(entries, { reference: 'mine', center: 'center', now });
  assert.deepEqual([...steps], [1 + 5 + 3, 1]);
});
