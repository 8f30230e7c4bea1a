import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DesiredCenter } from '../../../src/core/consent/desired-state.ts';
import { newsBetween, type Told } from '../../../src/core/consent/told.ts';
import type { Subject } from '../../../src/core/model/person/subject.ts';
import { aCenter, aPreference, aPurpose, record, topics } from '../center-builder.ts';
import { adjust, off, on, option, reduce } from '../changes.ts';
import { anna, Person, type Submitted } from './desired-person.ts';

const second = 1_000;
const lag = 10 * second;
const minute = 60 * second;
const doubt = 10 * minute + lag;

const center = aCenter([
  aPurpose('a', { topics: topics('t1', 't2') }),
  aPurpose('b'),
  aPurpose('c'),
  aPurpose('q', { preferences: [aPreference('pick', ['x', 'y'], { required: true })] }),
]);
const other = aCenter([aPurpose('a'), aPurpose('b')], { id: 'other' });
const oneClick = { isOneClick: true, isBounded: true, form: undefined };
const everything = { everything: 'withdraw' } as const;
const nothing: Subject = { id: anna, language: undefined, dataElements: {}, purposes: [] };

describe('readings that are wrong once', () => {
  for (const wrong of [0, 1, 2]) {
    test(`reading ${wrong + 1} shows nothing, and nobody loses what they did not touch (P11)`, () => {
      const person = new Person([center], 'a b c');
      const form = person.form();
      person.change('b:off');
      person.readings.push(...[undefined, undefined, undefined].slice(0, wrong), nothing);
      const submission = person.submit([off('a')], { for: 2 * lag, form });
      assert.deepEqual(person.on(), ['c']);
      assert.deepEqual(person.says(submission), ['off a: saved', 'keep b: withdrawn-elsewhere']);
    });
  }

  test('the reading before a save that is older than the save before it is not merged', () => {
    const person = new Person([center], 'a');
    const before = person.record();
    person.submit([on('b')], { for: 0 });
    person.readings.push(before, before);
    person.submit([on('c')], { for: 2 * lag });
    assert.deepEqual(person.on(), ['a', 'b', 'c']);
  });

  test('a read-back that shows nothing is not believed', () => {
    const person = new Person([center], 'a b');
    const submission = person.submit([off('a')]);
    person.readings.push(person.record(), nothing, nothing, nothing);
    person.settle(2 * minute);
    assert.deepEqual(person.says(submission), ['off a: saved']);
    assert.deepEqual(person.on(), ['b']);
  });

  test('a reading that shows nothing of somebody whose purposes a DELETE withdrew is not believed', () => {
    const person = new Person([center], 'a');
    person.readings.push(nothing, nothing);
    person.submit(everything, { ...oneClick, for: 0 });
    assert.ok(person.rows.includes('nothing-of-somebody-known'), person.rows.join());
  });

  test('no set is sent that was made from an empty reading of somebody who is known', () => {
    const person = new Person([center], 'a b');
    const submission = person.submit([off('a')]);
    person.readings.push(nothing, nothing, nothing, nothing);
    person.settle();
    assert.deepEqual(person.wire, ['GET', 'GET']);
    assert.deepEqual(person.says(submission), ['off a: being-carried-out']);
    person.settle(5 * minute);
    assert.deepEqual(person.on(), ['b']);
  });
});

