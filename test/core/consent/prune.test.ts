import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Asked,
  type Call,
  type DesiredCenter,
  type DesiredEverything,
  type DesiredItem,
  usualLimits,
} from '../../../src/core/consent/desired-state.ts';
import { prune } from '../../../src/core/consent/prune.ts';
import { tolerance } from '../../../src/core/model/age.ts';
import { nothing } from './nothing.ts';

const { formLife, grantLife, lag } = usualLimits;

const word: DesiredItem = { key: 'purpose a', want: 'off', by: 'r', at: 0, order: 1, phase: 'verified' };
const floor: DesiredEverything = { by: 'all', at: 0, order: 1, phase: 'verified', reach: undefined };
const lost: Call = { order: 1, at: 0, update: undefined, refusals: [], off: [], keys: [], by: 'called' };
const answer = { at: 0, refused: [], receipt: undefined };
const answered: Call = { ...lost, answer };
const checked: Call = { ...answered, isChecked: true };

function pruned(own: Partial<DesiredCenter>, now: number): readonly DesiredCenter[] {
  const centers = [{ ...nothing, ...own }];
  return prune({ order: 9, centers }, now, usualLimits).centers;
}

describe('pruning keeps', () => {
  const open = { items: [{ ...word, phase: 'open' }] } as const;
  const cases: readonly [string, Partial<DesiredCenter>, number, string | undefined][] = [
    ['a finished word while an older form may still be posted', { items: [word] }, formLife, 'purpose a'],
    ['no finished word for longer', { items: [word] }, formLife + 1, undefined],
    ['a word that is over for the same time', { items: [{ ...word, phase: 'over' }] }, formLife, 'purpose a'],
    ['no word that is over for longer', { items: [{ ...word, phase: 'over' }] }, formLife + 1, undefined],
    [
      'a word that was seen later, from that time on',
      { items: [{ ...word, seen: 5 }] },
      formLife + 5,
      'purpose a',
    ],
    ['no word that was seen later for longer', { items: [{ ...word, seen: 5 }] }, formLife + 6, undefined],
    [
      'a word that was said again after it was seen',
      { items: [{ ...word, at: 5, seen: 0 }] },
      formLife + 5,
      'purpose a',
    ],
    ['an open word for ever', open, formLife * 9, 'purpose a'],
    ['a word that was sent', { items: [{ ...word, phase: 'sent' }] }, formLife * 9, 'purpose a'],
    ['a word in doubt', { items: [{ ...word, phase: 'in-doubt' }] }, formLife * 9, 'purpose a'],
    ['a word that waits for its grant', { items: [{ ...word, phase: 'bound' }] }, formLife * 9, 'purpose a'],
    [
      'each word while a call may still land',
      { items: [word], calls: [lost] },
      formLife * 9,
      'purpose a, call 1',
    ],
    ['a call until it was checked', { calls: [answered] }, formLife * 9, 'call 1'],
    ['a checked call until the lag is over', { calls: [checked] }, lag - 1, 'call 1'],
    ['no checked call after the lag', { calls: [checked] }, lag, undefined],
    ['a finished "everything" as long as a word', { everything: floor }, formLife, 'everything'],
    ['no finished "everything" for longer', { everything: floor }, formLife + 1, undefined],
    [
      'an unfinished "everything" for ever',
      { everything: { ...floor, phase: 'sent' } },
      formLife * 9,
      'everything',
    ],
    ['the purposes that are known to be on record', { known: ['a'] }, formLife * 9, ''],
    ['a word beside a call', { ...open, calls: [answered] }, 1, 'purpose a, call 1'],
    ['no center without any data', {}, 0, undefined],
  ];
  for (const [name, own, now, left] of cases) {
    test(`${name}, at ${now}`, () => {
      const [center] = pruned(own, now);
      const { items = [], calls = [], everything } = center ?? {};
      const all = [...items.map(({ key }) => key), ...calls.map(({ order }) => `call ${order}`)];
      if (everything !== undefined) all.push('everything');
      assert.equal(center && all.join(', '), left);
    });
  }
});

describe('the facts of a submission', () => {
  const facts = { confirms: [], isObjection: false, isOneClick: false };
  const drawn = [{ purpose: 'a', status: 'active', isOn: true }];
  const form = { at: 0, order: 0, revision: '1', drawn, filled: ['e'] };
  const by = (reference: string): Asked => ({ ...facts, reference, form });
  const kept = (own: Partial<DesiredCenter>) =>
    pruned({ asked: ['r', 'also', 'all', 'called'].map(by), ...own }, 1)[0]?.asked.map(
      ({ reference, form: shown }) => `${reference} ${shown?.drawn === undefined ? 'less' : 'all'}`,
    );

  test('are kept for each submission with a word', () => {
    assert.deepEqual(kept({ items: [{ ...word, also: 'also' }] }), ['r less', 'also less']);
    assert.deepEqual(kept({ items: [word], everything: floor }), ['r less', 'all less']);
  });

  test('are kept with the purposes of the form until its word is done', () => {
    for (const phase of ['open', 'bound', 'sent', 'in-doubt'] as const)
      assert.deepEqual(kept({ items: [{ ...word, phase }] }), ['r all'], phase);
    for (const phase of ['verified', 'over'] as const)
      assert.deepEqual(kept({ items: [{ ...word, phase }] }), ['r less'], phase);
  });

  test('are kept with the purposes of the form until its call is checked', () => {
    const items = [{ ...word, by: 'called' }];
    assert.deepEqual(kept({ items, calls: [lost] }), ['called all']);
    assert.deepEqual(kept({ items, calls: [] }), ['called less']);
  });

  test('keep all other data of the form', () => {
    const { form: _, ...plain } = by('r');
    const [center] = pruned({ items: [word], asked: [by('r'), { ...plain, reference: 'r' }] }, 1);
    const { drawn: __, ...less } = form;
    assert.deepEqual(JSON.parse(JSON.stringify(center?.asked)), [{ ...plain, form: less }, plain]);
  });
});

describe('a time in the future, after the clock was set back', () => {
  const now = 100_000_000;
  /** A center with every date at `at`, and those of grants and typed values at `grantAt`. */
  const datedAt = (at: number, grantAt = at): Partial<DesiredCenter> => ({
    items: [
      { ...word, at, seen: at, granted: { order: 1, at, isSure: true } },
      { ...word, key: 'purpose b', at: now, seen: 0 },
      { ...word, key: 'purpose c', want: 'on', phase: 'open', at: grantAt },
      { ...word, key: 'element e', want: { value: '1', label: 'E' }, phase: 'open', at: grantAt },
    ],
    calls: [
      { ...lost, at },
      { ...answered, at, answer: { ...answer, at } },
    ],
    everything: { ...floor, at, seen: at },
    lookedAt: at,
  });
  const after = (own: Partial<DesiredCenter>) => JSON.parse(JSON.stringify(pruned(own, now)));
  const expected = (own: Partial<DesiredCenter>) => JSON.parse(JSON.stringify([{ ...nothing, ...own }]));

  test('becomes now, and a grant or typed value is over', () => {
    assert.deepEqual(after(datedAt(now + tolerance + 1)), expected(datedAt(now, now - grantLife)));
  });

  test('is not added to an "everything" that was not seen off', () => {
    const own = { everything: { ...floor, at: now } };
    assert.deepEqual(after(own), expected(own));
  });

  test('stays if it is within the tolerance between the clocks of nodes', () => {
    for (const at of [now + tolerance, now, now - 1])
      assert.deepEqual(after(datedAt(at)), expected(datedAt(at)));
  });
});
