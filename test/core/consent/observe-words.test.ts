import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Asked, DesiredEverything } from '../../../src/core/consent/desired-state.ts';
import { comparedWith, type Observed } from '../../../src/core/consent/observe.ts';
import { recordsOf } from '../center-builder.ts';
import { answer, call, grant, lag, lost, now, readings, shows, typed, word } from './readings.ts';

describe('a reading that is empty', () => {
  const said = call(undefined, { answer: { ...answer, withdrawn: ['a'] } });
  readings([
    ['with one value less than before', 'nothing', '=e:1', { was: '=e:1 =f:1' }],
    ['with the values of before', 'believed', '=e:1', { was: '=e:1' }],
    ['with a value more', 'believed', '=e:1 =f:1', { was: '=e:1' }],
    [
      'of a known person, after a PUT',
      'a fault',
      '',
      { was: '', known: ['a'], calls: [call('')], after: lag },
    ],
    [
      'of a known person, after a DELETE that named its purposes, and a PUT',
      'a fault',
      '',
      { was: '', known: ['a'], calls: [said, call('', { order: 4 })], after: lag },
    ],
    [
      'of a known person, after a DELETE in doubt',
      'believed',
      '',
      { was: '', known: ['a'], calls: [{ ...call(undefined), answer: undefined }] },
    ],
  ]);
});

describe('a reading beside the one before it', () => {
  readings([
    ['that shows again what that one lacked', 'a surprise', 'a b', { known: ['a', 'b'], was: 'b' }],
    ['that shows what an empty one lacked', 'believed', 'a b', { known: ['a', 'b'], was: '' }],
    ['that is as expected, alone', 'believed', 'a b', { known: ['a', 'b'] }],
  ]);

  test('is compared with the next one, unless it is believed or may be older', () => {
    const subject = shows('a');
    const again = (row: string): Observed => ({ kind: 'again', row, afterMs: 1 });
    assert.equal(comparedWith({ kind: 'believed', reading: { subject, at: now } }, subject), undefined);
    assert.equal(comparedWith(again('perhaps-older'), subject), undefined);
    assert.equal(comparedWith(again('surprise'), subject), subject);
    assert.equal(comparedWith({ kind: 'unusable', row: 'nothing-of-somebody-known' }, subject), subject);
  });
});

describe('a purpose that a person withdraws', () => {
  readings([
    ['and is missing', 'a surprise', 'a', { items: [word('b')] }],
    ['and is missing twice', 'believed', 'a', { items: [word('b')], was: 'a' }],
    ['and is missing, but on by default', 'believed', 'a', { items: [word('d')] }],
    ['and is there', 'believed', 'a b', { items: [word('b')] }],
    ['and is missing once it was called for', 'believed', 'a', { items: [word('b', { call: 3 })] }],
    ['and is missing once it is over', 'believed', 'a', { items: [word('b', { phase: 'over' })] }],
    ['beside what is granted and missing', 'believed', 'a', { items: [grant('b')] }],
    ['of a purpose that is missing', 'a surprise', 'a', { items: [word('topic b t')] }],
    ['beside a value that is typed', 'believed', 'a', { items: [typed('e')] }],
  ]);
});