describe('withdrawals elsewhere', () => {
  for (const wait of [0, minute, 20 * 60 * minute])
    test(`two tabs, the first is verified, withdrawn elsewhere: after ${wait} ms the second grants nothing (P12)`, () => {
      const person = new Person([center], 'a:off');
      const form = person.form();
      person.submit([on('a')], { for: 0, form });
      person.change('a:off');
      person.settle(wait);
      const second = person.submit([on('a')], { for: 2 * lag, form });
      assert.deepEqual(person.on(), []);
      assert.deepEqual(person.says(second), ['on a: withdrawn-elsewhere']);
    });

  test('granted elsewhere two minutes after a withdrawal here is kept by every save (P13)', () => {
    const person = new Person([center], 'a');
    person.submit([off('a')], { for: 2 * minute });
    person.change('a');
    const save = person.submit([on('b')], { for: 2 * lag });
    assert.deepEqual(person.on(), ['a', 'b']);
    assert.deepEqual(person.says(save), ['on b: saved']);
  });

  for (const answer of ['lost', 'landed-and-lost'] as const)
    test(`granted elsewhere after everything, and carried by a save whose answer is ${answer}: it stays`, () => {
      const person = new Person([center], 'a');
      person.submit(everything, { ...oneClick, for: 2 * minute });
      person.change('a');
      person.faults.push(answer);
      person.submit([on('b')], { for: doubt + 2 * lag });
      assert.deepEqual(person.on(), answer === 'lost' ? ['a'] : ['a', 'b']);
    });

  test('leaving everything in one center leaves alone what another one keeps for itself (P13)', () => {
    const person = new Person([center, other], 'a b');
    person.submit(everything, { ...oneClick, for: 0 });
    const save = person.submit([off('b')], { for: 2 * lag, center: 'other' });
    assert.deepEqual(person.on('other'), ['a']);
    assert.deepEqual(person.on(), []);
    assert.deepEqual(person.says(save), ['off b: saved']);
  });

  for (const [what, intent, how] of [
    ['a withdrawal', [off('a')], {}],
    ['everything', everything, oneClick],
  ] as const)
    for (const place of ['center', 'other'])
      test(`${what} whose answer was lost is not brought back by an older reading in ${place}`, () => {
        const person = new Person([center, other], 'a', { isShared: true });
        const before = person.record();
        person.isPlatformAway = true;
        person.submit(intent, { ...how, for: 30 * second });
        person.isPlatformAway = false;
        person.faults.push('landed-and-lost');
        while (person.on().length > 0) person.settle(second);
        person.settle(2 * second);
        person.readings.push(before, before, before);
        person.submit([on('b')], { for: doubt + 2 * lag, center: place });
        assert.ok(!person.on().includes('a'), person.wire.join(', '));
      });

  test('a choice withdrawn in one center ends its grant on the way in another one', () => {
    const choices = aPurpose('a', { topics: topics('t1', 't2') });
    const centers = [aCenter([choices]), aCenter([choices], { id: 'other' })];
    const person = new Person(centers, 'a[t1]', { isShared: true });
    person.isPlatformAway = true;
    const grant = person.submit([adjust('a', { topicsOn: ['t2'] })], { for: 0 });
    person.submit([reduce('a', { topicsOff: ['t2'] })], { center: 'other' });
    person.isPlatformAway = false;
    person.settle(minute);
    assert.deepEqual(person.on(), ['a[t1]']);
    assert.deepEqual(person.says(grant), ['adjust a: withdrawn-elsewhere']);
  });

  test('what a call in doubt carries, and others withdrew, is withdrawn again when the call lands', () => {
    const person = new Person([center], 'b');
    person.faults.push({ late: 5 * minute });
    const submission = person.submit([on('a')], { for: 0 });
    person.change('b:off');
    person.settle(doubt + lag);
    assert.deepEqual(person.on(), ['a']);
    assert.ok(person.says(submission).includes('keep b: withdrawn-elsewhere'));
  });
});

