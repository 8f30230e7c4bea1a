import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Purpose } from '../../../src/core/model/center/center.ts';
import type { RecordedStatus } from '../../../src/core/model/person/subject.ts';
import type { PurposeChange } from '../../../src/core/model/submission/intent.ts';
import { nothingUnderway, type Underway } from '../../../src/core/model/submission/underway.ts';
import type { PreferencePageInput } from '../../../src/pages/person/preferences.ts';
import { aCenter, aPreference, aPurpose, recordsOf, topics } from '../../core/center-builder.ts';
import { aRecord, aSubject, draw, words } from '../../core/page-builder.ts';
import { intentOf, off, on } from '../../delivery/fixture.ts';

const objection = { action: '/objection', token: 't' };

const adjusting = (more: Partial<Extract<PurposeChange, { kind: 'adjust' }>>): PurposeChange => ({
  ...({ kind: 'adjust', purpose: 'p', topicsOn: [], topicsOff: [], optionsOn: [], optionsOff: [] } as const),
  ...more,
});

function drawOne(
  purpose: Partial<Purpose>,
  status: RecordedStatus | undefined,
  change: Partial<PreferencePageInput> = {},
  hardOptOut: 'hide' | 'lock' = 'lock',
) {
  const subject = aSubject({ purposes: status === undefined ? [] : [aRecord('p', { status })] });
  const { purposes, snapshot, page } = draw(aCenter([aPurpose('p', purpose)], { hardOptOut }), {
    subject,
    ...change,
  });
  return { view: purposes.get('p'), snapshot: snapshot.purposes[0], page };
}

