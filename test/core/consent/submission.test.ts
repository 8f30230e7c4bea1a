import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { FormSnapshot, PurposeSnapshot } from '../../../src/core/consent/form-snapshot.ts';
import type { Posted } from '../../../src/core/consent/posted.ts';
import type { ConsentStatus } from '../../../src/core/consent/status.ts';
import { type ReadSubmission, readSubmission } from '../../../src/core/consent/submission.ts';
import { tolerance } from '../../../src/core/model/age.ts';
import type { Center } from '../../../src/core/model/center/center.ts';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import {
  adjustment,
  choicesIn,
  type Intent,
  isEmptyIntent,
  noIntent,
  withdrawalIn,
  withdrawalsOf,
  withdraws,
} from '../../../src/core/model/submission/intent.ts';
import { cpuMilliseconds } from '../../kit/cpu.ts';
import { aCenter, anElement, aPreference, aPurpose, offered, topics } from '../center-builder.ts';
import { adjust, intentOf, leaveAll, off, on, option, reduce } from '../changes.ts';

const anna = 'anna@example.org' as SubjectId;
const now = Date.UTC(2026, 5, 1);
const hour = 3_600_000;

const center = aCenter([
  { kind: 'text', id: 'text', html: { entries: [], plain: undefined } },
  aPurpose('a', {
    topics: topics('t1', 't2', 't3'),
    preferences: [
      aPreference('many', ['m1', 'm2', 'm3']),
      aPreference('one', ['o1', 'o2', 'o3'], { choice: 'single' }),
    ],
  }),
  aPurpose('b', { topics: topics('t1') }),
  aPurpose('r', {
    preferences: [
      aPreference('must', ['r1', 'r2'], { required: true }),
      aPreference('may', ['s1']),
      aPreference('empty', [], { required: true }),
    ],
  }),
  anElement('name'),
  anElement('mail', { type: 'email' }),
  anElement('birth', { type: 'date' }),
  anElement('need', { required: true }),
  anElement('fixed', { readOnly: true }),
  anElement('fixedNeed', { readOnly: true, required: true }),
  anElement('secret', { hidden: true }),
  anElement('pick', { type: 'choice', options: offered('x', 'y') }),
]);

interface Line {
  status?: ConsentStatus;
  topics?: readonly string[];
  /** Options in the form `preference:option`. */
  options?: readonly string[];
}

function shownOf(
  lines: Record<string, Line>,
  elements: Record<string, string> = {},
  change: Partial<FormSnapshot> = {},
): FormSnapshot {
  return {
    nonce: 'n',
    center: 'center',
    page: 'page',
    revision: '1',
    subject: anna,
    at: now - hour,
    order: 1,
    purposes: Object.entries(lines).map(
      ([id, line]): PurposeSnapshot => ({
        id,
        status: line.status ?? 'on',
        topics: line.topics ?? [],
        options: pairs(line.options ?? []),
      }),
    ),
    dataElements: Object.entries(elements).map(([id, value]) => ({ id, value })),
    ...change,
  };
}

function pairs(options: readonly string[]) {
  return options.map((each) => {
    const [preference = '', option = ''] = each.split(':');
    return { preference, option };
  });
}

function post(change: Partial<Posted>): Posted {
  return {
    purposes: [],
    topics: {},
    options: {},
    elements: {},
    subscribeAll: false,
    language: undefined,
    ...change,
  };
}

function read(
  snapshot: FormSnapshot,
  posted: Partial<Posted>,
  form: { center?: Center; page?: string; subject?: SubjectId } = {},
) {
  return readSubmission({
    center: form.center ?? center,
    page: form.page ?? 'page',
    snapshot,
    posted: post(posted),
    now,
    subject: form.subject ?? anna,
  });
}

/** An intent in the form `+a[t1 !t2|many:m1 !one:o1] -b ~c[…] <d[!t1|] name=x fr`. */
function words(intent: Intent): string {
  const marks = (on: readonly string[], off: readonly string[]) =>
    [...on, ...off.map((each) => `!${each}`)].join(' ');
  const option = (each: { preference: string; option: string }) => `${each.preference}:${each.option}`;
  const parts = intent.purposes.map((change) => {
    if (change.kind === 'off') return `-${change.purpose}`;
    const { topics, options } = choicesIn(change);
    const inner = `${marks(topics, change.topicsOff)}|${marks(options.map(option), change.optionsOff.map(option))}`;
    const sign = { on: '+', adjust: '~', reduce: '<' }[change.kind];
    return `${sign}${change.purpose}${inner === '|' ? '' : `[${inner}]`}`;
  });
  parts.push(...intent.dataElements.map((change) => `${change.element}=${change.value}`));
  if (intent.language !== undefined) parts.push(intent.language);
  return parts.join(' ');
}