describe('calls in doubt', () => {
  test("a withdrawal's call that lands late takes out a later grant, which is told (P14)", () => {
    const person = new Person([center], 'a');
    person.faults.push({ late: 45 * second });
    person.submit([off('a')], { for: 0 });
    const grant = person.submit([on('b')], { for: 5 * second });
    assert.deepEqual(person.says(grant), ['on b: saved']);
    person.settle(doubt + lag);
    assert.deepEqual(person.says(grant), ['on b: switched-off']);
    assert.deepEqual(person.on(), []);
    assert.deepEqual(person.news(grant), ['consent.not-saved on b switched-off']);
  });

  for (const [what, known, told] of [
    ['not saved, not withdrawn elsewhere', '', 'not-saved'],
    ['switched off where it waited for its confirmation', 'b:pending', 'switched-off'],
  ] as const)
    test(`a grant that the next call of its own submission takes out is told as ${what}`, () => {
      const person = new Person([center], `a ${known}`);
      person.faults.push('landed-and-lost');
      person.readings.push(person.record(), person.record());
      const submission = person.submit([on('b'), off('a')], { for: doubt + 2 * lag });
      assert.deepEqual(person.on(), []);
      assert.deepEqual(person.says(submission), [`on b: ${told}`, 'off a: saved']);
    });

  test('a withdrawal that was accepted and ignored, and replaced by a grant, is replaced (P15)', () => {
    const person = new Person([center], 'a b');
    person.faults.push('ignored');
    const withdrawal = person.submit([off('a')], { for: second });
    const grant = person.submit([on('a')], { for: 2 * lag });
    assert.deepEqual(person.says(withdrawal), ['off a: replaced']);
    assert.deepEqual(person.says(grant), ['on a: unchanged']);
    assert.deepEqual(person.news(withdrawal), []);
    assert.deepEqual(person.news(grant), ['consent.verified on a unchanged']);
  });

  test('a grant whose answer was lost and which is withdrawn meanwhile is withdrawn again when it lands', () => {
    const person = new Person([center], 'b');
    person.faults.push({ late: 3 * minute });
    const grant = person.submit([on('a')], { for: 30 * second });
    assert.deepEqual(person.says(grant), ['on a: in-doubt']);
    const withdrawal = person.submit([off('a')], { for: 2 * minute });
    assert.deepEqual(person.says(grant), ['on a: replaced']);
    assert.deepEqual(person.says(withdrawal), ['off a: unchanged']);
    assert.equal(person.told(withdrawal).aftermath, 'watched');
    person.settle(doubt + lag);
    assert.deepEqual(person.on(), ['b']);
    assert.deepEqual(person.says(withdrawal), ['off a: saved']);
    assert.equal(person.told(withdrawal).aftermath, 'repeated');
    const story = ['answer-lost', 'in-doubt', 'said-otherwise', 'perhaps-older', 'off-already', 'came-back'];
    const rows = person.rows.filter(
      (row, index) => story.includes(row) && person.rows.indexOf(row) === index,
    );
    assert.deepEqual(rows, ['in-doubt', 'said-otherwise', 'off-already', 'came-back']);
  });

  test('choices that a late call brought while the platform was away are taken out by the last look', () => {
    const person = new Person([center], '');
    person.faults.push({ late: 5 * minute });
    person.submit([on('a', { topics: ['t1', 't2'] })], { for: lag });
    person.submit(everything, { ...oneClick, for: lag });
    const again = person.submit([on('a', { topics: ['t1'] })]);
    person.isPlatformAway = true;
    person.settle(doubt);
    person.isPlatformAway = false;
    person.settle(doubt);
    assert.deepEqual(person.on(), ['a[t1]']);
    assert.ok(person.says(again).includes('on a: unchanged'), String(person.says(again)));
  });

  test('choices that a late call brings under what was switched on without them are taken out again', () => {
    const person = new Person([center], 'b');
    person.faults.push({ late: minute });
    person.submit([on('a', { topics: ['t1'] })], { for: 0 });
    person.submit([off('a')], { for: 0 });
    person.change('a[t1]');
    person.settle(doubt + lag);
    assert.deepEqual(person.on(), ['b']);
  });
});