describe('A purpose by its status', () => {
  const rows = [
    ['active', false, true, false, undefined, 'on'],
    ['always-active', false, true, true, 'Always active', 'locked-on'],
    ['implicit', false, true, false, 'On by default', 'on-by-default'],
    [undefined, true, true, false, 'On by default', 'on-by-default'],
    ['pending', true, false, false, 'Waiting for your confirmation', 'waiting'],
    ['expired', true, false, false, 'Expired', 'expired'],
    ['hard-opt-out', true, false, true, 'Turned off at your request', 'locked-off'],
    ['off', true, false, false, undefined, 'off'],
    [undefined, false, false, false, undefined, 'off'],
  ] as const;
  for (const [record, onByDefault, isOn, locked, tag, status] of rows) {
    test(`${record ?? 'nothing on record'}${onByDefault ? ', on by default' : ''}: ${isOn ? 'on' : 'off'}${locked ? ', locked' : ''}${tag ? `, “${tag}”` : ''}`, () => {
      const { view, snapshot } = drawOne({ onByDefault }, record);
      assert.deepEqual([view?.checked, view?.disabled, view?.tag?.text], [isOn, locked, tag]);
      assert.equal(view?.hint === undefined, tag === undefined);
      assert.equal(snapshot?.status, status);
    });
  }

  test('shows how long a choice lasts, whether it is on or off', () => {
    const lifeSpan = 63_072_000;
    assert.equal(drawOne({ lifeSpan }, 'active').view?.hint?.text, 'Lasts 2 years.');
    assert.equal(drawOne({ lifeSpan }, undefined).view?.hint?.text, 'Lasts 2 years.');
    assert.match(drawOne({ lifeSpan }, 'expired').view?.hint?.text ?? '', /run out/);
    assert.equal(drawOne({ lifeSpan }, 'active', { language: 'de' }).view?.hint?.text, 'Gilt für 2 Jahre.');
  });

  test('shows its end while it is on, and can be renewed in the last week by a visitor who may grant', () => {
    const lifeSpan = 63_072_000;
    const at = Date.UTC(2028, 2, 3, 23, 59);
    const ending = (isSoon: boolean, change: Partial<PreferencePageInput> = {}) => {
      return { ends: new Map([['p', { at, isSoon }]]), ...change };
    };
    const far = drawOne({ lifeSpan }, 'active', ending(false)).view;
    assert.deepEqual([far?.hint?.text, far?.renew], ['Until March 3, 2028.', undefined]);
    const german = drawOne({ lifeSpan }, 'active', ending(true, { language: 'de' })).view;
    assert.equal(german?.hint?.text, 'Gilt bis 3. März 2028.');
    assert.deepEqual(german?.renew, { id: 'renew-p', label: 'Um 2 Jahre verlängern', checked: false });
    const closed: readonly (readonly [RecordedStatus, Partial<Purpose>, Partial<PreferencePageInput>])[] = [
      ['active', {}, { scope: 'withdraw' }],
      ['active', { leavingOnly: true }, {}],
      ['always-active', {}, {}],
      ['implicit', {}, {}],
      ['expired', {}, {}],
      ['off', {}, {}],
    ];
    for (const [status, purpose, change] of closed) {
      const { view } = drawOne({ lifeSpan, ...purpose }, status, ending(true, change));
      assert.equal(view?.renew, undefined, status);
    }
    const draft = intentOf(adjusting({ renews: true }));
    const again = drawOne({ lifeSpan }, 'active', ending(true, { draft }));
    assert.equal(again.view?.renew?.checked, true);
    assert.equal(again.page?.form.saved, '{"renew-p":false}');
  });

  test('that is open for leaving only can be turned off, and no choice of it added', () => {
    const about = { leavingOnly: true, topics: topics('t', 'u') } as const;
    const open = (record: RecordedStatus | undefined, change: Partial<Purpose> = {}) => {
      const { view } = drawOne({ ...about, ...change }, record);
      return [view?.disabled, ...(view?.topics.map(({ disabled }) => disabled) ?? [])];
    };
    assert.deepEqual(open('active'), [false, true, true]);
    assert.deepEqual(open('off'), [true, true, true]);
    assert.deepEqual(open(undefined), [true, true, true]);
    assert.deepEqual(open('implicit'), [false, true, true]);
    assert.match(drawOne(about, 'off').view?.hint?.text ?? '', /turn this off here, but not on/);
    assert.match(drawOne(about, 'always-active').view?.hint?.text ?? '', /part of the service/);
  });

  test('that is open for leaving only is shown by its record, not by an older draft', () => {
    const draft = intentOf(on('p'));
    assert.equal(drawOne({}, 'off', { draft }).view?.checked, true);
    assert.equal(drawOne({ leavingOnly: true }, 'off', { draft }).view?.checked, false);
  });

  test('has no “subscribe to all” beside it if all are open for leaving only', () => {
    assert.equal(drawOne({ leavingOnly: true }, 'active').page.actions.subscribeAll, undefined);
    assert.notEqual(drawOne({}, 'active').page.actions.subscribeAll, undefined);
  });

  test('that is hard opted out is not shown if the center hides it', () => {
    const { view, snapshot } = drawOne({}, 'hard-opt-out', {}, 'hide');
    assert.deepEqual([view, snapshot], [undefined, undefined]);
  });
});

describe('The visibility of a purpose', () => {
  const rows = [
    [{ active: false }, 'active', false],
    [{ visibility: 'all' }, undefined, true],
    [{ visibility: 'consented' }, 'active', true],
    [{ visibility: 'consented' }, 'always-active', true],
    [{ visibility: 'consented' }, 'implicit', true],
    [{ visibility: 'consented', onByDefault: true }, undefined, true],
    [{ visibility: 'consented' }, 'pending', false],
    [{ visibility: 'consented' }, 'off', false],
    [{ visibility: 'consented' }, undefined, false],
    [{ visibility: 'prior-consented' }, 'off', true],
    [{ visibility: 'prior-consented' }, 'active', true],
    [{ visibility: 'prior-consented', onByDefault: true }, undefined, false],
  ] as const;
  for (const [change, record, seen] of rows) {
    test(`${JSON.stringify(change)} with ${record ?? 'nothing'} on record: ${seen ? 'shown' : 'not shown'}`, () => {
      const { view, snapshot } = drawOne(change, record);
      assert.deepEqual([view !== undefined, snapshot !== undefined], [seen, seen]);
    });
  }
});

const everything: Underway = { ...nothingUnderway, everything: { but: [] } };
const changing = (...changes: PurposeChange[]): Underway => ({ ...nothingUnderway, changes });

