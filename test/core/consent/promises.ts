/**
 * Each promise to a person by name, with the purposes that are on and the results that the person is told.
 * Each script is played over the loop and over nodes of the product. Read the table case by case.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { record } from '../center-builder.ts';
import type { DrawnAs, Script, Step, Values } from './script.ts';
import { printed } from './script-random.ts';
import {
  after,
  click,
  draw,
  every,
  from,
  given,
  leave,
  lost,
  min,
  others,
  post,
  sec,
  shared,
  type,
  undo,
  unsent,
} from './script-steps.ts';
import type { play as playAlone } from './script-world.ts';

const hour = 60 * min;
const withDefault = { centers: { A: ['a', 'd'], B: ['a'] } };
const ofE = { centers: { A: ['e'] } };
const failed = 'on a: not-saved, on d: not-saved';
const withdrawn = (name: string, outcome: string) =>
  name === 'of everything' ? `everything: ${outcome}` : 'off a: replaced, off d: replaced';
const landed = { end: 'landed-and-lost' } as const;
const ignored = { end: 'ignored' } as const;
const refused = { end: 'refused' } as const;
const empty = { end: 'empty' } as const;

const save = (...toggles: readonly string[]) => [draw('A'), post('A', ...toggles)];
const object: Step = { act: 'object', center: 'A' };
const renew = (tab = 'A', ...toggles: readonly string[]): Step => ({
  act: 'post',
  tab,
  renews: ['a'],
  toggles,
});
const drawn = (as: DrawnAs): Step => ({ act: 'draw', center: 'A', tab: 'A', ...as });
/** Checks the purposes that are on and the result of each submission, once no more events can come. */
const look = (is: string | Values, ...told: readonly string[]): Step => ({
  gap: 2 * hour,
  act: 'look',
  told,
  on: typeof is === 'string' ? { A: is } : is,
});
const soon = (...is: Parameters<typeof look>) => after(5 * sec, look(...is));
const wired = (wire: string, ...is: Parameters<typeof look>): Step => ({ ...soon(...is), wire }) as Step;

type Scripts = Readonly<Record<string, () => Script>>;
const some = <Case>(cases: readonly Case[], of: (each: Case) => readonly [string, () => Script]): Scripts =>
  Object.fromEntries(cases.map(of));

