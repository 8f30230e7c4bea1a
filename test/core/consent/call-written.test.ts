import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DesiredEverything, DesiredItem } from '../../../src/core/consent/desired-state.ts';
import { intentOf, withCall } from '../../../src/core/consent/step-call.ts';
import type { Subject } from '../../../src/core/model/person/subject.ts';
import { noIntent } from '../../../src/core/model/submission/intent.ts';
import { recordsOf } from '../center-builder.ts';
import { adjust, off, on, option, reduce } from '../changes.ts';
import { aSubject } from '../page-builder.ts';
import { type Case, floor, grant, lost, now, planOf, refused, refusing, rest, word } from './planned.ts';

describe('the words of a call', () => {
  const x = option('p', 'x');
  const cases: readonly [string, readonly DesiredItem[], object][] = [
    ['switch on', [grant('a')], { purposes: [on('a')] }],
    [
      'switch on with what is chosen, first said first',
      [grant('a'), word('a t'), grant('a v', { order: 4 }), grant('a u', { order: 3 }), grant('a p x')],
      { purposes: [on('a', { topics: ['u', 'v'], topicsOff: ['t'], options: [x] })] },
    ],
    ['switch off, with all under it', [word('a'), grant('a t')], { purposes: [off('a')] }],
    [
      'add and take out',
      [grant('a t'), word('a u'), word('a p x')],
      { purposes: [adjust('a', { topicsOn: ['t'], topicsOff: ['u'], optionsOff: [x] })] },
    ],
    ['add an option', [grant('a p x')], { purposes: [adjust('a', { optionsOn: [x] })] }],
    ['only take out', [word('a u')], { purposes: [reduce('a', { topicsOff: ['u'] })] }],
    ['renew', [grant('a', { renews: true })], { purposes: [adjust('a', { renews: true })] }],
    [
      'renew with what is chosen',
      [grant('a', { renews: true }), grant('a t')],
      { purposes: [adjust('a', { renews: true, topicsOn: ['t'] })] },
    ],
    [
      'type values, and keep a language',
      [word('=E'), word('b'), { ...word('=E'), key: 'language', want: { value: 'fr', label: '' } }],
      { purposes: [off('b')], dataElements: [{ element: 'e', label: 'E', value: '1' }], language: 'fr' },
    ],
  ];
  for (const [name, words, intent] of cases) {
    test(name, () => assert.deepEqual(intentOf(words), { ...noIntent, ...intent }));
  }
});

describe('a call that is stored', () => {
  const written = (given: Case, subject?: Partial<Subject>) => {
    const { draft, plan } = planOf(given);
    assert.ok(plan);
    const observed = subject && { subject: aSubject(subject), at: now };
    const { desired, center } = withCall({ ...draft, known: { ...draft.known, observed } }, plan);
    assert.equal(desired.order, 10);
    return { ...center, plan, call: center.calls.at(-1) };
  };
  const at = (given: Case, key: string, subject?: Partial<Subject>) =>
    written(given, subject).items.find((item) => item.key === key);

  test('belongs to the submission of its newest word, else to everything', () => {
    const of = (given: Case) => written({ start: 'a b d', ...given }).call?.by;
    const older = word('a', { by: 'older', order: 1 });
    assert.equal(of({ items: [older, word('b')] }), 'r');
    assert.equal(of({ items: [word('b'), older] }), 'r');
    const idle = { 'purpose d': rest } as const;
    assert.equal(of({ items: [older, word('d', { by: 'idle' })], does: idle }), 'older');
    assert.equal(of({ items: [older], everything: floor }), 'older');
    assert.equal(of({ items: [older], everything: { ...floor, phase: 'verified' } }), 'older');
    assert.equal(of({ everything: floor }), 'all');
    assert.equal(of({ items: [word('a', { by: 'first' }), word('b', { by: 'second' })] }), 'first');
  });

  test('is kept with its keys', () => {
    const { plan, call, calls } = written({ items: [word('a')], start: 'a b', calls: [lost] });
    const { update, off: gone, refusals, keys } = plan;
    assert.deepEqual(call, { order: 10, at: now, update, refusals, off: gone, keys, by: 'r' });
    assert.deepEqual(calls, [lost, call]);
  });

  test('sets its words to sent, and watches the words that are bound to them', () => {
    const items = [
      ...[
        grant('a', { takenOut: 1 }),
        word('a t', { phase: 'bound' }),
        word('b', { phase: 'sent', call: 5 }),
      ],
      word('d', { phase: 'verified', call: 4 }),
    ];
    const does = { 'topic a t': rest, 'purpose d': rest } as const;
    const is = written({ items, does, start: 'b' }).items.map(({ phase, call, takenOut }) => [
      phase,
      call,
      takenOut,
    ]);
    assert.deepEqual(is, [
      ['sent', 10, 1],
      ['verified', 10, undefined],
      ['sent', 10, 5],
      ['verified', 4, undefined],
    ]);
  });

  test('notes the record before its words once', () => {
    const [a] = recordsOf('a[t]');
    const before = (item: DesiredItem, subject?: Partial<Subject>) =>
      at({ items: [item], start: 'a[t] b' }, item.key, subject)?.before;
    const purposes = recordsOf('a[t]');
    assert.deepEqual(before(word('a'), { purposes }), a);
    assert.deepEqual(before(word('a t'), { purposes }), a);
    assert.deepEqual(before(word('a', { before: null }), { purposes }), null);
    assert.deepEqual(before(word('b'), { purposes }), null);
    assert.deepEqual(before(word('b'), undefined), undefined);
    const language = { ...word('=E'), key: 'language', want: { value: 'fr', label: '' } };
    const typed = { dataElements: { E: '2' }, language: 'de' };
    assert.deepEqual([before(word('=E'), typed), before(language, typed)], ['2', 'de']);
    assert.deepEqual([before(word('=E'), {}), before(language, {})], ['', null]);
  });

  test('of everything sets its phase, and no other call does', () => {
    const floorAfter = (everything: DesiredEverything | undefined) =>
      written({ items: [word('a')], start: 'a', ...(everything && { everything }) }).everything;
    assert.deepEqual(floorAfter(floor), { ...floor, phase: 'sent', call: 10 });
    const done = { ...floor, phase: 'verified' } as const;
    assert.deepEqual(floorAfter(done), done);
    assert.equal(floorAfter(undefined), undefined);
  });

  test('notes as granted the purposes that it carries without a word', () => {
    const granted = { order: 10, at: now, isSure: true };
    const [over, seenOn] = [word('b', { phase: 'over' }), grant('c', { phase: 'verified' })];
    const [seenOff, open] = [word('f', { phase: 'verified' }), grant('g')];
    const items = [word('a'), over, seenOn, seenOff, open];
    const does = Object.fromEntries(items.slice(1).map(({ key }) => [key, rest]));
    const is = written({ items, does, start: 'a b c e[t] f g' });
    const noted = { want: 'off', by: '', at: now, order: 0, phase: 'over', granted } as const;
    assert.deepEqual(is.items.slice(1), [
      { ...over, granted },
      { ...seenOn, granted },
      seenOff,
      open,
      { key: 'purpose e', ...noted },
    ]);
  });

  test('notes no purpose as granted that it is made for, refuses or leaves out', () => {
    const { items } = written({
      ...refusing,
      items: [refused, word('b', { phase: 'over' })],
      start: 'd:implicit',
    });
    assert.deepEqual(
      items.map(({ granted }) => granted),
      [undefined, undefined],
    );
    assert.equal(items.length, 2);
  });
});
