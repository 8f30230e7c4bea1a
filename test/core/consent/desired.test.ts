import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Said } from '../../../src/core/consent/say.ts';
import type { Center } from '../../../src/core/model/center/center.ts';
import type { Intent, PurposeChange } from '../../../src/core/model/submission/intent.ts';
import { aCenter, anElement, aPreference, aPurpose, purposeOf, record, topics } from '../center-builder.ts';
import { adjust, leaveAll, off, on, option, reduce } from '../changes.ts';
import { type Fault, Person, recordsOf, type Submitted } from './desired-person.ts';

const lag = 10_000;
const minute = 60_000;
const doubt = 10 * minute + lag;

const center = aCenter([
  aPurpose('a', { topics: topics('t1', 't2') }),
  aPurpose('b', {
    preferences: [
      aPreference('one', ['x', 'y'], { choice: 'single', required: true }),
      aPreference('many', ['x', 'y', 'z']),
    ],
  }),
  aPurpose('d', { onByDefault: true }),
  aPurpose('n', { kind: 'notification' }),
  anElement('name'),
]);
const oneClick = { isOneClick: true, isBounded: true, form: undefined };
const typed = [{ element: 'name', label: 'Label of name', value: 'Anna' }];
const swapped = adjust('a', { topicsOn: ['t2'], topicsOff: ['t1'] });

interface End {
  readonly how?: Partial<Said>;
  readonly center?: Partial<Center>;
  readonly faults?: readonly Fault[];
  readonly isAway?: true;
  readonly doubleOptIn?: readonly string[];
  /** Milliseconds that the loop works on. */
  readonly for?: number;
  /** What is on then, what is told, and the calls that were made. */
  readonly on: string;
  readonly says: string;
  readonly wire?: string;
}

/** What stands, as `a[t1] d:off`; what is asked; and what becomes of it. */
function becomes(start: string, asked: PurposeChange | Partial<Intent>, end: End): void {
  const person = new Person([{ ...center, ...end.center }], recordsOf(start));
  person.doubleOptIn = end.doubleOptIn ?? [];
  person.faults.push(...(end.faults ?? []));
  person.isPlatformAway = end.isAway === true;
  isSo(person, person.submit('kind' in asked ? [asked] : asked, end.how), end);
}

function isSo(person: Person, submission: Submitted, end: End): void {
  const sorted = (all: readonly string[]) => all.toSorted().join(', ');
  person.settle(end.for);
  assert.equal(sorted(person.says(submission)), sorted(end.says.split(', ')));
  assert.equal(person.on().toSorted().join(' '), end.on);
  if (end.wire !== undefined) assert.equal(person.wire.join(', '), end.wire);
}

describe('purposes', () => {
  test('a purpose is switched on by two readings and one call', () =>
    becomes('b', on('a'), { on: 'a b', says: 'on a: saved', wire: 'GET, PUT b a, GET' }));
  test('a purpose is switched off by two readings and one call', () =>
    becomes('a b', off('a'), { on: 'b', says: 'off a: saved', wire: 'GET, PUT b, GET' }));
  test('what no page draws stays as it is on record', () =>
    becomes('a[t1] unknown[t9] old:expired no:off', off('a'), { on: 'unknown[t9]', says: 'off a: saved' }));
  test('a purpose that is on already is not sent', () =>
    becomes('a', on('a'), { on: 'a', says: 'on a: unchanged', wire: 'GET, GET' }));
  test('what is always active cannot be switched off', () =>
    becomes('a:always-active', off('a'), { on: 'a', says: 'off a: locked', wire: 'GET, GET' }));
  test('what is hard opted out cannot be switched on', () =>
    becomes('a:hard-opt-out', on('a'), { on: '', says: 'on a: locked' }));
  test('what is expired is switched on anew', () =>
    becomes('a:expired', on('a'), { on: 'a', says: 'on a: saved' }));
  test('a notification purpose is withdrawn like any other', () =>
    becomes('n', off('n'), { on: '', says: 'off n: saved' }));
  test('a purpose that is neither in the center nor on record is named', () =>
    becomes('a', off('no'), { how: oneClick, for: 2 * lag, on: 'a', says: 'off no: no-such-purpose' }));
  test('what is off already is told at once, and looked at once more', () =>
    becomes('a:off', off('a'), { how: oneClick, on: '', says: 'off a: unchanged', wire: 'GET' }));
});

