import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { believed, isTakenBack, looksOlder } from '../../../src/core/consent/believed-reading.ts';
import { believedFor, usualLag } from '../../../src/core/consent/call-in-doubt.ts';
import { type LastWords, noWords } from '../../../src/core/consent/last-word.ts';
import { mergeIntent } from '../../../src/core/consent/merge.ts';
import { noIntent, type PurposeChange } from '../../../src/core/model/intent.ts';
import type { JournalEntry } from '../../../src/core/model/journal-entry.ts';
import type { ConsentRecord, RecordedStatus, Subject } from '../../../src/core/model/subject.ts';
import type { Outcome } from '../../../src/core/model/submission.ts';
import { aCenter, aPurpose } from '../center-builder.ts';
import { entry, everything, now, off, on, reading, record, reduce, said, words } from './journal-builder.ts';

suite('the last word', () => {
  const old = { doneAt: now - believedFor };
  const cases: readonly [string, readonly JournalEntry[], string][] = [
    ['of nobody', [], ''],
    ['to switch off, carried out', [entry(off('a'), 'saved')], '-a'],
    ['to switch off, open', [entry(off('a'), 'being-carried-out')], '-a'],
    ['to switch off, however long open', [entry(off('a'), 'being-carried-out', { submittedAt: 0 })], '-a'],
    ['to switch off what was off', [entry(off('a'), 'unchanged')], '-a'],
    ['to switch off what waits', [entry(off('a'), 'waiting')], '-a'],
    ['to switch off what nobody knows', [entry(off('a'), 'no-such-purpose')], '-a'],
    ['to switch off what is locked', [entry(off('a'), 'locked')], ''],
    ['to switch off, long ago', [entry(off('a'), 'saved', old)], ''],
    ['to switch off, just not long ago', [entry(off('a'), 'saved', { doneAt: old.doneAt + 1 })], '-a'],
    ['to switch off, superseded', [entry(off('a'), 'saved', { work: { superseded: ['a'] } })], ''],
    ['to take out', [entry(reduce('a', 't', 'u'), 'saved')], '-a t, -a u, -a p o'],
    ['to switch on', [entry(on('a', 't'), 'saved')], '+a, +a t, =a'],
    ['to switch on, unconfirmed', [entry(on('a'), 'unconfirmed')], '+a, =a'],
    ['to switch on, in doubt', [entry(on('a'), 'in-doubt')], '+a'],
    ['to switch on, waiting', [entry(on('a'), 'waiting')], '+a'],
    ['to switch on, on its way', [entry(on('a'), 'in-progress')], '+a'],
    ['to switch on, not saved', [entry(on('a'), 'not-saved')], ''],
    ['to switch on, reworded', [entry(on('a'), 'reworded')], ''],
    ['to switch on, then off', [entry(on('a', 't'), 'saved'), entry(off('a'), 'saved')], '-a, +a t'],
    ['to switch off, then on', [entry(off('a'), 'saved'), entry(on('a'), 'saved')], '+a, =a'],
    ['to switch off, then on in vain', [entry(off('a'), 'saved'), entry(on('a'), 'not-saved')], '-a'],
    [
      'to take out, then choose',
      [entry(reduce('a', 't'), 'saved'), entry(on('a', 't'), 'saved')],
      '-a p o, +a, +a t, =a',
    ],
    ['to leave everything', [entry(on('a'), 'saved'), entry(everything, 'saved')], '-all'],
    ['to leave everything, then join', [entry(everything, 'saved'), entry(on('a'), 'saved')], '-all, +a, =a'],
    [
      'to leave everything elsewhere',
      [entry(on('a'), 'saved'), entry(everything, 'saved', { center: 'other' })],
      '+a, =a',
    ],
    ['to switch off elsewhere', [entry(off('a'), 'saved', { center: 'other' })], '-a'],
    ['nobody can read', [{ ...entry(off('a'), 'saved'), work: undefined }], ''],
  ];
  for (const [what, entries, expected] of cases) {
    test(what, () => assert.equal(said(...entries), expected));
  }

  suite('with what was only assumed, and confirmed beside it', () => {
    const beside = (
      {
        before = reading(record('b', 'active')),
        accepted = true,
        asked = on('a'),
        outcome = 'saved',
      }: { before?: Subject; accepted?: boolean; asked?: PurposeChange; outcome?: Outcome },
      change: Partial<JournalEntry> = {},
    ) => {
      const made = entry(on('a'), 'saved');
      const [call] = made.work?.calls ?? [];
      assert.ok(call);
      const sent = (id: string) => ({ id, topics: [], preferences: [] });
      const item = (purpose: string) => ({ purpose, accepted, receipt: undefined, messages: [] });
      const update = {
        purposes: ['a', 'b', 'd'].map(sent),
        dataElements: {},
        language: undefined,
      };
      const answered = { ...call, update, answer: { items: ['a', 'b', 'd'].map(item) } };
      const calls = [answered, { ...answered, answer: undefined }];
      return { ...entry(asked, outcome, { work: { before, calls } }), ...change };
    };
    const confirmed: readonly [string, readonly JournalEntry[], string][] = [
      ['of which nothing was on record', [beside({})], '+a, =a, =d'],
      [
        'which was on record as assumed',
        [beside({ before: reading(record('b', 'active'), record('d', 'implicit')) })],
        '+a, =a, =d',
      ],
      [
        'which was on all the same',
        [beside({ before: reading(record('b', 'active'), record('d', 'active')) })],
        '+a, =a',
      ],
      ['beside what still waits', [beside({ outcome: 'waiting' })], '+a, =d'],
      ['which was sent only to be refused', [beside({ asked: off('d') })], '-d, =a'],
      ['which was refused', [beside({ accepted: false })], '+a, =a'],
      ['by what was read of nobody', [{ ...beside({}), center: 'other' }], '+a'],
      ['and is still on its way', [beside({}, { state: 'pending', doneAt: undefined })], '+a'],
      ['and switched off since', [beside({}), entry(off('d'), 'saved')], '-d, +a, =a'],
    ];
    for (const [what, entries, expected] of confirmed)
      test(what, () => assert.equal(said(...entries), expected));
    test('is its own to say', () => {
      const own = beside({});
      assert.equal(words([own], own.reference).granted.size, 0);
    });
    test('by a reading that is not known', () => {
      const made = beside({});
      const work = made.work && { ...made.work, before: undefined };
      assert.deepEqual([...words([{ ...made, work }]).granted.keys()], ['a']);
    });
    test('is known with what it was before', () => {
      assert.deepEqual(words([beside({})]).granted.get('d'), {
        update: { id: 'd', topics: [], preferences: [] },
        before: undefined,
        at: now - 1_000,
      });
    });
  });

  test('of a submission itself is what is settled of it', () => {
    const mine = { reference: 'mine' };
    assert.equal(said(entry(off('a'), 'being-carried-out', mine)), '');
    assert.equal(said(entry(off('a'), 'saved', mine)), '-a');
    assert.equal(said(entry(off('a'), 'saved'), entry(on('a'), 'in-progress', mine)), '-a');
    assert.equal(said(entry(off('a'), 'saved'), entry(on('a'), 'saved', mine)), '+a');
    assert.equal(said(entry(on('a'), 'saved'), entry(everything, 'being-carried-out', mine)), '+a, =a');
    assert.equal(said(entry(on('a'), 'saved'), entry(everything, 'saved', mine)), '');
  });

  test('of what came later is what it takes back, and what it grants once that is done', () => {
    const mine = entry(off('z'), 'being-carried-out', { reference: 'mine' });
    assert.equal(said(mine, entry(off('a'), 'being-carried-out')), '-a');
    assert.equal(said(entry(off('a'), 'saved'), mine, entry(on('a'), 'in-progress')), '-a');
    assert.equal(said(entry(off('a'), 'saved'), mine, entry(on('a'), 'saved')), '+a, =a');
  });

  test('to switch on from off is with nothing that was chosen before', () => {
    const wasOff = { work: { before: reading(record('a', 'off')) } };
    const wasOn = { work: { before: reading(record('a', 'active')) } };
    const first = entry(on('a', 't'), 'in-doubt');
    const gone = (again: JournalEntry) => [...words([first, again]).takenBack];
    assert.deepEqual(gone(entry(on('a'), 'saved', wasOff)), ['a t', 'a p o', 'a p q']);
    assert.deepEqual(gone(entry(on('a', 't'), 'saved', wasOff)), ['a p o', 'a p q']);
    assert.deepEqual(gone(entry(on('a'), 'saved', wasOn)), []);
    assert.deepEqual(gone(entry(on('a'), 'saved')), []);
    assert.deepEqual(gone(entry(on('a'), 'not-saved', wasOff)), []);
    assert.deepEqual(gone(entry(reduce('a', 't'), 'saved', wasOff)), ['a t', 'a p o']);
    const asked = words([first, entry(on('a', 'u'), 'saved', wasOff)]).asked;
    assert.deepEqual([...asked], ['a', 'a u']);
  });

  test('of what came later, and is not done, is also what it grants once that is seen on record', () => {
    const mine = entry(off('a'), 'being-carried-out', { reference: 'mine' });
    const open = { state: 'pending' as const, doneAt: undefined };
    assert.equal(said(mine, entry(on('a'), 'saved', open)), '+a');
    assert.equal(said(mine, entry(on('a'), 'in-doubt', open)), '');
    assert.equal(said(mine, entry(on('a'), 'waiting', open)), '');
  });

  test('takes all but what was asked for again since', () => {
    const left = words([entry(everything, 'saved'), entry(on('a'), 'saved')]);
    assert.deepEqual([isTakenBack(left, 'a'), isTakenBack(left, 'b')], [false, true]);
    assert.equal(isTakenBack(words([entry(off('a'), 'saved')]), 'b'), false);
  });

  test('to leave everything is known by its time until something is asked for', () => {
    assert.equal(words([entry(everything, 'saved')]).leftAt, now - 1_000);
    assert.equal(words([entry(everything, 'saved'), entry(on('a'), 'saved')]).leftAt, undefined);
    assert.equal(words([entry(everything, 'saved', { center: 'other' })]).leftAt, undefined);
  });
});

