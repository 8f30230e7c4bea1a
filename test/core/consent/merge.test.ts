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
import { type Intent, noIntent } from '../../../src/core/model/submission/intent.ts';
import { cpuMilliseconds } from '../../kit/cpu.ts';
import { aCenter, aPreference, aPurpose, record, topics } from '../center-builder.ts';
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

/** `b a[t1 t2|many:m1]`, or `none`. */
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
  /** What is sent for another change, for one where saving confirms, and for each change of it. */
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
      ...{ beside: kept, confirming: kept, off: '', on: more, adjusted: more },
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

suite('what stays in a PUT that is needed for something else', () => {
  test('what is assumed and not on record is confirmed only where the center says so and it may be granted', () => {
    const confirming = { ...center, confirmsDefaults: true };
    assert.equal(sent(merge([], { purposes: [on('b')] })), 'b');
    assert.equal(sent(merge([], { purposes: [on('b')] }, { center: confirming })), 'd b');
    assert.equal(sent(merge([], { purposes: [on('b')] }, { center: confirming, confirmable: [] })), 'b');
    const implicit = [record('z', 'implicit'), record('y', 'implicit')];
    const put = merge(
      implicit,
      { purposes: [on('b')] },
      { center: confirming, confirmable: ['z', 'x', 'b'] },
    );
    assert.equal(sent(put), 'z b');
    assert.equal(sent(merge([record('d', 'off')], { purposes: [on('b')] }, { center: confirming })), 'b');
    assert.equal(
      sent(merge([record('d', 'implicit', ['t'])], { purposes: [on('b')] }, { center: confirming })),
      'd[t|] b',
    );
  });

  test('defaults are never confirmed by themselves', () => {
    const confirming = { ...center, confirmsDefaults: true };
    assert.equal(sent(merge([], {}, { center: confirming })), 'none');
    assert.equal(
      sent(merge([record('b', 'active')], { purposes: [on('b')] }, { center: confirming })),
      'none',
    );
  });

  test('a preference without a chosen option is not sent', () => {
    const put = merge([record('z', 'active', [], [{ id: 'p', options: [] }])], { purposes: [on('b')] });
    assert.equal(sent(put), 'z b');
  });

  test('the set that is kept has more where the center confirms, and of that what may be confirmed', () => {
    assert.deepEqual([...keepSet(center, subject([record('a', 'active')]), []).keys()], ['a']);
    assert.deepEqual([...keepSet(center, subject([record('a', 'active')]), ['d']).keys()], ['a']);
    const confirming = { ...center, confirmsDefaults: true };
    assert.deepEqual([...keepSet(confirming, subject([record('a', 'active')]), []).keys()], ['a']);
    assert.deepEqual([...keepSet(confirming, subject([record('a', 'active')]), ['d']).keys()], ['a', 'd']);
  });
});

suite('switching off', () => {
  test('what is assumed needs a refusal, unless the purpose is not active or no longer shown', () => {
    assert.equal(sent(merge([], { purposes: [off('x'), off('gone')] })), 'none');
    assert.equal(sent(merge([], { purposes: [off('d')] })), '');
    assert.equal(sent(merge([record('d', 'off')], { purposes: [off('d')] })), 'none');
  });

  test('a confirming center does not confirm what is being switched off', () => {
    const confirming = aCenter([aPurpose('d', { onByDefault: true }), aPurpose('e', { onByDefault: true })], {
      confirmsDefaults: true,
    });
    assert.equal(sent(merge([], { purposes: [off('d')] }, { center: confirming })), 'e');
  });

  test('a purpose that no page draws any more can be left', () => {
    const made = merge([record('gone', 'active'), record('b', 'active')], { purposes: [off('gone')] });
    assert.equal(sent(made), 'b');
  });

  test('a purpose that no page draws any more is off already where the record says so', () => {
    const made = merge([record('gone', 'off')], { purposes: [off('gone')] });
    assert.equal(sent(made), 'none');
  });

  test('wins over any other change for the same purpose, in either order', () => {
    for (const purposes of [
      [on('a'), off('a')],
      [off('a'), on('a')],
    ]) {
      assert.equal(sent(merge([record('a', 'active', ['t1'])], { purposes })), '');
    }
  });

  test('a locked purpose stays in a PUT made for another', () => {
    const made = merge([record('a', 'always-active', ['t1']), record('b', 'active')], {
      purposes: [off('a'), off('b')],
    });
    assert.equal(sent(made), 'a[t1|]');
  });
});

