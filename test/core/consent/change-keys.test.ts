import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isAgreement, keysOff, keysOn } from '../../../src/core/consent/change-keys.ts';
import type { PurposeChange } from '../../../src/core/model/submission/intent.ts';
import { adjust, off, on, option, reduce } from '../changes.ts';

describe('a change of a purpose', () => {
  const x = option('p', 'x');
  const y = option('p', 'y');
  const chosen = { topicsOn: ['t'], optionsOn: [x] };
  const taken = { topicsOff: ['u'], optionsOff: [y] };
  const takenKeys = ['topic a u', 'option a p y'];
  const chosenKeys = ['topic a t', 'option a p x'];
  /** A name, the change, the keys that it adds and withdraws, and whether it agrees to the purpose as is. */
  const cases: readonly [string, PurposeChange, readonly string[], readonly string[], boolean][] = [
    ['switched on', on('a', { topics: ['t'], options: [x], ...taken }), chosenKeys, takenKeys, false],
    ['switched off', off('a'), [], ['purpose a'], false],
    ['adjusted', adjust('a', { ...chosen, ...taken }), chosenKeys, takenKeys, false],
    ['adjusted by an option alone', adjust('a', { optionsOn: [x] }), ['option a p x'], [], false],
    ['adjusted by nothing that is added', adjust('a', taken), [], takenKeys, true],
    ['renewed with what is added', adjust('a', { ...chosen, renews: true }), chosenKeys, [], true],
    ['reduced', reduce('a', taken), [], takenKeys, false],
  ];
  for (const [name, change, added, withdrawn, agrees] of cases) {
    test(name, () => {
      assert.deepEqual([keysOn(change), keysOff(change), isAgreement(change)], [added, withdrawn, agrees]);
    });
  }
});