const promises: Readonly<Record<string, Scripts>> = {
  'a purpose': {
    'is switched on by two readings and one call': () =>
      from('b', [save('a'), wired('GET, PUT b a, GET', 'a b', 'on a: saved')]),
    'is switched off by two readings and one call': () =>
      from('a b', [save('a'), wired('GET, PUT b, GET', 'b', 'off a: saved')]),
    'on no page stays as it is on record': () =>
      given({ hides: ['b', 'c'] }, 'a[t] b c:expired', [save('a'), soon('b', 'off a: saved')]),
    'that is on already is not sent': () =>
      from('a:off', [
        [draw('A'), others('a'), after(20 * sec, post('A', 'a'))],
        wired('GET, GET', 'a', 'on a: unchanged'),
      ]),
    'that is always active cannot be switched off': () =>
      from('a:always-active', [click('A', 'a'), wired('GET, GET', 'a', 'off a: locked')]),
    'that is hard opted out cannot be switched on': () =>
      from('a:off', [draw('A'), others('a:hard-opt-out'), post('A', 'a'), soon('', 'on a: locked')]),
    'that is expired is switched on again': () => from('a:expired', [save('a'), soon('a', 'on a: saved')]),
    'that is off already is told at once, and read once more': () =>
      from('a:off', [
        [click('A', 'a'), wired('GET', '', 'off a: unchanged')],
        after(20 * sec, wired('GET, GET', '', 'off a: unchanged')),
      ]),
    'that waits for its confirmation is told as waiting': () =>
      given({ readings: every({ says: record('a', 'pending') }, 1) }, 'a:off', [
        [save('a'), soon('a', 'on a: waiting')],
      ]),
    'that waits for its confirmation is not sent by another save': () =>
      from('a:pending b', [save('b'), wired('GET, PUT, GET', '', 'off b: saved')]),
    'that waits for its confirmation is switched off': () =>
      from('a:pending', [click('A', 'a'), look('', 'off a: waiting')]),
  },
  'a choice': {
    'is made with its purpose': () => from('', [save('a', 'a/t'), soon('a a/t', 'on a: saved')]),
    'is made in one call with the removal of another one': () =>
      from('a[t]', [save('a/t', 'a/u'), wired('GET, PUT a a/u, GET', 'a a/u', 'adjust a: saved')]),
    'that is taken out counts as a withdrawal': () =>
      from('a[t u]', [save('a/t'), soon('a a/u', 'reduce a: saved')]),
    'in a single choice replaces the other one': () =>
      given(ofE, 'e[p.x]', [save('e/x', 'e/y'), soon('e e/y', 'adjust e: saved')]),
    'is not made if its purpose was switched off elsewhere': () =>
      from('a', [draw('A'), others('a:off'), post('A', 'a/t'), soon('', 'adjust a: withdrawn-elsewhere')]),
    'that fails does not stop a removal beside it': () =>
      given({ calls: { 0: refused } }, 'a[t]', [
        [save('a/t', 'a/u'), soon('a', 'add a: not-saved, reduce a: saved')],
      ]),
    'is not made after its minute, but a removal beside it is': () =>
      given({ away: [0, 5 * min] }, 'a[t]', [
        save('a/t', 'a/u'),
        after(2 * min, look('a a/t', 'add a: not-saved, reduce a: being-carried-out')),
        look('a', 'add a: not-saved, reduce a: saved'),
      ]),
    'agrees to a purpose that is only on by default': () =>
      given({ centers: { A: ['d'] } }, 'd:implicit[t]', [save('d/t'), soon('d', 'adjust d: saved')]),
  },
  'a value': {
    'is saved, and so is a language': () =>
      given({ fields: ['name'] }, 'a', [
        [drawn({ language: 'fr' }), { ...type('A', { name: 'Anna' }), keeps: true } as Step],
        soon('a', 'language fr: saved, typed name: saved'),
      ]),
    'that is refused with its call is not saved, but a withdrawal beside it is': () =>
      given({ fields: ['name'], calls: { 0: refused } }, 'a', [
        [draw('A'), { ...post('A', 'a'), types: { name: 'Anna' } } as Step],
        soon('', 'off a: saved, typed name: not-saved'),
      ]),
  },
  'a purpose that is on by default': {
    'is refused by a pair of calls': () =>
      given(withDefault, 'a', [
        [save('d'), wired('GET, PUT a, GET, PUT a d, PUT a, GET', 'a', 'off d: saved')],
      ]),
    'goes off by an objection, and an agreed purpose stays': () =>
      given(withDefault, 'a', [object, soon('a', 'off d: saved')]),
    'stays on despite an objection if it was agreed to just before': () =>
      given(withDefault, '', [[others('d'), { ...object, lag: 5 * sec } as Step, look('d', '')]]),
    'is confirmed by saving a form that shows it, if the center confirms': () =>
      given({ ...withDefault, confirms: true }, 'a', [save('a'), soon('d', 'off a: saved')]),
    'is never confirmed by a person who may only withdraw': () =>
      given({ ...withDefault, confirms: true }, 'a', [
        [drawn({ scope: 'withdraw' }), post('A', 'a'), soon('(d)', 'off a: saved')],
      ]),
    'is not confirmed without a form': () =>
      given({ centers: { A: ['a', 'b', 'd'] }, confirms: true }, 'a b', [
        [click('A', 'a'), soon('b (d)', 'off a: saved')],
      ]),
    'is not confirmed by a form that does not show it': () =>
      given({ ...withDefault, hides: ['d'], confirms: true }, 'a', [
        [save('a'), soon('(d)', 'off a: saved')],
      ]),
  },
  everything: {
    'is withdrawn by a DELETE, with the purposes on by default': () =>
      given({ centers: { A: ['a', 'b', 'd'] } }, 'a[t] b', [
        leave('A'),
        wired(
          'GET, DELETE, GET, PUT d, PUT, GET',
          '',
          'off a: saved, off b: saved, off d: saved, everything: saved',
        ),
      ]),
    'by one click is one call and one reading': () =>
      given(withDefault, 'a d:off', [[click('A'), wired('DELETE, GET', '', 'everything: saved')]]),
    // The withdrawn purposes of the answer are named if a purpose stays on.
    'by one click names the always active purposes beside the rest (P17)': () =>
      given({ centers: { A: ['a', 'b', 'd'] } }, 'a b:always-active d:off', [
        [click('A'), look('b', 'off a: saved, off b: locked, off d: saved, everything: saved')],
      ]),
    'takes out hidden purposes that are on by default': () =>
      given({ ...withDefault, hides: ['d'] }, 'a', [
        [leave('A'), look('', 'off a: saved, off d: saved, everything: saved')],
      ]),
    'goes on by a PUT if the DELETE is refused': () =>
      given({ ...withDefault, calls: { 0: refused } }, 'a d:off', [
        [leave('A'), look('', 'off a: saved, everything: saved')],
      ]),
    'is called for even if all is off, for a reading may lack a purpose that is on': () =>
      from('a:off', [leave('A'), wired('GET, DELETE, GET', '', 'everything: saved')]),
    'names the purposes that were on, and none that was off before': () =>
      from('a b', [
        [save('a'), after(20 * sec, leave('A'))],
        look('', 'off a: saved', 'off b: saved, everything: saved'),
      ]),
    'is undone as a whole': () =>
      from('a b', [
        [leave('A'), after(20 * sec, undo())],
        look('a b', 'off a: saved, off b: saved, everything: saved', 'on a: saved, on b: saved'),
      ]),
    'is undone except for purposes that were withdrawn again since': () =>
      from('a b', [
        [leave('A'), after(20 * sec, click('A', 'b')), after(20 * sec, undo())],
        look('a', 'off a: saved, off b: saved, everything: saved', 'on a: saved'),
      ]),
    'is not undone if it was withdrawn again since': () =>
      from('a b', [
        [leave('A'), after(20 * sec, leave('A')), after(20 * sec, undo())],
        look('', 'off a: saved, off b: saved, everything: saved'),
      ]),
    'is withdrawn again if a call of another center lands after it': () =>
      given({ ...shared(['a', 'b', 'c'], ['a', 'b']), calls: { 0: { late: 20 * sec } } }, 'a b', [
        [save('c'), after(500, click('B'))],
        look(
          { A: 'c' },
          'keep a: withdrawn-elsewhere, keep b: withdrawn-elsewhere, on c: saved',
          'off a: saved, off b: saved, everything: saved (repeated)',
        ),
      ]),
    'does not delay a grant that only another center offers': () =>
      given(shared(['a', 'b'], ['c']), '', [
        [draw('B'), click('A'), post('B', 'c'), look({ B: 'c' }, 'everything: saved', 'on c: saved')],
      ]),
    'is read back before a grant in another center, which stays on': () =>
      given({ ...shared(['a', 'b'], ['a', 'b']), readings: every({ end: 'fails' }, 0, 3) }, 'b', [
        [click('B'), save('a'), look({ A: 'a' }, 'everything: saved', 'on a: saved')],
      ]),
    ...some([{}, landed], (call) => [
      `is told by its own submission, not by the save before it, ${'end' in call ? call.end : 'answered'}`,
      () =>
        given({ calls: { 0: call } }, 'a b', [
          [save('a'), after(200, click('A')), look('', 'off a: saved', 'everything: saved')],
        ]),
    ]),
  },
  'a grant': {
    'that the platform refuses by name is not saved': () =>
      given({ calls: { 0: { rejects: 'a' } } }, 'b', [save('a'), soon('b', 'on a: not-saved')]),
    'whose call was not sent is tried again within its minute': () =>
      given({ calls: { 0: unsent } }, '', [save('a'), look('a', 'on a: saved')]),
    'that could not be sent in its minute ends, and so do typed values': () =>
      given({ fields: ['name'], away: [0, 2 * min] }, '', [
        [drawn({ language: 'fr' })],
        { ...post('A', 'a'), types: { name: 'Anna' }, keeps: true } as Step,
        look('', 'language fr: not-saved, on a: not-saved, typed name: not-saved'),
      ]),
    'that the platform accepted and ignored is not saved, and not sent again': () =>
      given({ calls: { 0: ignored } }, '', [save('a'), look('', 'on a: not-saved')]),
    'whose answer was lost is read back, and told as saved': () =>
      given({ calls: { 0: landed } }, 'b:off', [
        [save('a'), wired('GET, PUT a, GET, GET', 'a', 'on a: saved')],
      ]),
    'whose answer was lost is unconfirmed if it is on record without its topic': () =>
      given({ calls: { 0: landed } }, 'b:off', [
        [save('a', 'a/t'), after(500, others('a')), look('a', 'on a: unconfirmed')],
      ]),
    'that never arrived is in doubt while its call may land, and then not saved': () =>
      given({ calls: { 0: lost } }, '', [
        [save('a'), after(2 * min, look('', 'on a: in-doubt')), look('', 'on a: not-saved')],
      ]),
    'that arrives late is told as saved once it is seen': () =>
      given({ calls: { 0: { late: 45 * sec } } }, '', [
        [save('a'), after(3 * min, look('a', 'on a: saved'))],
      ]),
    'for older wording is not saved, but a removal beside it is': () =>
      given({ schemas: { 0: { takes: 500 }, 1: { takes: 500 } } }, 'a[t]', [
        [draw('A'), post('A', 'a/t', 'a/u'), after(100, { act: 'offer', center: 'A', offers: ['a', 'b'] })],
        soon('a', 'add a: reworded, reduce a: saved'),
      ]),
    'is ended by a withdrawal that comes while its record is being read': () =>
      given({ readings: { 0: { takes: 500 } } }, 'a:off', [
        [save('a'), after(200, click('A', 'a'))],
        wired('GET, GET', '', 'on a: replaced', 'off a: unchanged'),
      ]),
    ...some([0.5, 9], (seconds) => [
      `that is seen ${seconds} s later is not taken out by the calls that put a refusal on record`,
      () =>
        given({ centers: { A: ['a', 'b', 'd'] }, readings: every({ lag: seconds * sec }) }, 'a:expired b', [
          [save('a', 'd'), look('a b', 'off d: saved, on a: saved')],
        ]),
    ]),
    'that was not saved is not repeated by a click': () =>
      given({ away: [0, min] }, 'a', [
        [save('b'), after(2 * min, click('A', 'b')), after(20 * sec, click('A', 'b'))],
        look('a', 'on b: not-saved', 'off b: unchanged'),
      ]),
    ...some(['a', 'c'] as const, (offered) => [
      `from a form before a withdrawal of everything in a center that offers ${offered} is judged by that offer`,
      () =>
        given({ centers: { A: ['a', 'b'], B: [offered] } }, '', [
          [draw('A'), leave('B'), post('A', 'a')],
          offered === 'a'
            ? look('', 'everything: saved', 'on a: withdrawn-elsewhere')
            : look('a', 'everything: saved', 'on a: saved'),
        ]),
    ]),
    'is in doubt, not failed, if an earlier call may have made it during an outage': () =>
      given({ away: [3_120, 2 * min] }, 'c:off', [
        [draw('A', 'one'), draw('A', 'two'), post('one', 'a'), post('two', 'a', 'b')],
        after(90 * sec, look('a', 'on a: replaced', 'on a: in-doubt, on b: not-saved')),
        look('a', 'on a: replaced', 'on a: unchanged, on b: not-saved'),
      ]),
  },
  'a withdrawal': {
    'that the platform accepted and ignored is sent again': () =>
      given({ calls: { 0: ignored } }, 'a', [save('a'), look('', 'off a: saved')]),
    'goes on if its answer was lost': () =>
      given({ calls: { 0: lost } }, 'a', [save('a'), look('', 'off a: saved')]),
    'waits for a platform that is away': () =>
      given({ away: [0, 10 * min] }, 'a', [
        [save('a'), after(5 * min, look('a', 'off a: being-carried-out')), look('', 'off a: saved')],
      ]),
    'that the platform refuses goes on slowly, and does not delay a later grant': () =>
      given({ calls: { 0: refused } }, 'a', [
        [save('a'), after(500, look('a', 'off a: being-carried-out')), save('b')],
        soon('b', 'off a: saved', 'on b: saved'),
      ]),
    'that a click repeats while everything is under way is told as done by that': () =>
      given({ calls: { 0: { takes: 5 * sec } } }, 'a b', [
        [leave('A'), click('A', 'a'), look('', 'off a: saved, off b: saved, everything: saved')],
      ]),
    'by a form right after a click covers purposes that a reading does not show yet': () =>
      given({ readings: every({ lag: 1_500 }, 1, 3) }, 'a', [
        [click('A'), others('a'), leave('A'), wired('DELETE, GET, DELETE, GET', '', 'everything: saved')],
      ]),
    'of choices by forms of a withdraw-only link is one submission for each choice': () =>
      from('a[t u]', [
        Array.from(
          'tututut',
          (_, tab): Step => ({ act: 'draw', center: 'A', tab: `${tab}`, scope: 'withdraw' }),
        ),
        Array.from('tuttuut', (topic, tab) => after(20 * sec, post(`${tab}`, `a/${topic}`))),
        look('a', 'reduce a: saved', 'reduce a: saved'),
      ]),
    ...some(
      [0, 1, 2].flatMap((call) => [landed, unsent].map((fault) => ({ call, fault }))),
      ({ call, fault }) => [
        `of a default ends with a refusal on record even if call ${call} is ${fault.end}`,
        () =>
          given({ ...{ centers: { A: ['b', 'd'] }, calls: { [call]: fault } } }, 'b', [
            [save('d'), look('b', 'off d: saved')],
          ]),
      ],
    ),
    'of a choice in doubt leaves its purpose on, beside a grant that was not saved': () =>
      given({ ...withDefault, away: [0, 70 * sec], calls: { 0: landed } }, 'a[t] d[t]', [
        [save('a/u', 'd/t'), look('a a/t d', 'adjust a: not-saved, reduce d: saved')],
      ]),
  },
  'a single wrong reading': {
    ...some([0, 1, 2], (wrong) => [
      `loses no untouched purpose if reading ${wrong + 1} shows nothing (P11)`,
      () =>
        given({ readings: { [wrong]: empty } }, 'a b c', [
          [draw('A'), others('b:off'), post('A', 'a')],
          look('c', 'keep b: withdrawn-elsewhere, off a: saved'),
        ]),
    ]),
    'is not merged if it is older than the save before': () =>
      given({ readings: every({ lag: 5 * sec }, 2, 4) }, 'a', [
        [save('b'), save('c'), look('a b c', 'on b: saved', 'on c: saved')],
      ]),
    'is not believed if it is empty after a save': () =>
      given({ readings: every(empty, 1, 4) }, 'a b', [save('a'), look('b', 'off a: saved')]),
    'is not believed if it is empty after a DELETE': () =>
      given({ calls: { 0: ignored }, readings: every(empty, 0, 2) }, 'a', [
        [click('A'), look('', 'off a: saved, everything: saved')],
      ]),
    'makes no set for a call if it is empty for a known person': () =>
      given({ readings: every(empty, 0, 4) }, 'a b', [
        [save('a'), after(2 * sec, wired('GET, GET', 'a b', 'off a: being-carried-out'))],
        look('b', 'off a: saved'),
      ]),
    'brings no topic back that its purpose was switched on without': () =>
      given({ readings: every({ lag: 9_900 }, 4, 6) }, 'a[t]', [
        [save('a'), save('a', 'a/t'), save('b'), look('a b', 'off a: saved', 'on a: saved', 'on b: saved')],
      ]),
  },
  'a change elsewhere': {
    ...some([sec, min, 20 * hour], (wait) => [
      `that withdraws a verified grant stops the grant of a second tab after ${wait} ms (P12)`,
      () =>
        from('a:off', [
          [draw('A', 'one'), draw('A', 'two'), post('one', 'a'), others('a:off')],
          [after(wait, post('two', 'a')), look('', 'on a: saved', 'on a: withdrawn-elsewhere')],
        ]),
    ]),
    'that grants two minutes after a withdrawal here is kept by each save (P13)': () =>
      from('a', [
        [save('a'), after(2 * min, others('a')), save('b'), look('a b', 'off a: saved', 'on b: saved')],
      ]),
    ...some([lost, landed], (call) => [
      `that grants after everything stays if a save carries it whose answer is ${call.end}`,
      () =>
        given({ calls: { 1: call } }, 'a', [
          [click('A'), after(2 * min, others('a')), save('b')],
          look(
            call === lost ? 'a' : 'a b',
            'everything: saved',
            `on b: ${call === lost ? 'not-saved' : 'saved'}`,
          ),
        ]),
    ]),
    'by a withdrawal of everything in another center leaves separate records alone (P13)': () =>
      given({ centers: { A: ['a', 'b', 'c'], B: ['a', 'b'] } }, 'a b', [
        [click('A'), draw('B'), post('B', 'b')],
        look({ A: '', B: 'a' }, 'everything: saved', 'off b: saved'),
      ]),
    ...some(
      [post('A', 'a'), click('A')].flatMap((step) => ['A', 'B'].map((center) => ({ step, center }))),
      ({ step, center }) => [
        `${step.act === 'post' ? 'a withdrawal' : 'everything'} whose answer was lost is not brought back by an older reading in ${center}`,
        () =>
          given(
            { ...shared(['a', 'b'], ['a', 'b']), calls: { 0: landed }, readings: every({ lag: 5 * sec }) },
            'a',
            [
              [draw('A'), step, draw(center), post(center, 'b')],
              look(
                { A: 'b' },
                step.act === 'post' ? 'off a: saved' : 'off a: saved, everything: saved',
                'on b: saved',
              ),
            ],
          ),
      ],
    ),
    'that withdraws a choice in one center ends its pending grant in another one': () =>
      given({ ...shared(['a'], ['a']), away: [0, min] }, 'a[t u]', [
        [draw('B'), others('a[t]'), after(20 * sec, draw('A')), post('A', 'a/u'), post('B', 'a/u')],
        look({ A: 'a a/t' }, 'adjust a: withdrawn-elsewhere', 'reduce a: unchanged'),
      ]),
    'by a call in doubt of another center is withdrawn again': () =>
      given({ ...shared(['a', 'c'], ['a', 'b']), calls: { 0: { late: min } } }, 'a', [
        [draw('B'), post('B', 'b'), after(15 * sec, click('A', 'a'))],
        look({ A: 'b' }, 'keep a: withdrawn-elsewhere, on b: saved', 'off a: saved (repeated)'),
      ]),
    'that withdraws is repeated here when a call in doubt lands that carries the purpose': () =>
      given({ calls: { 0: { late: 5 * min } } }, 'b', [
        [save('a'), others('b:off'), look('a', 'keep b: withdrawn-elsewhere, on a: saved (repeated)')],
      ]),
  },
  'calls in doubt': {
    "a withdrawal's call that lands late takes out a later grant, which is told (P14)": () =>
      given({ calls: { 0: { late: 45 * sec } } }, 'a', [
        [save('a'), save('b'), after(5 * sec, look('b', 'off a: saved (watched)', 'on b: saved'))],
        look('', 'off a: saved', 'on b: switched-off'),
      ]),
    ...some(
      [
        ['not saved, not withdrawn elsewhere', '', 'not-saved'],
        ['switched off where it waited for its confirmation', 'b:pending', 'switched-off'],
      ] as const,
      ([what, known, told]) => [
        `a grant that the next call of its own submission takes out is told as ${what}`,
        () =>
          given({ calls: { 0: landed }, readings: every({ lag: 5 * sec }, 1, 3) }, `a ${known}`, [
            [save('a', 'b'), look('', `off a: saved, on b: ${told}`)],
          ]),
      ],
    ),
    'a withdrawal that was accepted and ignored, and replaced by a grant, is replaced (P15)': () =>
      given({ calls: { 0: ignored } }, 'a b', [
        [save('a'), save('a'), look('a b', 'off a: replaced', 'on a: unchanged')],
      ]),
    // CONTRIBUTING.md explains this example.
    'a grant whose answer was lost and which is withdrawn meanwhile is withdrawn again when it lands': () =>
      given({ calls: { 0: { late: 3 * min } } }, 'b', [
        [save('a'), after(30 * sec, look('b', 'on a: in-doubt')), click('A', 'a')],
        after(2 * min, look('b', 'on a: replaced', 'off a: unchanged (watched)')),
        {
          ...look('b', 'on a: replaced', 'off a: saved (repeated)'),
          rows: 'in-doubt, said-otherwise, off-already, came-back, accepted-and-off',
        } as Step,
      ]),
    'choices that a late call brought while the platform was away are taken out by the last look': () =>
      given({ calls: { 0: { late: 5 * min } }, away: [24_500, 10 * min] }, '', [
        [save('a', 'a/t', 'a/u'), after(10 * sec, click('A')), after(10 * sec, draw('A'))],
        post('A', 'a', 'a/t'),
        look('a a/t', 'on a: replaced', 'off a: saved, everything: saved', 'on a: saved'),
      ]),
    'choices that a late call brings to a purpose that was switched on without them are taken out again':
      () =>
        given({ calls: { 0: { late: min } } }, 'b', [
          [save('a', 'a/t'), click('A', 'a'), others('a[t]')],
          look('b', 'on a: replaced', 'off a: saved (repeated)'),
        ]),
    ...some(
      [
        [
          'does not bring back a topic that its purpose was switched on without',
          'a[t u]',
          [['a'], ['a', 'a/u']],
          'a a/t b',
          ['off a: saved', 'on a: saved (repeated)'],
        ],
        [
          'does not bring back a topic that was exchanged for another',
          'a[t]',
          [['a/t', 'a/u']],
          'a b',
          ['add a: switched-off, reduce a: saved (repeated)'],
        ],
        [
          'leaves a topic that was asked for again since',
          'a[t]',
          [['a'], ['a']],
          'a a/t b',
          ['off a: saved', 'on a: saved'],
        ],
      ] as const,
      ([what, start, toggles, end, told]) => [
        `a call that lands late ${what}`,
        () =>
          given({ calls: { 0: { late: 5 * min } } }, start, [
            [save('b'), ...toggles.map((each) => [after(10 * sec, draw('A')), post('A', ...each)])],
            look(end, 'on b: saved', ...told),
          ]),
      ],
    ),
    'a topic that was chosen elsewhere stays if the call in doubt does not carry it': () =>
      given({ calls: { 0: { late: min } } }, 'a', [
        [save('b'), after(10 * sec, draw('A')), post('A', 'a/t'), after(10 * sec, draw('A'))],
        [post('A', 'a/t'), after(min, others('a[t]'))],
        look('a a/t b', 'on b: saved', 'adjust a: saved', 'reduce a: saved'),
      ]),
  },
  undo: {
    'swapped choices come back together (P16)': () =>
      given(ofE, 'e[p.x]', [
        [save('e/x', 'e/y'), undo(), look('e e/x', 'adjust e: saved', 'adjust e: saved')],
      ]),
    'a choice is not left empty if the swap fails (P16)': () =>
      given({ ...ofE, calls: { 1: refused } }, 'e[p.x]', [
        [save('e/x', 'e/y'), undo(), look('e e/y', 'adjust e: saved', 'adjust e: not-saved')],
      ]),
    'a later change, here or in another center, is not undone': () =>
      given(shared(['a', 'b'], ['a', 'b']), 'a b', [
        [save('a', 'b'), after(10 * sec, draw('A')), post('A', 'a'), click('B', 'b')],
        after(20 * sec, undo(2)),
        look({ A: 'a' }, 'off a: saved, off b: saved', 'on a: saved', 'off b: unchanged'),
      ]),
  },
  'a withdrawal that was replaced by a grant': {
    'takes out earlier choices that the grant does not make': () =>
      given({ ...ofE, away: [0, 10 * sec] }, 'e[p.x]', [
        [save('e'), save('e'), look('e e/x', 'off e: replaced', 'on e: unchanged')],
      ]),
    'lets no older form bring back a choice that was withdrawn with its purpose': () =>
      from('a', [
        [draw('A', 'old'), save('a'), save('a', 'a/t'), after(min, post('old', 'a/t', 'a/u'))],
        look('a a/t', 'off a: saved', 'on a: saved', 'adjust a: unconfirmed'),
      ]),
    'lets no older form bring back a choice, and tells its other choices': () =>
      from('a', [
        [draw('A', 'old'), save('a/u'), save('a/u'), after(min, post('old', 'a/t', 'a/u'))],
        look('a a/t', 'adjust a: saved', 'reduce a: saved', 'adjust a: unconfirmed'),
      ]),
    'is replaced by a grant that finds the purpose on, beside a grant that is ignored': () =>
      given({ calls: Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((call) => [call, unsent])) }, 'a[t]', [
        [save('a/t'), save('a/t', 'a/u'), look('a a/t', 'reduce a: replaced', 'adjust a: unconfirmed')],
      ]),
    ...some([2, 12, 20], (seconds) => [
      `reads a purpose as off whose grant is under way, ${seconds} s after choices were taken back`,
      () =>
        given({ away: [0, (5 + seconds) * sec] }, 'a[t]', [
          [others('a:off'), save('a', 'a/t'), drawn({ lag: 5 * sec }), post('A', 'a/t', 'a/u')],
          look('a a/u', 'on a: saved', 'adjust a: saved'),
        ]),
    ]),
    'goes on for a choice even if an earlier grant of it is in doubt': () =>
      given({ calls: { 0: { late: 110 } }, away: [3_300, 9 * sec] }, 'b:off', [
        [draw('A', 'one'), save('a', 'a/t', 'a/u'), save('a/u'), post('one', 'a', 'a/t')],
        look('a a/t', 'on a: replaced', 'reduce a: saved', 'on a: unchanged'),
      ]),
    'is not undone by a late choice if the purpose was on all the time': () =>
      given({ calls: { 0: { late: 5 * min } }, away: [3 * sec, 7 * sec] }, 'a[u]', [
        [save('a/t'), save('a'), save('a')],
        look('a a/u', 'adjust a: replaced', 'off a: replaced', 'on a: unchanged (repeated)'),
      ]),
    'is not undone by the choices of an earlier grant that comes late': () =>
      given({ calls: { 0: { late: 5 * min } } }, '', [
        [save('a', 'a/t', 'a/u'), click('A', 'a'), after(min, draw('A')), post('A', 'a')],
        look('a', 'on a: replaced', 'off a: unchanged', 'on a: saved'),
      ]),
    ...some(
      [
        ['while the platform is away', [save('a', 'd')], { away: [0, 3 * min] }],
        [
          'after a call that the platform did not take',
          [save('a', 'd')],
          { calls: { 0: unsent }, away: [2_500, 3 * min] },
        ],
        ['of everything', [leave('A')], { away: [0, 3 * min] }],
      ] as const,
      ([name, withdraw, more]) => [
        `${name} goes on if the grant fails`,
        () =>
          given({ ...withDefault, ...more }, 'a', [
            [...withdraw, save('a', 'd')],
            after(2 * min, look('a (d)', withdrawn(name, 'being-carried-out'), failed)),
            look('', withdrawn(name, 'saved'), failed),
          ]),
      ],
    ),
    'twice goes on if the grant fails': () =>
      given({ ...withDefault, away: [0, 3 * min] }, 'a', [
        [save('a', 'd'), draw('A', 'two'), save('a', 'd'), post('two', 'a', 'd')],
        look('', 'off a: replaced, off d: replaced', 'on a: replaced, on d: replaced', failed),
      ]),
    'goes on if the grant fails, or a withdrawal in another center ends it': () =>
      given({ ...withDefault, away: [0, 3 * min] }, 'a', [
        [save('a', 'd'), save('a', 'd'), click('B', 'a')],
        look(
          '',
          'off a: replaced, off d: replaced',
          'on a: withdrawn-elsewhere, on d: not-saved',
          'off a: saved',
        ),
      ]),
    'goes on if the platform refuses the grant': () =>
      given({ ...withDefault, away: [0, 10 * sec], calls: { 0: refused } }, 'a', [
        [save('a', 'd'), save('a', 'd')],
        look('a', 'off a: replaced, off d: replaced', 'on a: unchanged, on d: not-saved'),
      ]),
    'goes on if the purpose still waits for its confirmation': () =>
      given({ calls: { 0: unsent, 1: unsent, 2: unsent, 3: unsent, 4: unsent } }, 'a:pending', [
        [click('A', 'a'), draw('A'), post('A', 'a')],
        after(
          2 * min,
          wired(
            'GET, PUT, GET, PUT a, GET, PUT a, GET, PUT a, GET, PUT a, GET, PUT, GET',
            '',
            'off a: replaced',
            'on a: not-saved',
          ),
        ),
      ]),
    ...some(
      [
        ['by one click', click('A', 'd'), 'a', 'off d: saved'],
        ['by one click for everything', click('A'), '', 'off d: saved, everything: saved'],
        ['by a form', post('A', 'd'), 'a', 'off d: saved'],
        ['by a form for everything', leave('A'), '', 'off a: saved, off d: saved, everything: saved'],
      ] as const,
      ([name, step, end, told]) => [
        `${name}, after an objection, takes out an agreed purpose that the objection leaves on`,
        () =>
          given({ ...withDefault, away: [0, 10 * sec] }, 'a', [
            [draw('A'), object, others('d'), step, look(end, 'off d: replaced', told)],
          ]),
      ],
    ),
  },
  'a consent that is renewed': {
    'is sent again as it was agreed to, and its undo changes nothing': () =>
      from('a[t] b', [
        [draw('A'), renew(), after(20 * sec, undo())],
        wired('GET, PUT a a/t b, GET', 'a a/t b', 'adjust a: saved'),
      ]),
    'goes with choices that are made and removed beside it': () =>
      from('a[t]', [
        [draw('A'), renew('A', 'a/t', 'a/u'), after(10 * sec, look('a a/u', 'adjust a: saved')), draw('A')],
        [renew('A', 'a/u'), look('a', 'adjust a: saved', 'adjust a: saved')],
      ]),
    ...some(
      [
        ['off', 'withdrawn-elsewhere'],
        ['expired', 'not-saved'],
      ] as const,
      ([status, outcome]) => [
        `stays off if it is ${status} elsewhere since`,
        () => from('a[t]', [draw('A'), others(`a:${status}`), renew(), look('', `adjust a: ${outcome}`)]),
      ],
    ),
    'stays off if it was withdrawn here since': () =>
      from('a[t]', [
        [draw('A', 'old'), save('a'), after(10 * sec, renew('old'))],
        look('', 'off a: saved', 'adjust a: withdrawn-elsewhere'),
      ]),
    ...some([landed, lost, { rejects: 'a' }, refused], (call) => [
      `is not told as saved if its call is ${Object.values(call)}, and stays on`,
      () =>
        given({ calls: { 0: call } }, 'a[t]', [
          [draw('A'), renew(), look('a a/t', `adjust a: ${call === refused ? 'not-saved' : 'unconfirmed'}`)],
        ]),
    ]),
    'is never sent after its minute, and stays on while another call is in doubt': () =>
      given({ calls: { 0: { late: 5 * min } }, away: [12 * sec, 2 * min] }, 'a[t]', [
        [save('b'), after(10 * sec, draw('A')), renew()],
        look('a a/t b', 'on b: saved', 'adjust a: not-saved'),
      ]),
    'is withdrawn again if it was withdrawn elsewhere and its call lands late': () =>
      given({ calls: { 0: { late: 5 * min } } }, 'a[t]', [
        [draw('A'), renew(), after(5 * sec, others('a:off'))],
        look('', 'adjust a: switched-off (repeated)'),
      ]),
    'does not come back by a call for another change that lands after a withdrawal elsewhere': () =>
      given({ calls: { 0: { late: 5 * min } } }, 'a[t]', [
        [save('b'), draw('A', 'old'), after(10 * sec, others('a:off')), renew('old')],
        look('b', 'keep a: withdrawn-elsewhere, on b: saved (repeated)', 'adjust a: withdrawn-elsewhere'),
      ]),
    'is ended by a withdrawal in another center of the same record': () =>
      given(shared(['a', 'b'], ['a']), 'a[t]', [
        [draw('A'), renew(), after(10, click('B', 'a'))],
        look({ A: '' }, 'adjust a: withdrawn-elsewhere', 'off a: saved'),
      ]),
    'does not stop a repeated withdrawal in a center with a separate record': () =>
      given({ centers: { A: ['a', 'b'], B: ['a'] }, calls: { 0: { late: 40 * sec } } }, 'a[t]', [
        [save('b'), save('a'), draw('B'), renew('B')],
        look({ A: 'b', B: 'a a/t' }, 'on b: saved', 'off a: saved (repeated)', 'adjust a: saved'),
      ]),
    'does not replace a withdrawal that came after its form': () =>
      given({ centers: { A: ['a', 'b'], B: ['a'] } }, 'a[t]', [
        [draw('B', 'one'), draw('B', 'two'), save('a'), post('one', 'a'), save('a'), renew('two')],
        look(
          { A: 'a a/t', B: '' },
          'off a: saved',
          'off a: saved',
          'on a: saved',
          'adjust a: withdrawn-elsewhere',
        ),
      ]),
    'does not count as a newer grant': () =>
      given({ centers: { A: ['a', 'b'], B: ['a'] } }, 'a[t]', [
        [others('a:off'), draw('A', 'old'), others('a[t]'), after(20 * sec, draw('A')), post('A', 'a')],
        [after(10 * sec, draw('B')), renew('B'), post('old', 'a')],
        look({ A: '', B: 'a a/t' }, 'off a: saved', 'adjust a: saved', 'on a: withdrawn-elsewhere'),
      ]),
  },
};

/** Registers a test for each promise. */
export function testPromises(play: (script: Script) => ReturnType<typeof playAlone>): void {
  for (const [about, scripts] of Object.entries(promises))
    describe(about, () => {
      for (const [name, script] of Object.entries(scripts))
        test(name, async () => {
          const { faults, course } = await play(script());
          assert.deepEqual(faults, [], printed(course));
        });
    });
}