describe('A purpose that is being turned off', () => {
  for (const [name, underway] of [
    ['one', changing(off('p'))],
    ['all', everything],
  ] as const) {
    test(`is shown and sealed as off, with a note that it is being saved (${name})`, () => {
      for (const status of ['active', 'implicit', 'pending'] as const) {
        const { view, snapshot } = drawOne({}, status, { underway });
        assert.deepEqual([view?.checked, view?.disabled, view?.tag?.text], [false, false, 'Being saved']);
        assert.equal(snapshot?.status, 'off');
      }
    });
  }
  test('looks the same as before if it is off or locked already', () => {
    assert.equal(drawOne({}, 'off', { underway: everything }).view?.tag, undefined);
    assert.equal(drawOne({}, 'expired', { underway: everything }).view?.tag?.text, 'Expired');
    const { view } = drawOne({}, 'always-active', { underway: everything });
    assert.deepEqual([view?.checked, view?.tag?.text], [true, 'Always active']);
    const others = changing(off('other'));
    assert.equal(drawOne({}, 'active', { underway: others }).view?.checked, true);
  });
});

describe('A purpose that was asked for again after it was turned off', () => {
  const again = on('p', { topics: ['t2'] });

  for (const status of ['active', 'off', 'pending', undefined] as const) {
    test(`is shown and sealed as on, with its choices (${status ?? 'nothing'} on record)`, () => {
      const subject = aSubject({ purposes: status === undefined ? [] : recordsOf(`p:${status}[t1]`) });
      const underway = { ...everything, changes: [again] };
      const { view, snapshot } = drawOne({ topics: topics('t1', 't2') }, undefined, { subject, underway });
      assert.deepEqual([view?.checked, view?.tag?.text], [true, 'Being saved']);
      assert.equal(view?.hint?.text, 'We’re saving your changes');
      assert.deepEqual([snapshot?.status, snapshot?.topics], ['on', ['t2']]);
    });
  }
});

describe('A choice that is being taken out of a purpose', () => {
  const purpose = { topics: topics('t1', 't2'), preferences: [aPreference('q', ['o1', 'o2'])] };
  const reductions = [
    { kind: 'reduce', purpose: 'p', topicsOff: ['t1'], optionsOff: [] },
    { kind: 'reduce', purpose: 'p', topicsOff: [], optionsOff: [{ preference: 'q', option: 'o2' }] },
  ] as const;
  const drawReduced = (underway = changing(...reductions), status: RecordedStatus = 'active') => {
    const subject = aSubject({ purposes: recordsOf(`p:${status}[t1 t2 q.o1 q.o2]`) });
    return drawOne(purpose, undefined, { subject, underway });
  };

  test('is shown and sealed as out, with a note that it is being saved, if the purpose is on', () => {
    const { view, snapshot } = drawReduced();
    assert.deepEqual([view?.checked, view?.tag?.text], [true, 'Being saved']);
    assert.match(view?.hint?.text ?? '', /You unticked choices here/);
    assert.deepEqual(ticked(view?.topics), ['t2']);
    assert.deepEqual(ticked(view?.preferences[0]?.choices), ['o1']);
    assert.deepEqual(snapshot, {
      id: 'p',
      status: 'on',
      onRecord: 'otherwise',
      recorded: 'active',
      topics: ['t2'],
      options: [{ preference: 'q', option: 'o1' }],
    });
  });
  test('has no note if it is out already or the purpose is off', () => {
    const out = changing({ ...reductions[0], topicsOff: ['gone'] });
    assert.equal(drawReduced(out).view?.tag, undefined);
    assert.equal(drawReduced(undefined, 'off').view?.tag, undefined);
    const left = changing(...reductions, off('p'));
    assert.match(drawReduced(left).view?.hint?.text ?? '', /You turned this off/);
  });
});

describe('A browser that objects (Sec-GPC)', () => {
  test('never sees a purpose as on that is only on by default', () => {
    for (const [purpose, status] of [
      [{ onByDefault: true }, undefined],
      [{}, 'implicit'],
    ] as const) {
      const { view, snapshot, page } = drawOne(purpose, status, { objection });
      assert.deepEqual([view?.checked, view?.tag?.text], [false, 'Off: privacy signal']);
      assert.equal(snapshot?.status, 'off');
      const [note, ...others] = page.notes;
      assert.deepEqual([note?.title, others], ['Your browser’s privacy signal is on (GPC)', []]);
    }
  });
  test('still sees chosen purposes as on, and no note if none is on by default', () => {
    const { view, page } = drawOne({ onByDefault: true }, 'active', { objection });
    assert.equal(view?.checked, true);
    assert.deepEqual(page.notes, []);
  });
});