function said(result: ReadSubmission): string {
  switch (result.kind) {
    case 'intent':
      return words(result.intent);
    case 'mistakes':
      return `mistakes ${result.mistakes.map((each) => `${each.field}=${each.kind}`).join(' ')}`;
    case 'review':
      return `review ${result.reason}: ${words(result.draft)}${result.outOfSight.map((id) => ` lost ${id}`).join('')}`;
    case 'refused':
      return `refused ${result.reason}`;
  }
}

type Row = readonly [what: string, snapshot: FormSnapshot, posted: Partial<Posted>, expected: string];

function rows(cases: readonly Row[]): void {
  for (const [what, snapshot, posted, expected] of cases)
    test(what, () => assert.equal(said(read(snapshot, posted)), expected));
}

/** A case; `shown` and `posted` are like `off t1 many:m1`: a status, or `on` for a tick, and choices. */
type Change = readonly [what: string, shown: string, posted: string, expected: string];

function changes(purpose: string, cases: readonly Change[]): void {
  for (const [what, shown, posted, expected] of cases)
    test(what, () => {
      const [status, ...was] = shown.split(' ');
      const [tick, ...is] = posted.split(' ');
      const isOption = (each: string) => each.includes(':');
      const line = { status: status as ConsentStatus, topics: was.filter((each) => !isOption(each)) };
      const chosen = Map.groupBy(pairs(is.filter(isOption)), ({ preference }) => preference);
      const form = {
        purposes: tick === 'on' ? [purpose] : [],
        topics: { [purpose]: is.filter((each) => !isOption(each)) },
        options: Object.fromEntries(
          [...chosen].map(([id, all]) => [`${purpose}.${id}`, all.map(({ option }) => option)]),
        ),
      };
      const snapshot = shownOf({ [purpose]: { ...line, options: was.filter(isOption) } });
      assert.equal(said(read(snapshot, form)), expected);
    });
}

suite('a renewal', () => {
  const renewable = { renewable: ['a'] };
  const asShown = { purposes: ['a'], topics: { a: ['t1'] } };

  test('is an adjustment that agrees to the purpose as it is', () => {
    const result = read(shownOf({ a: { topics: ['t1'] } }, {}, renewable), { ...asShown, renewed: ['a'] });
    assert.deepEqual(result.kind === 'intent' && result.intent.purposes, [adjust('a', { renews: true })]);
  });

  test('is no change of a purpose that is only on by default', () => {
    const snapshot = shownOf({ a: { status: 'on-by-default', topics: ['t1'] } }, {}, renewable);
    assert.equal(said(read(snapshot, { ...asShown, renewed: ['a'] })), '');
  });

  test('is refused for a purpose whose renewal was not offered', () => {
    const snapshot = shownOf({ a: { topics: ['t1'] }, b: {} }, {}, renewable);
    for (const renewed of [['b'], ['a', 'b']])
      assert.equal(said(read(snapshot, { ...asShown, renewed })), 'refused hidden');
  });
});

test('a purpose that is only on by default is not asked for because its form is shown again', () => {
  const shown = shownOf({ a: { status: 'on-by-default' } }, {}, { chosen: ['a'] });
  assert.equal(said(read(shown, { purposes: ['a'] })), '');
});

