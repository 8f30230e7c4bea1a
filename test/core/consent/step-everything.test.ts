import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type DesiredCenter,
  type DesiredItem,
  usualLimits,
} from '../../../src/core/consent/desired-state.ts';
import {
  endEverything,
  findEverything,
  mayWithdrawUnread,
} from '../../../src/core/consent/step-everything.ts';
import {
  aCall,
  aFloor,
  answer,
  asking,
  aWord,
  drafted,
  lag,
  linesOf,
  now,
  type Parts,
  read,
} from './drafts.ts';
import { wordAt, words } from './said.ts';

const floor = { everything: aFloor() };
const made = { phase: 'sent', call: 7 } as const;
const sent = { everything: aFloor(made) };
const done = { everything: aFloor({ ...made, phase: 'verified', seen: now - 50 - lag }) };
const oneClick = { ...floor, asked: [asking(), asking({ reference: 'r2', isOneClick: true })] };

describe('everything is withdrawn without a reading', () => {
  const rows: readonly (readonly [what: string, is: boolean, parts: Parts])[] = [
    ['by one click', true, { here: { ...floor, asked: [asking({ isOneClick: true })] } }],
    ['if the record cannot be read', true, { here: floor, known: { isUnreadable: true } }],
    ['not by a form', false, { here: oneClick }],
    ['not with a reading', false, { here: floor, known: { isUnreadable: true, observed: read('') } }],
    ['not after its call', false, { here: sent, known: { isUnreadable: true } }],
    ['not if the person did not ask for it', false, { known: { isUnreadable: true } }],
  ];
  for (const [what, is, parts] of rows) test(what, () => assert.equal(mayWithdrawUnread(drafted(parts)), is));
});

const a = (change: Partial<DesiredItem> = {}) => ({
  items: [aWord('purpose a', { by: 'r0', order: 4, phase: 'verified', ...change })],
});
const locked = 'a:always-active b:off c:off';
const withdrew = (...withdrawn: readonly string[]) => aCall(undefined, { answer: { ...answer, withdrawn } });

describe('everything finds', () => {
  const rows: readonly (readonly [
    what: string,
    here: Partial<DesiredCenter>,
    reads: string,
    after: readonly string[],
  ])[] = [
    ['nothing if the person did not ask for it', {}, 'a d:implicit', []],
    [
      'what is on, waits, or is on by default',
      floor,
      'a b:pending d:implicit',
      ['a', 'b', 'd'].map((id) => `purpose ${id}: off open`),
    ],
    ['what is on by default and on no record', floor, '', ['purpose d: off open']],
    ['what is on record and no longer offered', floor, 'z', ['purpose z: off open']],
    ['what is always active', floor, 'c:always-active d:off', ['purpose c: off open']],
    ['not what is off or expired', floor, 'a:off b:expired c:hard-opt-out d:no-consent', []],
    [
      'not what was granted since',
      { ...floor, ...a({ want: 'on', order: 6 }) },
      'a d:off',
      ['purpose a: on verified'],
    ],
    ['what was granted before', { ...floor, ...a({ want: 'on' }) }, 'a d:off', ['purpose a: off open']],
    [
      'not what is being withdrawn',
      { ...floor, ...a({ phase: 'sent' }) },
      'a d:off',
      ['purpose a: off sent'],
    ],
    [
      'what it withdrew, if it is on again',
      { ...floor, ...a({ by: 'r1', order: 5 }) },
      'a d:off',
      ['purpose a: off open'],
    ],
    [
      'not what it withdrew, if it is told as locked',
      { ...floor, ...a({ by: 'r1', order: 5 }) },
      'a:always-active d:off',
      ['purpose a: off verified'],
    ],
    [
      'what is locked and was withdrawn before',
      { ...floor, ...a() },
      'a:always-active d:off',
      ['purpose a: off open'],
    ],
    ['what its call may have missed', sent, 'a d:off', ['purpose a: off sent']],
    [
      'once done, what an older call in doubt brings',
      { ...done, calls: [aCall('a c', { at: now - 51 }), aCall('b', { answer })] },
      'a b c:pending',
      ['purpose a: off verified'],
    ],
    [
      'once done, not what a call of a lag later brings',
      { ...done, calls: [aCall('a', { at: now - 50 })] },
      'a',
      [],
    ],
    [
      'beside what is locked, what its answer says',
      { ...sent, calls: [withdrew('b', 'c')] },
      locked,
      ['a', 'b', 'c'].map((id) => `purpose ${id}: off sent`),
    ],
    [
      'beside what is locked, each of them once',
      { ...sent, calls: [withdrew('a', 'b')] },
      locked,
      ['a', 'b'].map((id) => `purpose ${id}: off sent`),
    ],
    [
      'only what is still on, if nothing is locked',
      { ...sent, calls: [withdrew('b')] },
      'a b:off',
      ['purpose a: off sent'],
    ],
    [
      'only what is locked, if no answer says more',
      { ...sent, calls: [aCall(undefined, { answer })] },
      locked,
      ['purpose a: off sent'],
    ],
    [
      'only what is locked, without an answer',
      { ...sent, calls: [aCall(undefined)] },
      locked,
      ['purpose a: off sent'],
    ],
    [
      'only what is locked, if another call withdrew more',
      { ...sent, calls: [{ ...withdrew('b'), order: 8 }] },
      locked,
      ['purpose a: off sent'],
    ],
    [
      'no purpose with a word of its own',
      { ...sent, calls: [withdrew('a')], ...a() },
      'b:always-active',
      ['purpose a: off verified', 'purpose b: off sent'],
    ],
    [
      'a purpose that is only noted as on before',
      { ...sent, calls: [withdrew('a')], ...a({ by: '', phase: 'over' }) },
      'b:always-active',
      ['purpose a: off sent', 'purpose b: off sent'],
    ],
  ];
  for (const [what, here, reads, after] of rows) {
    const whole = reads.includes('d') || what.includes('no record') ? reads : `${reads} d:off`;
    test(what, () =>
      assert.deepEqual(words(findEverything(drafted({ here }), read(whole)).desired, 'here'), after),
    );
  }

  const word = (here: Partial<DesiredCenter>, reads: string) =>
    wordAt(findEverything(drafted({ here }), read(reads)).desired, 'purpose a', 'here');
  const granted = { order: 2, at: 9, isSure: true };
  const [record] = read('a').subject.purposes;

  test('a purpose, and notes its record before', () => {
    assert.deepEqual(word(floor, 'a'), {
      ...aWord('purpose a'),
      call: undefined,
      before: record,
      granted: undefined,
      withdrawn: 5,
      also: undefined,
    });
    const assumed = findEverything(drafted({ here: floor }), read('')).desired;
    assert.equal(wordAt(assumed, 'purpose d', 'here')?.before, null);
  });

  test('a purpose for which its call was made', () => {
    const found = word(sent, 'a');
    assert.deepEqual([found?.call, found?.before], [7, undefined]);
  });

  test('a purpose with a word, and keeps the facts about it', () => {
    const facts = (change: Partial<DesiredItem>) => {
      const found = word({ ...floor, ...a({ granted, also: 'r9', ...change }) }, 'a');
      return [found?.by, found?.granted, found?.withdrawn, found?.also];
    };
    assert.deepEqual(facts({}), ['r1', granted, 5, undefined]);
    assert.deepEqual(facts({ by: 'r1', order: 5, withdrawn: 5 }), ['r1', granted, 5, 'r9']);
    assert.deepEqual(facts({ withdrawn: 6 }), ['r1', granted, 6, undefined]);
  });
});

