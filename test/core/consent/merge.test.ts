import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { mergeIntent, type PlannedCall } from '../../../src/core/consent/merge.ts';
import { keepSet, purposesOf } from '../../../src/core/consent/merge-set.ts';
import type { Center, Item } from '../../../src/core/model/center/center.ts';
import type {
  ConsentRecord,
  RecordedStatus,
  Subject,
  SubjectId,
} from '../../../src/core/model/person/subject.ts';
import { type Intent, noIntent, type PurposeChange } from '../../../src/core/model/submission/intent.ts';
import { cpuMilliseconds } from '../../kit/cpu.ts';
import { aCenter, aPreference, aPurpose, record, recordsOf, topics } from '../center-builder.ts';
import { adjust, intentOf, off, on, option, reduce } from '../changes.ts';

const anna = 'anna@example.org' as SubjectId;

const center = aCenter([
  aPurpose('a', {
    topics: topics('t1', 't2', 't3'),
    preferences: [
      aPreference('many', ['m1', 'm2', 'm3']),
      aPreference('one', ['o1', 'o2', 'o3'], { choice: 'single' }),
    ],
  }),
  aPurpose('b'),
  aPurpose('d', { onByDefault: true }),
  aPurpose('x', { onByDefault: true, active: false }),
]);

function subject(purposes: readonly ConsentRecord[], change: Partial<Subject> = {}): Subject {
  return { id: anna, language: 'en-us', purposes, dataElements: {}, ...change };
}

function merge(
  purposes: readonly ConsentRecord[],
  intent: Partial<Intent>,
  options: { center?: Center; confirmable?: readonly string[]; subject?: Partial<Subject> } = {},
): PlannedCall {
  return mergeIntent({
    center: options.center ?? center,
    current: subject(purposes, options.subject),
    intent: { ...noIntent, ...intent },
    confirmable: options.confirmable ?? ['d', 'e', 'z'],
  });
}

/** The purposes of a call in the form `b a[t1 t2|many:m1]`; `none` if no call is needed. */
function sent(call: PlannedCall): string {
  if (call.kind !== 'put') return call.kind;
  return call.update.purposes
    .map(({ id, topics, preferences }) => {
      const options = preferences.map((each) => `${each.id}:${each.options.join('+')}`).join(' ');
      return topics.length + preferences.length === 0 ? id : `${id}[${topics.join(' ')}|${options}]`;
    })
    .join(' ');
}

const chosen: readonly [readonly string[], ConsentRecord['preferences']] = [
  ['t2', 't3'],
  [
    { id: 'many', options: ['m2', 'm3'] },
    { id: 'one', options: ['o2'] },
    { id: 'hidden', options: ['u'] },
  ],
];
const ticked = on('a', {
  topics: ['t1'],
  topicsOff: ['t2'],
  options: [option('many', 'm1'), option('one', 'o1')],
  optionsOff: [option('many', 'm2')],
});
const adjusted = adjust('a', {
  topicsOn: ['t1'],
  topicsOff: ['t2'],
  optionsOn: [option('many', 'm1'), option('one', 'o1')],
  optionsOff: [option('many', 'm2')],
});
const reduced = reduce('a', { topicsOff: ['t2'], optionsOff: [option('many', 'm2'), option('one', 'o2')] });
const exactly = 'a[t1|many:m1 one:o1]';

suite('what is on record by then, with choices', () => {
  const kept = 'a[t2 t3|many:m2+m3 one:o2 hidden:u] b';
  const more = 'a[t3 t1|many:m3+m1 one:o1 hidden:u]';
  /** The calls for a change of another purpose, for one in a confirming center, and for each change. */
  type Sent = Record<'beside' | 'confirming' | 'off' | 'on' | 'adjusted' | 'reduced', string>;
  const nothing = {
    beside: 'b',
    confirming: 'b',
    off: 'none',
    on: 'none',
    adjusted: 'none',
    reduced: 'none',
  };
  const cases: Readonly<Partial<Record<RecordedStatus, Sent>>> = {
    active: {
      beside: kept,
      confirming: kept,
      off: '',
      on: more,
      adjusted: more,
      reduced: 'a[t3|many:m3 hidden:u]',
    },
    'always-active': { ...nothing, beside: kept, confirming: kept },
    implicit: { ...nothing, confirming: kept, off: '', on: more, adjusted: more },
    pending: { ...nothing, off: '', on: exactly },
    expired: { ...nothing, on: exactly },
    'hard-opt-out': nothing,
    off: { ...nothing, on: exactly },
  };
  for (const [status, expected] of Object.entries(cases))
    test(`and is ${status}, is sent as that says`, () => {
      const records = [record('a', status as RecordedStatus, ...chosen)];
      const confirming = { center: { ...center, confirmsDefaults: true }, confirmable: ['a'] };
      assert.deepEqual(
        {
          beside: sent(merge(records, { purposes: [on('b')] })),
          confirming: sent(merge(records, { purposes: [on('b')] }, confirming)),
          off: sent(merge(records, { purposes: [off('a')] })),
          on: sent(merge(records, { purposes: [ticked] })),
          adjusted: sent(merge(records, { purposes: [adjusted] })),
          reduced: sent(merge(records, { purposes: [reduced] })),
        },
        expected,
      );
    });
});