suite('the difference of a purpose', () => {
  changes('a', [
    ['on and untouched is nothing', 'on t1 t2 many:m1 many:m2 one:o1', 'on t1 t2 many:m1 many:m2 one:o1', ''],
    ['on by default and untouched is nothing', 'on-by-default', 'on', ''],
    ['off and untouched is nothing', 'off', 'off', ''],
    [
      'off with prepared choices is nothing',
      'off t1 t2 many:m1 many:m2 one:o1',
      'off t1 t2 many:m1 many:m2 one:o1',
      '',
    ],
    ['off with other choices is still nothing', 'off', 'off t1', ''],
    ['waiting and untouched is nothing', 'waiting', 'off', ''],
    ['expired and untouched is nothing', 'expired', 'off', ''],
    ['on and un-ticked is off', 'on t1 t2 many:m1 many:m2 one:o1', 'off t1 t2 many:m1 many:m2 one:o1', '-a'],
    ['on by default and un-ticked is off', 'on-by-default', 'off', '-a'],
    ['off and ticked is on', 'off', 'on', '+a'],
    ['waiting and ticked is on', 'waiting', 'on', '+a'],
    ['expired and ticked is on', 'expired', 'on', '+a'],
    [
      'on with what was ticked, in the schema’s order, and what was un-ticked',
      'off t3 many:m3 one:o1',
      'on t2 t1 many:m2 many:m1 one:',
      '+a[t1 t2 !t3|many:m1 many:m2 !many:m3 !one:o1]',
    ],
    ['adjusted topics', 'on t1 t2 many:m1 many:m2 one:o1', 'on t2 t3 many:m1 many:m2 one:o1', '~a[t3 !t1|]'],
    [
      'adjusted options',
      'on t1 t2 many:m1 many:m2 one:o1',
      'on t1 t2 many:m1 many:m3 one:o2',
      '~a[|many:m3 one:o2 !many:m2]',
    ],
    ['only a topic un-chosen', 'on t1 t2 many:m1 many:m2 one:o1', 'on t1 many:m1 many:m2 one:o1', '<a[!t2|]'],
    ['only a topic chosen', 'on t1', 'on t1 t2', '~a[t2|]'],
    ['only an option chosen', 'on', 'on many:m1', '~a[|many:m1]'],
    ['only an option un-chosen', 'on many:m1', 'on', '<a[|!many:m1]'],
    ['topics exchanged', 'on t1', 'on t2', '~a[t2 !t1|]'],
    [
      'on by default with a topic un-chosen is adjusted, for that agrees to it',
      'on-by-default t1',
      'on',
      '~a[!t1|]',
    ],
    ['on by default with a topic chosen is adjusted', 'on-by-default', 'on t1', '~a[t1|]'],
    ['none of a single choice un-chooses it', 'on one:o1', 'on one:', '<a[|!one:o1]'],
    [
      'a single choice of which the record holds several shows one, and that is no change',
      'on one:o1 one:o2',
      'on one:o2',
      '',
    ],
    ['and another one is', 'on one:o1 one:o2', 'on one:o3', '~a[|one:o3]'],
    ['and none is', 'on one:o1 one:o2', 'on one:', '<a[|!one:o1 !one:o2]'],
    [
      'an option of another choice does not stand in for a single one that was un-chosen',
      'on one:o1',
      'on one: many:m1',
      '~a[|many:m1 !one:o1]',
    ],
    [
      'several of one choice that came back as they were are no mistake',
      'on one:o1 one:o2',
      'on one:o1 one:o2 many:m1',
      '~a[|many:m1]',
    ],
    [
      'several choices less one is a change where several may be chosen',
      'on many:m1 many:m2',
      'on many:m2',
      '<a[|!many:m1]',
    ],
    ['locked on and not posted is nothing', 'locked-on t1 t2 many:m1 many:m2 one:o1', 'off', ''],
    [
      'locked on and posted as shown is nothing',
      'locked-on t1 t2 many:m1 many:m2 one:o1',
      'on t1 t2 many:m1 many:m2 one:o1',
      '',
    ],
    ['locked off and not posted is nothing', 'locked-off', 'off', ''],
    ['locked off and ticked is refused', 'locked-off', 'on', 'refused locked'],
    ['locked on with another topic is refused', 'locked-on', 'off t1', 'refused locked'],
    ['locked on with another option is refused', 'locked-on', 'off many:m1', 'refused locked'],
    [
      'locked on with another option of a chosen preference is refused',
      'locked-on many:m2',
      'off many:m1',
      'refused locked',
    ],
    ['locked off with another topic is refused', 'locked-off', 'off t1', 'refused locked'],
  ]);

  test('leaves out choices that are no longer offered', () => {
    const line = { topics: ['gone'], options: ['many:gone', 'gone:o'] };
    assert.equal(said(read(shownOf({ a: line }), { purposes: ['a'] })), '');
    assert.equal(said(read(shownOf({ a: { ...line, status: 'off' } }), { purposes: ['a'] })), '+a');
  });

  test('is separate for each purpose', () => {
    const snapshot = shownOf({ a: {}, b: { status: 'off' }, r: {} });
    assert.equal(said(read(snapshot, { purposes: ['b', 'r'] })), '-a +b');
  });

  test('is separate for topics of the same id under two purposes', () => {
    const snapshot = shownOf({ a: {}, b: {} });
    assert.equal(said(read(snapshot, { purposes: ['a', 'b'], topics: { b: ['t1'] } })), '~b[t1|]');
  });
});

