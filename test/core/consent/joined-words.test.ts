import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Asked,
  type Call,
  centerOf,
  type DesiredCenter,
  type DesiredEverything,
  type DesiredItem,
} from '../../../src/core/consent/desired-state.ts';
import { joined } from '../../../src/core/consent/joined-person.ts';
import type { OpenSubmission, Person, Tries } from '../../../src/core/consent/person.ts';
import { noIntent } from '../../../src/core/model/submission/intent.ts';
import { aSubject } from '../page-builder.ts';
import { nothing } from './nothing.ts';

const idle = { count: 0, until: 0, dueAt: 0 };

type Centers = Readonly<Record<string, Partial<DesiredCenter>>>;

/** A row of one person; its last sequence number is 4. */
function row(centers: Centers, change: Partial<Person> = {}): Person {
  const all = Object.entries(centers).map(([center, own]) => ({ ...nothing, center, ...own }));
  const desired = { order: 4, centers: all };
  return { subject: aSubject().id, desired, open: [], tries: [], clicks: idle, ...change };
}

function submission(reference: string, change: Partial<OpenSubmission> = {}): OpenSubmission {
  return {
    reference,
    center: 'shop',
    channel: 'link',
    submittedAt: 0,
    intent: noIntent,
    undoes: undefined,
    state: 'pending',
    doneAt: undefined,
    progress: { lines: [], calls: [], events: 0 },
    ...change,
  };
}

const grant: DesiredItem = { key: 'purpose a', want: 'on', by: 'first', at: 1, order: 3, phase: 'open' };
const topic: DesiredItem = { ...grant, key: 'topic a t' };
const withdrawal: DesiredItem = {
  key: 'purpose a',
  want: 'off',
  by: 'second',
  at: 2,
  order: 3,
  phase: 'open',
  withdrawn: 3,
};
const floor: DesiredEverything = { by: 'all', at: 3, order: 2, phase: 'open', reach: undefined };

/** The data as plain JSON, like the store keeps it. */
const plain = (data: unknown) => JSON.parse(JSON.stringify(data));