type Merge = readonly [
  what: string,
  stands: string,
  changes: readonly PurposeChange[],
  sent: string,
  options?: Parameters<typeof merge>[2],
];

/** Registers a test for each case: the record in the form `a[t many.m1]`, the changes and the call. */
function merges(cases: readonly Merge[]): void {
  for (const [what, stands, purposes, expected, options] of cases)
    test(what, () => assert.equal(sent(merge(recordsOf(stands), { purposes }, options)), expected));
}

const confirming = { center: { ...center, confirmsDefaults: true } };

suite('what stays in a PUT that is needed for something else', () => {
  const implicit = { ...confirming, confirmable: ['z', 'x', 'b'] };
  merges([
    ['what is assumed and not on record is not confirmed', '', [on('b')], 'b'],
    ['but where the center says so', '', [on('b')], 'd b', confirming],
    ['and it may be granted', '', [on('b')], 'b', { ...confirming, confirmable: [] }],
    ['of what is implicit what may be', 'z:implicit y:implicit', [on('b')], 'z b', implicit],
    ['nothing of what is off', 'd:off', [on('b')], 'b', confirming],
    ['what is implicit with its choices', 'd:implicit[t]', [on('b')], 'd[t|] b', confirming],
    ['defaults are never confirmed by themselves', '', [], 'none', confirming],
    ['nor by what is so already', 'b', [on('b')], 'none', confirming],
    ['what the center has retired, and what no schema knows', 'x gone', [on('b')], 'x gone b'],
  ]);

  test('a preference without a chosen option is not sent', () => {
    const put = merge([record('z', 'active', [], [{ id: 'p', options: [] }])], { purposes: [on('b')] });
    assert.equal(sent(put), 'z b');
  });

  test('the set that is kept has more where the center confirms, and of that what may be confirmed', () => {
    const keeps = (by: Center, confirmable: readonly string[]) =>
      [...keepSet(by, subject(recordsOf('a')), confirmable).keys()].join(' ');
    assert.deepEqual([keeps(center, []), keeps(center, ['d'])], ['a', 'a']);
    assert.deepEqual([keeps(confirming.center, []), keeps(confirming.center, ['d'])], ['a', 'a d']);
  });
});

suite('switching off', () => {
  const twoDefaults = aCenter([aPurpose('d', { onByDefault: true }), aPurpose('e', { onByDefault: true })], {
    confirmsDefaults: true,
  });
  merges([
    ['what is not active or no longer shown needs no refusal', '', [off('x'), off('gone')], 'none'],
    ['what is assumed needs one', '', [off('d')], ''],
    ['and none where it is off on record', 'd:off', [off('d')], 'none'],
    ['is not confirmed by a confirming center', '', [off('d')], 'e', { center: twoDefaults }],
    ['a purpose that no page draws any more can be left', 'gone b', [off('gone')], 'b'],
    [
      'a purpose that no page draws any more is off already where the record says so',
      'gone:off',
      [off('gone')],
      'none',
    ],
    ['wins over another change for the same purpose before it', 'a[t1]', [on('a'), off('a')], ''],
    ['and after it', 'a[t1]', [off('a'), on('a')], ''],
    [
      'a locked purpose stays in a PUT made for another',
      'a:always-active[t1] b',
      [off('a'), off('b')],
      'a[t1|]',
    ],
  ]);
});