const shown = (subject: Subject) =>
  subject.purposes.map(({ purpose, status }) => `${purpose}:${status}`).join(' ');

suite('a reading', () => {
  const left = words([entry(off('a'), 'saved')]);
  const statuses: readonly [RecordedStatus, RecordedStatus][] = [
    ['active', 'off'],
    ['implicit', 'off'],
    ['pending', 'off'],
    ['always-active', 'always-active'],
    ['hard-opt-out', 'hard-opt-out'],
    ['expired', 'expired'],
    ['no-consent', 'no-consent'],
    ['off', 'off'],
  ];
  for (const [status, as] of statuses) {
    test(`that shows ${status} what was switched off is believed as ${as}`, () => {
      assert.equal(
        shown(believed(reading(record('a', status), record('b', 'active')), left)),
        `a:${as} b:active`,
      );
    });
  }

  test('that shows on what was switched off longer ago than a reading lags is right, but for a call in doubt', () => {
    const before = { doneAt: now - usualLag };
    const shows = reading(record('a', 'active', ['t', 'u']), record('b', 'active'));
    for (const said of [off('a'), everything]) {
      const outcome = 'saved' as const;
      assert.equal(shown(believed(shows, words([entry(said, outcome, before)]))), 'a:active b:active');
      const later = { doneAt: before.doneAt + 1 };
      const isOff = said === everything ? 'a:off b:off' : 'a:off b:active';
      assert.equal(shown(believed(shows, words([entry(said, outcome, later)]))), isOff);
    }
    const taken = words([entry(reduce('a', 't'), 'saved', before)]);
    assert.deepEqual(believed(shows, taken).purposes[0]?.topics, ['t', 'u']);
    const inDoubt = entry(on('a'), 'in-doubt', { submittedAt: 0 });
    const [call] = inDoubt.work?.calls ?? [];
    assert.ok(inDoubt.work && call);
    const doubt = (at: number) => {
      const work = { ...inDoubt.work, calls: [{ ...call, answer: undefined, at }] };
      return { ...inDoubt, work } as JournalEntry;
    };
    const since = entry(off('a'), 'saved', before);
    const ends = believedFor + usualLag;
    assert.equal(shown(believed(shows, words([doubt(now - ends + 1), since]))), 'a:off b:active');
    assert.equal(shown(believed(shows, words([doubt(now - ends), since]))), 'a:active b:active');
  });

  test('that does not show what was seen on longer ago than a reading lags is right', () => {
    const granted = words([entry(on('a', 't'), 'saved', { doneAt: now - usualLag })]);
    assert.equal(shown(believed(reading(record('a', 'expired')), granted)), 'a:expired');
    assert.equal(shown(believed(reading(), granted)), '');
  });

  test('that shows what was taken out is believed without it', () => {
    const taken = words([entry(reduce('a', 't'), 'saved')]);
    const [found] = believed(reading(record('a', 'active', ['t', 'u'])), taken).purposes;
    assert.deepEqual([found?.topics, found?.preferences], [['u'], [{ id: 'p', options: ['q'] }]]);
  });

  const grants: readonly [RecordedStatus | undefined, string][] = [
    [undefined, 'a:active'],
    ['expired', 'a:active'],
    ['no-consent', 'a:active'],
    ['pending', 'a:active'],
    ['off', 'a:off'],
    ['always-active', 'a:always-active'],
    ['hard-opt-out', 'a:hard-opt-out'],
    ['active', 'a:active'],
  ];
  for (const [status, as] of grants) {
    test(`that shows ${status ?? 'nothing'} of what was seen on is believed as ${as}`, () => {
      const granted = words([entry(on('a', 't'), 'saved')]);
      const found = believed(reading(...(status === undefined ? [] : [record('a', status)])), granted);
      assert.equal(shown(found), as);
      if (status === undefined) assert.deepEqual(found.purposes[0]?.topics, ['t']);
    });
  }

  test('looks older while it does not show a grant of just now with all that was chosen', () => {
    const granted = words([entry(on('a'), 'saved')]);
    for (const status of ['off', 'expired', 'pending', 'no-consent', 'implicit'] as const)
      assert.equal(looksOlder(reading(record('a', status, ['t'])), granted, now), true);
    for (const status of ['active', 'always-active', 'hard-opt-out'] as const)
      assert.equal(looksOlder(reading(record('a', status, ['t'])), granted, now), false);
    assert.equal(looksOlder(reading(record('a', 'active', ['u'])), granted, now), true);
    const without = words([entry(on('a'), 'saved'), entry(reduce('a', 't'), 'saved')]);
    assert.equal(looksOlder(reading(record('a', 'active')), without, now), false);
    assert.equal(looksOlder(reading(record('a', 'off')), granted, now - 1_000 + usualLag), false);
    assert.equal(looksOlder(reading(), words([entry(on('a'), 'saved')]), now), true);
    assert.equal(looksOlder(reading(), noWords, now), false);
  });
});

