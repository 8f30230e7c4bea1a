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
    'that no page draws stays as it is on record': () =>
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
    'that is expired is switched on anew': () => from('a:expired', [save('a'), soon('a', 'on a: saved')]),
    'that is off already is told at once, and looked at once more': () =>
      from('a:off', [
        [click('A', 'a'), wired('GET', '', 'off a: unchanged')],
        after(20 * sec, wired('GET, GET', '', 'off a: unchanged')),
      ]),
    'that waits for its confirmation is told so': () =>
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
    'is made, and another taken out, in one call': () =>
      from('a[t]', [save('a/t', 'a/u'), wired('GET, PUT a a/u, GET', 'a a/u', 'adjust a: saved')]),
    'that is taken out is a withdrawal': () =>
      from('a[t u]', [save('a/t'), soon('a a/u', 'reduce a: saved')]),
    'of one replaces the other': () =>
      given(ofE, 'e[p.x]', [save('e/x', 'e/y'), soon('e e/y', 'adjust e: saved')]),
    'under what was switched off elsewhere is not made': () =>
      from('a', [draw('A'), others('a:off'), post('A', 'a/t'), soon('', 'adjust a: withdrawn-elsewhere')]),
    'that fails leaves what is taken out beside it': () =>
      given({ calls: { 0: refused } }, 'a[t]', [
        [save('a/t', 'a/u'), soon('a', 'add a: not-saved, reduce a: saved')],
      ]),
    'is not made after its minute, and what is taken out beside it still is': () =>
      given({ away: [0, 5 * min] }, 'a[t]', [
        save('a/t', 'a/u'),
        after(2 * min, look('a a/t', 'add a: not-saved, reduce a: being-carried-out')),
        look('a', 'add a: not-saved, reduce a: saved'),
      ]),
    'agrees to what is only on by default': () =>
      given({ centers: { A: ['d'] } }, 'd:implicit[t]', [save('d/t'), soon('d', 'adjust d: saved')]),
  },
  'a value': {
    'is typed, and a language kept': () =>
      given({ fields: ['name'] }, 'a', [
        [drawn({ language: 'fr' }), { ...type('A', { name: 'Anna' }), keeps: true } as Step],
        soon('a', 'language fr: saved, typed name: saved'),
      ]),
    'that is refused with its call is not saved, and a withdrawal beside it is': () =>
      given({ fields: ['name'], calls: { 0: refused } }, 'a', [
        [draw('A'), { ...post('A', 'a'), types: { name: 'Anna' } } as Step],
        soon('', 'off a: saved, typed name: not-saved'),
      ]),
  },
  'what is on by default': {
    'is refused by a pair of calls': () =>
      given(withDefault, 'a', [
        [save('d'), wired('GET, PUT a, GET, PUT a d, PUT a, GET', 'a', 'off d: saved')],
      ]),
    'is objected to, and what was agreed to is left alone': () =>
      given(withDefault, 'a', [object, soon('a', 'off d: saved')]),
    'is objected to in vain where it was agreed to just before': () =>
      given(withDefault, '', [[others('d'), { ...object, lag: 5 * sec } as Step, look('d', '')]]),
    'and drawn so is confirmed by saving, where the center has it so': () =>
      given({ ...withDefault, confirms: true }, 'a', [save('a'), soon('d', 'off a: saved')]),
    'is never confirmed by who may only withdraw': () =>
      given({ ...withDefault, confirms: true }, 'a', [
        [drawn({ scope: 'withdraw' }), post('A', 'a'), soon('(d)', 'off a: saved')],
      ]),
    'is not confirmed where there was no form': () =>
      given({ centers: { A: ['a', 'b', 'd'] }, confirms: true }, 'a b', [
        [click('A', 'a'), soon('b (d)', 'off a: saved')],
      ]),
    'and not drawn by a form is not confirmed': () =>
      given({ ...withDefault, hides: ['d'], confirms: true }, 'a', [
        [save('a'), soon('(d)', 'off a: saved')],
      ]),
  },
  everything: {
    'is withdrawn by a DELETE, with what is on by default': () =>
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
    'by one click names what is always active beside the rest (P17)': () =>
      given({ centers: { A: ['a', 'b', 'd'] } }, 'a b:always-active d:off', [
        [click('A'), look('b', 'off a: saved, off b: locked, off d: saved, everything: saved')],
      ]),
    'takes out what is hidden and on by default': () =>
      given({ ...withDefault, hides: ['d'] }, 'a', [
        [leave('A'), look('', 'off a: saved, off d: saved, everything: saved')],
      ]),
    'goes on by a PUT where the DELETE is refused': () =>
      given({ ...withDefault, calls: { 0: refused } }, 'a d:off', [
        [leave('A'), look('', 'off a: saved, everything: saved')],
      ]),
    'is called for though all is off, for a reading may have passed over what is on': () =>
      from('a:off', [leave('A'), wired('GET, DELETE, GET', '', 'everything: saved')]),
    'names what was on, and nothing that was off before it': () =>
      from('a b', [
        [save('a'), after(20 * sec, leave('A'))],
        look('', 'off a: saved', 'off b: saved, everything: saved'),
      ]),
    'is undone whole': () =>
      from('a b', [
        [leave('A'), after(20 * sec, undo())],
        look('a b', 'off a: saved, off b: saved, everything: saved', 'on a: saved, on b: saved'),
      ]),
    'is undone as far as it was not withdrawn again since': () =>
      from('a b', [
        [leave('A'), after(20 * sec, click('A', 'b')), after(20 * sec, undo())],
        look('a', 'off a: saved, off b: saved, everything: saved', 'on a: saved'),
      ]),
    'is not undone where it was left again since': () =>
      from('a b', [
        [leave('A'), after(20 * sec, leave('A')), after(20 * sec, undo())],
        look('', 'off a: saved, off b: saved, everything: saved'),
      ]),
    'is left again where a call of another center lands after it': () =>
      given({ ...shared(['a', 'b', 'c'], ['a', 'b']), calls: { 0: { late: 20 * sec } } }, 'a b', [
        [save('c'), after(500, click('B'))],
        look(
          { A: 'c' },
          'keep a: withdrawn-elsewhere, keep b: withdrawn-elsewhere, on c: saved',
          'off a: saved, off b: saved, everything: saved (repeated)',
        ),
      ]),
    'does not hold up what only another center offers': () =>
      given(shared(['a', 'b'], ['c']), '', [
        [draw('B'), click('A'), post('B', 'c'), look({ B: 'c' }, 'everything: saved', 'on c: saved')],
      ]),
    'is read back before a grant in another center, which stays on': () =>
      given({ ...shared(['a', 'b'], ['a', 'b']), readings: every({ end: 'fails' }, 0, 3) }, 'b', [
        [click('B'), save('a'), look({ A: 'a' }, 'everything: saved', 'on a: saved')],
      ]),
    ...some([{}, landed], (call) => [
      `does not tell by the save before it what it took out, ${'end' in call ? call.end : 'answered'}`,
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
    'that could not be sent in its minute ends, with what was typed': () =>
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
    'whose answer was lost, and which is on record without its topic, is unconfirmed': () =>
      given({ calls: { 0: landed } }, 'b:off', [
        [save('a', 'a/t'), after(500, others('a')), look('a', 'on a: unconfirmed')],
      ]),
    'that never arrived is in doubt until its call cannot land any more, and ends as not saved': () =>
      given({ calls: { 0: lost } }, '', [
        [save('a'), after(2 * min, look('', 'on a: in-doubt')), look('', 'on a: not-saved')],
      ]),
    'that arrives late is told as saved once it is seen': () =>
      given({ calls: { 0: { late: 45 * sec } } }, '', [
        [save('a'), after(3 * min, look('a', 'on a: saved'))],
      ]),
    'of other words shows the choices again, and takes out what was taken out': () =>
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
      `pressed before everything was left in a center that offers ${offered}, and recorded after it`,
      () =>
        given({ centers: { A: ['a', 'b'], B: [offered] } }, '', [
          [draw('A'), leave('B'), post('A', 'a')],
          offered === 'a'
            ? look('', 'everything: saved', 'on a: withdrawn-elsewhere')
            : look('a', 'everything: saved', 'on a: saved'),
        ]),
    ]),
    'is not told as failed when an earlier call may have made it, and the platform is away': () =>
      given({ away: [3_120, 2 * min] }, 'c:off', [
        [draw('A', 'one'), draw('A', 'two'), post('one', 'a'), post('two', 'a', 'b')],
        after(90 * sec, look('a', 'on a: replaced', 'on a: in-doubt, on b: not-saved')),
        look('a', 'on a: replaced', 'on a: unchanged, on b: not-saved'),
      ]),
  },
  'a withdrawal': {
    'that the platform accepted and ignored is sent again': () =>
      given({ calls: { 0: ignored } }, 'a', [save('a'), look('', 'off a: saved')]),
    'goes on where its answer was lost': () =>
      given({ calls: { 0: lost } }, 'a', [save('a'), look('', 'off a: saved')]),
    'waits for a platform that is away': () =>
      given({ away: [0, 10 * min] }, 'a', [
        [save('a'), after(5 * min, look('a', 'off a: being-carried-out')), look('', 'off a: saved')],
      ]),
    'that the platform refuses goes on slowly, and a later grant does not wait for it': () =>
      given({ calls: { 0: refused } }, 'a', [
        [save('a'), after(500, look('a', 'off a: being-carried-out')), save('b')],
        soon('b', 'off a: saved', 'on b: saved'),
      ]),
    'said again by a click while everything is on its way is told as done by it': () =>
      given({ calls: { 0: { takes: 5 * sec } } }, 'a b', [
        [leave('A'), click('A', 'a'), look('', 'off a: saved, off b: saved, everything: saved')],
      ]),
    'by hand right after a click leaves what a reading does not show yet, too': () =>
      given({ readings: every({ lag: 1_500 }, 1, 3) }, 'a', [
        [click('A'), others('a'), leave('A'), wired('DELETE, GET, DELETE, GET', '', 'everything: saved')],
      ]),
    'of a choice, again and again by forms of a link that only withdraws, is one submission for each choice':
      () =>
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
        `of what is on by default ends with a refusal on record where call ${call} is ${fault.end}`,
        () =>
          given({ ...{ centers: { A: ['b', 'd'] }, calls: { [call]: fault } } }, 'b', [
            [save('d'), look('b', 'off d: saved')],
          ]),
      ],
    ),
    'of a choice leaves on what was on all along, beside more that was not saved, while its call is in doubt':
      () =>
        given({ ...withDefault, away: [0, 70 * sec], calls: { 0: landed } }, 'a[t] d[t]', [
          [save('a/u', 'd/t'), look('a a/t d', 'adjust a: not-saved, reduce d: saved')],
        ]),
  },
  'readings that are wrong once': {
    ...some([0, 1, 2], (wrong) => [
      `reading ${wrong + 1} shows nothing, and nobody loses what they did not touch (P11)`,
      () =>
        given({ readings: { [wrong]: empty } }, 'a b c', [
          [draw('A'), others('b:off'), post('A', 'a')],
          look('c', 'keep b: withdrawn-elsewhere, off a: saved'),
        ]),
    ]),
    'the reading before a save that is older than the save before it is not merged': () =>
      given({ readings: every({ lag: 5 * sec }, 2, 4) }, 'a', [
        [save('b'), save('c'), look('a b c', 'on b: saved', 'on c: saved')],
      ]),
    'a read-back that shows nothing is not believed': () =>
      given({ readings: every(empty, 1, 4) }, 'a b', [save('a'), look('b', 'off a: saved')]),
    'a reading that shows nothing of somebody whose purposes a DELETE was to withdraw is not believed': () =>
      given({ calls: { 0: ignored }, readings: every(empty, 0, 2) }, 'a', [
        [click('A'), look('', 'off a: saved, everything: saved')],
      ]),
    'no set is sent that was made from an empty reading of somebody who is known': () =>
      given({ readings: every(empty, 0, 4) }, 'a b', [
        [save('a'), after(2 * sec, wired('GET, GET', 'a b', 'off a: being-carried-out'))],
        look('b', 'off a: saved'),
      ]),
    'an older reading carries no topic along without which its purpose was switched on again': () =>
      given({ readings: every({ lag: 9_900 }, 4, 6) }, 'a[t]', [
        [save('a'), save('a', 'a/t'), save('b'), look('a b', 'off a: saved', 'on a: saved', 'on b: saved')],
      ]),
  },
  'withdrawals elsewhere': {
    ...some([sec, min, 20 * hour], (wait) => [
      `two tabs, the first is verified, withdrawn elsewhere: after ${wait} ms the second grants nothing (P12)`,
      () =>
        from('a:off', [
          [draw('A', 'one'), draw('A', 'two'), post('one', 'a'), others('a:off')],
          [after(wait, post('two', 'a')), look('', 'on a: saved', 'on a: withdrawn-elsewhere')],
        ]),
    ]),
    'granted elsewhere two minutes after a withdrawal here is kept by every save (P13)': () =>
      from('a', [
        [save('a'), after(2 * min, others('a')), save('b'), look('a b', 'off a: saved', 'on b: saved')],
      ]),
    ...some([lost, landed], (call) => [
      `granted elsewhere after everything, and carried by a save whose answer is ${call.end}: it stays`,
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
    'leaving everything in one center leaves alone what another one keeps for itself (P13)': () =>
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
    'a choice withdrawn in one center ends its grant on the way in another one': () =>
      given({ ...shared(['a'], ['a']), away: [0, min] }, 'a[t u]', [
        [draw('B'), others('a[t]'), after(20 * sec, draw('A')), post('A', 'a/u'), post('B', 'a/u')],
        look({ A: 'a a/t' }, 'adjust a: withdrawn-elsewhere', 'reduce a: unchanged'),
      ]),
    'a call in doubt of one center is known to another: what it brings back is withdrawn again': () =>
      given({ ...shared(['a', 'c'], ['a', 'b']), calls: { 0: { late: min } } }, 'a', [
        [draw('B'), post('B', 'b'), after(15 * sec, click('A', 'a'))],
        look({ A: 'b' }, 'keep a: withdrawn-elsewhere, on b: saved', 'off a: saved (repeated)'),
      ]),
    'what a call in doubt carries, and others withdrew, is withdrawn again when the call lands': () =>
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
    'choices that a late call brings under what was switched on without them are taken out again': () =>
      given({ calls: { 0: { late: min } } }, 'b', [
        [save('a', 'a/t'), click('A', 'a'), others('a[t]')],
        look('b', 'on a: replaced', 'off a: saved (repeated)'),
      ]),
    ...some(
      [
        [
          'does not bring back a topic without which its purpose was switched on again',
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
    'a call is no reason to take out a topic that it does not carry, and that others have chosen': () =>
      given({ calls: { 0: { late: min } } }, 'a', [
        [save('b'), after(10 * sec, draw('A')), post('A', 'a/t'), after(10 * sec, draw('A'))],
        [post('A', 'a/t'), after(min, others('a[t]'))],
        look('a a/t b', 'on b: saved', 'adjust a: saved', 'reduce a: saved'),
      ]),
  },
  undo: {
    'swapped choices come back as one (P16)': () =>
      given(ofE, 'e[p.x]', [
        [save('e/x', 'e/y'), undo(), look('e e/x', 'adjust e: saved', 'adjust e: saved')],
      ]),
    'a choice is not left empty where that fails (P16)': () =>
      given({ ...ofE, calls: { 1: refused } }, 'e[p.x]', [
        [save('e/x', 'e/y'), undo(), look('e e/y', 'adjust e: saved', 'adjust e: not-saved')],
      ]),
    'what was said since, here or in another center, is not undone': () =>
      given(shared(['a', 'b'], ['a', 'b']), 'a b', [
        [save('a', 'b'), after(10 * sec, draw('A')), post('A', 'a'), click('B', 'b')],
        after(20 * sec, undo(2)),
        look({ A: 'a' }, 'off a: saved, off b: saved', 'on a: saved', 'off b: unchanged'),
      ]),
  },
  'a withdrawal that was replaced by a grant': {
    'takes out what was chosen before, and the grant does not choose': () =>
      given({ ...ofE, away: [0, 10 * sec] }, 'e[p.x]', [
        [save('e'), save('e'), look('e e/x', 'off e: replaced', 'on e: unchanged')],
      ]),
    'lets no older form bring back a choice that was withdrawn with its purpose': () =>
      from('a', [
        [draw('A', 'old'), save('a'), save('a', 'a/t'), after(min, post('old', 'a/t', 'a/u'))],
        look('a a/t', 'off a: saved', 'on a: saved', 'adjust a: unconfirmed'),
      ]),
    'lets no older form bring back a choice, and its other choices are not told as not changed': () =>
      from('a', [
        [draw('A', 'old'), save('a/u'), save('a/u'), after(min, post('old', 'a/t', 'a/u'))],
        look('a a/t', 'adjust a: saved', 'reduce a: saved', 'adjust a: unconfirmed'),
      ]),
    'is replaced by a grant that finds it on still, beside another that is never taken': () =>
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
    'goes on for a choice, though an earlier grant of it is still in doubt': () =>
      given({ calls: { 0: { late: 110 } }, away: [3_300, 9 * sec] }, 'b:off', [
        [draw('A', 'one'), save('a', 'a/t', 'a/u'), save('a/u'), post('one', 'a', 'a/t')],
        look('a a/t', 'on a: replaced', 'reduce a: saved', 'on a: unchanged'),
      ]),
    'is not undone by a late choice, where the purpose was on all the time': () =>
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
        `${name} goes on where the grant fails`,
        () =>
          given({ ...withDefault, ...more }, 'a', [
            [...withdraw, save('a', 'd')],
            after(2 * min, look('a (d)', withdrawn(name, 'being-carried-out'), failed)),
            look('', withdrawn(name, 'saved'), failed),
          ]),
      ],
    ),
    'twice goes on where the grant fails': () =>
      given({ ...withDefault, away: [0, 3 * min] }, 'a', [
        [save('a', 'd'), draw('A', 'two'), save('a', 'd'), post('two', 'a', 'd')],
        look('', 'off a: replaced, off d: replaced', 'on a: replaced, on d: replaced', failed),
      ]),
    'goes on where the grant fails, or a withdrawal in another center ends it': () =>
      given({ ...withDefault, away: [0, 3 * min] }, 'a', [
        [save('a', 'd'), save('a', 'd'), click('B', 'a')],
        look(
          '',
          'off a: replaced, off d: replaced',
          'on a: withdrawn-elsewhere, on d: not-saved',
          'off a: saved',
        ),
      ]),
    'goes on where the platform refuses the grant': () =>
      given({ ...withDefault, away: [0, 10 * sec], calls: { 0: refused } }, 'a', [
        [save('a', 'd'), save('a', 'd')],
        look('a', 'off a: replaced, off d: replaced', 'on a: unchanged, on d: not-saved'),
      ]),
    'goes on where the purpose still waits for its confirmation': () =>
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
        `${name}, after an objection, takes out what was agreed to before it, which the objection leaves on`,
        () =>
          given({ ...withDefault, away: [0, 10 * sec] }, 'a', [
            [draw('A'), object, others('d'), step, look(end, 'off d: replaced', told)],
          ]),
      ],
    ),
  },
  'a consent that is renewed': {
    'is sent once more as it was agreed to, and nothing is undone by undoing that': () =>
      from('a[t] b', [
        [draw('A'), renew(), after(20 * sec, undo())],
        wired('GET, PUT a a/t b, GET', 'a a/t b', 'adjust a: saved'),
      ]),
    'goes with what is chosen and taken out beside it': () =>
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
        `stays off where it is ${status} elsewhere since`,
        () => from('a[t]', [draw('A'), others(`a:${status}`), renew(), look('', `adjust a: ${outcome}`)]),
      ],
    ),
    'stays off where it was withdrawn here since': () =>
      from('a[t]', [
        [draw('A', 'old'), save('a'), after(10 * sec, renew('old'))],
        look('', 'off a: saved', 'adjust a: withdrawn-elsewhere'),
      ]),
    ...some([landed, lost, { rejects: 'a' }, refused], (call) => [
      `is not said to be saved where its call is ${Object.values(call)}, and stays on`,
      () =>
        given({ calls: { 0: call } }, 'a[t]', [
          [draw('A'), renew(), look('a a/t', `adjust a: ${call === refused ? 'not-saved' : 'unconfirmed'}`)],
        ]),
    ]),
    'is never sent after its minute, and what was on stays on while another call is in doubt': () =>
      given({ calls: { 0: { late: 5 * min } }, away: [12 * sec, 2 * min] }, 'a[t]', [
        [save('b'), after(10 * sec, draw('A')), renew()],
        look('a a/t b', 'on b: saved', 'adjust a: not-saved'),
      ]),
    'is withdrawn again where it was left elsewhere and its call lands late': () =>
      given({ calls: { 0: { late: 5 * min } } }, 'a[t]', [
        [draw('A'), renew(), after(5 * sec, others('a:off'))],
        look('', 'adjust a: switched-off (repeated)'),
      ]),
    'does not come back by a call for something else that lands after it was left elsewhere': () =>
      given({ calls: { 0: { late: 5 * min } } }, 'a[t]', [
        [save('b'), draw('A', 'old'), after(10 * sec, others('a:off')), renew('old')],
        look('b', 'keep a: withdrawn-elsewhere, on b: saved (repeated)', 'adjust a: withdrawn-elsewhere'),
      ]),
    'is ended by leaving it in another center of the same consent': () =>
      given(shared(['a', 'b'], ['a']), 'a[t]', [
        [draw('A'), renew(), after(10, click('B', 'a'))],
        look({ A: '' }, 'adjust a: withdrawn-elsewhere', 'off a: saved'),
      ]),
    'asks for nothing in a center that keeps consents of its own: a withdrawal undone by a late call is repeated':
      () =>
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
    'does not count as asked for since': () =>
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
