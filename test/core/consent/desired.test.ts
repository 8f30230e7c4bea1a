import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Center } from '../../../src/core/model/center/center.ts';
import { aCenter, anElement, aPreference, aPurpose, purposeOf, record, topics } from '../center-builder.ts';
import { adjust, off, on, Person, reduce, type Submitted } from './desired-person.ts';

const lag = 10_000;
const minute = 60_000;
const doubt = 10 * minute + lag;

const center = aCenter([
  aPurpose('a', { topics: topics('t1', 't2') }),
  aPurpose('b', {
    preferences: [
      aPreference('one', ['x', 'y'], { choice: 'single', required: true }),
      aPreference('many', ['x', 'y', 'z']),
    ],
  }),
  aPurpose('d', { onByDefault: true }),
  aPurpose('n', { kind: 'notification' }),
  anElement('name'),
]);

interface Case {
  readonly name: string;
  readonly records?: Parameters<typeof record>[];
  readonly center?: Partial<Center>;
  readonly does: (person: Person) => Submitted;
  /** Milliseconds that the loop works on. */
  readonly for?: number;
  readonly on: readonly string[];
  readonly says: readonly string[];
  readonly wire?: readonly string[];
}

const oneClick = { isOneClick: true, isBounded: true, form: undefined };
const everything = { everything: 'withdraw' } as const;