describe('a call that lands late', () => {
  const swap = adjust('a', { topicsOn: ['t2'], topicsOff: ['t1'] });
  for (const [what, start, said, end] of [
    [
      'does not bring back a topic without which its purpose was switched on again',
      ['t1', 't2'],
      [off('a'), on('a', { topics: ['t2'] })],
      'a[t2]',
    ],
    ['does not bring back a topic that was exchanged for another', ['t1'], [swap], 'a'],
    [
      'leaves a topic that was asked for again since',
      ['t1'],
      [off('a'), on('a', { topics: ['t1'] })],
      'a[t1]',
    ],
  ] as const)
    test(what, () => {
      const person = new Person([center], [record('a', 'active', start)]);
      person.faults.push({ late: 5 * minute });
      person.submit([on('b')], { for: lag });
      const submissions = said.map((change) => {
        const submission = person.submit([change], { for: lag });
        return submission;
      });
      person.settle(doubt + 2 * lag);
      assert.deepEqual(person.on(), [end, 'b']);
      for (const each of submissions) assert.match(String(person.says(each)), /: saved$/);
    });

  test('is no reason to take out a topic that it does not carry, and that others have chosen', () => {
    const person = new Person([center], 'a');
    person.faults.push({ late: minute });
    person.submit([on('b')], { for: lag });
    person.submit([adjust('a', { topicsOn: ['t1'] })], { for: lag });
    person.submit([reduce('a', { topicsOff: ['t1'] })], { for: minute });
    person.change('a[t1]');
    person.settle(doubt);
    assert.ok(person.on().includes('a[t1]'));
  });
});

test('an older reading carries no topic along without which its purpose was switched on again', () => {
  const person = new Person([center], 'a[t1]');
  const before = person.record();
  for (const change of [off('a'), on('a')]) {
    person.submit([change], { for: 5 * second });
  }
  person.readings.push(before, before);
  person.submit([on('b')], { for: minute });
  assert.deepEqual(person.on(), ['a', 'b']);
  assert.ok(!person.wire.slice(4).some((call) => call.includes('t1')), person.wire.join());
});

describe('undo', () => {
  for (const [what, faults, end, told] of [
    ['swapped choices come back as one', [], 'q[pick.x]', 'saved'],
    ['a required choice is not left empty where that fails', ['refused'], 'q[pick.y]', 'not-saved'],
  ] as const)
    test(`${what} (P16)`, () => {
      const person = new Person([center], 'q[pick.x]');
      const swap = { optionsOn: [option('pick', 'y')], optionsOff: [option('pick', 'x')] };
      const submission = person.submit([adjust('q', swap)], { for: 0 });
      assert.deepEqual(person.on(), ['q[pick.y]']);
      const intent = person.undo(submission);
      assert.ok(intent !== undefined);
      person.faults.push(...faults);
      const undo = person.submit(intent, { for: 0, undoes: 'earlier' });
      assert.deepEqual(person.on(), [end]);
      assert.deepEqual(person.says(undo), [`adjust q: ${told}`]);
    });

  for (const [by, optionsOff] of [
    ['that one was swapped for it', ['y']],
    ['an older form showed neither', []],
  ] as const) {
    test(`a single choice does not take the place of another that was made since (${by})`, () => {
      const pace = aPreference('pace', ['x', 'y', 'z'], { choice: 'single', required: true });
      const person = new Person([aCenter([aPurpose('s', { preferences: [pace] })])], 's[pace.x]');
      const choose = (option: string, off: readonly string[]) =>
        person.submit([
          adjust('s', {
            optionsOn: [{ preference: 'pace', option }],
            optionsOff: off.map((each) => ({ preference: 'pace', option: each })),
          }),
        ]);
      const first = choose('y', []);
      person.settle(lag);
      choose('z', optionsOff);
      person.settle(lag);
      assert.deepEqual(person.on(), ['s[pace.z]']);
      assert.equal(person.undo(first), undefined);
    });
  }

  test('everything is undone as far as it was not withdrawn again since', () => {
    const person = new Person([center], 'a b');
    const all = person.submit(everything);
    const undone = () => person.undo(all)?.purposes.map(({ kind, purpose }) => `${kind} ${purpose}`);
    person.settle(2 * lag);
    assert.deepEqual(undone(), ['on a', 'on b']);
    person.submit([off('b')], { ...oneClick, for: 2 * lag });
    assert.deepEqual(undone(), ['on a']);
    person.submit(everything, { for: 2 * lag });
    assert.equal(undone(), undefined);
  });

  test('a withdrawal is undone without the choices that were taken out since', () => {
    const person = new Person([center], 'a[t1 t2]');
    const withdrawal = person.submit([off('a')], { for: 2 * lag });
    person.submit([reduce('a', { topicsOff: ['t1'] })], { for: 2 * lag });
    assert.deepEqual(person.undo(withdrawal)?.purposes, [on('a', { topics: ['t2'] })]);
  });

  test('what was said since, here or in another center, is not undone', () => {
    const person = new Person([center, other], 'a b', { isShared: true });
    const submission = person.submit([off('a'), off('b')], { for: lag });
    person.submit([on('a')]);
    person.submit([off('b')], { for: 2 * lag, center: 'other', ...oneClick });
    assert.equal(person.undo(submission), undefined);
  });
});