suite('a center that takes all topics', () => {
  const taking = { ...center, autoCheckTopics: true };
  const cases: readonly [string, Line, Partial<Posted>, string][] = [
    ['switched on with none chosen takes all', { status: 'off' }, {}, '+a[t1 t2 t3|]'],
    ['also when one was prepared and un-ticked', { status: 'off', topics: ['t1'] }, {}, '+a[t1 t2 t3|]'],
    [
      'switched on with one chosen takes that',
      { status: 'off', topics: ['t2'] },
      { topics: { a: ['t1'] } },
      '+a[t1 !t2|]',
    ],
    ['what was on before does not', {}, {}, ''],
    ['nor what is adjusted', { topics: ['t1'] }, {}, '<a[!t1|]'],
  ];
  for (const [what, line, posted, expected] of cases) {
    test(what, () => {
      assert.equal(
        said(read(shownOf({ a: line }), { purposes: ['a'], ...posted }, { center: taking })),
        expected,
      );
    });
  }
});

suite('“subscribe to all”, which is shown again before it is saved,', () => {
  const snapshot = shownOf({ a: { status: 'off', topics: ['t1'] }, b: { topics: ['t1'] } });
  const locked = shownOf({ a: { status: 'locked-off' }, b: { status: 'locked-on' } });
  const all = { subscribeAll: true };
  const required = 'mistakes option.r.must=choice-required';
  rows([
    [
      'turns on the purposes that are off, with their ticked choices',
      snapshot,
      { ...all, purposes: ['b'], topics: { a: ['t1'], b: ['t1'] } },
      'review everything: +a[t1|]',
    ],
    [
      'does not also withdraw the unticked purposes and topics beside it',
      snapshot,
      all,
      'review everything: +a[!t1|]',
    ],
    [
      'still adjusts the purposes that stay ticked',
      snapshot,
      { ...all, purposes: ['b'] },
      'review everything: +a[!t1|] <b[!t1|]',
    ],
    ['leaves locked purposes alone', locked, all, ''],
    ['waits for a choice that is required', shownOf({ r: { status: 'off' } }), all, required],
  ]);
});

suite('mistakes of choices', () => {
  changes('r', [
    ['switched on without the required choice', 'off', 'on', 'mistakes option.r.must=choice-required'],
    ['switched on with it', 'off', 'on must:r1', '+r[|must:r1]'],
    ['untouched without it', 'on', 'on', ''],
    ['switched off without it', 'on', 'off', '-r'],
    ['adjusted without it', 'on', 'on may:s1', 'mistakes option.r.must=choice-required'],
    ['un-chosen', 'on must:r1', 'on', 'mistakes option.r.must=choice-required'],
    ['less something else without it', 'on may:s1', 'on', '<r[|!may:s1]'],
    ['adjusted with it', 'on must:r1', 'on must:r1 may:s1', '~r[|may:s1]'],
  ]);

  const two = { purposes: ['a'], options: { 'a.one': ['o1', 'o2'] } };
  const asShown = { options: ['one:o1', 'one:o2'] };
  const oneOnly = 'mistakes option.a.one=one-choice-only';
  rows([
    ['several of a single choice, switched on', shownOf({ a: { status: 'off' } }), two, oneOnly],
    ['several of a single choice, adjusted', shownOf({ a: {} }), two, oneOnly],
    ['several of a single choice, switched off', shownOf({ a: {} }), { ...two, purposes: [] }, '-a'],
    ['several, switched on as they were shown', shownOf({ a: { status: 'off', ...asShown } }), two, oneOnly],
    [
      'several that came back as they were stay no mistake beside other options',
      shownOf({ a: { options: [...asShown.options, 'many:m1'] } }),
      { ...two, options: { ...two.options, 'a.many': ['m2'] } },
      '~a[|many:m2 !many:m1]',
    ],
    [
      'the same option twice is one',
      shownOf({ a: { status: 'off' } }),
      { purposes: ['a'], options: { 'a.one': ['o1', 'o1'] } },
      '+a[|one:o1]',
    ],
  ]);

  test('are separate for options of the same id under two preferences', () => {
    const preferences = [aPreference('p', ['x', 'y']), aPreference('q', ['x', 'y'])];
    const twins = aCenter([aPurpose('twin', { preferences })]);
    const snapshot = shownOf({ twin: { options: ['p:x'] } });
    const posted = { purposes: ['twin'], options: { 'twin.q': ['x'] } };
    assert.equal(said(read(snapshot, posted, { center: twins })), '~twin[|q:x !p:x]');
  });

  test('keep the whole draft', () => {
    const snapshot = shownOf({ r: { status: 'off' }, a: {} }, { name: '', mail: '' });
    const result = read(snapshot, {
      purposes: ['r'],
      elements: { name: 'Anna', mail: 'no' },
      language: 'fr',
    });
    assert.equal(said(result), 'mistakes option.r.must=choice-required element.mail=email');
    assert.equal(result.kind === 'mistakes' ? words(result.draft) : '', '+r -a name=Anna mail=no fr');
  });
});

