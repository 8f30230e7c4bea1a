import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  type Call,
  centerOf,
  type DesiredItem,
  type DesiredState,
  itemAt,
  usualLimits,
} from '../../../src/core/consent/desired-state.ts';
import { joined } from '../../../src/core/consent/joined-person.ts';
import type { OpenSubmission, Person } from '../../../src/core/consent/person.ts';
import { say } from '../../../src/core/consent/say.ts';
import { told } from '../../../src/core/consent/told.ts';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import type { Intent } from '../../../src/core/model/submission/intent.ts';
import { intentOf, leaveAll, off, on } from '../changes.ts';

const anna = 'anna@example.org' as SubjectId;

const aPerson: Person = {
  subject: anna,
  desired: { order: 0, centers: [] },
  open: [],
  tries: [],
  clicks: { count: 0, until: 0, dueAt: 0 },
};

interface Saying {
  readonly intent: Intent;
  readonly now?: number;
  readonly center?: string;
}

function saying(person: Person, reference: string, { intent, now = 1, center = 'shop' }: Saying): Person {
  const facts = { reference, confirms: [], isObjection: false, isOneClick: false, isBounded: false };
  const said = { ...facts, center, intent, undoes: undefined, schema: undefined };
  const open: OpenSubmission = {
    reference,
    center,
    channel: 'link',
    submittedAt: now,
    intent,
    undoes: undefined,
    state: 'pending',
    doneAt: undefined,
    progress: { lines: [], calls: [], events: 0 },
  };
  return { ...person, desired: say(person.desired, said, now).desired, open: [...person.open, open] };
}

/** Changes the word of a key in each center. */
function changed(person: Person, key: string, change: Partial<DesiredItem>): Person {
  const centers = person.desired.centers.map((center) => ({
    ...center,
    items: center.items.map((item) => (item.key === key ? { ...item, ...change } : item)),
  }));
  return { ...person, desired: { ...person.desired, centers } };
}

const withCall = (person: Person, order: number): Person => {
  const call: Call = {
    order,
    at: 1,
    update: undefined,
    refusals: [],
    off: undefined,
    keys: [],
    by: 'x',
  };
  const centers = person.desired.centers.map((center) => ({ ...center, calls: [call] }));
  return { ...person, desired: { order: Math.max(order, person.desired.order), centers } };
};

const wordAt = (desired: DesiredState, key: string, center = 'shop') =>
  itemAt(centerOf(desired, center), key);

/** The state and the outcomes of a submission. */
function outcomeOf({ open, desired }: Person, reference: string, now = 3): string {
  const found = open.find((each) => each.reference === reference);
  assert.ok(found);
  const { state, items } = told({ ...found, lines: found.progress.lines }, desired, now, usualLimits);
  return `${state} ${items.map(({ id, outcome }) => `${id}:${outcome}`).join(' ')}`;
}

const cases: readonly {
  readonly what: string;
  readonly older: Saying;
  readonly newer: Saying;
  /** The word of purpose a in the shop; `first` and `second` are the results of the two submissions. */
  readonly want: string;
  readonly first: string;
  readonly second: string;
}[] = [
  {
    what: 'another purpose leaves the older word as it is',
    older: { intent: intentOf(off('a')) },
    newer: { intent: intentOf(on('b')) },
    want: 'off open first',
    first: 'pending a:being-carried-out',
    second: 'pending b:in-progress',
  },
  {
    what: 'the newer withdrawal replaces the older grant',
    older: { intent: intentOf(on('a')) },
    newer: { intent: intentOf(off('a')) },
    want: 'off open second',
    first: 'failed a:replaced',
    second: 'pending a:being-carried-out',
  },
  {
    what: 'the newer grant replaces the older withdrawal',
    older: { intent: intentOf(off('a')) },
    newer: { intent: intentOf(on('a')) },
    want: 'on open second',
    first: 'failed a:replaced',
    second: 'pending a:in-progress',
  },
  {
    what: 'leaving everything ends the older grant',
    older: { intent: intentOf(on('a')) },
    newer: { intent: leaveAll },
    want: 'off over second',
    first: 'failed a:replaced',
    second: 'pending ',
  },
  {
    what: 'a withdrawal in another center ends the older grant',
    older: { intent: intentOf(on('a')) },
    newer: { intent: intentOf(off('a')), center: 'club' },
    want: 'off over second',
    first: 'done a:withdrawn-elsewhere',
    second: 'pending a:being-carried-out',
  },
  {
    what: 'an older withdrawal stays beside everything',
    older: { intent: intentOf(off('a')) },
    newer: { intent: leaveAll, center: 'club' },
    want: 'off open first',
    first: 'pending a:being-carried-out',
    second: 'pending ',
  },
];

