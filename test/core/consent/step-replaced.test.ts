import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DesiredItem } from '../../../src/core/consent/desired-state.ts';
import { findReplaced } from '../../../src/core/consent/step-replaced.ts';
import { aWord, drafted, now, read } from './drafts.ts';
import { wordAt, words } from './said.ts';

type Row = readonly [
  what: string,
  items: readonly DesiredItem[],
  after: readonly string[],
  reads?: string,
  readAt?: number,
];

const grant = aWord('purpose a', { want: 'on', replacesWithdrawal: true });
const plain = { ...grant, replacesWithdrawal: undefined };
const topic = (change: Partial<DesiredItem>) => aWord('topic a t', { by: 'r0', order: 3, ...change });
const out = ['purpose a: on open', 'topic a t: off open'];
const sent = ['purpose a: on sent', 'topic a t: off open'];

const rows: readonly Row[] = [
  [
    'takes out the choices that the record shows',
    [grant],
    [...out, 'option a one x: off open'],
    'b[u] a[t one.x]',
  ],
  [
    'keeps the choices that it makes',
    [grant, topic({ want: 'on' })],
    ['purpose a: on open', 'topic a t: on open'],
  ],
  [
    'keeps later choices',
    [grant, topic({ want: 'on', order: 6, phase: 'verified' })],
    ['purpose a: on open', 'topic a t: on verified'],
  ],
  ['takes out a choice that came back', [grant, topic({ phase: 'verified' })], out],
  [
    'leaves a choice that is being taken out',
    [grant, topic({ phase: 'sent' })],
    ['purpose a: on open', 'topic a t: off sent'],
  ],
  ['that replaces nothing takes out nothing', [plain], ['purpose a: on open']],
  ['that joined an earlier call takes out what that one chose', [{ ...plain, phase: 'sent', call: 3 }], sent],
  ['that joined a call of its moment does so, too', [{ ...plain, phase: 'sent', call: 5 }], sent],
  [
    'with a call of its own takes out nothing',
    [{ ...plain, phase: 'sent', call: 7 }],
    ['purpose a: on sent'],
  ],
  [
    'in doubt takes out the choices on record',
    [{ ...grant, phase: 'in-doubt' }],
    ['purpose a: on in-doubt', 'topic a t: off open'],
  ],
  ['that is done takes out nothing', [{ ...grant, phase: 'verified' }], ['purpose a: on verified']],
  ['is no withdrawal', [{ ...grant, want: 'off' }], ['purpose a: off open']],
  ['of a choice takes out no other', [{ ...grant, key: 'topic a u' }], ['topic a u: on open']],
  ['takes out nothing if the purpose is off', [grant], ['purpose a: on open'], 'a:off[t]'],
  ['takes out nothing if the purpose is not on record', [grant], ['purpose a: on open'], 'b[t]'],
  ['waits for a reading after it', [grant], ['purpose a: on open'], 'a[t]', grant.at - 1],
  ['takes a reading of its moment', [grant], out, 'a[t]', grant.at],
];

describe('a grant over a withdrawal', () => {
  for (const [what, items, after, reads = 'a[t]', at = now] of rows) {
    test(what, () => {
      const { desired } = findReplaced(drafted({ here: { items } }), read(reads, { at }));
      assert.deepEqual(words(desired, 'here'), after);
    });
  }

  test('makes words of the choices that it takes out, and keeps their facts', () => {
    const granted = { order: 2, at: 9, isSure: true };
    const known = topic({ phase: 'over', granted, takenOut: 1, withdrawn: 3, seen: 9 });
    const { desired } = findReplaced(drafted({ here: { items: [grant, known] } }), read('a[t]'));
    const { by, at, order } = grant;
    const facts = { granted, takenOut: 1, withdrawn: order };
    const word = { key: 'topic a t', want: 'off', by, at, order, phase: 'open', ...facts };
    assert.deepEqual(wordAt(desired, 'topic a t', 'here'), word);
  });
});
