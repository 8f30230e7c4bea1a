import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rollDice, times } from '../../chaos/dice.ts';
import { record } from '../center-builder.ts';
import type { Script, Step } from './script.ts';
import { playRandomScripts, printed } from './script-random.ts';
import {
  after,
  click,
  draw,
  elsewhere,
  every,
  given,
  keep,
  kill,
  leave,
  lost,
  min,
  off,
  on,
  others,
  post,
  shared,
  type,
  undo,
  unsent,
} from './script-steps.ts';
import { play } from './script-world.ts';

const scripts: Readonly<Record<string, () => Script>> = {
  'a withdrawal that waited is not ended by one wrong reading that shows it off': () =>
    given({ centers: { A: ['a'] }, readings: { 1: { says: off('a') } } }, 'a', [click('A', 'a'), kill]),
  'a topic that waited to be taken out is not ended by one wrong reading that lacks it': () =>
    given({ centers: { A: ['a'] }, readings: { 1: { says: on('a') } } }, 'a[t]', [
      [draw('A'), post('A', 'a/t'), kill],
    ]),
  'a click is not ended by one wrong reading that shows its purpose locked': () =>
    given({ centers: { A: ['a'] }, readings: { 0: { says: record('a', 'always-active') } } }, 'a', [
      click('A', 'a'),
    ]),
  'a withdrawal whose call was lost is not ended by one wrong reading that shows it locked': () =>
    given(
      { centers: { A: ['a'] }, calls: { 0: lost }, readings: { 1: { says: record('a', 'always-active') } } },
      'a',
      [[draw('A'), post('A', 'a')]],
    ),
  'a withdrawal that waited is not ended by one wrong reading that shows it locked': () =>
    given({ centers: { A: ['a'] }, readings: { 1: { says: record('a', 'always-active') } } }, 'a', [
      [click('A', 'a'), kill],
    ]),
  'a reading of one center is not used after a call in another': () =>
    given({ ...shared(['a', 'c'], ['a', 'b', 'c']) }, 'a b c', [
      [draw('B'), elsewhere('B', off('b')), after(20_000, post('B', 'a', 'c')), after(10, draw('A'))],
      after(10, post('A', 'a/t')),
    ]),
  'an old form does not confirm a default that was withdrawn since': () =>
    given(
      { centers: { A: ['b', 'd'] }, confirms: true, readings: { 3: { lag: 5_000 }, 4: { lag: 5_000 } } },
      'b:off',
      [[draw('A'), click('A', 'd'), post('A', 'b')]],
    ),
  'a refusal whose second PUT is not sent is sent again, whatever an older reading shows': () =>
    given({ centers: { A: ['d'] }, calls: { 4: unsent }, readings: every({ lag: 5_000 }) }, '', [leave('A')]),
  'a withdrawal holds though its call removed a purpose that no reading had shown yet': () =>
    given(
      {
        ...shared(['b', 'd'], ['d']),
        readings: { ...every({ lag: 2_000 }), 6: { lag: 400 }, 7: { lag: 400 }, 8: { lag: 700 } },
      },
      '',
      [[draw('A'), elsewhere('B', on('d')), click('B', 'd'), post('A', 'b')]],
    ),
  'a withdrawal holds though another center changes a choice while its call is in doubt': () =>
    given(
      {
        ...shared(['a'], ['a', 'd']),
        calls: { 1: lost },
        readings: { 2: { lag: 9_900 }, 5: { lag: 9_900 } },
      },
      'a[t]',
      [[draw('B'), click('A'), post('B', 'a/t', 'd')]],
    ),
  'an objection does not take back a repeated click for everything': () =>
    given({ centers: { A: ['d'] }, calls: { 0: lost } }, '', [
      [others('d'), click('A'), click('A'), after(100, { act: 'object', center: 'A', lag: 5_000 })],
    ]),
  'a repeated click for everything reaches what the center offers since': () =>
    given(
      {
        ...shared(['a'], ['b']),
        calls: { 0: unsent, 2: unsent, 3: unsent, 4: unsent, 5: unsent, 6: unsent },
      },
      'a b:off',
      [
        [draw('B'), post('B', 'b'), after(150, click('A'))],
        [after(500, { act: 'offer', center: 'A', offers: ['a', 'b'] } as const), after(1, click('A'))],
      ],
    ),
  'the undo of a click grants nothing after everything was withdrawn': () =>
    given({ centers: { A: ['b'] } }, 'b', [[click('A', 'b'), after(80, leave('A')), after(3_000, undo(1))]]),
  'a withdrawal goes on if the grant that replaced it waits in vain for another center': () =>
    given(
      {
        centers: { A: ['a'], B: ['a'] },
        calls: Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7].map((each) => [each, unsent])),
      },
      'a',
      [
        [click('A', 'a'), click('B', 'a'), draw('A'), post('A', 'a')],
        {
          gap: 30 * min,
          act: 'look',
          on: { A: '', B: '' },
          told: ['off a: replaced', 'off a: saved', 'on a: not-saved'],
        },
      ],
    ),
  'an undo does not bring back a topic that was taken out since': () =>
    given({ centers: { A: ['a'] } }, 'a[t u]', [draw('A'), click('A', 'a'), post('A', 'a/t'), undo(1)]),
  'an undo whose call was not sent still swaps both choices': () =>
    given({ centers: { A: ['a'] }, calls: { 1: unsent } }, 'a[t]', [
      [draw('A'), post('A', 'a/t', 'a/u'), undo()],
    ]),
  'an old grant is no news after a withdrawal that replaced its choice': () =>
    given({ centers: { A: ['a'] }, calls: { 0: lost } }, 'a:off', [
      [draw('A'), post('A', 'a', 'a/t'), after(500, others('a')), after(3_000, click('A', 'a'))],
    ]),
  'a repeated click for everything says that a purpose granted since may not be used': () =>
    given({ ...shared(['b'], ['b']), calls: { 2: lost } }, 'b', [
      [leave('B'), undo(), leave('A'), after(31_000, click('B'))],
    ]),
  'a repeated click says that a purpose may not be used that was locked before': () =>
    given({ centers: { A: ['a'] } }, 'a:always-active', [[click('A', 'a'), others('a'), click('A', 'a')]]),
  'an ignored withdrawal of everything is repeated though a reading lacks a purpose': () =>
    given(
      { centers: { A: ['a', 'b'] }, calls: { 0: { end: 'ignored' } }, readings: { 1: { lacks: 'a' } } },
      'a b:off',
      [leave('A')],
    ),
  'a grant stays, or is told as off, though an older reading shows it pending': () =>
    given({ centers: { A: ['a', 'd'] }, readings: { 4: { lag: 8_000 } } }, 'a:pending', [
      [draw('A', 'first'), draw('A', 'second'), post('first', 'a'), post('second', 'd')],
    ]),
  'an undo takes out a topic though an older reading shows its purpose as never recorded': () =>
    given(
      {
        centers: { A: ['b', 'd'] },
        confirms: true,
        calls: { 0: { end: 'landed-and-lost' } },
        readings: { 2: { end: 'empty' }, 3: { lag: 8_000 } },
      },
      'b:off',
      [[draw('A'), post('A', 'd/t'), after(3_000, undo())]],
    ),
  'a save keeps what another center was granted, though an older reading shows it pending': () =>
    given(
      { ...shared(['a'], ['a', 'b']), readings: { 2: { lag: 5_000 }, 3: { lag: 5_000 } } },
      'a:pending b',
      [[draw('A'), post('A', 'a'), after(3_000, click('B', 'b'))]],
    ),
  'a refusal that comes undone is repeated, whatever was granted in a center with a record of its own': () =>
    given({ centers: { A: ['d'], B: ['d'] }, calls: { 1: { late: 100_000 } } }, '', [
      [draw('B'), post('B', 'd'), { ...draw('A'), isObjecting: true } as Step, post('A', 'd')],
    ]),
  'a save does not confirm a default that another center is about to withdraw': () =>
    given({ ...shared(['a', 'd'], ['d']), confirms: true, calls: { 0: unsent } }, '', [
      [click('B'), draw('A'), post('A', 'a')],
    ]),
  'a purpose that the answer for everything rejects is withdrawn, whatever an older reading shows': () =>
    given(
      {
        centers: { A: ['a'] },
        calls: { 1: { rejects: 'a' } },
        readings: { 1: { end: 'unreadable' }, 2: { lag: 9_900 } },
      },
      'a',
      [[click('A'), after(20_000, others('a')), click('A')]],
    ),
  'a grant that a late call removes is told as off': () =>
    given(
      { centers: { A: ['b', 'c'], B: ['b'] }, calls: { 0: { late: 2_000 }, 1: { late: 540_000 } } },
      'c',
      [[draw('B'), draw('A'), post('A', 'b', 'c'), post('B', 'b')]],
    ),
  'everything reaches the defaults, though the center could not be read for long': () =>
    given(
      {
        centers: { A: ['a', 'd'] },
        schemas: { 0: { end: 'fails' }, 1: { end: 'fails' }, 2: { end: 'fails' } },
      },
      'a',
      [click('A')],
    ),
  'a date that cannot be read, and is shown as text, can be cleared': () =>
    given({ centers: { A: ['a'] }, fields: ['born', 'name'], values: { born: 'once' } }, '', [
      [draw('A'), type('A', { born: '', name: 'Anna' })],
    ]),
  'the undo of a value is saved, though an older reading shows the value before it': () =>
    given(
      { centers: { A: ['a'] }, fields: ['name'], values: { name: 'Anna' }, readings: { 2: { lag: 3_000 } } },
      'a',
      [[draw('A'), type('A', { name: 'Ann' }), undo()]],
    ),
  'an older language of another center, not sent yet, is not sent after a newer one': () =>
    given({ ...shared(['a'], ['b']), calls: { 0: unsent, 1: unsent } }, 'a b', [
      [draw('A'), keep('A'), { ...draw('B'), language: 'pt-br' } as Step, keep('B')],
    ]),
  'a value is not told as lost after everything was left, though an older reading lacks it': () =>
    given(
      {
        centers: { A: ['b'] },
        fields: ['name'],
        calls: { 0: { end: 'landed-and-lost' } },
        readings: { 2: { lag: 5_000 }, 3: { lag: 5_000 } },
      },
      'b:off',
      [[draw('A'), type('A', { name: 'Ann' }), after(4_000, click('A'))]],
    ),
  'a typed value is undone to the one that the form showed, though one reading lacks it': () =>
    given(
      {
        centers: { A: ['e'], B: ['e'] },
        fields: ['born'],
        values: { born: '02/03/2001' },
        readings: { 3: { lacks: 'born' } },
      },
      'e',
      [[draw('A'), leave('B'), after(20_000, type('A', { born: '1999-12-31' })), after(2_000, undo())]],
    ),
  'a language is not told as lost because one reading lacks it': () =>
    given(
      {
        centers: { A: ['d'] },
        calls: { 0: { end: 'landed-and-lost' } },
        readings: { 6: { lacks: 'language' } },
      },
      '',
      [[draw('A'), keep('A'), click('A')]],
    ),
  'a value is not told as unsaved because one reading lacks it': () =>
    given(
      { centers: { A: ['a'] }, fields: ['name'], readings: { 1: { lag: 8_000 }, 2: { lacks: 'name' } } },
      'a',
      [[draw('A'), type('A', { name: 'Ann' }), after(300, { act: 'kill' })]],
    ),
  'a value is not told as unsaved after everything was left, though older readings lack it': () =>
    given({ centers: { A: ['b'] }, readings: { 2: { lag: 2_000 }, 3: { lag: 5_000 } } }, 'b:off', [
      [draw('A'), keep('A'), after(80, click('A'))],
    ]),
  'a language is not told as unsaved because an older reading and an empty one lack it': () =>
    given(
      {
        centers: { A: [] },
        readings: {
          3: { lag: 8_000 },
          4: { lag: 5_000 },
          5: { lag: 5_000 },
          6: { lag: 5_000 },
          7: { lag: 9_900 },
          8: { end: 'empty' },
        },
      },
      '',
      [[draw('A'), keep('A')]],
    ),
  'a value is not told as cleared because one reading is empty': () =>
    given(
      {
        centers: { A: [] },
        fields: ['born'],
        values: { born: '2/3/2001' },
        readings: { 2: { end: 'empty' } },
        schemas: { 0: { takes: 2_000 } },
      },
      '',
      [[draw('A'), type('A', { born: '' }), { act: 'kill' }]],
    ),
  'a withdrawal keeps what another center was granted, though one reading lacks it': () =>
    given({ ...shared(['b', 'd'], ['b', 'd']), readings: { 2: { lacks: 'b' } } }, 'd', [
      [draw('B'), post('B', 'b'), after(20_000, click('A', 'd'))],
    ]),
  'a withdrawal keeps what another center was granted, though its own center cannot be read': () =>
    given(
      {
        ...shared(['b', 'd'], ['b']),
        readings: { 3: { lag: 5_000 } },
        schemas: { 1: { end: 'fails' }, 2: { end: 'fails' } },
      },
      'd',
      [[draw('B'), post('B', 'b'), after(3_000, click('A', 'd'))]],
    ),
  'a value is not told as cleared before, though one later reading lacks it': () =>
    given(
      {
        centers: { A: ['a'] },
        fields: ['name'],
        values: { name: 'Anna' },
        readings: { 1: { lacks: 'name' } },
      },
      'a',
      [[draw('A'), type('A', { name: '' }), after(1, { act: 'kill' })]],
    ),
  'an objection leaves a purpose on that was agreed to after a refusal': () =>
    given({ centers: { A: ['d'] }, calls: { 1: { end: 'refused' } } }, '', [
      [click('A'), draw('A'), post('A', 'd'), { act: 'object', center: 'A', lag: 5_000 }],
    ]),
  'a refusal that comes undone is repeated, though a center with its own record granted it': () =>
    given({ centers: { A: ['d'], B: ['d'] }, calls: { 1: { late: 40_000 } } }, '', [
      [draw('A'), post('A', 'd'), { ...draw('B'), isObjecting: true } as Step],
      after(61_000, post('B', 'd')),
    ]),
  'an objection does not take its own refusal for an agreement': () =>
    given({ centers: { A: ['d'] }, calls: { 2: { end: 'ignored' } } }, '', [{ act: 'object', center: 'A' }]),
  'an objection does not take the refusal of another center for an agreement': () =>
    given({ ...shared(['d'], ['d']), calls: { 2: { late: 12_000 } } }, '', [
      [draw('A'), click('B'), after(300, keep('A')), { act: 'object', center: 'A' }],
    ]),
  'a value whose call lands late is not told as cleared before, though one reading lacks it': () =>
    given(
      {
        centers: { A: ['a'] },
        fields: ['name'],
        values: { name: 'Anna' },
        calls: { 0: { late: 200_000 } },
        readings: { 7: { lacks: 'name' } },
      },
      'a',
      [[draw('A'), type('A', { name: '' })]],
    ),
  'a form that is a day old and shown again grants what was withdrawn since, if it is ticked there': () =>
    given({ centers: { A: ['a'] } }, '', [
      [draw('A'), click('A'), after(90_000_000, post('A')), post('A', 'a')],
    ]),
  'a single choice is not taken out alone where the one that was to replace it is not saved': () =>
    given({ centers: { A: ['e'] }, calls: { 1: { end: 'landed-and-lost' } } }, 'e[p.x]', [
      [draw('A'), post('A', 'e/x', 'e/y'), after(12_000, draw('A')), post('A', 'e/x', 'e/y')],
      [after(14_000, draw('A')), post('A', 'e/x', 'e/y')],
    ]),
  'a topic that a late grant brings is withdrawn, though nothing was on record of its purpose': () =>
    given({ centers: { A: ['d'] }, calls: { 0: { late: 200_000 } } }, '', [
      [draw('A', 'one'), post('one', 'd/t'), { ...draw('A', 'two'), scope: 'withdraw' } as Step],
      post('two', 'd/t'),
    ]),
  'a single choice stays while the call for its replacement is lost, and another may have brought it': () =>
    given({ centers: { B: ['d', 'e'] }, calls: { 2: lost, 4: lost } }, 'e[p.y]', [
      [draw('B'), post('B', 'd', 'e/x'), after(20_000, undo())],
    ]),
  'everything is withdrawn, though its call was refused, its process killed, and one reading lacks what is on':
    () =>
      given(
        { centers: { B: ['b', 'c'] }, calls: { 0: { end: 'refused' } }, readings: { 1: { lacks: 'b' } } },
        'b c:off',
        [[click('B'), after(120, { act: 'kill' })]],
      ),
  'a withdrawal whose reading is a surprise does not wait for a schema': () =>
    given(
      {
        centers: { B: ['b', 'd'] },
        schemas: { 0: { takes: 5_000 }, 1: { takes: 5_000 }, 2: { end: 'fails' }, 3: { end: 'fails' } },
      },
      'b',
      [[draw('B'), post('B', 'b', 'd')]],
    ),
};

describe('what once went wrong', () => {
  for (const [name, script] of Object.entries(scripts)) {
    test(name, async () => {
      const { faults, course } = await play(script());
      assert.deepEqual(faults, [], printed(course));
    });
  }
});

test('No random script loses a withdrawal, grants unasked or tells a wrong outcome', async () => {
  await playRandomScripts({ count: times(200, 200_000), dice: rollDice('scripts') });
});