describe('of two rows, a word of the older one', () => {
  const here = (own: Partial<DesiredCenter>): Centers => ({ shop: own });
  const elsewhere = (own: Partial<DesiredCenter>): Centers => ({ club: own });
  const withdrawnHere = here({ items: [withdrawal] });
  const there = elsewhere({ items: [withdrawal] });
  const sent = { ...grant, phase: 'sent', call: 2, granted: { order: 1, at: 0, isSure: true } } as const;
  const topicOff = elsewhere({ items: [{ ...withdrawal, key: 'topic a t' }] });
  const value = { ...grant, key: 'element e', want: { value: '1', label: 'E' } };
  const typedThere = { den: {}, ...elsewhere({ items: [{ ...value, at: 2 }] }) };
  const failed = { ...withdrawal, withdrawn: undefined };
  const latest = here({ items: [{ ...withdrawal, order: 1 }] });
  const [replaced, ended] = ['replaced said-otherwise', 'withdrawn-elsewhere withdrawn-in-another-center'];
  /** The older word, the newer row, the joined word, and the line that ends it. */
  const cases: readonly [string, DesiredItem, Centers, string, string?][] = [
    ['that is a grant ends by a withdrawal there', grant, there, 'off over second 2 7', `${ended} 2`],
    ['that is a choice ends with its purpose', topic, there, 'off over second 2 7', `${ended} 2`],
    [
      'that is a choice ends with its purpose here',
      topic,
      withdrawnHere,
      'off over second 2 7',
      `${replaced} 2`,
    ],
    ['that was sent is withdrawn', sent, there, 'off open second 2 7', `${ended} 2`],
    [
      'that is a choice and was sent goes with its purpose',
      { ...sent, key: 'topic a t' },
      there,
      'off over second 2 7',
      `${ended} 2`,
    ],
    [
      'that is a choice ends by a withdrawal of it there',
      topic,
      topicOff,
      'off over second 2 7',
      `${ended} 2`,
    ],
    [
      'that is a choice and was sent is withdrawn with it',
      { ...sent, key: 'topic a t' },
      topicOff,
      'off open second 2 7',
      `${ended} 2`,
    ],
    [
      'that is a choice ends by the latest of both withdrawals',
      { ...sent, key: 'topic a t' },
      elsewhere({ items: [withdrawal, { ...withdrawal, key: 'topic a t', by: 'third', order: 4 }] }),
      'off open third 2 8',
      `${ended} 2`,
    ],
    ['that is a value ends by one typed there', value, typedThere, 'value over first 1 3', `${replaced} 2`],
    ['that is a grant stays beside a value', grant, typedThere, 'on open first 1 3'],
    [
      'that replaced a withdrawal is one again',
      { ...grant, replacesWithdrawal: true },
      there,
      'off open second 2 7',
      `${ended} 2`,
    ],
    ['that is done stays', { ...grant, phase: 'verified' }, there, 'on verified first 1 3'],
    ['that is a withdrawal stays', { ...withdrawal, by: 'first' }, there, 'off open first 2 3'],
    ['that is a value stays', value, here({ everything: floor }), 'value open first 1 3'],
    ['stays beside a failed grant there', grant, elsewhere({ items: [failed] }), 'on open first 1 3'],
    [
      'stays beside a grant there',
      grant,
      elsewhere({ items: [{ ...grant, withdrawn: 1 }] }),
      'on open first 1 3',
    ],
    [
      'stays beside a withdrawal of another purpose',
      grant,
      elsewhere({ items: [{ ...withdrawal, key: 'purpose b' }] }),
      'on open first 1 3',
    ],
    ['ends by everything here', grant, here({ everything: floor }), 'off over all 3 6', `${replaced} 3`],
    [
      'that is a choice and was sent goes with everything',
      { ...sent, key: 'topic a t' },
      here({ everything: floor }),
      'off over all 3 6',
      `${replaced} 3`,
    ],
    [
      'ends by everything there, if it is offered',
      grant,
      elsewhere({ everything: { ...floor, reach: ['a'] } }),
      'off over all 3 6',
      `${ended} 3`,
    ],
    [
      'stays beside everything there else',
      grant,
      elsewhere({ everything: { ...floor, reach: ['b'] } }),
      'on open first 1 3',
    ],
    [
      'ends by the latest withdrawal, of everything',
      topic,
      { ...latest, club: { everything: floor } },
      'off over all 3 6',
      `${ended} 3`,
    ],
    [
      'ends by the latest withdrawal, of the purpose',
      topic,
      { ...withdrawnHere, club: { everything: floor } },
      'off over second 2 7',
      `${replaced} 2`,
    ],
    [
      'ends by another word here',
      { ...withdrawal, by: 'first' },
      here({ items: [grant] }),
      'on open first 1 7',
      `${replaced} 1`,
    ],
    [
      'that is done has no other end by another word here',
      { ...withdrawal, phase: 'verified' },
      here({ items: [grant] }),
      'on open first 1 7',
    ],
  ];
  for (const [name, word, newer, is, end] of cases) {
    test(name, () => {
      const open = ['first', 'beside'].map((each) => submission(each));
      const older = row({ shop: { items: [word] } }, { open });
      const both = joined(older, row(newer));
      const item = centerOf(both.desired, 'shop').items.find(({ key }) => key === word.key);
      assert.ok(item);
      const want = typeof item.want === 'string' ? item.want : 'value';
      assert.equal([want, item.phase, item.by, item.at, item.order].join(' '), is);
      assert.deepEqual(item.granted, word.granted);
      const [lines = [], others] = both.open.map(({ progress }) => progress.lines);
      assert.deepEqual(
        lines.map(({ key, outcome, row: by, at }) => [key, outcome, by, at].join(' ')),
        end === undefined || word.by !== 'first' ? [] : [`${word.key} ${end}`],
      );
      assert.deepEqual(others, []);
    });
  }

  test('that ends keeps the facts of its key', () => {
    const word = { ...sent, takenOut: 1, withdrawn: 1 };
    const { desired } = joined(row({ shop: { items: [word] } }), row(there));
    const is = centerOf(desired, 'shop').items[0];
    assert.deepEqual([is?.granted, is?.takenOut, is?.withdrawn], [word.granted, 1, 1]);
  });
});

test('Two joined rows have the facts of a key from the newer row, else from the older one', () => {
  const facts = { granted: { order: 1, at: 1, isSure: true }, takenOut: 1, withdrawn: 1 };
  const known = { granted: { order: 2, at: 2, isSure: false }, takenOut: 2, withdrawn: 2 };
  const factsOf = (olderWord: Partial<DesiredItem> | undefined, newerWord: Partial<DesiredItem>) => {
    const older = olderWord === undefined ? [] : [{ ...grant, ...olderWord }];
    const both = joined(
      row({ shop: { items: older } }),
      row({ shop: { items: [{ ...grant, ...newerWord }] } }),
    );
    const [item, ...others] = centerOf(both.desired, 'shop').items;
    assert.deepEqual(others, []);
    return [item?.granted, item?.takenOut, item?.withdrawn];
  };
  assert.deepEqual(factsOf(facts, {}), [facts.granted, 1, 1]);
  assert.deepEqual(factsOf(facts, known), [{ ...known.granted, order: 6 }, 6, 6]);
  assert.deepEqual(factsOf(undefined, {}), [undefined, undefined, undefined]);
  assert.deepEqual(factsOf({ want: 'off', call: 3 }, {}), [undefined, 3, undefined]);
});

