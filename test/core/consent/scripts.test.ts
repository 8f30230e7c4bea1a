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
  keep,
  kill,
  leave,
  lost,
  off,
  on,
  post,
  shared,
  type,
  undo,
  unsent,
} from './script-steps.ts';
import { play } from './script-world.ts';

const scripts: Readonly<Record<string, Script>> = {
  'a withdrawal that waited is not ended by one wrong reading that shows it off': {
    centers: { A: ['a'] },
    start: [on('a')],
    steps: [click('A', 'a'), kill],
    readings: { 1: { says: off('a') } },
  },
  'a topic that waited to be taken out is not ended by one wrong reading that lacks it': {
    centers: { A: ['a'] },
    start: [on('a', 't')],
    steps: [draw('A'), post('A', 'a/t'), kill],
    readings: { 1: { says: on('a') } },
  },
  'a click is not ended by one wrong reading that shows its purpose locked': {
    centers: { A: ['a'] },
    start: [on('a')],
    steps: [click('A', 'a')],
    readings: { 0: { says: record('a', 'always-active') } },
  },
  'a withdrawal whose call was lost is not ended by one wrong reading that shows it locked': {
    centers: { A: ['a'] },
    start: [on('a')],
    steps: [draw('A'), post('A', 'a')],
    calls: { 0: lost },
    readings: { 1: { says: record('a', 'always-active') } },
  },
  'a withdrawal that waited is not ended by one wrong reading that shows it locked': {
    centers: { A: ['a'] },
    start: [on('a')],
    steps: [click('A', 'a'), kill],
    readings: { 1: { says: record('a', 'always-active') } },
  },
  'a reading of one center is not used after a call in another': {
    ...shared(['a', 'c'], ['a', 'b', 'c']),
    start: [on('a'), on('b'), on('c')],
    steps: [
      ...[draw('B'), elsewhere('B', off('b')), after(20_000, post('B', 'a', 'c'))],
      ...[after(10, draw('A')), after(10, post('A', 'a/t'))],
    ],
  },
  'an old form does not confirm a default that was withdrawn since': {
    centers: { A: ['b', 'd'] },
    confirms: true,
    start: [off('b')],
    steps: [draw('A'), click('A', 'd'), post('A', 'b')],
    readings: { 3: { lag: 5_000 }, 4: { lag: 5_000 } },
  },
  'a refusal whose second PUT is not sent is sent again, whatever an older reading shows': {
    centers: { A: ['d'] },
    steps: [leave('A')],
    calls: { 4: unsent },
    readings: every({ lag: 5_000 }),
  },
  'a withdrawal holds though its call removed what no reading had shown yet': {
    ...shared(['b', 'd'], ['d']),
    steps: [draw('A'), elsewhere('B', on('d')), click('B', 'd'), post('A', 'b')],
    readings: { ...every({ lag: 2_000 }), 6: { lag: 400 }, 7: { lag: 400 }, 8: { lag: 700 } },
  },
  'a withdrawal holds though another center changes a choice while its call is in doubt': {
    ...shared(['a'], ['a', 'd']),
    start: [on('a', 't')],
    steps: [draw('B'), click('A'), post('B', 'a/t', 'd')],
    calls: { 1: lost },
    readings: { 2: { lag: 9_900 }, 5: { lag: 9_900 } },
  },
  'an objection does not take back a repeated click for everything': {
    centers: { A: ['d'] },
    steps: [
      ...[elsewhere('A', on('d')), click('A'), click('A')],
      after(100, { act: 'object', center: 'A', lag: 5_000 }),
    ],
    calls: { 0: lost },
  },
  'a repeated click for everything reaches what the center offers since': {
    ...shared(['a'], ['b']),
    start: [on('a'), off('b')],
    steps: [
      ...[draw('B'), post('B', 'b'), after(150, click('A'))],
      ...[after(500, { act: 'offer', center: 'A', offers: ['a', 'b'] } as const), after(1, click('A'))],
    ],
    calls: { 0: unsent, 2: unsent, 3: unsent, 4: unsent, 5: unsent, 6: unsent },
  },
  'the undo of a click grants nothing after everything was withdrawn': {
    centers: { A: ['b'] },
    start: [on('b')],
    steps: [click('A', 'b'), after(80, leave('A')), after(3_000, undo(1))],
  },
  'an undo does not bring back a topic that was taken out since': {
    centers: { A: ['a'] },
    start: [on('a', 't', 'u')],
    steps: [draw('A'), click('A', 'a'), post('A', 'a/t'), undo(1)],
  },
  'an undo whose call was not sent still swaps both choices': {
    centers: { A: ['a'] },
    start: [on('a', 't')],
    steps: [draw('A'), post('A', 'a/t', 'a/u'), undo()],
    calls: { 1: unsent },
  },
  'an old grant is no news after a withdrawal that replaced its choice': {
    centers: { A: ['a'] },
    start: [off('a')],
    steps: [
      draw('A'),
      post('A', 'a', 'a/t'),
      after(500, elsewhere('A', on('a'))),
      after(3_000, click('A', 'a')),
    ],
    calls: { 0: lost },
  },
  'a repeated click for everything says that a purpose granted since may not be used': {
    ...shared(['b'], ['b']),
    start: [on('b')],
    steps: [leave('B'), undo(), leave('A'), after(31_000, click('B'))],
    calls: { 2: lost },
  },
  'a repeated click says that a purpose may not be used that was locked before': {
    centers: { A: ['a'] },
    start: [record('a', 'always-active')],
    steps: [click('A', 'a'), elsewhere('A', on('a')), click('A', 'a')],
  },
  'an ignored withdrawal of everything is repeated though a reading lacks a purpose': {
    centers: { A: ['a', 'b'] },
    start: [on('a'), off('b')],
    steps: [leave('A')],
    calls: { 0: { end: 'ignored' } },
    readings: { 1: { lacks: 'a' } },
  },
  'a grant stays, or is told as off, though an older reading shows it pending': {
    centers: { A: ['a', 'd'] },
    start: [record('a', 'pending')],
    steps: [draw('A', 'first'), draw('A', 'second'), post('first', 'a'), post('second', 'd')],
    readings: { 4: { lag: 8_000 } },
  },
  'an undo takes out a topic though an older reading shows its purpose as never recorded': {
    centers: { A: ['b', 'd'] },
    confirms: true,
    start: [off('b')],
    steps: [draw('A'), post('A', 'd/t'), after(3_000, undo())],
    calls: { 0: { end: 'landed-and-lost' } },
    readings: { 2: { end: 'empty' }, 3: { lag: 8_000 } },
  },
  'a save keeps what another center was granted, though an older reading shows it pending': {
    ...shared(['a'], ['a', 'b']),
    start: [record('a', 'pending'), on('b')],
    steps: [draw('A'), post('A', 'a'), after(3_000, click('B', 'b'))],
    readings: { 2: { lag: 5_000 }, 3: { lag: 5_000 } },
  },
  'a refusal that comes undone is repeated, whatever was granted in a center with a record of its own': {
    centers: { A: ['d'], B: ['d'] },
    steps: [...[draw('B'), post('B', 'd')], ...[{ ...draw('A'), isObjecting: true } as Step, post('A', 'd')]],
    calls: { 1: { late: 100_000 } },
  },
  'a save does not confirm a default that another center is about to withdraw': {
    ...shared(['a', 'd'], ['d']),
    confirms: true,
    steps: [click('B'), draw('A'), post('A', 'a')],
    calls: { 0: unsent },
  },
  'a purpose that the answer for everything rejects is withdrawn, whatever an older reading shows': {
    centers: { A: ['a'] },
    start: [on('a')],
    steps: [click('A'), after(20_000, elsewhere('A', on('a'))), click('A')],
    calls: { 1: { rejects: 'a' } },
    readings: { 1: { end: 'unreadable' }, 2: { lag: 9_900 } },
  },
  'a grant that a late call removes is told as off': {
    centers: { A: ['b', 'c'], B: ['b'] },
    start: [on('c')],
    steps: [draw('B'), draw('A'), post('A', 'b', 'c'), post('B', 'b')],
    calls: { 0: { late: 2_000 }, 1: { late: 540_000 } },
  },
  'everything reaches what is on by default, though the center could not be read for long': {
    centers: { A: ['a', 'd'] },
    start: [on('a')],
    steps: [click('A')],
    schemas: { 0: { end: 'fails' }, 1: { end: 'fails' }, 2: { end: 'fails' } },
  },
  'a date that cannot be read, and is shown as text, can be cleared': {
    centers: { A: ['a'] },
    fields: ['born', 'name'],
    values: { born: 'once' },
    steps: [draw('A'), type('A', { born: '', name: 'Anna' })],
  },
  'the undo of a value is saved, though an older reading shows the value before it': {
    centers: { A: ['a'] },
    fields: ['name'],
    start: [on('a')],
    values: { name: 'Anna' },
    steps: [draw('A'), type('A', { name: 'Ann' }), undo()],
    readings: { 2: { lag: 3_000 } },
  },
  'an older language of another center, not sent yet, is not sent after a newer one': {
    ...shared(['a'], ['b']),
    start: [on('a'), on('b')],
    steps: [...[draw('A'), keep('A')], ...[{ ...draw('B'), language: 'pt-br' } as Step, keep('B')]],
    calls: { 0: unsent, 1: unsent },
  },
  'a value is not told as lost after everything was left, though an older reading lacks it': {
    centers: { A: ['b'] },
    fields: ['name'],
    start: [off('b')],
    steps: [draw('A'), type('A', { name: 'Ann' }), after(4_000, click('A'))],
    calls: { 0: { end: 'landed-and-lost' } },
    readings: { 2: { lag: 5_000 }, 3: { lag: 5_000 } },
  },
  'a typed value is undone to the one that the form showed, though one reading lacks it': {
    centers: { A: ['e'], B: ['e'] },
    fields: ['born'],
    start: [on('e')],
    values: { born: '02/03/2001' },
    steps: [
      ...[draw('A'), leave('B')],
      ...[after(20_000, type('A', { born: '1999-12-31' })), after(2_000, undo())],
    ],
    readings: { 3: { lacks: 'born' } },
  },
  'a language is not told as lost because one reading lacks it': {
    centers: { A: ['d'] },
    steps: [draw('A'), keep('A'), click('A')],
    calls: { 0: { end: 'landed-and-lost' } },
    readings: { 6: { lacks: 'language' } },
  },
  'a value is not told as unsaved because one reading lacks it': {
    centers: { A: ['a'] },
    fields: ['name'],
    start: [on('a')],
    steps: [draw('A'), type('A', { name: 'Ann' }), after(300, { act: 'kill' })],
    readings: { 1: { lag: 8_000 }, 2: { lacks: 'name' } },
  },
  'a value is not told as unsaved after everything was left, though older readings lack it': {
    centers: { A: ['b'] },
    start: [off('b')],
    steps: [draw('A'), keep('A'), after(80, click('A'))],
    readings: { 2: { lag: 2_000 }, 3: { lag: 5_000 } },
  },
  'a language is not told as unsaved because an older reading and an empty one lack it': {
    centers: { A: [] },
    steps: [draw('A'), keep('A')],
    readings: {
      ...{ 3: { lag: 8_000 }, 4: { lag: 5_000 }, 5: { lag: 5_000 }, 6: { lag: 5_000 } },
      ...{ 7: { lag: 9_900 }, 8: { end: 'empty' } },
    },
  },
  'a value is not told as cleared because one reading is empty': {
    centers: { A: [] },
    fields: ['born'],
    values: { born: '2/3/2001' },
    steps: [draw('A'), type('A', { born: '' }), { act: 'kill' }],
    readings: { 2: { end: 'empty' } },
    schemas: { 0: { takes: 2_000 } },
  },
  'a withdrawal keeps what another center was granted, though one reading lacks it': {
    ...shared(['b', 'd'], ['b', 'd']),
    start: [on('d')],
    steps: [draw('B'), post('B', 'b'), after(20_000, click('A', 'd'))],
    readings: { 2: { lacks: 'b' } },
  },
  'a withdrawal keeps what another center was granted, though its own center cannot be read': {
    ...shared(['b', 'd'], ['b']),
    start: [on('d')],
    steps: [draw('B'), post('B', 'b'), after(3_000, click('A', 'd'))],
    readings: { 3: { lag: 5_000 } },
    schemas: { 1: { end: 'fails' }, 2: { end: 'fails' } },
  },
  'a value is not told as cleared before, though one later reading lacks it': {
    centers: { A: ['a'] },
    fields: ['name'],
    start: [on('a')],
    values: { name: 'Anna' },
    steps: [draw('A'), type('A', { name: '' }), after(1, { act: 'kill' })],
    readings: { 1: { lacks: 'name' } },
  },
  'an objection leaves on what was agreed to after it had been refused': {
    centers: { A: ['d'] },
    steps: [click('A'), draw('A'), post('A', 'd'), { act: 'object', center: 'A', lag: 5_000 }],
    calls: { 1: { end: 'refused' } },
  },
  'a refusal that comes undone is repeated, though a center with its own record granted it': {
    centers: { A: ['d'], B: ['d'] },
    steps: [
      ...[draw('A'), post('A', 'd')],
      ...[{ ...draw('B'), isObjecting: true } as Step, after(61_000, post('B', 'd'))],
    ],
    calls: { 1: { late: 40_000 } },
  },
  'an objection does not take its own refusal for an agreement': {
    centers: { A: ['d'] },
    steps: [{ act: 'object', center: 'A' }],
    calls: { 2: { end: 'ignored' } },
  },
  'an objection does not take the refusal of another center for an agreement': {
    ...shared(['d'], ['d']),
    steps: [...[draw('A'), click('B'), after(300, keep('A'))], { act: 'object', center: 'A' }],
    calls: { 2: { late: 12_000 } },
  },
  'a value whose call lands late is not told as cleared before, though one reading lacks it': {
    centers: { A: ['a'] },
    fields: ['name'],
    start: [on('a')],
    values: { name: 'Anna' },
    steps: [draw('A'), type('A', { name: '' })],
    calls: { 0: { late: 200_000 } },
    readings: { 7: { lacks: 'name' } },
  },
  'a form that is a day old and shown again grants what was withdrawn since, if it is ticked there': {
    centers: { A: ['a'] },
    steps: [draw('A'), click('A'), after(90_000_000, post('A')), post('A', 'a')],
  },
  'a single choice is not taken out alone where the one that was to replace it is not saved': {
    centers: { A: ['e'] },
    start: [record('e', 'active', [], [{ id: 'p', options: ['x'] }])],
    steps: [
      ...[draw('A'), post('A', 'e/x', 'e/y'), after(12_000, draw('A')), post('A', 'e/x', 'e/y')],
      ...[after(14_000, draw('A')), post('A', 'e/x', 'e/y')],
    ],
    calls: { 1: { end: 'landed-and-lost' } },
  },
  'a topic that a late grant brings is withdrawn, though nothing was on record of its purpose': {
    centers: { A: ['d'] },
    steps: [
      ...[draw('A', 'one'), post('one', 'd/t')],
      ...[{ ...draw('A', 'two'), scope: 'withdraw' } as Step, post('two', 'd/t')],
    ],
    calls: { 0: { late: 200_000 } },
  },
  'a single choice stays while the call for its replacement is lost, and another may have brought it': {
    centers: { B: ['d', 'e'] },
    start: [record('e', 'active', [], [{ id: 'p', options: ['y'] }])],
    steps: [draw('B'), post('B', 'd', 'e/x'), after(20_000, undo())],
    calls: { 2: lost, 4: lost },
  },
  'everything is withdrawn, though its call was refused, its process killed, and one reading lacks what is on':
    {
      centers: { B: ['b', 'c'] },
      start: [on('b'), off('c')],
      steps: [click('B'), after(120, { act: 'kill' })],
      calls: { 0: { end: 'refused' } },
      readings: { 1: { lacks: 'b' } },
    },
  'a withdrawal whose reading is a surprise does not wait for a schema': {
    centers: { B: ['b', 'd'] },
    start: [on('b')],
    steps: [draw('B'), post('B', 'b', 'd')],
    schemas: { 0: { takes: 5_000 }, 1: { takes: 5_000 }, 2: { end: 'fails' }, 3: { end: 'fails' } },
  },
};

describe('what once went wrong', () => {
  for (const [name, script] of Object.entries(scripts)) {
    test(name, async () => {
      const { faults, course } = await play(script);
      assert.deepEqual(faults, [], printed(course));
    });
  }
});

test('No random script withdraws in vain, grants unasked, or tells what is not so', async () => {
  await playRandomScripts({ count: times(200, 200_000), dice: rollDice('scripts') });
});
