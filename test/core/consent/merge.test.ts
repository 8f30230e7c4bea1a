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

suite('a recorded purpose with choices', () => {
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
    test(`is sent by its status, ${status}`, () => {
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

suite('a PUT for another change', () => {
  const implicit = { ...confirming, confirmable: ['z', 'x', 'b'] };
  merges([
    ['does not confirm a default that is not on record', '', [on('b')], 'b'],
    ['confirms a default if the center says so', '', [on('b')], 'd b', confirming],
    ['confirms no default that may not be granted', '', [on('b')], 'b', { ...confirming, confirmable: [] }],
    [
      'confirms only implicit purposes that may be granted',
      'z:implicit y:implicit',
      [on('b')],
      'z b',
      implicit,
    ],
    ['keeps no purpose that is off', 'd:off', [on('b')], 'b', confirming],
    ['confirms an implicit purpose with its choices', 'd:implicit[t]', [on('b')], 'd[t|] b', confirming],
    ['is never made to confirm defaults alone', '', [], 'none', confirming],
    ['is not made to confirm defaults beside an unchanged purpose', 'b', [on('b')], 'none', confirming],
    ['keeps retired purposes and those of no schema', 'x gone', [on('b')], 'x gone b'],
  ]);

  test('has no preference without a chosen option', () => {
    const put = merge([record('z', 'active', [], [{ id: 'p', options: [] }])], { purposes: [on('b')] });
    assert.equal(sent(put), 'z b');
  });

  test('keeps more purposes in a confirming center, if they may be confirmed', () => {
    const keeps = (by: Center, confirmable: readonly string[]) =>
      [...keepSet(by, subject(recordsOf('a')), confirmable).keys()].join(' ');
    assert.deepEqual([keeps(center, []), keeps(center, ['d'])], ['a', 'a']);
    assert.deepEqual([keeps(confirming.center, []), keeps(confirming.center, ['d'])], ['a', 'a d']);
  });
});

suite('a withdrawal', () => {
  const twoDefaults = aCenter([aPurpose('d', { onByDefault: true }), aPurpose('e', { onByDefault: true })], {
    confirmsDefaults: true,
  });
  merges([
    ['needs no call if the purpose is inactive or no longer shown', '', [off('x'), off('gone')], 'none'],
    ['needs a call if the purpose is on by default', '', [off('d')], ''],
    ['needs no call if a default is off on record', 'd:off', [off('d')], 'none'],
    ['is not confirmed by a confirming center', '', [off('d')], 'e', { center: twoDefaults }],
    ['is sent for a purpose that no page shows any more', 'gone b', [off('gone')], 'b'],
    ['needs no call if a purpose on no page is off on record', 'gone:off', [off('gone')], 'none'],
    ['wins over another change for the same purpose before it', 'a[t1]', [on('a'), off('a')], ''],
    ['wins over another change for the same purpose after it', 'a[t1]', [off('a'), on('a')], ''],
    [
      'of a locked purpose leaves it in a PUT for another one',
      'a:always-active[t1] b',
      [off('a'), off('b')],
      'a[t1|]',
    ],
  ]);
});

suite('an opt-in', () => {
  const asIs = on('a', { topics: ['t1', 't2'], options: [option('many', 'm1')] });
  merges([
    ['sends exactly the ticked choices if the purpose is not on record', '', [ticked], exactly],
    ['needs no call if the record has the same choices in any order', 'a[t2 t1 many.m1]', [asIs], 'none'],
    ['needs a call if the purpose is only on by default', '', [on('d')], 'd'],
    ['needs a call if the purpose is implicit', 'a:implicit', [on('a')], 'a'],
    [
      'of a locked purpose keeps it in a PUT for another one',
      'a:always-active[t9]',
      [ticked, on('b')],
      'a[t9|] b',
    ],
  ]);

  test('needs no call if the record differs only by a preference without an option', () => {
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

suite('an adjustment', () => {
  const with2 = adjust('a', { optionsOn: [option('one', 'o2')], optionsOff: [option('one', 'o1')] });
  const without = adjust('a', { optionsOff: [option('one', 'o1')] });
  const twins = adjust('a', { optionsOn: [option('one', 'o1')], optionsOff: [option('many', 'o1')] });
  const asIs = adjust('a', { topicsOn: ['t1'], topicsOff: ['t2'], optionsOff: [option('many', 'm2')] });
  const choose = (purpose: string, preference: string) =>
    adjust(purpose, { optionsOn: [option(preference, 'o2')] });
  merges([
    ['grants a default that is not on record', '', [adjust('d', { topicsOn: ['t'] })], 'd[t|]'],
    ['leaves another purpose off that is not on record', '', [adjusted], 'none'],
    ['leaves a purpose off that is no longer offered', '', [adjust('gone')], 'none'],
    [
      'does not grant a withdrawn purpose beside another change',
      'a:off[t2 t3 one.o2]',
      [adjusted, on('b')],
      'b',
    ],
    ['replaces a single choice', 'a[one.o1]', [with2], 'a[|one:o2]'],
    ['replaces all options of a single choice', 'a[one.o1 one.old]', [with2], 'a[|one:o2]'],
    ['leaves no option of an unticked single choice', 'a[one.o1 one.old]', [without], 'a'],
    ['leaves an option that was changed elsewhere', 'a[one.o3]', [without], 'none'],
    ['replaces an option that was changed elsewhere', 'a[one.o3]', [with2], 'a[|one:o2]'],
    [
      'adds an option to a preference of a purpose that is no longer shown',
      'gone[one.o1]',
      [choose('gone', 'one')],
      'gone[|one:o1+o2]',
    ],
    [
      'adds an option to a preference that is no longer shown',
      'a[gone.o1]',
      [choose('a', 'gone')],
      'a[|gone:o1+o2]',
    ],
    ['sends an unchanged purpose again if it renews', 'a[t1]', [adjust('a', { renews: true })], 'a[t1|]'],
    ['needs no call if the record agrees', 'a[t1 many.m1]', [asIs], 'none'],
    ['is sent if it takes a topic out', 'a[t1 t2]', [adjust('a', { topicsOff: ['t1'] })], 'a[t2|]'],
    [
      'is sent if it replaces a topic',
      'a[t1]',
      [adjust('a', { topicsOn: ['t2'], topicsOff: ['t1'] })],
      'a[t2|]',
    ],
    ['tells options of the same id under two preferences apart', 'a[many.o1]', [twins], 'a[|one:o1]'],
  ]);
});

suite('a removal of choices', () => {
  const ofDefault = { ...reduced, purpose: 'd' };
  merges([
    ['never grants a default or another purpose', 'b', [ofDefault, reduced, off('b')], ''],
    ['needs no call if the choices are out already', 'a[t3]', [reduced], 'none'],
  ]);
});

suite('data elements and language', () => {
  const typed = (value: string) => [{ element: 'e', label: 'E', value }];

  test('only values that differ from the record are sent, with the whole set', () => {
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

  test('a recorded value that is the identifier is never changed', () => {
    const kept = merge(
      [],
      { dataElements: typed('new') },
      { subject: { dataElements: { E: anna.toUpperCase() } } },
    );
    assert.equal(sent(kept), 'none');
    const same = merge([], { dataElements: typed(anna) }, { subject: { dataElements: { E: anna } } });
    assert.equal(sent(same), 'none');
  });

  test('clearing a value that is not on record needs no call', () => {
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

  test('an unchanged language is not sent with another change', () => {
    const made = merge([], { language: 'EN-us', purposes: [on('b')] });
    assert.equal(made.kind === 'put' ? made.update.language : 'x', undefined);
  });
});

suite('purposes of several pages', () => {
  test('count on each page and in each section, beside other items', () => {
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

  test('have all that one of their pages tells about them', () => {
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
