import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lifeEnd } from '../../../src/core/consent/life-end.ts';
import { aCenter, aPurpose, record, topics } from '../center-builder.ts';
import { adjust, off, on } from '../changes.ts';
import { Person } from './desired-person.ts';

const lag = 10_000;
const minute = 60_000;
const day = 24 * 60 * minute;
const center = aCenter([aPurpose('a', { topics: topics('t', 'u') }), aPurpose('b')]);
const other = aCenter([aPurpose('a')], { id: 'other' });
const chosen = { ...record('a', 'active'), topics: ['t'] };
const renew = (more: Parameters<typeof adjust>[1] = {}) => adjust('a', { renews: true, ...more });

describe('A consent that is renewed', () => {
  test('is sent once more as it was agreed to, and nothing is undone by undoing that', () => {
    const person = new Person([center], [chosen, record('b', 'active')]);
    const submission = person.submit([renew()], { for: lag });
    assert.deepEqual(person.wire.slice(0, 2), ['GET', 'PUT a[t] b']);
    assert.deepEqual(person.says(submission), ['adjust a: saved']);
    assert.equal(person.undo(submission), undefined);
    person.settle(20 * minute);
    assert.equal(person.wire.filter((call) => call.startsWith('PUT')).length, 1);
  });

  test('goes with what is chosen and taken out beside it', () => {
    const person = new Person([center], 'a[t]');
    person.submit([renew({ topicsOn: ['u'], topicsOff: ['t'] })]);
    assert.deepEqual(person.settle(lag).on(), ['a[u]']);
    person.submit([renew({ topicsOff: ['u'] })]);
    assert.deepEqual(person.settle(lag).on(), ['a']);
  });

  test('stays off where it was withdrawn elsewhere since, here too, or has run out', () => {
    for (const status of ['off', 'expired'] as const) {
      const person = new Person([center], 'a[t]');
      const form = person.form();
      person.change([record('a', status)]);
      const submission = person.submit([renew()], { for: 2 * minute, form });
      assert.ok(!person.wire.some((call) => call.startsWith('PUT')), status);
      assert.match(person.says(submission).join(), /^adjust a: (not-saved|withdrawn-elsewhere)$/);
    }
    const person = new Person([center], 'a[t]');
    const form = person.form();
    person.submit([off('a')], { for: lag });
    assert.deepEqual(person.says(person.submit([renew()], { form })), ['adjust a: withdrawn-elsewhere']);
    assert.deepEqual(person.settle(2 * minute).on(), []);
  });

  test('is not said to be saved where its answer is lost, or refused, and stays on', () => {
    for (const fault of ['landed-and-lost', 'lost', { refuses: ['a'] }] as const) {
      const person = new Person([center], 'a[t]');
      person.faults.push(fault);
      const submission = person.submit([renew()], { for: 20 * minute });
      assert.deepEqual(person.says(submission), ['adjust a: unconfirmed'], String(fault));
      assert.deepEqual(person.on(), ['a[t]']);
    }
    const person = new Person([center], 'a[t]');
    person.faults.push('refused');
    const submission = person.submit([renew()], { for: 20 * minute });
    assert.deepEqual(person.says(submission), ['adjust a: not-saved']);
    assert.deepEqual(person.on(), ['a[t]']);
  });

  test('is never sent after its minute, and what was on stays on while another call is in doubt', () => {
    const person = new Person([center], 'a[t]');
    person.faults.push({ late: 5 * minute });
    person.submit([on('b')], { for: lag });
    person.isPlatformAway = true;
    const submission = person.submit([renew()], { for: 2 * minute });
    person.isPlatformAway = false;
    person.settle(20 * minute);
    assert.deepEqual(person.says(submission), ['adjust a: not-saved']);
    assert.deepEqual(person.on(), ['a[t]', 'b']);
  });

  test('is withdrawn again where it was left elsewhere and its call lands late', () => {
    const person = new Person([center], 'a[t]');
    person.faults.push({ late: 5 * minute });
    person.submit([renew()], { for: lag / 2 });
    person.change('a:off');
    person.settle(20 * minute);
    assert.deepEqual(person.on(), []);
  });

  test('does not come back by a call for something else that lands after it was left elsewhere', () => {
    const person = new Person([center], 'a[t]');
    person.faults.push({ late: 5 * minute });
    person.submit([on('b')]);
    const form = person.form();
    person.settle(lag);
    person.change('a:off');
    person.submit([renew()], { for: 20 * minute, form });
    assert.deepEqual(person.on(), ['b']);
  });

  test('is ended by leaving it in another center of the same consent', () => {
    const person = new Person([center, other], 'a[t]', { isShared: true });
    person.submit([renew()]);
    person.submit([off('a')], { for: 20 * minute, center: 'other' });
    assert.deepEqual(person.on(), []);
  });

  test('asks for nothing in a center that keeps consents of its own: a withdrawal undone by a late call is repeated', () => {
    const person = new Person([center, other], 'a[t]');
    person.faults.push({ late: 40_000 });
    person.submit([on('b')], { for: 500 });
    person.submit([off('a')], { for: 2_000 });
    person.submit([renew()], { for: 60 * minute, center: 'other' });
    assert.deepEqual([person.on(), person.on('other')], [['b'], ['a[t]']]);
  });

  test('does not replace a withdrawal that came after its form, nor count as asked for since', () => {
    const person = new Person([center, other], 'a[t]');
    person.submit([off('a')], { for: 500 });
    const form = person.form('other');
    person.submit([off('a')], { center: 'other', form });
    person.submit([on('a')]);
    person.submit([renew()], { for: 60 * minute, center: 'other', form });
    assert.deepEqual(person.on('other'), []);

    const separate = new Person([center, other], 'a[t]');
    const older = separate.form();
    separate.submit([off('a')]);
    separate.settle(lag);
    separate.submit([renew()], { center: 'other' });
    separate.submit([on('a')], { form: older });
    separate.settle(60 * minute);
    assert.deepEqual([separate.on(), separate.on('other')], [[], ['a[t]']]);
  });
});

test('An end is shown while it lies ahead, and its renewal offered in the last week.', () => {
  const now = 1_000 * day;
  assert.equal(lifeEnd(now, now), undefined);
  assert.deepEqual(lifeEnd(now + 1, now), { at: now + 1, isSoon: true });
  assert.equal(lifeEnd(now + 7 * day, now)?.isSoon, true);
  assert.equal(lifeEnd(now + 7 * day + 1, now)?.isSoon, false);
});