suite('switching on', () => {
  test('with nothing on record it is exactly what was ticked', () => {
    assert.equal(sent(merge([], { purposes: [ticked] })), exactly);
  });

  test('what is so already needs no call, in whatever order it is on record', () => {
    const made = merge(
      [
        record(
          'a',
          'active',
          ['t2', 't1'],
          [
            { id: 'many', options: ['m1'] },
            { id: 'one', options: [] },
          ],
        ),
      ],
      {
        purposes: [on('a', { topics: ['t1', 't2'], options: [option('many', 'm1')] })],
      },
    );
    assert.equal(sent(made), 'none');
  });

  test('what is only assumed is not so already', () => {
    assert.equal(sent(merge([], { purposes: [on('d')] })), 'd');
    assert.equal(sent(merge([record('a', 'implicit')], { purposes: [on('a')] })), 'a');
  });

  test('a locked purpose is not taken out of a PUT made for another', () => {
    const made = merge([record('a', 'always-active', ['t9'])], { purposes: [ticked, on('b')] });
    assert.equal(sent(made), 'a[t9|] b');
  });
});

suite('adjusting', () => {
  test('with nothing on record: what is assumed is taken up, what is not stays off', () => {
    assert.equal(sent(merge([], { purposes: [adjust('d', { topicsOn: ['t'] })] })), 'd[t|]');
    assert.equal(sent(merge([], { purposes: [adjusted] })), 'none');
    assert.equal(sent(merge([], { purposes: [adjust('gone')] })), 'none');
  });

  test('what stays off elsewhere does not come back beside another change', () => {
    assert.equal(sent(merge([record('a', 'off', ...chosen)], { purposes: [adjusted, on('b')] })), 'b');
  });

  test('a single choice is replaced, and un-chosen leaves nothing, unless it was changed elsewhere', () => {
    const one = (...options: string[]) => [record('a', 'active', [], [{ id: 'one', options }])];
    const with2 = adjust('a', { optionsOn: [option('one', 'o2')], optionsOff: [option('one', 'o1')] });
    const without = adjust('a', { optionsOff: [option('one', 'o1')] });
    assert.equal(sent(merge(one('o1'), { purposes: [with2] })), 'a[|one:o2]');
    assert.equal(sent(merge(one('o1', 'old'), { purposes: [with2] })), 'a[|one:o2]');
    assert.equal(sent(merge(one('o1', 'old'), { purposes: [without] })), 'a');
    assert.equal(sent(merge(one('o3'), { purposes: [without] })), 'none');
    assert.equal(sent(merge(one('o3'), { purposes: [with2] })), 'a[|one:o2]');
  });

  test('a preference of a purpose that is no longer shown takes several', () => {
    const made = merge([record('gone', 'active', [], [{ id: 'one', options: ['o1'] }])], {
      purposes: [adjust('gone', { optionsOn: [option('one', 'o2')] })],
    });
    assert.equal(sent(made), 'gone[|one:o1+o2]');
  });

  test('a preference that is no longer shown, of a purpose that is, takes several', () => {
    const made = merge([record('a', 'active', [], [{ id: 'gone', options: ['o1'] }])], {
      purposes: [adjust('a', { optionsOn: [option('gone', 'o2')] })],
    });
    assert.equal(sent(made), 'a[|gone:o1+o2]');
  });

  test('what is so already is sent once more where it is renewed', () => {
    const renewed = { purposes: [adjust('a', { renews: true })] };
    assert.equal(sent(merge([record('a', 'active', ['t1'])], renewed)), 'a[t1|]');
  });

  test('what is so already needs no call', () => {
    const made = merge([record('a', 'active', ['t1'], [{ id: 'many', options: ['m1'] }])], {
      purposes: [adjust('a', { topicsOn: ['t1'], topicsOff: ['t2'], optionsOff: [option('many', 'm2')] })],
    });
    assert.equal(sent(made), 'none');
  });

  test('one topic less, or another in its place, is a change', () => {
    assert.equal(
      sent(merge([record('a', 'active', ['t1', 't2'])], { purposes: [adjust('a', { topicsOff: ['t1'] })] })),
      'a[t2|]',
    );
    assert.equal(
      sent(
        merge([record('a', 'active', ['t1'])], {
          purposes: [adjust('a', { topicsOn: ['t2'], topicsOff: ['t1'] })],
        }),
      ),
      'a[t2|]',
    );
  });

  test('the same option id under two preferences are two options', () => {
    const made = merge([record('a', 'active', [], [{ id: 'many', options: ['o1'] }])], {
      purposes: [adjust('a', { optionsOn: [option('one', 'o1')], optionsOff: [option('many', 'o1')] })],
    });
    assert.equal(sent(made), 'a[|one:o1]');
  });
});

suite('taking out', () => {
  test('never agrees to what is only assumed, nor to what nobody assumes', () => {
    const purposes = [{ ...reduced, purpose: 'd' }, reduced];
    const made = merge([record('b', 'active')], { purposes: [...purposes, off('b')] });
    assert.equal(sent(made), '');
  });

  test('what is out already needs no call', () => {
    const made = merge([record('a', 'active', ['t3'])], { purposes: [reduced] });
    assert.equal(sent(made), 'none');
  });
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
