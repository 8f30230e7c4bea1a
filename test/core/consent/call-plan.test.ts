import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Call, type DesiredEverything, usualLimits } from '../../../src/core/consent/desired-state.ts';
import type { Verdict } from '../../../src/core/consent/step-rows.ts';
import { type Case, floor, grant, lost, now, refused, refusing, rest, spoken, word } from './planned.ts';

const called: DesiredEverything = { ...floor, phase: 'sent', call: 5 };
const answered: Call = { ...lost, answer: { at: 0, refused: [], receipt: undefined } };
const wait: Verdict = { kind: 'wait', seenAs: 'unchanged' };
const ofE = { 'element e': 'send' } as const;
const formOfD = {
  reference: 'r',
  confirms: ['d'],
  isObjection: false,
  isOneClick: false,
  form: { at: 0, order: 0, revision: '1' },
};

describe('the call that is made', () => {
  const cases: readonly [string, Case, string | undefined][] = [
    [
      'for everything names the withdrawals that it carries out',
      {
        everything: floor,
        items: [
          ...[
            word('a'),
            word('d', { order: 3 }),
            word('b', { order: 4 }),
            word('a t'),
            grant('c'),
            word('=E'),
          ],
          word('e', { phase: 'verified' }),
        ],
        start: 'a b:pending d:implicit c:off',
      },
      'DELETE, off a b, for purpose a + purpose d',
    ],
    ['for everything needs no reading', { everything: floor, isUnread: true }, 'DELETE, off undefined, for '],
    [
      'for everything is made again where its answer was lost and something is on',
      {
        everything: called,
        calls: [{ ...answered, order: 4 }, lost],
        items: [word('a', { phase: 'sent', call: 5, order: 3 }), word('=E')],
        start: 'a',
      },
      'DELETE, off a, for purpose a',
    ],
    [
      'for everything is not made again where it was answered',
      { everything: called, calls: [answered], items: [word('a')], start: 'a b' },
      'PUT b, off a, for purpose a',
    ],
    [
      'for everything is not made again if the earlier one is no longer known',
      { everything: called, items: [word('a')], start: 'a b' },
      'PUT b, off a, for purpose a',
    ],
    [
      'for everything is not made again once it is off',
      { everything: { ...called, phase: 'verified' }, calls: [lost], items: [word('a')], start: 'a b' },
      'PUT b, off a, for purpose a',
    ],
    [
      'for everything is not made again for a later withdrawal',
      { everything: called, calls: [lost], items: [word('a', { order: 4 })], start: 'a b' },
      'PUT b, off a, for purpose a',
    ],
    [
      'for everything is not made again for a value',
      { everything: called, calls: [lost], items: [word('=E')], start: 'a' },
      'PUT a E=1, off , for element e',
    ],
    ['is none without a word', { start: 'a' }, undefined],
    ['is none without a reading', { items: [word('a')], isUnread: true }, undefined],
    ['is none where the record is so already', { items: [word('b')], start: 'a' }, undefined],
    [
      'is none while an earlier one may still land',
      { items: [word('a', { phase: 'sent', call: 5 })], does: { 'purpose a': rest }, start: 'a' },
      undefined,
    ],
    [
      'is for every word to send',
      { items: [word('a'), grant('b'), word('=E')], start: 'a c:pending' },
      'PUT b E=1, off a c, for purpose a + purpose b + element e',
    ],
    [
      'is for a purpose that was seen off by a reading that may be too old',
      { items: [word('a'), word('b')], does: { 'purpose b': wait }, start: 'a' },
      'PUT, off a, for purpose a + purpose b',
    ],
    [
      'is not for a purpose that its center does not have',
      {
        items: [word('a'), word('b')],
        does: { 'purpose b': { ...wait, seenAs: 'no-such-purpose' } },
        start: 'a',
      },
      'PUT, off a, for purpose a',
    ],
    [
      'is not for what was found out since its words were decided',
      { items: [word('a'), word('b')], does: { 'purpose b': 'undecided' }, start: 'a' },
      'PUT, off a, for purpose a',
    ],
    [
      'is not for what needs none',
      { items: [word('a'), word('b')], does: { 'purpose b': rest }, start: 'a' },
      'PUT, off a, for purpose a',
    ],
    [
      'is not for a grant that waits, or a withdrawal that is done',
      {
        items: [word('a'), grant('b'), word('d', { phase: 'verified' })],
        does: { 'purpose b': wait, 'purpose d': wait },
        start: 'a',
      },
      'PUT, off a, for purpose a',
    ],
    [
      'leaves out a purpose that an earlier one is withdrawing',
      { items: [word('a', { phase: 'sent', call: 5 }), grant('b')], does: { 'purpose a': rest }, start: 'a' },
      'PUT b, off a, for purpose b',
    ],
    [
      'leaves what is granted by an earlier one, or not withdrawn yet',
      {
        items: [grant('d', { phase: 'sent', call: 5 }), word('a'), grant('b')],
        does: { 'purpose a': rest, 'purpose d': rest },
        start: 'a',
      },
      'PUT a b, off , for purpose b',
    ],
    [
      'takes out what is bound to a grant, and what waits under it',
      {
        items: [
          grant('a'),
          word('a t', { phase: 'bound' }),
          word('a u'),
          word('a v'),
          word('b u', { phase: 'bound' }),
        ],
        does: { 'topic a t': rest, 'topic a u': wait, 'topic a v': { kind: 'later' }, 'topic b u': rest },
        start: 'a[t u v]',
      },
      'PUT a, off , for purpose a + topic a u + topic a t + topic a v',
    ],
    [
      'takes out nothing that is bound to a withdrawal, done or granted',
      {
        items: [word('b'), word('b t', { phase: 'bound' }), grant('a'), word('a t', { phase: 'verified' })],
        does: { 'topic b t': rest, 'topic a t': rest },
        start: 'a:off b',
      },
      'PUT a, off b, for purpose b + purpose a',
    ],
    [
      'grants no choice that is not to be sent',
      { items: [grant('a'), grant('a t')], does: { 'topic a t': rest } },
      'PUT a, off , for purpose a',
    ],
    [
      'grants a choice of a purpose that is on',
      { items: [grant('a t')], start: 'a' },
      'PUT a/t, off , for topic a t',
    ],
    [
      'grants a choice of a default',
      { items: [grant('d t')], start: 'd:implicit' },
      'PUT d/t, off , for topic d t',
    ],
    [
      'grants a choice of a default without a record',
      { items: [grant('d t')] },
      'PUT d/t, off , for topic d t',
    ],
    ['grants no choice of a purpose that is off', { items: [grant('a t')], start: 'a:off b' }, undefined],
    [
      'grants a choice of a purpose that it grants',
      { items: [grant('a'), grant('a t')], start: 'a:off' },
      'PUT a/t, off , for purpose a + topic a t',
    ],
    [
      'withdraws where it does not grant a choice',
      { items: [word('b'), grant('a t'), word('=E')], start: 'a:off b', does: ofE },
      'PUT E=1, off b, for purpose b + element e',
    ],
    [
      'is repeated where one like it was answered',
      {
        items: [word('a', { phase: 'sent', call: 5 })],
        calls: [{ ...lost, order: 4 }, answered],
        start: 'a',
      },
      'PUT, off a, for purpose a, repeated',
    ],
    [
      'is repeated if no similar one is known any more',
      { items: [word('a', { phase: 'sent', call: 5 }), word('=E')], start: 'a' },
      'PUT E=1, off a, for purpose a + element e, repeated',
    ],
    [
      'is not repeated where one like it was lost',
      { items: [word('a', { phase: 'sent', call: 5 })], calls: [lost], start: 'a' },
      'PUT, off a, for purpose a',
    ],
    [
      'is not repeated where a word of before came back',
      { items: [word('a', { call: 5 })], calls: [answered], start: 'a' },
      'PUT, off a, for purpose a',
    ],
    [
      'refuses once all else is done',
      { ...refusing, items: [word('d'), word('a')] },
      'PUT, off a, for purpose a',
    ],
    ['refuses', { ...refusing, items: [refused] }, 'PUT a, off , for purpose d, refusing d'],
    [
      'refuses again where a refusal was answered',
      { ...refusing, items: [refused], calls: [{ ...answered, refusals: ['d'] }] },
      'PUT a, off , for purpose d, refusing d, repeated',
    ],
    [
      'refuses again where one of two refusals was answered',
      {
        items: [refused, word('f')],
        does: { 'purpose d': 'refuse', 'purpose f': 'refuse' },
        calls: [{ ...answered, refusals: ['d'] }],
        start: 'a d:implicit f:implicit',
      },
      'PUT a, off , for purpose d + purpose f, refusing d f, repeated',
    ],
    [
      'refuses for the first time after a call that only left it out, or a refusal that was lost or of another word',
      {
        ...refusing,
        items: [refused],
        calls: [answered, { ...lost, refusals: ['d'] }, { ...answered, order: 4, refusals: ['d'] }],
      },
      'PUT a, off , for purpose d, refusing d',
    ],
    [
      'confirms what its form showed as on by default',
      { items: [grant('a')], asked: [formOfD] },
      'PUT d a, off , for purpose a',
    ],
    [
      'confirms nothing that the forms of other words showed',
      { items: [grant('a', { by: 'other' }), grant('b')], asked: [formOfD], does: { 'purpose b': rest } },
      'PUT a, off , for purpose a',
    ],
    [
      'confirms nothing after its minute',
      { items: [word('a', { at: now - usualLimits.grantLife })], start: 'a', asked: [formOfD] },
      'PUT, off a, for purpose a',
    ],
    [
      'confirms nothing that was withdrawn since its form',
      {
        items: [grant('a'), word('d', { phase: 'verified', withdrawn: 1 })],
        asked: [formOfD],
        does: { 'purpose d': rest },
      },
      'PUT a, off , for purpose a',
    ],
    [
      'confirms nothing that is being withdrawn in another center',
      {
        items: [grant('a')],
        asked: [{ ...formOfD, form: { ...formOfD.form, order: 9 } }],
        other: { items: [word('d')] },
      },
      'PUT a, off , for purpose a',
    ],
  ];
  for (const [name, given, expected] of cases) {
    test(name, () => assert.equal(spoken(given), expected));
  }
});