suite('switching on', () => {
  const asIs = on('a', { topics: ['t1', 't2'], options: [option('many', 'm1')] });
  merges([
    ['with nothing on record it is exactly what was ticked', '', [ticked], exactly],
    [
      'what is so already needs no call, in whatever order it is on record',
      'a[t2 t1 many.m1]',
      [asIs],
      'none',
    ],
    ['what is only assumed is not so already', '', [on('d')], 'd'],
    ['nor what is implicit', 'a:implicit', [on('a')], 'a'],
    [
      'a locked purpose is not taken out of a PUT for another',
      'a:always-active[t9]',
      [ticked, on('b')],
      'a[t9|] b',
    ],
  ]);

  test('a preference without an option on record is as none', () => {
    const preferences = [
      { id: 'many', options: ['m1'] },
      { id: 'one', options: [] },
    ];
    assert.equal(
      sent(merge([record('a', 'active', ['t2', 't1'], preferences)], { purposes: [asIs] })),
      'none',
    );
  });
});

suite('adjusting', () => {
  const with2 = adjust('a', { optionsOn: [option('one', 'o2')], optionsOff: [option('one', 'o1')] });
  const without = adjust('a', { optionsOff: [option('one', 'o1')] });
  const twins = adjust('a', { optionsOn: [option('one', 'o1')], optionsOff: [option('many', 'o1')] });
  const asIs = adjust('a', { topicsOn: ['t1'], topicsOff: ['t2'], optionsOff: [option('many', 'm2')] });
  const choose = (purpose: string, preference: string) =>
    adjust(purpose, { optionsOn: [option(preference, 'o2')] });
  merges([
    ['with nothing on record what is assumed is taken up', '', [adjust('d', { topicsOn: ['t'] })], 'd[t|]'],
    ['and what is not stays off', '', [adjusted], 'none'],
    ['so does what is not offered any more', '', [adjust('gone')], 'none'],
    [
      'what stays off elsewhere does not come back beside another change',
      'a:off[t2 t3 one.o2]',
      [adjusted, on('b')],
      'b',
    ],
    ['a single choice is replaced', 'a[one.o1]', [with2], 'a[|one:o2]'],
    ['with all that stood in its place', 'a[one.o1 one.old]', [with2], 'a[|one:o2]'],
    ['un-chosen leaves nothing', 'a[one.o1 one.old]', [without], 'a'],
    ['unless it was changed elsewhere', 'a[one.o3]', [without], 'none'],
    ['and is replaced all the same', 'a[one.o3]', [with2], 'a[|one:o2]'],
    [
      'a preference of a purpose that is no longer shown takes several',
      'gone[one.o1]',
      [choose('gone', 'one')],
      'gone[|one:o1+o2]',
    ],
    [
      'a preference that is no longer shown, of a purpose that is, takes several',
      'a[gone.o1]',
      [choose('a', 'gone')],
      'a[|gone:o1+o2]',
    ],
    [
      'what is so already is sent once more where it is renewed',
      'a[t1]',
      [adjust('a', { renews: true })],
      'a[t1|]',
    ],
    ['what is so already needs no call', 'a[t1 many.m1]', [asIs], 'none'],
    ['one topic less is a change', 'a[t1 t2]', [adjust('a', { topicsOff: ['t1'] })], 'a[t2|]'],
    ['another in its place, too', 'a[t1]', [adjust('a', { topicsOn: ['t2'], topicsOff: ['t1'] })], 'a[t2|]'],
    ['the same option id under two preferences are two options', 'a[many.o1]', [twins], 'a[|one:o1]'],
  ]);
});

suite('taking out', () => {
  const ofDefault = { ...reduced, purpose: 'd' };
  merges([
    [
      'never agrees to what is only assumed, nor to what nobody assumes',
      'b',
      [ofDefault, reduced, off('b')],
      '',
    ],
    ['what is out already needs no call', 'a[t3]', [reduced], 'none'],
  ]);
});