suite('a typed value', () => {
  const elements = { name: 'Ann', mail: 'old', birth: '06/15/1985', need: '', pick: 'z' };
  const cases: readonly [string, Partial<Posted['elements']>, string][] = [
    ['unchanged is nothing', { name: 'Ann', mail: 'old', birth: '1985-06-15', need: '', pick: 'z' }, ''],
    ['not posted is nothing', {}, ''],
    ['changed', { name: 'Anna' }, 'mistakes element.need=required'],
    ['changed with what is required', { name: 'Anna', need: 'x' }, 'name=Anna need=x'],
    ['a date goes as month/day/year', { birth: '1985-06-16' }, 'birth=06/16/1985'],
    ['an option', { pick: 'x' }, 'pick=x'],
    ['another than offered', { pick: 'q' }, 'mistakes element.pick=not-offered'],
    ['a malformed address', { mail: 'new' }, 'mistakes element.mail=email'],
    ['read-only with another value', { fixed: 'x' }, 'mistakes element.fixed=read-only'],
    ['read-only and empty as it was', { fixed: '', fixedNeed: '' }, ''],
    ['hidden', { secret: 'x' }, 'refused hidden'],
    ['hidden and empty', { secret: '' }, 'refused hidden'],
    ['of no page', { other: 'x' }, 'refused hidden'],
  ];
  for (const [what, typed, expected] of cases) {
    test(what, () => {
      const lacks = what === 'changed';
      const posted = lacks ? { need: '', ...typed } : typed;
      assert.equal(
        said(read(shownOf({}, elements), { elements: posted as Record<string, string> })),
        expected,
      );
    });
  }

  const own = (mail: string) => shownOf({}, { mail, need: '' });
  const fixed = shownOf({}, { fixed: 'a' });
  const isReadOnly = (element: string) => `mistakes element.${element}=read-only`;
  const other = { elements: { mail: 'b@example.org' } };
  rows([
    ['of the page, and not shown', shownOf({}, {}), { elements: { name: 'x' } }, 'refused hidden'],
    ['read-only and as shown', fixed, { elements: { fixed: 'a' } }, ''],
    ['read-only and changed', fixed, { elements: { fixed: 'b' } }, isReadOnly('fixed')],
    ['read-only and cleared', fixed, { elements: { fixed: '' } }, isReadOnly('fixed')],
    ...['anna@example.org', 'Anna@example.org'].flatMap((mail): Row[] => [
      [`the identifier, as ${mail}`, own(mail), { elements: { mail, need: '' } }, ''],
      [`another than the identifier ${mail}`, own(mail), other, isReadOnly('mail')],
    ]),
    [
      'the identifier, where it is required',
      shownOf({ b: { status: 'off' } }, { need: 'anna@example.org' }),
      { elements: { need: 'anna@example.org' }, purposes: ['b'], topics: { b: ['t1'] } },
      '+b[t1|]',
    ],
  ]);

  test('is not kept in the draft if its element is read-only', () => {
    const result = read(shownOf({}, { fixed: 'a' }), { elements: { fixed: 'b' } });
    assert.deepEqual(result.kind === 'mistakes' ? result.draft : undefined, noIntent);
  });

  const lacking = shownOf({ a: { topics: ['t1'] }, b: { status: 'off' } }, { need: '' });
  const chosen = { topics: { a: ['t1'] } };
  const required = 'mistakes element.need=required';
  const need = (value: string) => ({ elements: { need: value } });
  rows([
    ['an empty required value does not stop leaving', lacking, { ...need(''), ...chosen }, '-a'],
    ['nor taking out', lacking, { ...need(''), purposes: ['a'] }, '<a[!t1|]'],
    ['it stops a grant', lacking, { ...need(''), ...chosen, purposes: ['a', 'b'] }, required],
    ['so does a blank one', lacking, { ...need(' '), ...chosen, purposes: ['a', 'b'] }, required],
    [
      'a required value that is there and untouched stops nothing',
      shownOf({ b: { status: 'off' } }, { need: 'x', name: '' }),
      { purposes: ['b'], elements: { need: 'x', name: '' } },
      '+b',
    ],
    ['cleared, also beside leaving', shownOf({ a: {} }, { need: 'x' }), need(''), required],
  ]);

  test('has the label as its key on the platform', () => {
    const result = read(shownOf({}, { name: '' }), { elements: { name: 'x' } });
    assert.deepEqual(result.kind === 'intent' ? result.intent.dataElements : [], [
      { element: 'name', label: 'Label of name', value: 'x' },
    ]);
  });
});

