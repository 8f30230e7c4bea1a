import assert from 'node:assert/strict';
import { describe, suite, test } from 'node:test';
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
const said = (purpose: string, text: string) => ({
  kind: 'saved',
  name: `${center.purposes.find(({ id }) => id === purpose)?.name} as of edition 1.`,
  text,
});

/** A form that asks for one thing, taken and told. */
function ask(purpose: string, to: 'on' | 'off' | 'parts', more: Partial<Ask> = {}): Ask {
  return {
    kind: 'ask',
    at: minute,
    how: 'form',
    shownAt: minute / 2,
    items: [{ purpose, to, edition: 1, partsOn: [], partsOff: [] }],
    taken: 'yes',
    told: [said(purpose, to === 'parts' ? 'Changed.' : `Turned ${to}.`)],
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

function history(parts: {
  seed?: Record<string, State>;
  events: History['events'];
  final: Record<string, State>;
  editions?: History['editions'];
}): History {
  const start = new Map(
    center.purposes.map(({ id, kind }) => [id, kind.endsWith('by-default') ? byDefault : off] as const),
  );
  const seed = new Map([...start, ...Object.entries(parts.seed ?? {})]);
  return {
    center,
    seed,
    events: parts.events,
    editions:
      parts.editions ?? new Map(center.purposes.map(({ id }) => [id, [{ from: 0, words: firstWords }]])),
    final: new Map([...seed, ...Object.entries(parts.final)]),
  };
}

/** The words of a purpose are others from then on. */
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

const breaks: readonly (readonly [string, History, Breach])[] = [
  [
    'a withdrawal that is not carried out',
    history({ seed: { [alpha]: on }, events: [ask(alpha, 'off')], final: { [alpha]: on } }),
    'withdrawal-lost',
  ],
  [
    'a withdrawal that an earlier grant undoes',
    history({ events: [ask(alpha, 'on'), ask(alpha, 'off', { at: 2 * minute })], final: { [alpha]: on } }),
    'withdrawal-lost',
  ],
  [
    'a one-click that leaves what is on by default',
    history({
      events: [ask(eta, 'off', { how: 'one-click' })],
      final: { [eta]: byDefault },
    }),
    'withdrawal-lost',
  ],
  [
    'an objection that leaves what is on by default',
    history({ events: [ask(eta, 'off', { how: 'objection' })], final: { [eta]: byDefault } }),
    'withdrawal-lost',
  ],
  [
    'an objection that takes what was chosen',
    history({ seed: { [eta]: on }, events: [ask(eta, 'off', { how: 'objection' })], final: { [eta]: off } }),
    'untouched-changed',
  ],
  [
    'a withdrawal elsewhere that is undone',
    history({ seed: { [alpha]: on }, events: [elsewhere(alpha, off)], final: { [alpha]: on } }),
    'grant-unasked',
  ],
  [
    'a grant that was told as not switched on',
    history({
      events: [ask(alpha, 'on', { told: [said(alpha, 'It wasn’t turned on. Please try again later.')] })],
      final: { [alpha]: on },
    }),
    'grant-unasked',
  ],
  ['a grant that nobody asked for', history({ events: [], final: { [alpha]: on } }), 'untouched-changed'],
  [
    'a grant of what is on by default, carried along',
    history({ events: [ask(alpha, 'on')], final: { [alpha]: on, [eta]: on } }),
    'untouched-changed',
  ],
  [
    'a loss of what was not touched',
    history({ seed: { [beta]: on }, events: [ask(alpha, 'on')], final: { [alpha]: on, [beta]: off } }),
    'untouched-changed',
  ],
  [
    'a grant for words that stood no more, and is told',
    history({ events: [ask(alpha, 'on')], final: {}, editions: rewordedAt(alpha, minute / 2 + 1) }),
    'grant-of-other-words',
  ],
  [
    'a grant for words that stood no more, and is told otherwise',
    history({
      events: [ask(alpha, 'on', { told: [said(alpha, 'The wording changed while you were choosing.')] })],
      final: { [alpha]: on },
      editions: rewordedAt(alpha, minute / 2 + 1),
    }),
    'grant-of-other-words',
  ],
  [
    'a topic that was taken out and stays',
    history({
      seed: { [epsilon]: { standing: 'on', parts: [one, two] } },
      events: [
        ask(epsilon, 'parts', {
          items: [{ purpose: epsilon, to: 'parts', edition: 1, partsOn: [], partsOff: [two] }],
        }),
      ],
      final: { [epsilon]: { standing: 'on', parts: [one, two] } },
    }),
    'grant-unasked',
  ],
  [
    'a topic that is lost beside another change',
    history({
      seed: { [epsilon]: { standing: 'on', parts: [one] } },
      events: [ask(alpha, 'on')],
      final: { [alpha]: on, [epsilon]: { standing: 'on', parts: [] } },
    }),
    'untouched-changed',
  ],
  [
    'a grant that is told and is not there',
    history({ events: [ask(alpha, 'on')], final: { [alpha]: off } }),
    'false-result',
  ],
  [
    'a withdrawal that is told as failed and is done',
    history({
      seed: { [alpha]: on },
      events: [ask(alpha, 'off', { told: [said(alpha, 'It’s still on. Please try again.')] })],
      final: { [alpha]: off },
    }),
    'false-result',
  ],
  [
    'a change that is told of what was not asked',
    history({
      events: [ask(alpha, 'on', { told: [said(alpha, 'Turned on.'), said(beta, 'Turned off.')] })],
      final: { [alpha]: on },
    }),
    'false-result',
  ],
  [
    '"elsewhere", where nobody else did anything',
    history({
      seed: { [alpha]: on },
      events: [
        ask(alpha, 'on', { told: [said(alpha, 'You turned this off somewhere else. It stays off.')] }),
      ],
      final: { [alpha]: on },
    }),
    'false-result',
  ],
  [
    'a change told of what is locked',
    history({
      seed: { [theta]: { standing: 'always', parts: [] } },
      events: [ask(theta, 'off', { how: 'everything' })],
      final: { [theta]: { standing: 'always', parts: [] } },
    }),
    'false-result',
  ],
  [
    'what is locked told of what is not',
    history({
      seed: { [alpha]: on },
      events: [ask(alpha, 'off', { told: [said(alpha, 'Nothing has changed.')] })],
      final: { [alpha]: off },
    }),
    'false-result',
  ],
  [
    'always active, and withdrawn',
    history({
      seed: { [theta]: { standing: 'always', parts: [] } },
      events: [ask(theta, 'off', { how: 'everything', told: [] })],
      final: { [theta]: off },
    }),
    'untouched-changed',
  ],
  [
    'words that nobody understands',
    history({ events: [ask(alpha, 'on', { told: [said(alpha, 'Perhaps.')] })], final: { [alpha]: on } }),
    'false-result',
  ],
  [
    'an item that the result does not name',
    history({ events: [ask(alpha, 'on', { told: [] })], final: { [alpha]: on } }),
    'unnamed',
  ],
  [
    'a topic taken out that the result does not name, where it was there for certain',
    history({
      seed: { [epsilon]: { standing: 'on', parts: [one, two] } },
      events: [
        ask(epsilon, 'parts', {
          items: [{ purpose: epsilon, to: 'parts', edition: 1, partsOn: [one], partsOff: [two] }],
          told: [],
        }),
      ],
      final: { [epsilon]: { standing: 'on', parts: [one] } },
    }),
    'unnamed',
  ],
  [
    'what is still open at rest',
    history({
      seed: { [alpha]: on },
      events: [ask(alpha, 'off', { told: [said(alpha, 'We’ll turn this off as soon as possible; …')] })],
      final: { [alpha]: off },
    }),
    'unsettled',
  ],
];

const rights: readonly (readonly [string, History])[] = [
  ['nothing asked, nothing changed', history({ seed: { [alpha]: on }, events: [], final: {} })],
  ['a grant, told and there', history({ events: [ask(alpha, 'on')], final: { [alpha]: on } })],
  [
    'a withdrawal, granted again elsewhere after ten minutes',
    history({
      seed: { [alpha]: on },
      events: [ask(alpha, 'off'), elsewhere(alpha, on, 12 * minute)],
      final: { [alpha]: on },
    }),
  ],
  [
    'a post whose answer was lost, either way',
    history({
      seed: { [alpha]: on },
      events: [ask(alpha, 'off', { taken: 'unknown', told: [] })],
      final: {},
    }),
  ],
  [
    'what was so already, and is not named',
    history({
      seed: { [alpha]: on, [epsilon]: { standing: 'on', parts: [one] } },
      events: [
        ask(alpha, 'on', { told: [] }),
        ask(epsilon, 'parts', {
          items: [{ purpose: epsilon, to: 'parts', edition: 1, partsOn: [one], partsOff: [two] }],
          told: [],
        }),
      ],
      final: {},
    }),
  ],
  [
    'a grant elsewhere while a PUT was under way that does not hold it',
    history({
      events: [ask(alpha, 'on'), elsewhere(beta, on, minute, true)],
      final: { [alpha]: on, [beta]: off },
    }),
  ],
  [
    'what is hard opted out, left twice by DELETE',
    history({
      seed: { [theta]: { standing: 'never', parts: [] } },
      events: [
        ask(theta, 'off', { how: 'everything', taken: 'unknown', told: [] }),
        ask(theta, 'off', { how: 'everything', told: [] }),
      ],
      final: { [theta]: { standing: 'never', parts: [] } },
    }),
  ],
  [
    'what was hard opted out until a DELETE, on and off again',
    history({
      seed: { [theta]: { standing: 'never', parts: [] } },
      events: [
        ask(theta, 'off', { how: 'everything', told: [] }),
        ask(theta, 'on', { at: 2 * minute }),
        ask(theta, 'off', { at: 3 * minute }),
      ],
      final: { [theta]: off },
    }),
  ],
  [
    'a grant in doubt that came',
    history({
      events: [
        ask(alpha, 'on', { told: [said(alpha, 'We don’t know yet if this was saved. …')], isDoubtful: true }),
      ],
      final: { [alpha]: on },
    }),
  ],
  [
    'an undoing in doubt of a grant of what had been on with other choices',
    history({
      seed: { [alpha]: on },
      events: [
        ask(alpha, 'on', { told: [said(alpha, 'Turned on.')] }),
        ask(alpha, 'off', {
          at: minute,
          how: 'undo',
          told: [said(alpha, 'We don’t know yet if this was saved. …')],
          isDoubtful: true,
        }),
      ],
      final: { [alpha]: on },
    }),
  ],
  [
    'an opt-in in the seconds after other words',
    history({
      events: [ask(alpha, 'on')],
      final: { [alpha]: on },
      editions: rewordedAt(alpha, minute - 5_000),
    }),
  ],
];

suite('The judge of what each person last asked', () => {
  describe('sees', () => {
    for (const [name, broken, breach] of breaks) {
      test(`${name}.`, () => {
        const found = judge(broken).map((violation) => violation.breach);
        assert.ok(found.includes(breach), `saw ${found.join(', ') || 'nothing'}`);
      });
    }
  });

  describe('lets pass', () => {
    for (const [name, right] of rights) test(`${name}.`, () => assert.deepEqual(judge(right), []));
  });

  test('sees another person’s identifier or nickname in a page.', () => {
    const page = '<p>p1234567x8x@acts.invalid</p><input value="1234567x8x">';
    assert.deepEqual(othersIn(page, '1234567x8x'), []);
    assert.deepEqual(othersIn(page, '1234567x18x'), ['1234567x8x', '1234567x8x']);
  });

  test('reads a page of results as people do, line by line.', () => {
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