describe('a purpose that a form showed', () => {
  const shown = (text: string, more: object = {}): Asked => {
    const drawn = recordsOf(text).map(({ purpose, status }) => ({
      purpose,
      status,
      isOn: status === 'active',
    }));
    const form = { at: now, order: 0, revision: '1', drawn, ...more };
    return { reference: 'r', confirms: [], isObjection: false, isOneClick: false, form };
  };
  const { form: _, ...formless } = shown('a');
  const items = [word('a')];
  const untold = shown('', { drawn: [{ purpose: 'a', isOn: true }] });
  const filled = (...elements: readonly string[]) => [shown('', { drawn: undefined, filled: elements })];
  const values = [typed('e'), typed('f')];
  readings([
    ['otherwise', 'a surprise', 'a:pending', { items, asked: [shown('a')] }],
    ['otherwise, twice', 'believed', 'a:pending', { items, asked: [shown('a')], was: 'a:pending' }],
    [
      'otherwise, and otherwise again',
      'a surprise',
      'a:pending',
      { items, asked: [shown('a')], was: 'a:expired' },
    ],
    ['as it is', 'believed', 'a', { items, asked: [shown('a')] }],
    ['without its status', 'believed', 'a', { items, asked: [untold] }],
    ['of what is not there', 'believed', 'a', { items, asked: [shown('a b')] }],
    [
      'otherwise, for another word',
      'believed',
      'a:pending',
      { items, asked: [{ ...shown('a'), reference: 's' }] },
    ],
    [
      'otherwise, once a call was made',
      'believed',
      'a:pending',
      { items: [word('a', { call: 3 })], asked: [shown('a')] },
    ],
    ['without what is on', 'a surprise', 'a b', { items, asked: [shown('a')] }],
    ['without what is on, twice', 'believed', 'a b', { items, asked: [shown('a')], was: 'a b' }],
    ['without what is on, after another', 'a surprise', 'a b', { items, asked: [shown('a')], was: 'a c' }],
    ['without what waits', 'believed', 'a b:pending', { items, asked: [shown('a')] }],
    [
      'without what was granted',
      'believed',
      'a b',
      { items: [...items, grant('b', { phase: 'verified' })], asked: [shown('a')] },
    ],
    [
      'without what was withdrawn before',
      'a surprise',
      'a b',
      { items: [...items, word('b', { phase: 'over' })], asked: [shown('a')] },
    ],
    ['in no way', 'believed', 'a b', { items, asked: [shown('', { drawn: undefined })] }],
    ['in no form', 'believed', 'a b', { items, asked: [formless] }],
    ['filled, and is empty', 'a surprise', 'a', { items: values, asked: filled('f', 'e') }],
    ['filled, and is empty twice', 'believed', 'a', { items: values, asked: filled('f', 'e'), was: 'a' }],
    [
      'filled, and is empty otherwise',
      'a surprise',
      'a =f:2',
      { items: values, asked: filled('f', 'e'), was: 'a =e:2' },
    ],
    ['filled, and is filled', 'believed', 'a =e:2 =f:2', { items: values, asked: filled('f', 'e') }],
    ['empty, and is empty', 'believed', 'a', { items: values, asked: filled('g') }],
    ['in no field', 'believed', 'a', { items: values, asked: [shown('a')] }],
    ['in an unknown form', 'believed', 'a', { items: values }],
    ['empty, without a form', 'believed', 'a', { items: values, asked: [formless] }],
    ['filled, beside a withdrawal', 'believed', 'a', { items, asked: filled('e') }],
  ]);
});

describe('a word that the record already agrees with', () => {
  const long = { at: now + 10 - lag };
  const sent = { ...long, phase: 'sent', call: 4 } as const;
  const inDoubt = { calls: [lost(4)] };
  readings([
    ['as a grant', 'a surprise', 'b', { items: [grant('b')] }],
    ['as a grant, after another one', 'a surprise', 'a b', { items: [grant('b'), grant('a')], was: 'b' }],
    ['as a grant, twice', 'believed', 'b', { items: [grant('b')], was: 'b' }],
    ['as a renewal', 'believed', 'b', { items: [grant('b', { renews: true })] }],
    [
      'as a grant whose call is in doubt',
      'a surprise',
      'b',
      { items: [grant('b', sent)], calls: [lost(2), lost(4)] },
    ],
    [
      'as a grant that was answered',
      'believed',
      'b',
      { items: [grant('b', sent)], calls: [call('b', { order: 4 }), lost(2)] },
    ],
    ['as a grant that is done', 'believed', 'b', { items: [grant('b', { phase: 'verified' })] }],
    ['as a withdrawal of what is locked on', 'a surprise', 'b:always-active', { items: [word('b')] }],
    ['as a withdrawal, within the lag', 'believed', 'b:off', { items: [word('b', { at: long.at + 1 })] }],
    ['as a withdrawal, a lag later', 'a surprise', 'b:off', { items: [word('b', long)] }],
    ['as a withdrawal of what is locked off', 'a surprise', 'b:hard-opt-out', { items: [word('b', long)] }],
    ['as a withdrawal of what is gone', 'a surprise', 'a', { items: [word('b', sent)], ...inDoubt }],
    [
      'as a withdrawal that was seen before',
      'believed',
      'b:off',
      { items: [word('b', { ...long, seenAs: 'unchanged' })] },
    ],
    ['but waits', 'believed', 'b:pending', { items: [word('b', long)] }],
    ['but is on', 'believed', 'b', { items: [word('b', long)] }],
  ]);
});