describe('a double opt-in', () => {
  test('waits for its confirmation', () =>
    becomes('', on('a'), { doubleOptIn: ['a'], on: '', says: 'on a: waiting' }));
  test('that waits is not sent by another save', () =>
    becomes('a:pending b', off('b'), { on: '', says: 'off b: saved', wire: 'GET, PUT, GET' }));
  test('that waits is switched off', () =>
    becomes('a:pending', off('a'), { on: '', says: 'off a: waiting' }));
});

describe('choices', () => {
  test('a purpose is switched on with its topics', () =>
    becomes('', on('a', { topics: ['t1'] }), { on: 'a[t1]', says: 'on a: saved' }));
  test('a topic is added and another taken out, in one call', () =>
    becomes('a[t1]', swapped, { on: 'a[t2]', says: 'adjust a: saved', wire: 'GET, PUT a[t2], GET' }));
  test('a topic that is taken out is a withdrawal', () =>
    becomes('a[t1 t2]', reduce('a', { topicsOff: ['t1'] }), { on: 'a[t2]', says: 'reduce a: saved' }));
  test('a single choice replaces the other', () =>
    becomes('b[one.x]', adjust('b', { optionsOn: [option('one', 'y')] }), {
      on: 'b[one.y]',
      says: 'adjust b: saved',
    }));
  test('a choice of several is added to the others', () =>
    becomes('b[many.x]', adjust('b', { optionsOn: [option('many', 'y')] }), {
      on: 'b[many.x many.y]',
      says: 'adjust b: saved',
    }));
  test('a choice under what was switched off elsewhere is not made', () => {
    const person = new Person([center], recordsOf('a'));
    const form = person.form();
    person.change([record('a', 'off')]);
    const submission = person.submit([adjust('a', { topicsOn: ['t1'] })], { form });
    isSo(person, submission, { on: '', says: 'adjust a: withdrawn-elsewhere' });
  });
  test('what is taken out of what is only on by default is not agreed to', () =>
    becomes('d:implicit[t]', reduce('d', { topicsOff: ['t'] }), {
      on: '',
      says: 'reduce d: not-saved',
      wire: 'GET',
    }));
  test('an adjustment that fails goes on with what it takes out', () =>
    becomes('a[t1]', swapped, { faults: ['refused'], on: 'a', says: 'add a: not-saved, reduce a: saved' }));
  test('an adjustment adds nothing after its minute, and still takes out', () =>
    becomes('a[t1]', swapped, {
      isAway: true,
      for: 2 * minute,
      on: 'a[t1]',
      says: 'add a: not-saved, reduce a: being-carried-out',
    }));
  test('an adjustment agrees to what is only on by default', () =>
    becomes('d:implicit[t u]', adjust('d', { topicsOff: ['t'] }), { on: 'd[u]', says: 'adjust d: saved' }));
});

describe('values', () => {
  test('a value is typed and a language chosen', () =>
    becomes(
      'a',
      { dataElements: typed, language: 'fr' },
      { on: 'a', says: 'typed name: saved, language fr: saved' },
    ));
  test('a value that is refused with its call is not saved, a withdrawal beside it is', () =>
    becomes(
      'a',
      { purposes: [off('a')], dataElements: typed },
      {
        faults: ['refused'],
        on: '',
        says: 'off a: saved, typed name: not-saved',
      },
    ));
});

describe('what is on by default', () => {
  test('is refused by a pair of calls', () =>
    becomes('a', off('d'), {
      on: 'a',
      says: 'off d: saved',
      wire: 'GET, PUT a, GET, PUT a after d, GET',
    }));
  test('is objected to, and what was agreed to is left alone', () =>
    becomes(
      'a',
      { purposes: [off('a'), off('d')] },
      { how: { isObjection: true }, on: 'a', says: 'off d: saved' },
    ));

  const confirming = { center: { confirmsDefaults: true }, says: 'off a: saved' };
  test('and shown so is confirmed by saving, where the center has it so', () =>
    becomes('a', off('a'), { ...confirming, how: { confirms: ['d'] }, on: 'd' }));
  test('and not drawn by the form is not confirmed', () => becomes('a', off('a'), { ...confirming, on: '' }));
});

