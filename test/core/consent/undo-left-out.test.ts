import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Line } from '../../../src/core/consent/desired-state.ts';
import { recordBefore } from '../../../src/core/consent/undo.ts';
import type { PurposeChange } from '../../../src/core/model/submission/intent.ts';
import { recordsOf } from '../center-builder.ts';
import { adjust, intentOf, leaveAll, off, on, option, reduce } from '../changes.ts';
import { beside, given, said, taken, turn } from './said.ts';
import { schema, typed, undoOf, was } from './undone.ts';

describe('an undo names the purposes that it cannot restore', () => {
  const t = { topicsOn: ['t2'], topicsOff: ['t1'] };
  const adjusted = (id: string, record: string) => [
    given(`topic ${id} t2`, 'saved', was(record)),
    taken(`topic ${id} t1`, 'saved'),
  ];
  const withdrawn = (id: string, record = '', outcome: 'saved' | 'unconfirmed' = 'saved') => [
    taken(`purpose ${id}`, outcome, was(record)),
  ];
  const granted = (id: string, record = '') => [given(`purpose ${id}`, 'saved', was(record))];
  const offB = off('b');
  /** Each change comes beside an opt-in of `b`, which the undo withdraws. */
  const cases: readonly [
    string,
    PurposeChange,
    readonly Line[],
    readonly PurposeChange[],
    string,
    boolean?,
  ][] = [
    ['a withdrawal comes back', off('a'), withdrawn('a', 'a'), [on('a'), offB], ''],
    ['a purpose that was on by default stays off', off('d'), withdrawn('d'), [offB], 'off d'],
    [
      'a purpose that was on by default stays off after an unconfirmed withdrawal',
      off('d'),
      withdrawn('d', '', 'unconfirmed'),
      [offB],
      'off d',
    ],
    ['an implicit purpose stays off', off('w'), withdrawn('w', 'w:implicit'), [offB], 'off w'],
    ['a default that the browser objects to was off', off('d'), withdrawn('d'), [offB], '', true],
    ['a waiting purpose stays off', off('w'), withdrawn('w', 'w:pending'), [offB], 'off w'],
    [
      'a waiting purpose stays off if the browser objects',
      off('w'),
      withdrawn('w', 'w:pending'),
      [offB],
      'off w',
      true,
    ],
    ['a purpose that was off stays off', off('w'), withdrawn('w', 'w:off'), [offB], ''],
    [
      'a purpose that is no longer offered stays off',
      off('retired'),
      withdrawn('retired', 'retired'),
      [offB],
      'off retired',
    ],
    [
      'a purpose that is open for leaving only stays off',
      off('closed'),
      withdrawn('closed', 'closed'),
      [offB],
      'off closed',
    ],
    [
      'a purpose that another page offers comes back',
      off('half'),
      withdrawn('half', 'half'),
      [on('half'), offB],
      '',
    ],
    [
      'a purpose that is open for leaving only loses its added choices',
      adjust('closed', t),
      adjusted('closed', 'closed[t1]'),
      [reduce('closed', { topicsOff: ['t2'] }), offB],
      'adjust closed',
    ],
    ['an opt-in is withdrawn', on('w'), granted('w', 'w:off'), [off('w'), offB], ''],
    ['an opt-in of a purpose on no page is withdrawn', on('gone'), granted('gone'), [off('gone'), offB], ''],
    [
      'an opt-in of a default is withdrawn, and the purpose is off',
      on('d'),
      granted('d'),
      [off('d'), offB],
      'on d',
    ],
    [
      'an opt-in of a waiting purpose is withdrawn, and the purpose is off',
      on('w'),
      granted('w', 'w:pending'),
      [off('w'), offB],
      'on w',
    ],
    [
      'an opt-in of a default that the browser objects to is withdrawn',
      on('d'),
      granted('d'),
      [off('d'), offB],
      '',
      true,
    ],
    [
      'choices come back',
      adjust('a', t),
      adjusted('a', 'a[t1]'),
      [adjust('a', { topicsOn: ['t1'], topicsOff: ['t2'] }), offB],
      '',
    ],
    [
      'an option that a choice in doubt replaced stays out',
      adjust('s', { optionsOn: [option('p', 'y')] }),
      [given('option s p y', 'in-doubt', was('s[p.x]'))],
      [offB],
      'adjust s',
    ],
    [
      'a topic that was chosen already is no change',
      adjust('a', { topicsOn: ['t1'] }),
      [given('topic a t1', 'saved', was('a[t1]'))],
      [offB],
      '',
    ],
    ['an unsaved change is not undone', off('d'), [taken('purpose d', 'not-saved')], [offB], ''],
    [
      'the result of a purpose beside it is not its own',
      off('w'),
      [beside('purpose w', 'switched-off', was('w'))],
      [offB],
      '',
    ],
  ];
  for (const [name, change, lines, expected, out, isObjecting] of cases) {
    test(name, () => {
      const asks = [change, on('b')];
      const undo = undoOf({ asks, lines: [...lines, ...granted('b')], isObjecting });
      assert.deepEqual(undo?.intent, intentOf(...expected));
      assert.equal(undo?.leavesOut.map((item) => `${item.change} ${item.id}`).join(), out);
    });
  }

  test('for choices that were all made again since', () => {
    const lines = [...adjusted('a', 'a[t1]'), ...granted('b')];
    const undo = undoOf({ asks: [adjust('a', t), on('b')], lines, since: [said([adjust('a', t)])] });
    assert.deepEqual(undo?.intent, intentOf(offB));
    assert.deepEqual(
      undo?.leavesOut.map(({ id }) => id),
      ['a'],
    );
  });

  test('but no default in a center where each save confirms it', () => {
    const asks = [adjust('d', { topicsOn: ['t2'] })];
    const center = { ...schema, confirmsDefaults: true };
    const undo = undoOf({ asks, lines: [given('topic d t2', 'saved')], center });
    assert.deepEqual(undo, { intent: intentOf(reduce('d', { topicsOff: ['t2'] })), leavesOut: [] });
  });

  test('for everything, an implicit purpose', () => {
    const lines = [taken('everything', 'saved'), ...withdrawn('a', 'a'), ...withdrawn('d', 'd:implicit')];
    const first = [said([on('a'), on('d')]), turn('verified')];
    const undo = undoOf({ asks: leaveAll, lines, first });
    assert.deepEqual(undo?.intent, intentOf(on('a')));
    assert.deepEqual(
      undo?.leavesOut.map(({ id }) => id),
      ['d'],
    );
  });
});

test('the record before a submission comes from its first lines', () => {
  const lines = [
    taken('purpose a', 'saved', was('a')),
    taken('topic a t1', 'saved', was('a:off')),
    taken('purpose b', 'saved', { before: null }),
    given('language', 'saved', { before: 'de' }),
    given('element e', 'saved', { before: 'old' }),
    given('element f', 'saved'),
    given('element gone', 'saved', { before: 'x' }),
    given('purpose d', 'saved', { before: null }),
  ];
  const intent = said(typed).intent;
  const before = { id: '', language: 'de', purposes: recordsOf('a'), dataElements: { E: 'old' } };
  assert.deepEqual(recordBefore({ intent, lines }), before);
});