suite('A person that is joined from two rows', () => {
  for (const { what, older, newer, want, first, second } of cases) {
    test(`keeps the last word: ${what}`, () => {
      const one = saying(aPerson, 'first', older);
      const other = saying(aPerson, 'second', { now: 2, ...newer });
      const both = joined(one, other);
      const word = wordAt(both.desired, 'purpose a');
      assert.equal(`${word?.want} ${word?.phase} ${word?.by}`, want);
      assert.equal(outcomeOf(both, 'first'), first);
      assert.equal(outcomeOf(both, 'second'), second);
      assert.equal(both.desired.order, 2);
    });
  }

  test('has the calls of both in order, and each word refers to its own call', () => {
    const one = withCall(saying(aPerson, 'first', { intent: intentOf(off('a')) }), 4);
    const called = { call: 3, phase: 'sent', granted: { order: 2, at: 1, isSure: true } } as const;
    const other = withCall(
      changed(saying(aPerson, 'second', { intent: intentOf(on('b')) }), 'purpose b', called),
      3,
    );
    const { desired } = joined(one, other);
    assert.deepEqual(
      centerOf(desired, 'shop').calls.map(({ order }) => order),
      [4, 7],
    );
    assert.equal(wordAt(desired, 'purpose b')?.call, 7);
    assert.equal(wordAt(desired, 'purpose b')?.granted?.order, 6);
    assert.equal(desired.order, 7);
  });

  test('keeps the facts of a key from both rows', () => {
    const one = changed(saying(aPerson, 'first', { intent: intentOf(off('a')) }), 'purpose a', {
      granted: { order: 1, at: 5, isSure: true },
      takenOut: 1,
    });
    const other = saying(aPerson, 'second', { intent: intentOf(on('a')) });
    const word = wordAt(joined(one, other).desired, 'purpose a');
    assert.deepEqual(
      [word?.granted, word?.takenOut, word?.withdrawn],
      [{ order: 1, at: 5, isSure: true }, 1, 1],
    );
  });

  test('keeps the withdrawal of everything of either row', () => {
    const one = saying(aPerson, 'first', { intent: leaveAll });
    const other = saying(aPerson, 'second', { intent: intentOf(on('a')) });
    assert.equal(centerOf(joined(one, other).desired, 'shop').everything?.by, 'first');
    assert.equal(centerOf(joined(other, one).desired, 'shop').everything?.order, 2);
  });

  test('withdraws a grant that was sent and may be on already', () => {
    const sent = changed(saying(aPerson, 'first', { intent: intentOf(on('a')) }), 'purpose a', {
      phase: 'sent',
      call: 1,
    });
    const both = joined(sent, saying(aPerson, 'second', { intent: leaveAll, now: 2 }));
    const word = wordAt(both.desired, 'purpose a');
    assert.equal(`${word?.want} ${word?.phase}`, 'off open');
  });

  test('has the tries of the newer row, and the clicks and known purposes of both', () => {
    const known = (person: Person, purpose: string): Person => ({
      ...person,
      desired: {
        ...person.desired,
        centers: person.desired.centers.map((each) => ({ ...each, known: [purpose] })),
      },
      clicks: { count: 2, until: 7, dueAt: 5 },
    });
    const one = known(saying(aPerson, 'first', { intent: intentOf(off('a')) }), 'a');
    const other = known(saying(aPerson, 'second', { intent: intentOf(off('b')) }), 'b');
    const tries = [{ center: 'shop', attempts: 1, problem: 'platform-busy', until: 3 }] as const;
    const both = joined({ ...one, tries: [{ ...tries[0], attempts: 9 }] }, { ...other, tries });
    assert.deepEqual(both.tries, tries);
    assert.deepEqual(both.clicks, { count: 4, until: 7, dueAt: 5 });
    assert.deepEqual(centerOf(both.desired, 'shop').known, ['a', 'b']);
  });
});