describe('everything', () => {
  test('is withdrawn by a DELETE, with what is on by default', () =>
    becomes('a[t1] unknown', leaveAll, {
      on: '',
      says: 'off a: saved, off unknown: saved, off d: saved, everything: saved',
      wire: 'GET, DELETE, GET, PUT  after d, GET',
    }));
  test('by one click is one call and one reading', () =>
    becomes('a d:off', leaveAll, { how: oneClick, on: '', says: 'everything: saved', wire: 'DELETE, GET' }));
  // What the platform says that it withdrew is named, where something stays on.
  test('by one click names what is always active beside the rest (P17)', () =>
    becomes('a b:always-active d:off', leaveAll, {
      how: oneClick,
      on: 'b',
      says: 'off a: saved, off b: locked, off d: saved, everything: saved',
    }));
  test('takes out what is hidden and on by default', () =>
    becomes('a d:off', leaveAll, {
      center: { hidden: [purposeOf('hidden', { onByDefault: true })] },
      on: '',
      says: 'off a: saved, off hidden: saved, everything: saved',
    }));
  test('goes on by a PUT where the DELETE is refused', () =>
    becomes('a d:off', leaveAll, {
      faults: ['refused'],
      for: 2 * lag,
      on: '',
      says: 'off a: saved, everything: saved',
    }));
  test('is called for though all is off, for a reading may have passed over what is on', () =>
    becomes('a:off d:off', leaveAll, { on: '', says: 'everything: saved', wire: 'GET, DELETE, GET' }));
});

describe('a grant', () => {
  const never = { on: '', says: 'on a: not-saved' };
  const saved = { on: 'a', says: 'on a: saved' };
  test('that the platform refuses by name is not saved', () =>
    becomes('b', on('a'), { ...never, faults: [{ refuses: ['a'] }], on: 'b' }));
  test('whose call was not sent is tried again within its minute', () =>
    becomes('', on('a'), { ...saved, faults: ['nothing-done'], for: minute }));
  test('that could not be sent in its minute ends', () =>
    becomes('', on('a'), { ...never, faults: Array(4).fill('nothing-done'), for: 2 * minute }));
  test('that the platform accepted and ignored is not saved, and not sent again', () =>
    becomes('', on('a'), { ...never, faults: ['ignored'], for: 2 * lag }));
  test('whose answer was lost is read back, and told as saved', () =>
    becomes('b:off', on('a'), { ...saved, faults: ['landed-and-lost'], wire: 'GET, PUT a, GET, GET' }));
  test('whose answer was lost, and which is on record without its topic, is unconfirmed', () => {
    const person = new Person([center], []);
    person.faults.push('landed-and-lost');
    const submission = person.submit([on('a', { topics: ['t1'] })]);
    person.settle();
    person.change([record('a', 'active')]);
    isSo(person, submission, { for: doubt + lag, on: 'a', says: 'on a: unconfirmed' });
  });
  test('that never arrived is in doubt until its call cannot land any more', () =>
    becomes('', on('a'), { faults: ['lost'], for: 2 * minute, on: '', says: 'on a: in-doubt' }));
  test('that never arrived ends as not saved', () =>
    becomes('', on('a'), { ...never, faults: ['lost'], for: doubt + lag }));
  test('that arrives late is told as saved once it is seen', () =>
    becomes('', on('a'), { ...saved, faults: [{ late: 45_000 }], for: 3 * minute }));
  test('of other words shows the choices again, and takes out what was taken out', () => {
    const person = new Person([center], recordsOf('a[t1]'));
    const form = person.form();
    person.changeWords({ ...center, revision: '2' });
    isSo(person, person.submit([swapped], { form }), { on: 'a', says: 'add a: reworded, reduce a: saved' });
  });
});

describe('a withdrawal', () => {
  test('that the platform accepted and ignored is sent again', () =>
    becomes('a', off('a'), { faults: ['ignored'], for: 2 * lag, on: '', says: 'off a: saved' }));
  test('goes on where its answer was lost', () =>
    becomes('a', off('a'), { faults: ['lost'], on: '', says: 'off a: saved' }));
  test('waits for a platform that is away', () =>
    becomes('a', off('a'), { isAway: true, on: 'a', says: 'off a: being-carried-out' }));
});