const choosing = {
  topics: topics('t1', 't2', 't3'),
  preferences: [
    aPreference('many', ['a', 'b', 'c']),
    aPreference('one', ['x', 'y', 'z'], { choice: 'single' }),
  ],
};

function ticked(choices: readonly { checked: boolean; value: string }[] = []): readonly string[] {
  return choices.filter(({ checked }) => checked).map(({ value }) => value);
}

function chosen(view: ReturnType<typeof drawOne>['view']) {
  const optionsOf = (name: string) =>
    ticked(view?.preferences.find((each) => each.name === `option.p.${name}`)?.choices);
  return { topics: ticked(view?.topics), many: optionsOf('many'), one: optionsOf('one') };
}

const sealed = (snapshot: ReturnType<typeof drawOne>['snapshot']) =>
  snapshot?.options.map(({ preference, option }) => `${preference} ${option}`);

describe('Topics and options', () => {
  const recorded = (chosen: string) => aSubject({ purposes: recordsOf(`p${chosen}`) });
  const withDefaults = {
    ...choosing,
    preferences: choosing.preferences.map((preference) => ({
      ...preference,
      options: preference.options.map((option, index) => ({ ...option, isDefault: index > 0 })),
    })),
  };

  test('are shown from the record if the schema still has them', () => {
    const subject = recorded('[t2 gone many.a many.c many.gone one.y other.q]');
    const { view, snapshot } = drawOne(choosing, undefined, { subject });
    assert.deepEqual(chosen(view), { topics: ['t2'], many: ['a', 'c'], one: ['y'] });
    assert.deepEqual(snapshot?.topics, ['t2']);
    assert.deepEqual(sealed(snapshot), ['many a', 'many c', 'one y']);
  });

  test('have their defaults ticked for a purpose that is off with no option on record', () => {
    const { view, snapshot } = drawOne(withDefaults, undefined, { subject: recorded(':off[t2]') });
    assert.deepEqual(chosen(view), { topics: ['t2'], many: ['b', 'c'], one: ['y'] });
    assert.deepEqual(chosen(drawOne(withDefaults, undefined).view).many, ['b', 'c']);
    assert.deepEqual(sealed(snapshot), ['many b', 'many c', 'one y']);
  });

  test('have no defaults ticked for a purpose that is on, locked, or has options on record', () => {
    assert.deepEqual(chosen(drawOne(withDefaults, 'active').view), { topics: [], many: [], one: [''] });
    assert.deepEqual(chosen(drawOne(withDefaults, 'hard-opt-out').view).many, []);
    const subject = recorded(':off[t2 many.a]');
    const { view } = drawOne(withDefaults, undefined, { subject });
    assert.deepEqual(chosen(view), { topics: ['t2'], many: ['a'], one: [''] });
  });

  test('of a single choice are shown as one even if the record holds several; the seal keeps them all', () => {
    const subject = recorded('[t2 one.z one.x]');
    const { view, snapshot } = drawOne(choosing, undefined, { subject });
    assert.deepEqual(chosen(view).one, ['x']);
    assert.equal(snapshot?.options.length, 2);
  });

  test('of a locked purpose are disabled', () => {
    const { view } = drawOne(choosing, 'always-active');
    assert.ok(view?.topics.every((choice) => choice.disabled));
    assert.ok(view?.preferences.every((each) => each.disabled));
    assert.ok(view?.preferences.every((each) => each.choices.every((choice) => choice.disabled)));
  });
});