const cases: readonly Case[] = [
  // Purposes
  {
    name: 'a purpose is switched on by two readings and one call',
    records: [['b', 'active']],
    does: (person) => person.submit([on('a')]),
    on: ['b', 'a'],
    says: ['on a: saved'],
    wire: ['GET', 'PUT b a', 'GET'],
  },
  {
    name: 'a purpose is switched off by two readings and one call',
    records: [
      ['a', 'active'],
      ['b', 'active'],
    ],
    does: (person) => person.submit([off('a')]),
    on: ['b'],
    says: ['off a: saved'],
    wire: ['GET', 'PUT b', 'GET'],
  },
  {
    name: 'what no page draws stays as it is on record',
    records: [
      ['a', 'active', ['t1']],
      ['unknown', 'active', ['t9']],
      ['old', 'expired'],
      ['no', 'off'],
    ],
    does: (person) => person.submit([off('a')]),
    on: ['unknown[t9]'],
    says: ['off a: saved'],
  },
  {
    name: 'a purpose that is on already is not sent',
    records: [['a', 'active']],
    does: (person) => person.submit([on('a')]),
    on: ['a'],
    says: ['on a: unchanged'],
    wire: ['GET', 'GET'],
  },
  {
    name: 'what is always active cannot be switched off',
    records: [['a', 'always-active']],
    does: (person) => person.submit([off('a')]),
    on: ['a'],
    says: ['off a: locked'],
    wire: ['GET', 'GET'],
  },
  {
    name: 'what is hard opted out cannot be switched on',
    records: [['a', 'hard-opt-out']],
    does: (person) => person.submit([on('a')]),
    on: [],
    says: ['on a: locked'],
  },
  {
    name: 'what is expired is switched on anew',
    records: [['a', 'expired']],
    does: (person) => person.submit([on('a')]),
    on: ['a'],
    says: ['on a: saved'],
  },
  {
    name: 'a notification purpose is withdrawn like any other',
    records: [['n', 'active']],
    does: (person) => person.submit([off('n')]),
    on: [],
    says: ['off n: saved'],
  },
  {
    name: 'a purpose that is neither in the center nor on record is named',
    records: [['a', 'active']],
    does: (person) => person.submit([off('nowhere')], oneClick),
    for: 2 * lag,
    on: ['a'],
    says: ['off nowhere: no-such-purpose'],
  },
  {
    name: 'what is off already is told at once, and looked at once more',
    records: [['a', 'off']],
    does: (person) => person.submit([off('a')], oneClick),
    on: [],
    says: ['off a: unchanged'],
    wire: ['GET'],
  },
  // Double opt-in
  {
    name: 'a double opt-in waits for its confirmation',
    does: (person) => {
      person.doubleOptIn = ['a'];
      return person.submit([on('a')]);
    },
    on: [],
    says: ['on a: waiting'],
  },
  {
    name: 'what waits for a confirmation is not sent by another save',
    records: [
      ['a', 'pending'],
      ['b', 'active'],
    ],
    does: (person) => person.submit([off('b')]),
    on: [],
    says: ['off b: saved'],
    wire: ['GET', 'PUT', 'GET'],
  },
  {
    name: 'what waits for a confirmation is switched off',
    records: [['a', 'pending']],
    does: (person) => person.submit([off('a')]),
    on: [],
    says: ['off a: waiting'],
  },
  // Choices
  {
    name: 'a purpose is switched on with its topics',
    does: (person) => person.submit([on('a', { topics: ['t1'] })]),
    on: ['a[t1]'],
    says: ['on a: saved'],
  },
  {
    name: 'a topic is added and another taken out, in one call',
    records: [['a', 'active', ['t1']]],
    does: (person) => person.submit([adjust('a', { topicsOn: ['t2'], topicsOff: ['t1'] })]),
    on: ['a[t2]'],
    says: ['adjust a: saved'],
    wire: ['GET', 'PUT a[t2]', 'GET'],
  },
  {
    name: 'a topic that is taken out is a withdrawal',
    records: [['a', 'active', ['t1', 't2']]],
    does: (person) => person.submit([reduce('a', { topicsOff: ['t1'] })]),
    on: ['a[t2]'],
    says: ['reduce a: saved'],
  },
  {
    name: 'a single choice replaces the other',
    records: [['b', 'active', [], [{ id: 'one', options: ['x'] }]]],
    does: (person) => person.submit([adjust('b', { optionsOn: [{ preference: 'one', option: 'y' }] })]),
    on: ['b[one.y]'],
    says: ['adjust b: saved'],
  },
  {
    name: 'a choice of several is added to the others',
    records: [['b', 'active', [], [{ id: 'many', options: ['x'] }]]],
    does: (person) => person.submit([adjust('b', { optionsOn: [{ preference: 'many', option: 'y' }] })]),
    on: ['b[many.x many.y]'],
    says: ['adjust b: saved'],
  },
  {
    name: 'a choice under what was switched off elsewhere is not made',
    records: [['a', 'active']],
    does: (person) => {
      const form = person.form();
      person.change([record('a', 'off')]);
      return person.submit([adjust('a', { topicsOn: ['t1'] })], { form });
    },
    on: [],
    says: ['adjust a: withdrawn-elsewhere'],
  },
  {
    name: 'what is taken out of what is only on by default is not agreed to',
    records: [['d', 'implicit', ['t']]],
    does: (person) => person.submit([reduce('d', { topicsOff: ['t'] })]),
    on: [],
    says: ['reduce d: not-saved'],
    wire: ['GET'],
  },
  {
    name: 'an adjustment that fails goes on with what it takes out',
    records: [['a', 'active', ['t1']]],
    does: (person) => {
      person.faults.push('refused');
      return person.submit([adjust('a', { topicsOn: ['t2'], topicsOff: ['t1'] })]);
    },
    on: ['a'],
    says: ['add a: not-saved', 'reduce a: saved'],
  },
  {
    name: 'an adjustment adds nothing after its minute, and still takes out',
    records: [['a', 'active', ['t1']]],
    does: (person) => {
      person.isPlatformAway = true;
      return person.submit([adjust('a', { topicsOn: ['t2'], topicsOff: ['t1'] })]);
    },
    for: 2 * minute,
    on: ['a[t1]'],
    says: ['add a: not-saved', 'reduce a: being-carried-out'],
  },
  {
    name: 'an adjustment agrees to what is only on by default',
    records: [['d', 'implicit', ['t', 'u']]],
    does: (person) => person.submit([adjust('d', { topicsOff: ['t'] })]),
    on: ['d[u]'],
    says: ['adjust d: saved'],
  },
  // Values
  {
    name: 'a value is typed and a language chosen',
    records: [['a', 'active']],
    does: (person) =>
      person.submit({
        dataElements: [{ element: 'name', label: 'Label of name', value: 'Anna' }],
        language: 'fr',
      }),
    on: ['a'],
    says: ['typed name: saved', 'language fr: saved'],
  },
  {
    name: 'a value that is refused with its call is not saved, a withdrawal beside it is',
    records: [['a', 'active']],
    does: (person) => {
      person.faults.push('refused');
      return person.submit({
        purposes: [off('a')],
        dataElements: [{ element: 'name', label: 'Label of name', value: 'Anna' }],
      });
    },
    on: [],
    says: ['off a: saved', 'typed name: not-saved'],
  },
  // On by default
  {
    name: 'what is only on by default is refused by a pair of calls',
    records: [['a', 'active']],
    does: (person) => person.submit([off('d')]),
    on: ['a'],
    says: ['off d: saved'],
    wire: ['GET', 'PUT a', 'GET', 'PUT a after d', 'GET'],
  },
  {
    name: 'an objection leaves alone what was agreed to',
    records: [['a', 'active']],
    does: (person) => person.submit([off('a'), off('d')], { isObjection: true }),
    on: ['a'],
    says: ['off d: saved'],
  },
  {
    name: 'saving confirms what was shown as on by default where the center has it so',
    records: [['a', 'active']],
    center: { confirmsDefaults: true },
    does: (person) => person.submit([off('a')], { confirms: ['d'] }),
    on: ['d'],
    says: ['off a: saved'],
  },
  {
    name: 'what the form did not draw is not confirmed',
    records: [['a', 'active']],
    center: { confirmsDefaults: true },
    does: (person) => person.submit([off('a')]),
    on: [],
    says: ['off a: saved'],
  },
  // Everything
  {
    name: 'everything is withdrawn by a DELETE, with what is on by default',
    records: [
      ['a', 'active', ['t1']],
      ['unknown', 'active'],
    ],
    does: (person) => person.submit(everything),
    on: [],
    says: ['off a: saved', 'off unknown: saved', 'off d: saved', 'everything: saved'],
    wire: ['GET', 'DELETE', 'GET', 'PUT  after d', 'GET'],
  },
  {
    name: 'everything by one click is one call and one reading',
    records: [
      ['a', 'active'],
      ['d', 'off'],
    ],
    does: (person) => person.submit(everything, oneClick),
    on: [],
    says: ['everything: saved'],
    wire: ['DELETE', 'GET'],
  },
  {
    name: 'everything by one click names what is always active beside the rest (P17)',
    records: [
      ['a', 'active'],
      ['b', 'always-active'],
      ['d', 'off'],
    ],
    does: (person) => person.submit(everything, oneClick),
    on: ['b'],
    // What the platform says that it withdrew is named, where something stays on.
    says: ['off a: saved', 'off b: locked', 'off d: saved', 'everything: saved'],
  },
  {
    name: 'what is hidden and on by default is left with everything',
    records: [
      ['a', 'active'],
      ['d', 'off'],
    ],
    center: { hidden: [purposeOf('hidden', { onByDefault: true })] },
    does: (person) => person.submit(everything),
    on: [],
    says: ['off a: saved', 'off hidden: saved', 'everything: saved'],
  },
  {
    name: 'everything goes on by a PUT where the DELETE is refused',
    records: [
      ['a', 'active'],
      ['d', 'off'],
    ],
    does: (person) => {
      person.faults.push('refused');
      return person.submit(everything);
    },
    for: 2 * lag,
    on: [],
    says: ['off a: saved', 'everything: saved'],
  },
  {
    name: 'everything is called for though all is off, for a reading may have passed over what is on',
    records: [
      ['a', 'off'],
      ['d', 'off'],
    ],
    does: (person) => person.submit(everything),
    on: [],
    says: ['everything: saved'],
    wire: ['GET', 'DELETE', 'GET'],
  },
  // Answers
  {
    name: 'a grant that the platform refuses by name is not saved',
    records: [['b', 'active']],
    does: (person) => {
      person.faults.push({ refuses: ['a'] });
      return person.submit([on('a')]);
    },
    on: ['b'],
    says: ['on a: not-saved'],
  },
  {
    name: 'a grant whose call was not sent is tried again within its minute',
    does: (person) => {
      person.faults.push('nothing-done');
      return person.submit([on('a')]);
    },
    for: minute,
    on: ['a'],
    says: ['on a: saved'],
  },
  {
    name: 'a grant that could not be sent in its minute ends',
    does: (person) => {
      person.faults.push('nothing-done', 'nothing-done', 'nothing-done', 'nothing-done');
      return person.submit([on('a')]);
    },
    for: 2 * minute,
    on: [],
    says: ['on a: not-saved'],
  },
  {
    name: 'a grant that the platform accepted and ignored is not saved, and not sent again',
    does: (person) => {
      person.faults.push('ignored');
      return person.submit([on('a')]);
    },
    for: 2 * lag,
    on: [],
    says: ['on a: not-saved'],
  },
  {
    name: 'a withdrawal that the platform accepted and ignored is sent again',
    records: [['a', 'active']],
    does: (person) => {
      person.faults.push('ignored');
      return person.submit([off('a')]);
    },
    for: 2 * lag,
    on: [],
    says: ['off a: saved'],
  },
  {
    name: 'a grant whose answer was lost is read back, and told as saved',
    records: [['b', 'off']],
    does: (person) => {
      person.faults.push('landed-and-lost');
      return person.submit([on('a')]);
    },
    on: ['a'],
    says: ['on a: saved'],
    wire: ['GET', 'PUT a', 'GET', 'GET'],
  },
  {
    name: 'a grant whose answer was lost, and which is on record without its topic, is unconfirmed',
    does: (person) => {
      person.faults.push('landed-and-lost');
      const submission = person.submit([on('a', { topics: ['t1'] })]);
      person.settle();
      person.change([record('a', 'active')]);
      return submission;
    },
    for: doubt + lag,
    on: ['a'],
    says: ['on a: unconfirmed'],
  },
  {
    name: 'a grant that never arrived is in doubt until its call cannot land any more',
    does: (person) => {
      person.faults.push('lost');
      return person.submit([on('a')]);
    },
    for: 2 * minute,
    on: [],
    says: ['on a: in-doubt'],
  },
  {
    name: 'a grant that never arrived ends as not saved',
    does: (person) => {
      person.faults.push('lost');
      return person.submit([on('a')]);
    },
    for: doubt + lag,
    on: [],
    says: ['on a: not-saved'],
  },
  {
    name: 'a grant that arrives late is told as saved once it is seen',
    does: (person) => {
      person.faults.push({ late: 45_000 });
      return person.submit([on('a')]);
    },
    for: 3 * minute,
    on: ['a'],
    says: ['on a: saved'],
  },
  {
    name: 'a withdrawal goes on where its answer was lost',
    records: [['a', 'active']],
    does: (person) => {
      person.faults.push('lost');
      return person.submit([off('a')]);
    },
    on: [],
    says: ['off a: saved'],
  },
  {
    name: 'a withdrawal waits for a platform that is away',
    records: [['a', 'active']],
    does: (person) => {
      person.isPlatformAway = true;
      return person.submit([off('a')]);
    },
    on: ['a'],
    says: ['off a: being-carried-out'],
  },
  {
    name: 'other words show the choices again, and take out what was taken out',
    records: [['a', 'active', ['t1']]],
    does: (person) => {
      const form = person.form();
      person.changeWords({ ...center, revision: '2' });
      return person.submit([adjust('a', { topicsOn: ['t2'], topicsOff: ['t1'] })], { form });
    },
    on: ['a'],
    says: ['add a: reworded', 'reduce a: saved'],
  },
];

describe('what is asked, and what becomes of it', () => {
  for (const { name, records = [], center: change, does, for: until = 0, ...expected } of cases) {
    test(name, () => {
      const person = new Person(
        [{ ...center, ...change }],
        records.map((each) => record(...each)),
      );
      const submission = does(person);
      person.settle(until);
      assert.deepEqual([...person.says(submission)].sort(), [...expected.says].sort());
      assert.deepEqual([...person.on()].sort(), [...expected.on].sort());
      if (expected.wire !== undefined) assert.deepEqual(person.wire, expected.wire);
    });
  }
});
