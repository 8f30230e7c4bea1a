import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createCenter, firstWords } from './material.ts';
import {
  type Ask,
  type Breach,
  type Elsewhere,
  type History,
  judge,
  type State,
  verdictOf,
} from './model.ts';
import { othersIn, readStatements } from './person.ts';

const center = createCenter(1, 'single-page');
const idOf = (name: string) => center.purposes.find((purpose) => purpose.name.startsWith(name))?.id ?? '';
const [alpha, beta, epsilon, eta, theta] = ['Alpha', 'Beta', 'Epsilon', 'Eta', 'Theta'].map(idOf) as [
  string,
  string,
  string,
  string,
  string,
];
const [one = '', two = ''] = center.purposes.find(({ id }) => id === epsilon)?.parts ?? [];
const minute = 60_000;

const on: State = { standing: 'on', parts: [] };
const off: State = { standing: 'off', parts: [] };
const byDefault: State = { standing: 'by-default', parts: [] };
const statement = (purpose: string, text: string) => ({
  kind: 'saved',
  name: `${center.purposes.find(({ id }) => id === purpose)?.name} as of edition 1.`,
  text,
});

/** An ask for one purpose by a form, taken and told as done. */
function ask(purpose: string, to: 'on' | 'off' | 'parts', more: Partial<Ask> = {}): Ask {
  return {
    kind: 'ask',
    at: minute,
    how: 'form',
    shownAt: minute / 2,
    items: [{ purpose, to, edition: 1, partsOn: [], partsOff: [] }],
    taken: 'yes',
    told: [statement(purpose, to === 'parts' ? 'Changed.' : `Turned ${to}.`)],
    isDoubtful: false,
    ...more,
  };
}

const elsewhere = (purpose: string, state: State, at = 2 * minute, isRacing = false): Elsewhere => ({
  kind: 'elsewhere',
  at,
  purpose,
  state,
  isRacing,
});

type Standings = Readonly<{ [purpose: string]: State }>;

/** The history of a person: standings before, events, and the standings after where they differ. */
function history(
  before: Standings,
  events: History['events'],
  after: Standings = {},
  rewordings: History['editions'] = new Map(),
): History {
  const start = center.purposes.map(
    ({ id, kind }) => [id, kind.endsWith('by-default') ? byDefault : off] as const,
  );
  const seed = new Map([...start, ...Object.entries(before)]);
  const first = center.purposes.map(({ id }) => [id, [{ from: 0, words: firstWords }]] as const);
  const editions = new Map([...first, ...rewordings]);
  return { center, seed, events, editions, final: new Map([...seed, ...Object.entries(after)]) };
}

/** Editions in which the words of one purpose change at `from`. */
const rewordedAt = (purpose: string, from: number): History['editions'] =>
  new Map([
    [
      purpose,
      [
        { from: 0, words: firstWords },
        { from, words: { ...firstWords, edition: 2 } },
      ],
    ],
  ]);

const told = (...lines: readonly (readonly [purpose: string, text: string])[]) => ({
  told: lines.map(([purpose, text]) => statement(purpose, text)),
});
const untold = told();
const everything = { how: 'everything' } as const;
const objection = { how: 'objection' } as const;
const chosen = (...parts: string[]): State => ({ standing: 'on', parts });
/** An ask that takes out the second topic, and chooses `partsOn`. */
const exchange = (partsOn: readonly string[], more: Partial<Ask> = {}) =>
  ask(epsilon, 'parts', {
    items: [{ purpose: epsilon, to: 'parts', edition: 1, partsOn, partsOff: [two] }],
    ...more,
  });

const alphaOn = { [alpha]: on };
const always: State = { standing: 'always', parts: [] };

type Told = readonly [name: string, ...of: Parameters<typeof history>];