suite('the language of a form', () => {
  const cases: readonly [string | undefined, string][] = [
    [undefined, ''],
    ['', ''],
    ['fr', 'fr'],
    ['FR', 'fr'],
    ['en_US', 'en-us'],
    ['de', 'refused hidden'],
  ];
  for (const [language, expected] of cases) {
    test(`${language} is "${expected}"`, () => {
      assert.equal(said(read(shownOf({}), { language })), expected);
    });
  }
});

suite('a refused post', () => {
  const snapshot = shownOf({ a: {} });
  rows([
    ['another subject’s page', { ...snapshot, subject: 'ben' }, {}, 'refused other-subject'],
    ['another center’s page', { ...snapshot, center: 'other' }, {}, 'refused other-center'],
    ['another page’s form', { ...snapshot, page: 'other' }, {}, 'refused other-page'],
    ['a purpose that was not shown', snapshot, { purposes: ['b'] }, 'refused hidden'],
    ['topics of a purpose that was not shown', snapshot, { topics: { b: ['t1'] } }, 'refused hidden'],
    [
      'options of a purpose that was not shown',
      snapshot,
      { options: { 'r.must': ['r1'] } },
      'refused hidden',
    ],
    ['an unknown purpose', snapshot, { purposes: ['zzz'] }, 'refused hidden'],
    ['a topic of another purpose', shownOf({ a: {}, b: {} }), { topics: { b: ['t2'] } }, 'refused hidden'],
    ['an unknown topic', snapshot, { topics: { a: ['zzz'] } }, 'refused hidden'],
    ['an unknown option', snapshot, { options: { 'a.many': ['zzz'] } }, 'refused hidden'],
    ['an option of another preference', snapshot, { options: { 'a.one': ['m1'] } }, 'refused hidden'],
    ['an unknown preference', snapshot, { options: { 'a.zzz': ['m1'] } }, 'refused hidden'],
    ['options without a preference', snapshot, { options: { a: ['m1'] } }, 'refused hidden'],
    [
      'options beside others that were shown',
      snapshot,
      { options: { 'a.many': ['m1'], 'b.x': [] } },
      'refused hidden',
    ],
    ['options of what is only called alike', snapshot, { options: { 'ab.many': ['m1'] } }, 'refused hidden'],
    [
      'a purpose of the token that this page does not have',
      shownOf({ gone: {} }),
      { purposes: ['gone'] },
      'refused hidden',
    ],
    [
      'but for an un-ticked purpose of the token that the page no longer has',
      shownOf({ gone: {}, a: {} }),
      {},
      '-a',
    ],
    [
      'but for empty lists, which name nothing',
      snapshot,
      { purposes: ['a'], topics: { a: [] }, options: { 'a.zzz': [''], 'a.one': [''] } },
      '',
    ],
  ]);

  test('does not arise from an id with dots', () => {
    const center = aCenter([aPurpose('x.y', { preferences: [aPreference('p.q', ['o.1'])] })]);
    const token = { ...shownOf({ 'x.y': { status: 'off' } }), center: center.id };
    const posted = { purposes: ['x.y'], options: { 'x.y.p.q': ['o.1'] } };
    assert.equal(said(read(token, posted, { center })), '+x.y[|p.q:o.1]');
    assert.equal(said(read(token, { options: { 'x.z.p.q': ['o.1'] } }, { center })), 'refused hidden');
  });
});