suite('data elements and language', () => {
  const typed = (value: string) => [{ element: 'e', label: 'E', value }];

  test('only what differs from the record is sent, with the whole set', () => {
    const made = merge(
      [record('b', 'active', ['t'])],
      { dataElements: [...typed('new'), { element: 'f', label: 'F', value: 'same' }] },
      {
        subject: { dataElements: { E: 'old', F: 'same', G: 'other' } },
      },
    );
    assert.deepEqual(made, {
      kind: 'put',
      update: {
        purposes: [{ id: 'b', topics: ['t'], preferences: [] }],
        dataElements: { E: 'new' },
        language: undefined,
      },
    });
  });

  test('a recorded value that is the identifier stays, unless it is what was typed', () => {
    const kept = merge(
      [],
      { dataElements: typed('new') },
      { subject: { dataElements: { E: anna.toUpperCase() } } },
    );
    assert.equal(sent(kept), 'none');
    const same = merge([], { dataElements: typed(anna) }, { subject: { dataElements: { E: anna } } });
    assert.equal(sent(same), 'none');
  });

  test('clearing what is not on record needs no call', () => {
    assert.equal(sent(merge([], { dataElements: typed('') })), 'none');
    assert.equal(sent(merge([], { dataElements: typed('x') })), '');
  });

  const languages: readonly [string | undefined, string | undefined, boolean][] = [
    ['fr', 'en-us', true],
    ['fr', undefined, true],
    ['EN_us', 'en-US', false],
    ['en-us', 'en_US', false],
    [undefined, 'en-us', false],
    [undefined, undefined, false],
  ];
  for (const [change, recorded, isSent] of languages) {
    test(`${change} over ${recorded} is ${isSent ? 'sent' : 'no change'}`, () => {
      const made = merge([], { language: change }, { subject: { language: recorded } });
      assert.equal(made.kind === 'put' ? made.update.language : made.kind, isSent ? change : 'none');
    });
  }

  test('a language that is met is not sent with something else', () => {
    const made = merge([], { language: 'EN-us', purposes: [on('b')] });
    assert.equal(made.kind === 'put' ? made.update.language : 'x', undefined);
  });
});

suite('purposes wherever they are shown', () => {
  test('every page and section counts, and other items do not matter', () => {
    const [page] = center.pages;
    const item: Item = { kind: 'text', id: 'text', html: { entries: [], plain: undefined } };
    const second = {
      id: 's2',
      kind: 'ordinary',
      name: undefined,
      description: undefined,
      items: [item, aPurpose('far', { onByDefault: true })],
    } as const;
    const two = {
      ...center,
      pages: page === undefined ? [] : [page, { ...page, id: 'p2', sections: [...page.sections, second] }],
    };
    assert.equal(sent(merge([], { purposes: [off('far')] }, { center: two })), '');
  });

  test('what one page says less of is what another says', () => {
    const [page] = center.pages;
    const told = aPurpose('told', {
      preferences: [aPreference('pace', ['slow', 'fast'], { choice: 'single' })],
    });
    const assumed = aPurpose('assumed', { onByDefault: true });
    const retired = aPurpose('retired', { active: false, onByDefault: true });
    const full = [told, assumed, retired];
    const less = ['told', 'assumed', 'retired'].map((id) => aPurpose(id));
    const onPages = (...pages: (readonly Item[])[]) => ({
      ...center,
      pages: pages.flatMap((items, place) =>
        page === undefined
          ? []
          : {
              ...page,
              id: `p${place}`,
              sections: page.sections.slice(0, 1).map((each) => ({ ...each, items })),
            },
      ),
    });
    const faster = adjust('told', { optionsOn: [option('pace', 'fast')] });
    const slow = record('told', 'active', [], [{ id: 'pace', options: ['slow'] }]);
    for (const two of [onPages(full, less), onPages(less, full)]) {
      assert.equal(sent(merge([slow], { purposes: [faster] }, { center: two })), 'told[|pace:fast]');
      assert.equal(sent(merge([], { purposes: [off('assumed')] }, { center: two })), '');
      assert.equal(sent(merge([], { purposes: [off('retired')] }, { center: two })), 'none');
    }
    const bothRetired = onPages([retired], [retired]);
    assert.equal(sent(merge([], { purposes: [off('retired')] }, { center: bothRetired })), 'none');
    assert.equal(purposesOf(bothRetired).get('retired')?.active, false);
    assert.equal(purposesOf(bothRetired), purposesOf(bothRetired), 'one table for each center');
    const oneRetired = onPages(
      [aPurpose('half', { active: false })],
      [aPurpose('half', { onByDefault: true })],
    );
    assert.equal(sent(merge([], { purposes: [off('half')] }, { center: oneRetired })), '');
  });
});

test('thousands of purposes are merged in time linear in their number', async () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => `b00c5000-0000-4000-8000-${index + 1e11}`);
  const large = aCenter(ids.map((id) => aPurpose(id)));
  const purposes = ids.map((purpose): ConsentRecord => {
    return { purpose, label: undefined, status: 'active', topics: [], preferences: [] };
  });
  const current: Subject = { id: anna, language: undefined, purposes, dataElements: {} };
  const intent = intentOf(...ids.map(off));
  const merge = () => mergeIntent({ center: large, current, intent, confirmable: [] });
  assert.equal(sent(merge()), '');
  assert.ok((await cpuMilliseconds(merge, 60)) <= 60);
});