const breaks: Readonly<{ [breach in Breach]?: readonly Told[] }> = {
  'withdrawal-lost': [
    ['a withdrawal that does not reach the record', alphaOn, [ask(alpha, 'off')]],
    [
      'a withdrawal that an earlier grant undoes',
      {},
      [ask(alpha, 'on'), ask(alpha, 'off', { at: 2 * minute })],
      alphaOn,
    ],
    ['a default that stays on after a one-click', {}, [ask(eta, 'off', { how: 'one-click' })]],
    ['a default that stays on after an objection', {}, [ask(eta, 'off', objection)]],
    [
      'a lost withdrawal of a default, which a failed grant replaced',
      {},
      [
        ask(eta, 'off', told([eta, 'You changed this again later. …'])),
        ask(eta, 'on', { at: 2 * minute, ...told([eta, 'It wasn’t turned on. Please try again later.']) }),
      ],
    ],
  ],
  'grant-unasked': [
    ['a purpose that is on again after a withdrawal elsewhere', alphaOn, [elsewhere(alpha, off)]],
    [
      'a grant that was told as not switched on',
      {},
      [ask(alpha, 'on', told([alpha, 'It wasn’t turned on. Please try again later.']))],
      alphaOn,
    ],
    ['a topic that was taken out and stays chosen', { [epsilon]: chosen(one, two) }, [exchange([])]],
  ],
  'untouched-changed': [
    ['an objection that withdraws a choice', { [eta]: on }, [ask(eta, 'off', objection)], { [eta]: off }],
    ['a grant without any ask', {}, [], alphaOn],
    ['a default that is granted beside a purpose', {}, [ask(alpha, 'on')], { ...alphaOn, [eta]: on }],
    [
      'a purpose that is lost beside a grant',
      { [beta]: on },
      [ask(alpha, 'on')],
      { ...alphaOn, [beta]: off },
    ],
    [
      'a topic that is lost beside another change',
      { [epsilon]: chosen(one) },
      [ask(alpha, 'on')],
      { ...alphaOn, [epsilon]: chosen() },
    ],
    [
      'a purpose that is always active, and was withdrawn',
      { [theta]: always },
      [ask(theta, 'off', { ...everything, ...untold })],
      { [theta]: off },
    ],
  ],
  'grant-of-other-words': [
    [
      'a grant for words that no longer stood, told as done',
      {},
      [ask(alpha, 'on')],
      {},
      rewordedAt(alpha, minute / 2 + 1),
    ],
    [
      'a grant for words that no longer stood, told as reworded',
      {},
      [ask(alpha, 'on', told([alpha, 'The wording changed while you were choosing.']))],
      alphaOn,
      rewordedAt(alpha, minute / 2 + 1),
    ],
  ],
  'false-result': [
    ['a grant that is told and is not on record', {}, [ask(alpha, 'on')], { [alpha]: off }],
    [
      'a withdrawal that is told as failed and is on record',
      alphaOn,
      [ask(alpha, 'off', told([alpha, 'It’s still on. Please try again.']))],
      { [alpha]: off },
    ],
    [
      'a told change that was not asked for',
      {},
      [ask(alpha, 'on', told([alpha, 'Turned on.'], [beta, 'Turned off.']))],
      alphaOn,
    ],
    [
      'a withdrawal told as made elsewhere, without one',
      alphaOn,
      [ask(alpha, 'on', told([alpha, 'You turned this off somewhere else. It stays off.']))],
    ],
    ['a told change of a locked purpose', { [theta]: always }, [ask(theta, 'off', everything)]],
    [
      'a purpose told as locked that is not',
      alphaOn,
      [ask(alpha, 'off', told([alpha, 'Nothing has changed.']))],
      { [alpha]: off },
    ],
    ['an unknown statement', {}, [ask(alpha, 'on', told([alpha, 'Perhaps.']))], alphaOn],
  ],
  unnamed: [
    ['an item that the result does not name', {}, [ask(alpha, 'on', untold)], alphaOn],
    [
      'a topic taken out that the result does not name, though it was chosen for certain',
      { [epsilon]: chosen(one, two) },
      [exchange([one], untold)],
      { [epsilon]: chosen(one) },
    ],
  ],
  unsettled: [
    [
      'an item that is still open at rest',
      alphaOn,
      [ask(alpha, 'off', told([alpha, 'We’ll turn this off as soon as possible; …']))],
      { [alpha]: off },
    ],
  ],
};

suite('The judge of what each person last asked', () => {
  for (const [breach, cases] of Object.entries(breaks))
    for (const [name, ...broken] of cases)
      test(`the judge sees ${name}`, () => {
        const found = judge(history(...broken)).map((violation): string => violation.breach);
        assert.ok(found.includes(breach), `saw ${found.join(', ') || 'nothing'}`);
      });

  test('othersIn finds another person’s identifier or nickname in a page', () => {
    const page = '<p>p1234567x8x@acts.invalid</p><input value="1234567x8x">';
    assert.deepEqual(othersIn(page, '1234567x8x'), []);
    assert.deepEqual(othersIn(page, '1234567x18x'), ['1234567x8x', '1234567x8x']);
  });

  test('readStatements reads a result page line by line', () => {
    const html = `<main><ul><li class="saved"><span class="name">Alpha 1 as of edition 1.</span>: Turned&nbsp;off.</li>
      <li class="in-doubt"><span class="name">Beta 1</span>: <span>Soon.</span></li></ul></main>`;
    const told = readStatements(html.replace('&nbsp;', ' '));
    assert.deepEqual(told, [
      { kind: 'saved', name: 'Alpha 1 as of edition 1.', text: 'Turned off.' },
      { kind: 'in-doubt', name: 'Beta 1', text: 'Soon.' },
    ]);
    assert.deepEqual(told.map(verdictOf), ['done', 'doubtful']);
  });
});