describe('a verified word', () => {
  const done = { phase: 'verified' } as const;
  readings([
    ['as a grant, and is off', 'a surprise', 'a b:off', { items: [grant('b', done)] }],
    ['as a grant, and is off twice', 'believed', 'a b:off', { items: [grant('b', done)], was: 'a b:off' }],
    [
      'as grants, and is off after the other',
      'a surprise',
      'a b:off',
      { items: [grant('b', done), grant('a', done)], was: 'a:off b' },
    ],
    ['as a grant, and is always active', 'believed', 'b:always-active', { items: [grant('b', done)] }],
    ['as a grant, and waits', 'believed', 'b:pending', { items: [grant('b', done)] }],
    ['as a grant, and is assumed', 'believed', 'b:implicit', { items: [grant('b', done)] }],
    ['as a withdrawal, and is on', 'a surprise', 'b', { items: [word('b', done)] }],
    ['as a withdrawal, and is off', 'believed', 'b:off', { items: [word('b', done)] }],
    ['as a choice, and is off', 'believed', 'a', { items: [grant('topic a t', done)] }],
    ['as a withdrawn choice, and is on', 'believed', 'a[t]', { items: [word('topic a t', done)] }],
    ['as a value, and is another', 'a surprise', 'a =e:2', { items: [typed('e', done)] }],
    ['not yet as a value, which is another', 'believed', 'a =e:2', { items: [typed('e')] }],
    [
      'as a value that was sent, and is another',
      'a surprise',
      'a =e:2',
      { items: [typed('e', { phase: 'sent', call: 4 })] },
    ],
    [
      'as a value in doubt, and is another',
      'a surprise',
      'a =e:2',
      { items: [typed('e', { phase: 'in-doubt', call: 4 })] },
    ],
    [
      'as a value that is over, and is another',
      'believed',
      'a =e:2',
      { items: [typed('e', { phase: 'over' })] },
    ],
    [
      'not yet as a grant that was sent, which is off',
      'believed',
      'b:off',
      { items: [grant('b', { phase: 'sent', call: 4 })] },
    ],
  ]);
});

describe('a verified word in another center', () => {
  const done = { phase: 'verified' } as const;
  const other = { items: [word('b', done)] };
  readings([
    ['as off, and is on', 'a surprise', 'b', { other }],
    ['as off, and is on twice', 'believed', 'b', { other, was: 'b' }],
    ['as off, and is off', 'believed', 'b:off', { other }],
    [
      'as off, before the word of this one',
      'believed',
      'b',
      { other, items: [grant('b', { ...done, order: 6 })] },
    ],
    [
      'as off, after the word of this one',
      'a surprise',
      'b',
      { other, items: [grant('b', { ...done, order: 4 })] },
    ],
    ['as off, with the word of this one', 'believed', 'b', { other, items: [grant('b', done)] }],
    ['as off, and is not offered', 'believed', 'c', { other: { items: [word('c', done)] } }],
    [
      'as off, without a known schema',
      'a surprise',
      'c',
      { other: { items: [word('c', done)] }, isUnknown: true },
    ],
    ['not yet as on, and is off', 'believed', 'a', { other: { items: [grant('b', { phase: 'over' })] } }],
    [
      'as a value, and is not there',
      'believed',
      'a',
      { other: { items: [typed('e', done)] }, isUnknown: true },
    ],
    ['not yet as off, and is gone', 'believed', 'a', { other: { items: [word('b')] } }],
  ]);
});

describe('a call for everything without known purposes', () => {
  const everything: DesiredEverything = { by: 'all', at: now, order: 2, phase: 'sent', reach: undefined };
  const left = { everything };
  readings([
    ['leaves what one reading shows', 'a surprise', 'a b', left],
    ['leaves what two readings show', 'believed', 'a b', { ...left, was: 'a b' }],
    ['leaves more than a reading showed', 'a surprise', 'a b', { ...left, was: 'a' }],
    ['leaves other than a reading showed', 'a surprise', 'a b', { ...left, was: 'ab' }],
    ['leaves another than a reading showed', 'a surprise', 'a b', { ...left, was: 'a c' }],
    ['leaves as much, whatever waits', 'believed', 'a b', { ...left, was: 'a b c:pending' }],
    ['is not called for yet', 'believed', 'a', { everything: { ...everything, phase: 'open' } }],
    [
      'was answered',
      'believed',
      'a:off',
      { everything: { ...everything, call: 3 }, calls: [call(undefined)] },
    ],
    [
      'has its call in doubt',
      'a surprise',
      'a',
      { everything: { ...everything, call: 4 }, calls: [lost(4)] },
    ],
    ['or of which something is', 'believed', 'a', { ...left, known: ['a'] }],
  ]);
});