test('Joined rows number the words of the newer row after the older ones, except a form before any word', () => {
  const call: Call = { order: 2, at: 0, update: undefined, refusals: [], off: [], keys: [], by: 'r' };
  const facts = { confirms: [], isObjection: false, isOneClick: false };
  const form = { at: 0, order: 3, revision: '1' };
  const asked: readonly Asked[] = [
    { ...facts, reference: 'one', form },
    { ...facts, reference: 'two', form: { ...form, order: 0 } },
    { ...facts, reference: 'three' },
  ];
  const granted = { order: 1, at: 0, isSure: true };
  const items = [{ ...grant, call: 2, granted, takenOut: 1, withdrawn: 2 }, topic];
  const own = { items, everything: { ...floor, call: 3 }, calls: [call], asked, known: ['a'], lookedAt: 5 };
  const { desired } = joined(row({}), row({ shop: own }));
  assert.deepEqual(
    plain(desired),
    plain({
      order: 8,
      centers: [
        {
          ...nothing,
          center: 'shop',
          items: [
            { ...grant, order: 7, call: 6, granted: { ...granted, order: 5 }, takenOut: 5, withdrawn: 6 },
            { ...topic, order: 7 },
          ],
          everything: { ...floor, order: 6, call: 7 },
          calls: [{ ...call, order: 6 }],
          asked: [{ ...facts, reference: 'one', form: { ...form, order: 7 } }, ...asked.slice(1)],
          known: ['a'],
          lookedAt: 5,
        },
      ],
    }),
  );
  const [floored] = joined(row({}), row({ shop: { everything: floor } })).desired.centers;
  assert.equal(floored?.everything?.call, undefined);
});

test('The calls of submissions of the newer row get the numbers of its joined state', () => {
  const made = { order: 2, at: 0, update: undefined, answer: undefined, problem: undefined };
  const calls = [{ ...made, changes: [], kind: 'delete', why: 'change' } as const];
  const open = (reference: string) => [submission(reference, { progress: { lines: [], calls, events: 0 } })];
  const both = joined(row({}, { open: open('older') }), row({}, { open: open('newer') }));
  assert.deepEqual(
    both.open.map(({ progress }) => progress.calls[0]?.order),
    [2, 6],
  );
});

test('Two joined rows have each entry once, from the newer row', () => {
  const facts = { confirms: [], isObjection: false };
  const asked =
    (...references: readonly string[]) =>
    (isOneClick: boolean) =>
      references.map((reference): Asked => ({ ...facts, reference, isOneClick }));
  const tries = (attempts: number, ...centers: readonly string[]) =>
    centers.map((center): Tries => ({ center, attempts, problem: undefined, until: 0 }));
  const older = row(
    { shop: { asked: asked('r', 's')(false), known: ['a', 'b'], lookedAt: 7, everything: floor }, club: {} },
    {
      open: [submission('r', { state: 'done' }), submission('s', { state: 'done' })],
      tries: tries(1, 'shop', 'club'),
      clicks: { count: 1, until: 9, dueAt: 3 },
    },
  );
  const newer = row(
    { shop: { asked: asked('s', 't')(true), known: ['b', 'c'], lookedAt: 6 }, den: {} },
    {
      open: [submission('s'), submission('t')],
      tries: tries(2, 'club', 'den'),
      clicks: { count: 2, until: 8, dueAt: 4 },
    },
  );
  const both = joined(older, newer);
  const shop = centerOf(both.desired, 'shop');
  assert.deepEqual(
    both.desired.centers.map(({ center }) => center),
    ['shop', 'club', 'den'],
  );
  assert.deepEqual(plain(shop.asked), [...asked('r')(false), ...asked('s', 't')(true)]);
  assert.deepEqual([shop.known, shop.lookedAt, shop.everything], [['a', 'b', 'c'], 7, floor]);
  assert.deepEqual(
    both.open.map(({ reference, state }) => [reference, state]),
    [
      ['r', 'done'],
      ['s', 'pending'],
      ['t', 'pending'],
    ],
  );
  assert.deepEqual(both.tries, [...tries(1, 'shop'), ...tries(2, 'club', 'den')]);
  assert.deepEqual(both.clicks, { count: 3, until: 9, dueAt: 4 });
  const [one, two] = ['one', 'two'].map((nonce) => [{ nonce, at: 1 }]);
  const shown = (...[first, second]: readonly Person['asShown'][]) =>
    joined({ ...older, asShown: first }, { ...newer, asShown: second }).asShown;
  assert.deepEqual(shown(one, two), [...(one ?? []), ...(two ?? [])]);
  assert.deepEqual(shown(), []);
});
