import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newsBetween, type Told } from '../../../src/core/consent/told.ts';
import type { ChangeKind, ItemResult, Outcome } from '../../../src/core/model/submission/submission.ts';

/** A report with items in the form `on a saved`; an item of a field is `typed e saved`. */
function report(items: readonly string[], more: Partial<Told>): Told {
  const all = items.map((text): ItemResult => {
    const [change, id = '', outcome] = text.split(' ') as [ChangeKind, string, Outcome];
    return { what: change === 'typed' ? 'data-element' : 'purpose', id, change, outcome, receipt: undefined };
  });
  return { state: 'done', everything: undefined, items: all, agreed: [], aftermath: undefined, ...more };
}

type Items = readonly string[];
type More = Pick<Partial<Told>, 'everything' | 'agreed'>;

function check(
  name: string,
  [before, after]: readonly [Items, Items],
  news: Items,
  more: readonly More[] = [],
) {
  test(name, () => {
    const [old, since] = [report(before, more[0] ?? {}), report(after, more[1] ?? {})];
    const found = newsBetween(old, since).map(({ type, purpose = 'all', change, outcome, isUsable }) => {
      const may = isUsable === undefined ? 'as before' : isUsable ? 'usable' : 'not usable';
      return `${type} ${change} ${purpose} ${outcome}: ${may}`;
    });
    assert.deepEqual(found, news);
  });
}

describe('the news of a purpose', () => {
  const cases: readonly [string, string, string, string | undefined][] = [
    ['a grant is saved', 'on a in-progress', 'on a saved', 'verified on a saved: usable'],
    ['a grant was on already', 'on a in-progress', 'on a unchanged', 'verified on a unchanged: usable'],
    ['a grant waits', 'on a in-progress', 'on a waiting', 'not-saved on a waiting: as before'],
    ['a grant is not saved', 'on a in-progress', 'on a not-saved', 'not-saved on a not-saved: as before'],
    ['a grant is locked', 'on a in-progress', 'on a locked', 'not-saved on a locked: as before'],
    [
      'a grant is off after all',
      'on a saved',
      'on a switched-off',
      'not-saved on a switched-off: not usable',
    ],
    [
      'a grant is in doubt again',
      'on a unchanged',
      'on a in-progress',
      'not-saved on a in-progress: not usable',
    ],
    ['a grant comes late', 'on a not-saved', 'on a saved', 'verified on a saved: usable'],
    ['a choice is saved', 'adjust a in-progress', 'adjust a saved', 'verified adjust a saved: as before'],
    [
      'a choice is off after all',
      'adjust a saved',
      'adjust a in-doubt',
      'not-saved adjust a in-doubt: as before',
    ],
    ['a choice is locked', 'adjust a in-progress', 'adjust a locked', 'not-saved adjust a locked: as before'],
    ['a withdrawal is saved', 'off a being-carried-out', 'off a saved', 'verified off a saved: as before'],
    ['a withdrawal is locked', 'off a being-carried-out', 'off a locked', 'not-saved off a locked: usable'],
    [
      'a withdrawal found it waiting',
      'off a in-doubt',
      'off a waiting',
      'verified off a unchanged: as before',
    ],
    ['a withdrawal found it waiting, which was no change', 'off a unchanged', 'off a waiting', undefined],
    ['nothing is different', 'on a saved', 'on a saved', undefined],
    ['a grant begins', 'on a not-saved', 'on a in-progress', undefined],
    ['a grant is replaced', 'on a saved', 'on a replaced', undefined],
    ['a value is saved', 'typed e in-progress', 'typed e saved', undefined],
    ['a withdrawal is told no more, since it was off already', 'off a being-carried-out', '', undefined],
  ];
  for (const [name, before, after, news] of cases) {
    check(name, [[before], after === '' ? [] : [after]], news === undefined ? [] : [`consent.${news}`]);
  }

  check(
    'a purpose beside it is lost',
    [[], ['keep a not-saved']],
    ['consent.not-saved keep a not-saved: not usable'],
  );
  check('it begins', [[], ['on a in-progress']], []);
  check(
    'one of two',
    [
      ['on a saved', 'off b being-carried-out'],
      ['on a saved', 'off b saved'],
    ],
    ['consent.verified off b saved: as before'],
  );
});

describe('the news of a whole submission', () => {
  const all = 'consent.verified everything all saved: as before';
  const cases: readonly [string, More, More, Items][] = [
    ['everything is off', { everything: 'being-carried-out' }, { everything: 'saved' }, [all]],
    ['everything was off already', { everything: 'saved' }, { everything: 'saved' }, []],
    ['everything is told no more', { everything: 'being-carried-out' }, {}, []],
    ['everything begins', {}, { everything: 'being-carried-out' }, []],
    [
      'an objection leaves on what was agreed to',
      {},
      { agreed: ['a'] },
      ['consent.not-saved off a agreed: usable'],
    ],
    ['it had left it on before', { agreed: ['a'] }, { agreed: ['a'] }, []],
  ];
  for (const [name, before, after, news] of cases) check(name, [[], []], news, [before, after]);

  check(
    'everything after its parts',
    [[], ['off b saved']],
    ['consent.verified off b saved: as before', 'consent.not-saved off a agreed: usable', all],
    [{}, { everything: 'saved', agreed: ['a'] }],
  );
});