suite('the review of a post', () => {
  const lines = { a: { topics: ['t1'] }, b: { status: 'off' as const } };
  const posted = { purposes: ['b'], elements: { name: 'Anna' }, language: 'fr' };

  test('follows a page older than a day, and nothing of it is applied', () => {
    const day = 24 * hour;
    assert.equal(said(read(shownOf(lines, { name: '' }, { at: now - day }), posted)), '-a +b name=Anna fr');
    assert.equal(
      said(read(shownOf(lines, { name: '' }, { at: now - day - 1 }), posted)),
      'review too-old: -a +b name=Anna fr',
    );
  });

  test('never follows a page from the future, which is refused', () => {
    for (const more of [{}, { revision: '0' }]) {
      assert.equal(
        said(read(shownOf(lines, {}, { at: now + tolerance + 1, ...more }), posted)),
        'refused from-the-future',
      );
      // The clock of the node that showed the form is a little ahead.
      const ahead = shownOf(lines, {}, { at: now + tolerance, ...more });
      assert.notEqual(said(read(ahead, {})), 'refused from-the-future');
    }
    assert.equal(
      said(read(shownOf(lines, {}, { at: now + tolerance + 1, subject: 'ben' }), posted)),
      'refused other-subject',
    );
  });

  test('follows a page of another schema, with the part that still exists', () => {
    const snapshot = shownOf({ ...lines, gone: {} }, { name: '', old: 'x' }, { revision: '0' });
    const more = {
      purposes: ['b', 'gone'],
      topics: { b: ['t1', 'gone'], gone: ['t'] },
      options: { 'b.gone': ['o'] },
      elements: { name: 'Anna', old: 'y', secret: 'z' },
      language: 'de',
    };
    assert.equal(said(read(snapshot, more)), 'review schema-changed: -a +b[t1|] name=Anna');
  });

  test('names the withdrawn purposes that are no longer shown', () => {
    const retired = aCenter([aPurpose('a'), aPurpose('retired', { active: false })]);
    const lines: Record<string, Line> = {
      a: {},
      retired: {},
      gone: { status: 'on-by-default' },
      kept: {},
      off: { status: 'off' },
      waiting: { status: 'waiting' },
      locked: { status: 'locked-on' },
    };
    const snapshot = shownOf(lines, {}, { revision: '0' });
    const left = { purposes: ['kept'] };
    assert.equal(
      said(read(snapshot, left, { center: retired })),
      'review schema-changed: -a -retired lost retired lost gone',
    );
    assert.equal(
      said(read(snapshot, { ...left, subscribeAll: true }, { center: retired })),
      'review schema-changed: ',
    );
    const old = shownOf({ a: {} }, {}, { at: now - 25 * hour });
    assert.equal(said(read(old, {}, { center: retired })), 'review too-old: -a');
  });

  const left = shownOf({ a: { status: 'off' }, b: {} }, {}, { left: ['a', 'b'] });
  const switchedOn = shownOf({ a: {}, b: {} }, {}, { chosen: ['a'] });
  rows([
    ['what was switched off just before is withdrawn once more', left, {}, '-a -b'],
    ['unless it is ticked now', left, { purposes: ['a', 'b'] }, '+a'],
    ['nor is what only was off', shownOf({ a: { status: 'off' } }), {}, ''],
    ['nor what is locked', shownOf({ a: { status: 'locked-off' } }, {}, { left: ['a'] }), {}, ''],
    ['what was switched on just before is asked for, though on', switchedOn, { purposes: ['a', 'b'] }, '+a'],
    ['unless it is un-ticked now', switchedOn, { purposes: ['b'] }, '-a'],
    ['nor is what only was on', shownOf({ a: {}, b: {} }), { purposes: ['a', 'b'] }, ''],
  ]);

  test('names another schema before the age, and both before mistakes', () => {
    const old = now - 25 * hour;
    const mistake = { purposes: ['a'], elements: { mail: 'no' } };
    assert.equal(
      said(read(shownOf({ a: {} }, { mail: '' }, { at: old, revision: '0' }), mistake)),
      'review schema-changed: mail=no',
    );
    assert.equal(
      said(read(shownOf({ a: {} }, { mail: '' }, { at: old }), mistake)),
      'review too-old: mail=no',
    );
  });

  test('does not replace the refusal of hidden ids and of the page of another person', () => {
    assert.equal(
      said(read(shownOf({ a: {} }, {}, { revision: '0' }), { purposes: ['b'] })),
      'refused hidden',
    );
    // The posted id only begins like one that was shown.
    assert.equal(
      said(read(shownOf({ a: {} }, {}, { revision: '0' }), { options: { 'ab.many': ['m1'] } })),
      'refused hidden',
    );
    assert.equal(
      said(read(shownOf({ a: {} }, {}, { revision: '0', subject: 'ben' }), {})),
      'refused other-subject',
    );
  });

  test('is empty for a page that no longer exists', () => {
    const snapshot = shownOf({ a: {} }, {}, { page: 'gone', revision: '0' });
    assert.equal(said(read(snapshot, {}, { page: 'gone' })), 'review schema-changed:  lost a');
  });
});