suite('a merge with the last word', () => {
  const center = aCenter([aPurpose('a'), aPurpose('b'), aPurpose('d', { onByDefault: true })]);
  const merge = (
    purposes: readonly ConsentRecord[],
    change: PurposeChange,
    more: Partial<Parameters<typeof mergeIntent>[0]> = {},
  ) => {
    const intent = { ...noIntent, purposes: [change] };
    const { call, changes } = mergeIntent({
      center,
      current: reading(...purposes),
      intent,
      confirmable: ['a', 'b', 'd'],
      ...more,
    });
    const sent =
      call.kind === 'put' ? `put ${call.update.purposes.map(({ id }) => id).join(' ')}` : call.kind;
    return [changes[0]?.state, sent.trim()];
  };
  const left = words([entry(off('a'), 'saved')]);
  const granted = words([entry(on('a'), 'saved')]);
  const form = (onRecord: readonly string[], refused: readonly string[] | undefined) => {
    return { at: 0, revision: '1', onRecord, refused };
  };

  test('carries nothing along that was granted in another center', () => {
    const elsewhere = words([entry(on('a'), 'saved', { center: 'other' })]);
    assert.deepEqual([...elsewhere.granted.keys()], []);
    assert.deepEqual(merge([], on('b'), { words: elsewhere }), ['open', 'put b']);
  });

  test('carries nothing along that was taken back, and what was granted', () => {
    assert.deepEqual(merge([record('a', 'active')], on('b'), { words: left }), ['open', 'put b']);
    assert.deepEqual(merge([], on('b'), { words: granted }), ['open', 'put a b']);
    const confirming = { center: { ...center, confirmsDefaults: true } };
    assert.deepEqual(merge([], on('b'), { ...confirming, words: words([entry(off('d'), 'saved')]) }), [
      'open',
      'put b',
    ]);
    assert.deepEqual(merge([], on('b'), { ...confirming, words: words([entry(on('d'), 'saved')]) }), [
      'open',
      'put d b',
    ]);
  });

  test('does not take for on what was switched off, nor change it', () => {
    assert.deepEqual(merge([record('a', 'active')], on('a'), { words: left }), ['open', 'put a']);
    assert.deepEqual(merge([record('a', 'active')], reduce('a', 't'), { words: left }), [
      'withdrawn-elsewhere',
      'none',
    ]);
  });

  test('takes out what another submission takes out, too, while it is on record', () => {
    const taken = words([entry(reduce('a', 't'), 'unchanged')]);
    const change = reduce('a', 't');
    assert.deepEqual(merge([record('a', 'active', ['t'])], change, { words: taken }), ['open', 'put a']);
  });

  test('does not take for off what was switched on, here or on the form', () => {
    assert.deepEqual(merge([record('a', 'off')], off('a'), { words: granted }), ['perhaps-on', 'put']);
    assert.deepEqual(merge([], off('gone'), { words: words([entry(on('gone'), 'saved')]) }), [
      'perhaps-on',
      'put',
    ]);
    assert.deepEqual(merge([record('a', 'off')], off('a')), ['met', 'none']);
    assert.deepEqual(merge([record('a', 'off')], off('a'), { form: form(['a'], []) }), ['perhaps-on', 'put']);
    assert.deepEqual(merge([record('a', 'off')], off('a'), { form: form(['a'], ['a']) }), ['met', 'none']);
    assert.deepEqual(merge([record('a', 'off')], off('a'), { form: form(['a'], undefined) }), [
      'met',
      'none',
    ]);
    assert.deepEqual(merge([record('a', 'off')], off('a'), { form: form([], []) }), ['met', 'none']);
    assert.deepEqual(merge([record('a', 'off')], off('a'), { form: form(['a'], []), words: left }), [
      'met',
      'none',
    ]);
  });

  test('lets a withdrawal elsewhere win over what the form showed', () => {
    const seen = (refused: readonly string[] | undefined) => ({ form: form([], refused) });
    assert.deepEqual(merge([record('a', 'off')], on('a'), seen([])), ['withdrawn-elsewhere', 'none']);
    assert.deepEqual(merge([record('a', 'off')], on('a'), seen(['a'])), ['open', 'put a']);
    assert.deepEqual(merge([record('a', 'off')], on('a'), seen(undefined)), ['open', 'put a']);
    assert.deepEqual(merge([record('a', 'off')], on('a')), ['open', 'put a']);
    for (const status of ['expired', 'pending', 'no-consent'] as const)
      assert.deepEqual(merge([record('a', status)], on('a'), seen([])), ['open', 'put a']);
  });

  test('lets a withdrawal elsewhere win over a form that showed another status of the platform for off', () => {
    const off = (rawStatus?: string) => [{ ...record('a', 'off'), rawStatus }];
    const shown = (status: string) => {
      return { form: { ...form(['a'], ['a']), rawStatuses: [{ purpose: 'a', status }] } };
    };
    assert.deepEqual(merge(off('WITHDRAWN'), on('a'), shown('OPT_OUT')), ['withdrawn-elsewhere', 'none']);
    assert.deepEqual(merge(off('OPT_OUT'), on('a'), shown('OPT_OUT')), ['open', 'put a']);
    assert.deepEqual(merge(off(), on('a'), shown('OPT_OUT')), ['open', 'put a']);
    assert.deepEqual(merge(off('WITHDRAWN'), on('a'), { form: form(['a'], ['a']) }), ['open', 'put a']);
  });

  test('grants nothing that is off again since a submission saw it on, by a form that may be older', () => {
    const drawnAt = (at: number, refused: readonly string[] | undefined = ['a']) => {
      return { form: { ...form(['a'], refused), at } };
    };
    const seenAt = now - 1_000;
    const end = (words: LastWords, drawn: ReturnType<typeof drawnAt>) =>
      merge([record('a', 'off')], on('a'), { words, ...drawn })[0];
    assert.equal(end(granted, drawnAt(0)), 'withdrawn-elsewhere');
    assert.equal(end(granted, drawnAt(0, undefined)), 'withdrawn-elsewhere');
    assert.equal(end(granted, drawnAt(seenAt + usualLag - 1)), 'withdrawn-elsewhere');
    assert.equal(end(granted, drawnAt(seenAt + usualLag)), 'open');
    assert.equal(merge([record('a', 'expired')], on('a'), { words: granted, ...drawnAt(0) })[0], 'open');

    const old = { doneAt: now - 3 * believedFor };
    const elsewhere = { center: 'other' };
    const undone = { work: { watch: { since: now, looked: 1, carried: [], granted: ['a'] } } };
    const read = { submittedAt: now - 2_000, work: { before: reading(record('a', 'active')) } };
    const cases: readonly [string, readonly JournalEntry[], number | undefined][] = [
      ['granted long ago', [entry(on('a'), 'saved', old)], old.doneAt],
      ['granted in another center', [entry(on('a'), 'unconfirmed', elsewhere)], seenAt],
      ['on already', [entry(on('a'), 'unchanged')], seenAt],
      ['granted, and not done yet', [entry(on('a'), 'saved', { doneAt: undefined })], now - 2_000 + usualLag],
      ['read as on', [entry(on('b'), 'not-saved', read)], now - 2_000],
      ['granted, and undone since', [entry(on('a'), 'withdrawn-elsewhere', undone)], seenAt],
      ['in doubt', [entry(on('a'), 'in-doubt')], undefined],
      ['switched off since', [entry(on('a'), 'saved'), entry(off('a'), 'being-carried-out')], undefined],
      ['read as on, and switched off by the same', [entry(off('a'), 'saved', read)], undefined],
      ['left with everything since', [entry(on('a'), 'saved'), entry(everything, 'saved')], undefined],
      ['left elsewhere since', [entry(on('a'), 'saved'), entry(everything, 'saved', elsewhere)], seenAt],
      ['granted by itself', [entry(on('a'), 'saved', { reference: 'mine' })], undefined],
    ];
    for (const [what, entries, at] of cases) assert.equal(words(entries).seenOn.get('a'), at, what);
  });

  test('leaves everything by a DELETE, and names what was granted though the reading does not show it', () => {
    const { call, changes } = mergeIntent({
      center: aCenter([]),
      current: reading(record('b', 'off')),
      intent: everything,
      confirmable: [],
      words: granted,
    });
    assert.equal(call.kind, 'delete');
    assert.deepEqual(
      changes.map(({ id, state }) => `${id}:${state}`),
      ['b:met', 'a:perhaps-on'],
    );
  });
});