describe('a grant whose minute ends while the platform is away', () => {
  test('is not told as failed when an earlier call may have made it', () => {
    const person = new Person([center], '');
    const form = person.form();
    person.faults.push('last');
    person.submit([on('a')], { for: 0, form });
    const again = person.submit([on('a'), on('b')], { for: 2 * minute, form });
    assert.deepEqual(person.says(again), ['on a: in-doubt', 'on b: not-saved']);
    person.isPlatformAway = false;
    person.settle(minute);
    assert.deepEqual(person.on(), ['a']);
    assert.deepEqual(person.says(again), ['on a: unchanged', 'on b: not-saved']);
  });
});

describe('a withdrawal that was replaced by a grant', () => {
  test('takes out what was chosen before, and the grant does not choose', () => {
    const preferences = [{ id: 'pick', options: ['x', 'y'] }];
    const person = new Person([center], [{ ...record('q', 'active'), preferences }]);
    person.isPlatformAway = true;
    person.submit([off('q')], { for: 0 });
    person.isPlatformAway = false;
    const form = { ...person.form(), drawn: undefined };
    const grant = person.submit([on('q', { options: [{ preference: 'pick', option: 'x' }] })], {
      for: doubt,
      form,
    });
    assert.deepEqual(person.on(), ['q[pick.x]']);
    assert.deepEqual(person.says(grant), ['on q: unchanged']);
  });

  test('lets no older form bring back a choice that was withdrawn with its purpose', () => {
    const person = new Person([center], 'a');
    const form = person.form();
    person.submit([off('a')], { for: 0 });
    person.submit([on('a', { topics: ['t1'] })], { for: minute });
    const stale = person.submit([on('a', { topics: ['t1', 't2'] })], { for: minute, form });
    assert.deepEqual(person.on(), ['a[t1]']);
    assert.deepEqual(person.says(stale), ['on a: unconfirmed']);
  });

  test('lets no older form bring back a choice, and its other choices are not told as not changed', () => {
    const person = new Person([center], 'a');
    const form = person.form();
    person.submit([adjust('a', { topicsOn: ['t2'] })], { for: 0 });
    person.submit([reduce('a', { topicsOff: ['t2'] })], { for: minute });
    const stale = person.submit([adjust('a', { topicsOn: ['t1', 't2'] })], { for: minute, form });
    assert.deepEqual(person.on(), ['a[t1]']);
    assert.deepEqual(person.says(stale), ['adjust a: unconfirmed']);
  });

  test('is replaced by a grant that finds it on still, beside another that is never taken', () => {
    const person = new Person([center], 'a[t1]');
    person.faults.push(...Array.from({ length: 5 }, () => 'nothing-done' as const));
    person.submit([reduce('a', { topicsOff: ['t1'] })], { for: 0 });
    const both = person.submit([adjust('a', { topicsOn: ['t1', 't2'] })], { for: 3 * minute });
    assert.deepEqual(person.on(), ['a[t1]']);
    assert.deepEqual(person.says(both), ['adjust a: unconfirmed']);
  });

  for (const seconds of [2, 12, 40])
    test(`reads a purpose as off whose grant is under way, ${seconds} s after choices were taken back`, () => {
      const person = new Person([center], 'a:off');
      person.isPlatformAway = true;
      const grant = person.submit([on('a', { topics: ['t1'] })], { for: 0 });
      const change = person.submit([adjust('a', { topicsOn: ['t2'], topicsOff: ['t1'] })], {
        for: seconds * second,
      });
      person.isPlatformAway = false;
      person.settle(minute);
      assert.deepEqual(person.on(), ['a[t2]']);
      assert.deepEqual(person.says(grant), ['on a: saved']);
      assert.deepEqual(person.says(change), ['adjust a: saved']);
    });

  test('goes on for a choice, though an earlier grant of it is still in doubt', () => {
    const person = new Person([center], '');
    person.faults.push({ late: 1 });
    person.submit([on('a', { topics: ['t1', 't2'] })], { for: 0 });
    person.isPlatformAway = true;
    person.submit([reduce('a', { topicsOff: ['t2'] })]);
    person.submit([on('a', { topics: ['t1'] })]);
    person.isPlatformAway = false;
    person.settle(doubt);
    assert.deepEqual(person.on(), ['a[t1]']);
  });

  test('is not undone by a late choice, where the purpose was on all the time', () => {
    const person = new Person([center], 'a[t2]');
    person.faults.push({ late: 5 * minute });
    person.submit([adjust('a', { topicsOn: ['t1'] })], { for: 0 });
    person.isPlatformAway = true;
    person.submit([off('a')]);
    person.submit([on('a', { topics: ['t2'] })], { form: { ...person.form(), order: person.desired.order } });
    person.isPlatformAway = false;
    person.settle(doubt);
    assert.deepEqual(person.on(), ['a[t2]']);
  });

  test('is not undone by the choices of an earlier grant that comes late', () => {
    const person = new Person([center], '');
    person.faults.push({ late: 5 * minute });
    person.submit([on('a', { topics: ['t1', 't2'] })], { for: 0 });
    person.submit([off('a')], { for: minute });
    person.submit([on('a')], { for: doubt, form: { ...person.form(), order: person.desired.order } });
    assert.deepEqual(person.on(), ['a']);
  });

  const withDefault = aCenter([aPurpose('a'), aPurpose('d', { onByDefault: true })]);
  const other = aCenter([aPurpose('a')], { id: 'other' });
  const now = (person: Person) => ({ form: { ...person.form(), order: person.desired.order } });
  const cases: Readonly<Record<string, (person: Person) => Submitted>> = {
    'while the platform is away': (person) => {
      person.isPlatformAway = true;
      person.submit([off('a'), off('d')], { for: 0 });
      return person.submit([on('a'), on('d')], now(person));
    },
    'after a call that the platform did not take': (person) => {
      person.faults.push('nothing-done');
      person.submit([off('a'), off('d')], { for: 0 });
      person.isPlatformAway = true;
      return person.submit([on('a'), on('d')], now(person));
    },
    twice: (person) => {
      person.isPlatformAway = true;
      person.submit([off('a'), off('d')]);
      person.submit([on('a'), on('d')], now(person));
      return person.submit([on('a'), on('d')], now(person));
    },
    'of everything': (person) => {
      person.isPlatformAway = true;
      person.faults.push('nothing-done');
      person.submit(everything);
      return person.submit([on('a'), on('d')], now(person));
    },
    'that a withdrawal in another center ends': (person) => {
      person.isPlatformAway = true;
      person.submit([off('a'), off('d')]);
      const granted = person.submit([on('a'), on('d')], now(person));
      person.submit([off('a')], { center: 'other' });
      return granted;
    },
  };
  for (const [name, replace] of Object.entries(cases)) {
    test(`${name} goes on where the grant fails`, () => {
      const person = new Person([withDefault, other], 'a');
      const granted = replace(person);
      person.settle(2 * minute);
      const failed = name.startsWith('that a') ? 'withdrawn-elsewhere' : 'not-saved';
      assert.deepEqual(person.says(granted).toSorted(), [`on a: ${failed}`, 'on d: not-saved']);
      person.isPlatformAway = false;
      person.settle(minute);
      const status = (id: string) => person.record().purposes.find(({ purpose }) => purpose === id)?.status;
      assert.deepEqual([status('a'), status('d')], ['off', 'off']);
      assert.deepEqual(person.says(granted).toSorted(), [`on a: ${failed}`, 'on d: not-saved']);
    });
  }

  test('goes on where the platform refuses the grant', () => {
    const person = new Person([withDefault], '');
    person.isPlatformAway = true;
    person.submit([off('d')]);
    const granted = person.submit([on('d')], now(person));
    person.isPlatformAway = false;
    person.faults.push('refused');
    person.settle(minute);
    assert.deepEqual(person.says(granted), ['on d: not-saved']);
    assert.equal(person.record().purposes.find(({ purpose }) => purpose === 'd')?.status, 'off');
  });

  test('goes on where the purpose still waits for its confirmation', () => {
    const person = new Person([withDefault], 'a:pending');
    person.faults.push('nothing-done', 'nothing-done');
    person.submit([off('a')]);
    const granted = person.submit([on('a')], { ...now(person), for: 2 * minute });
    assert.deepEqual(person.says(granted), ['on a: not-saved']);
    assert.deepEqual(person.wire, ['GET', 'PUT a', 'GET', 'PUT a', 'GET', 'PUT', 'GET']);
  });

  describe('a withdrawal after an objection', () => {
    const withDefault = aCenter([aPurpose('a'), aPurpose('d', { onByDefault: true })]);
    const ways: Readonly<Record<string, (person: Person) => Submitted>> = {
      'by one click': (person) => person.submit([off('d')], oneClick),
      'by one click for everything': (person) => person.submit(everything, oneClick),
      'by a form': (person) => person.submit([off('d')]),
      'by a form for everything': (person) => person.submit(everything),
    };
    for (const [name, withdraw] of Object.entries(ways))
      test(`${name} takes out what was agreed to before it, which the objection leaves on`, () => {
        const person = new Person([withDefault], 'a');
        person.isPlatformAway = true;
        const objection = person.submit([off('d')], { for: 0, isObjection: true, form: undefined });
        person.change('d');
        const withdrawal = withdraw(person);
        person.isPlatformAway = false;
        person.settle(minute);
        assert.ok(!person.on().includes('d'));
        assert.deepEqual(person.says(objection), ['off d: replaced']);
        assert.ok(person.says(withdrawal).includes('off d: saved'));
      });
  });
});