describe('everything is done', () => {
  const answered = [aCall(undefined, { answer: { ...answer, receipt: 'receipt' } })];
  const heard = { ...sent, calls: answered };
  const refuses = (...refused: readonly string[]) => ({
    ...sent,
    calls: [aCall(undefined, { answer: { ...answer, refused } })],
  });
  const uncalled = (...calls: DesiredCenter['calls']) => ({ everything: aFloor({ phase: 'sent' }), calls });
  const open = (change: Partial<DesiredItem> = {}) => ({ ...heard, items: [aWord('purpose a', change)] });
  const since = (at: number, change: Partial<DesiredCenter>) => ({
    ...change,
    everything: aFloor({ ...made, at }),
  });
  const long = now - usualLimits.schemaAwaited;
  const lately = now - 10;
  const rows: readonly (readonly [what: string, is: boolean, parts: Parts, reads?: string])[] = [
    ['once its call is answered', true, { here: heard }],
    ['not before its call', false, { here: { ...floor, calls: answered } }],
    ['not twice', false, { here: done }],
    ['not if the person did not ask for it', false, {}],
    ['not while a withdrawal goes on', false, { here: open() }],
    ['once the withdrawal is done', true, { here: open({ phase: 'verified' }) }],
    ['whatever was withdrawn since', true, { here: open({ order: 6 }) }],
    ['whatever was granted', true, { here: open({ want: 'on' }) }],
    [
      'not by a young reading without an answer',
      false,
      { here: since(lately - lag + 1, { calls: [aCall(undefined)] }) },
    ],
    [
      'by a reading of a lag later without an answer',
      true,
      { here: since(lately - lag, { calls: [aCall(undefined)] }) },
    ],
    ['not while its answer rejects a purpose', false, { here: refuses('a') }],
    ['even if its answer rejects a locked purpose', true, { here: refuses('a') }, 'a:always-active'],
    [
      'not while its answer rejects another purpose than the locked one',
      false,
      { here: refuses('a', 'b') },
      'a:always-active',
    ],
    ['once its call is long past', true, { here: sent }],
    ['not at once if its call was refused', false, { here: uncalled() }],
    ['by a PUT that was answered since', true, { here: uncalled(aCall('', { answer })) }],
    ['not by a PUT without an answer', false, { here: uncalled(aCall('')) }],
    ['not by an older PUT', false, { here: uncalled(aCall('', { answer, order: 4 })) }],
    ['not by a PUT of its moment', false, { here: uncalled(aCall('', { answer, order: 5 })) }],
    ['not by the DELETE of before', false, { here: uncalled(aCall(undefined, { answer })) }],
    [
      'not while the defaults of the center are not known',
      false,
      { here: since(long + 1, heard), known: { schema: 'absent' } },
    ],
    ['after a day without a schema', true, { here: since(long, heard), known: { schema: 'absent' } }],
  ];
  for (const [what, is, parts, reads = 'a:off'] of rows) {
    test(what, () => {
      const draft = endEverything(drafted(parts), read(reads));
      assert.deepEqual(linesOf(draft.ended), is ? ['r1 everything saved everything-off'] : []);
      const { everything } = draft.center;
      if (is) assert.deepEqual([everything?.phase, everything?.seen], ['verified', lately]);
      else assert.deepEqual(everything, parts.here?.everything);
    });
  }

  test('with the receipt of its call', () => {
    const [line] = endEverything(drafted({ here: heard }), read('')).ended;
    const told = { by: 'r1', key: 'everything', isOff: true, outcome: 'saved', row: 'everything-off' };
    assert.deepEqual(line, { ...told, at: now, receipt: 'receipt' });
  });
});