suite('an intent', () => {
  test('is empty, withdraws, or has a part that withdraws', () => {
    const typed = { ...noIntent, dataElements: [{ element: 'e', label: 'E', value: '' }] };
    const mixed: Intent = { ...typed, purposes: [on('a'), off('b')], language: 'fr' };
    assert.deepEqual([noIntent, typed, mixed, leaveAll, { ...noIntent, language: 'fr' }].map(isEmptyIntent), [
      true,
      false,
      false,
      false,
      false,
    ]);
    assert.deepEqual(
      [noIntent, typed, { ...noIntent, purposes: [on('a')] }, mixed, leaveAll].map(withdraws),
      [false, false, false, true, true],
    );
    assert.deepEqual(withdrawalsOf(mixed), intentOf(off('b')));
    assert.deepEqual(withdrawalsOf(leaveAll), leaveAll);
  });

  test('of an adjustment has a part that withdraws its removed choices and grants nothing', () => {
    const chosen = [option('p', 'o')];
    const none = { purpose: 'a', topicsOn: [], topicsOff: [], optionsOn: [], optionsOff: [] };
    for (const out of [{ topicsOff: ['t'] }, { optionsOff: chosen }]) {
      const reduction = reduce('a', out);
      for (const added of [{}, { topicsOn: ['s'] }, { optionsOn: chosen }]) {
        const change = adjust('a', { ...added, ...out });
        assert.ok(withdraws(intentOf(change)));
        assert.deepEqual(withdrawalIn(change), reduction);
      }
      assert.deepEqual(withdrawalIn(reduction), reduction);
      assert.deepEqual(adjustment({ ...none, ...out }), reduction);
    }
    const adding = adjust('a', { topicsOn: ['t'], optionsOn: chosen });
    assert.equal(withdrawalIn(adding), undefined);
    assert.equal(withdraws(intentOf(adding)), false);
    for (const added of [{ topicsOn: ['t'] }, { optionsOn: chosen }])
      assert.deepEqual(adjustment({ ...none, ...added }), adjust('a', added));
  });
});

test('a field name is looked up in time linear in its length', async () => {
  const snapshot = shownOf({ a: {} });
  const posted = { options: { ['a.'.repeat(240_000)]: ['x'], [`b${'.'.repeat(100_000)}`]: ['x'] } };
  assert.equal(said(read(snapshot, posted)), 'refused hidden');
  assert.ok((await cpuMilliseconds(() => read(snapshot, posted), 100)) <= 100);
});

test('thousands of topics and options of one purpose are read in time linear in their number', async () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `b00c5000-0000-4000-8000-${index + 1e11}`);
  const large = aCenter([aPurpose('a', { topics: topics(...ids), preferences: [aPreference('p', ids)] })]);
  const snapshot = shownOf({ a: { topics: ids, options: ids.map((id) => `p:${id}`) } });
  const half = ids.filter((_, index) => index % 2 === 0);
  const posted = { purposes: ['a'], topics: { a: half }, options: { 'a.p': half } };
  const result = read(snapshot, posted, { center: large });
  assert.equal(result.kind, 'intent');
  assert.ok((await cpuMilliseconds(() => read(snapshot, posted, { center: large }), 60)) <= 60);
});