test('everything names what was on, and nothing that was off before it', () => {
  const person = new Person([center], 'a b');
  person.submit([off('a')], { for: 2 * lag });
  const all = person.submit(everything, { for: 2 * lag });
  assert.deepEqual(person.says(all), ['off b: saved', 'everything: saved']);
});

test('what a form showed is kept until its words are settled', () => {
  const person = new Person([center], 'a b');
  person.submit([off('a')]);
  const displayed = () =>
    person.desired.centers.flatMap(({ asked }) => asked.map(({ form }) => form?.drawn?.length));
  assert.deepEqual(displayed(), [2]);
  person.settle(2 * lag);
  person.submit([off('b')]);
  assert.deepEqual(displayed(), [undefined, 2]);
});

describe('said again', () => {
  test('by a click while everything is on its way, a withdrawal is told as done by it', () => {
    const person = new Person([center], 'a b');
    const all = person.submit(everything, { for: 0 });
    person.change('a b');
    const [own] = person.desired.centers;
    const items = own?.items.map((item) => ({ ...item, phase: 'sent' as const, seen: undefined })) ?? [];
    all.lines.splice(0, all.lines.length, ...all.lines.filter(({ key }) => key === 'everything'));
    person.desired = { ...person.desired, centers: [{ ...(own as DesiredCenter), items }] };
    const before = person.told(all);
    person.now += 2 * lag;
    person.submit([off('a')], oneClick);
    person.change('a:off b:off');
    person.settle(minute);
    assert.deepEqual(person.says(all).toSorted(), ['everything: saved', 'off a: saved', 'off b: saved']);
    assert.ok(newsBetween(before, person.told(all)).every(({ isUsable }) => isUsable !== true));
  });

  test('a grant in another center waits until everything is read back, and stays on', () => {
    const person = new Person([center, other], 'b', { isShared: true });
    person.faults.push('last');
    person.submit(everything, { for: 0, center: 'other', ...oneClick });
    person.isPlatformAway = false;
    const grant = person.submit([on('a')], { for: minute, form: person.form() });
    assert.deepEqual(person.on(), ['a']);
    assert.deepEqual(person.says(grant), ['on a: saved']);
  });

  test('what only another center offers is not held up by everything', () => {
    const only = aCenter([aPurpose('z')], { id: 'other' });
    const person = new Person([center, only], '', { isShared: true });
    const form = person.form('other');
    person.submit(everything, oneClick);
    const submission = person.submit([on('z')], { for: 2 * lag, center: 'other', form });
    assert.deepEqual(person.says(submission), ['on z: saved']);
  });
});