describe('A preference on the page', () => {
  const rows = [
    ['buttons', 'single', false, 'pills radio', 'None'],
    ['buttons', 'single', true, 'pills radio', 'x'],
    ['buttons', 'multiple', false, 'pills checkbox', 'x'],
    ['checkboxes', 'multiple', true, 'checkboxes checkbox', 'x'],
    ['checkboxes', 'single', false, 'radios radio', 'None'],
    ['radio-buttons', 'single', true, 'radios radio', 'x'],
    ['radio-buttons', 'multiple', false, 'checkboxes checkbox', 'x'],
    ['dropdown', 'single', false, 'dropdown select', 'None'],
    ['dropdown', 'single', true, 'dropdown select', 'Please choose'],
    ['dropdown', 'multiple', false, 'checkboxes checkbox', 'x'],
  ] as const;
  for (const [display, choice, required, as, first] of rows) {
    test(`${display}, ${choice}${required ? ', required' : ''}: ${as}, beginning with ${first}`, () => {
      const options = ['x', 'y'].map((id) => ({ id, name: words({ en: id }), isDefault: false }));
      const preference = aPreference('one', [], { display, choice, required, options });
      const view = drawOne({ preferences: [preference] }, 'active').view?.preferences[0];
      assert.deepEqual([`${view?.display} ${view?.type}`, view?.required], [as, required]);
      const [top] = view?.choices ?? [];
      assert.deepEqual([top?.label.text, top?.value], [first, first === 'x' ? 'x' : '']);
    });
  }
  test('has no empty line if it is required and chosen, and is not shown without options', () => {
    const subject = aSubject({ purposes: recordsOf('p[one.y]') });
    const list = aPreference('one', ['x', 'y'], { display: 'dropdown', choice: 'single', required: true });
    const view = drawOne({ preferences: [list, aPreference('empty', [])] }, undefined, { subject }).view;
    const values = view?.preferences.map(({ choices }) => choices.map(({ value }) => value));
    assert.deepEqual(values, [['x', 'y']]);
  });
});

describe('A draft over a fresh record', () => {
  const change = (change: PurposeChange) => ({ draft: intentOf(change) });
  const option = (preference: string, option: string) => ({ preference, option });
  const newlyOn: PurposeChange = {
    ...({ kind: 'on', purpose: 'p', topics: ['t1'], topicsOff: ['t2'] } as const),
    options: [option('many', 'a'), option('one', 'z')],
    optionsOff: [option('many', 'b')],
  };
  const optionsOn = [option('one', 'x')];
  const adjust = adjusting({ topicsOn: ['t3'], topicsOff: ['t2'], optionsOn });
  const subject = (status: RecordedStatus) =>
    aSubject({ purposes: recordsOf(`p:${status}[t2 many.b one.y]`) });

  test('shows an opt-in with its choices, while the seal holds the record', () => {
    const { view, snapshot } = drawOne(choosing, undefined, { ...change(newlyOn), subject: subject('off') });
    assert.equal(view?.checked, true);
    assert.deepEqual(chosen(view), { topics: ['t1'], many: ['a'], one: ['z'] });
    assert.equal(snapshot?.status, 'off');
    assert.deepEqual(snapshot?.topics, ['t2']);
    assert.deepEqual(snapshot?.options, [option('many', 'b'), option('one', 'y')]);
  });

  test('shows an adjustment of a purpose that is still on, and never turns on a withdrawn one', () => {
    const adjusted = (status: RecordedStatus) =>
      drawOne(choosing, undefined, { ...change(adjust), subject: subject(status) });
    assert.deepEqual(chosen(adjusted('active').view), { topics: ['t3'], many: ['b'], one: ['x'] });
    assert.equal(adjusted('active').view?.checked, true);
    assert.equal(adjusted('off').view?.checked, false);
    assert.equal(adjusted('off').snapshot?.status, 'off');
  });

  test('shows a withdrawal, while the seal holds the record', () => {
    const { view, snapshot } = drawOne({}, 'active', change(off('p')));
    assert.deepEqual([view?.checked, snapshot?.status], [false, 'on']);
  });

  test('changes nothing of a purpose that is now locked', () => {
    const { view } = drawOne(choosing, undefined, { ...change(newlyOn), subject: subject('hard-opt-out') });
    assert.equal(view?.checked, false);
    assert.deepEqual(chosen(view).topics, ['t2']);
    assert.equal(drawOne(choosing, 'always-active', change(off('p'))).view?.checked, true);
  });
});