test('a withdrawal that is told no more, since it was off already, leaves the last word as it was', () => {
  const item = { what: 'purpose', id: 'a', change: 'off', receipt: undefined } as const;
  const before: Told = {
    ...{ state: 'pending', everything: 'being-carried-out', agreed: [], aftermath: undefined },
    items: [{ ...item, outcome: 'being-carried-out' }],
  };
  const after: Told = { ...before, state: 'done', everything: 'saved', items: [] };
  assert.deepEqual(
    newsBetween(before, after).map(({ purpose, isUsable }) => [purpose, isUsable]),
    [[undefined, undefined]],
  );
});

for (const faults of [[], ['landed-and-lost']] as const)
  test(`what everything took out is not told by the save before it, ${faults[0] ?? 'answered'}`, () => {
    const person = new Person([center], 'a b');
    person.faults.push(...faults);
    const saved = person.submit([off('a')], { for: 0 });
    person.submit(everything, oneClick);
    // The platform has a record of each purpose after a DELETE.
    person.change('c:off q:off');
    person.settle(2 * doubt);
    assert.deepEqual(person.says(saved), ['off a: saved']);
  });

test('a click is no repetition of a grant that was not saved', () => {
  const person = new Person([center], 'a');
  person.isPlatformAway = true;
  person.submit([on('b')], { for: 2 * minute });
  person.isPlatformAway = false;
  const click = person.submit([off('b')], oneClick);
  assert.ok(!person.rows.includes('repeats r1'), person.rows.join());
  person.settle(2 * lag);
  assert.deepEqual(person.says(click), ['off b: unchanged']);
  person.submit([off('b')], oneClick);
  assert.ok(person.rows.includes('repeats r2'), person.rows.join());
});

test('everything left by one click is left again where a call of another center lands after it', () => {
  const person = new Person([center, other], 'a b', { isShared: true });
  person.faults.push({ late: 20 * second });
  person.submit([on('c')], { for: 500 });
  person.submit(everything, { for: 20 * minute, ...oneClick, center: 'other' });
  assert.deepEqual(person.on(), []);
});

test('a link that only withdraws adds no more submissions than it has purposes, whatever it names in turn', () => {
  const ids = [...'abcdef'];
  const only = aCenter(ids.map((id) => aPurpose(id)));
  const statuses = (id: string) => (id === 'f' ? 'always-active' : id === 'e' ? 'off' : 'active');
  const person = new Person(
    [only],
    ids.slice(1).map((id) => record(id, statuses(id))),
  );
  for (let subset = 1; subset < 2 ** ids.length; subset += 1) {
    const named = ids.filter((_, place) => (subset & (2 ** place)) !== 0);
    person.submit(named.map(off), { ...oneClick, for: 2 * lag });
  }
  const repeats = person.rows.filter((row) => row.startsWith('repeats')).length;
  assert.equal(person.submitted.length - repeats, ids.length);

  const chosen = new Person([center], 'a[t1 t2]');
  for (const topic of ['t1', 't2', 't1', 't2', 't2', 't1']) {
    chosen.submit([reduce('a', { topicsOff: [topic] })], { isBounded: true });
    chosen.settle(2 * lag);
  }
  assert.equal(chosen.rows.filter((row) => row.startsWith('repeats')).length, 4);
  assert.deepEqual(chosen.on(), ['a']);
});
