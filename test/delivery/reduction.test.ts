import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Subject } from '../../src/core/model/person/subject.ts';
import type { ConsentAnswer } from '../../src/core/model/submission/consent-update.ts';
import type { PurposeChange } from '../../src/core/model/submission/intent.ts';
import { aCenter, aPreference, aPurpose, record, topics } from '../core/center-builder.ts';
import { settled } from './fake-time.ts';
import { anna, aRequest, aSubject, asking, type Fixture, intentOf, off, on, openFixture } from './fixture.ts';
import type { Fault, PlatformCall } from './scripted-platform.ts';

const center = aCenter([
  aPurpose('a', { topics: topics('t1', 't2', 't3'), preferences: [aPreference('p', ['o1', 'o2'])] }),
  aPurpose('b'),
  aPurpose('d', { onByDefault: true, topics: topics('t1', 't2') }),
]);
const purposes = [
  record('a', 'active', ['t1', 't2'], [{ id: 'p', options: ['o1', 'o2'] }]),
  record('b', 'active'),
];

function reduce(purpose: string, topicsOff: readonly string[]): PurposeChange {
  return { kind: 'reduce', purpose, topicsOff, optionsOff: [{ preference: 'p', option: 'o1' }] };
}

function adjust(purpose: string, topicsOn: readonly string[], topicsOff: readonly string[]): PurposeChange {
  return { kind: 'adjust', purpose, topicsOn, topicsOff, optionsOn: [], optionsOff: [] };
}

function open(...[change = {}]: Parameters<typeof openFixture>): Fixture {
  return openFixture({ center, purposes, ...change });
}

async function submit(fixture: Fixture, ...changes: PurposeChange[]) {
  const { reference } = await fixture.delivery.submit(asking(...changes));
  await fixture.delivery.settle();
  return toldOf(fixture, reference);
}

/** Where a reading is asked for again, time has to pass. */
async function submitFor(fixture: Fixture, milliseconds: number, ...changes: PurposeChange[]) {
  const { reference } = await fixture.delivery.submit(asking(...changes));
  await fixture.time.advance(milliseconds);
  return toldOf(fixture, reference);
}

function toldOf(fixture: Fixture, reference: string) {
  return async () =>
    (await fixture.delivery.find(reference, anna))?.items.map(
      ({ id, change, outcome }) => `${id}:${change}:${outcome}`,
    );
}

/** `a:active t1 t2 | o1` */
function onRecord(fixture: Fixture): string[] {
  return fixture.platform.subject(anna).purposes.map(({ purpose, status, topics, preferences }) => {
    const options = preferences.flatMap((each) => each.options);
    return [`${purpose}:${status}`, ...topics, ...(options.length > 0 ? ['|', ...options] : [])].join(' ');
  });
}

const away = (): Fault => ({ kind: 'fails', code: 'platform-unreachable' });
/** Refuses whatever would add `t3`. */
const refusing = ({ update }: PlatformCall): Fault | undefined =>
  update?.purposes.some((each) => each.topics.includes('t3'))
    ? { kind: 'fails', code: 'platform-refused' }
    : undefined;
const answering = (change: (items: ConsentAnswer['items']) => ConsentAnswer['items']): Fault => ({
  kind: 'answers',
  change: (answer) => ({ items: change(answer.items) }),
});

suite('taking topics and options out', () => {
  test('is saved, and nothing else changes', async () => {
    await using fixture = open();
    const told = await submit(fixture, reduce('a', ['t1']));
    assert.deepEqual(await told(), ['a:reduce:saved']);
    assert.deepEqual(onRecord(fixture), ['a:active t2 | o2', 'b:active']);
  });

  /** One reading, the first or another, shows the purposes as they were before. */
  function lagging(fixture: Fixture, at: number, shown: Subject): void {
    const { platform } = fixture;
    const read = platform.readSubject.bind(platform);
    let readings = 0;
    platform.readSubject = async (...asked) => {
      const current = await read(...asked);
      readings += 1;
      return readings === at ? shown : current;
    };
  }
  const wasOff = aSubject({ purposes: [record('a', 'off'), record('b', 'active')] });
  const form = { at: 0, revision: center.revision, onRecord: ['a', 'b'], refused: [] };

  for (const at of [1, 2]) {
    test(`is not left undone by one reading, the ${at === 1 ? 'first' : 'read-back'}, that is older`, async () => {
      await using fixture = open({ center, purposes });
      lagging(fixture, at, wasOff);
      const intent = intentOf(reduce('a', ['t1']));
      const { reference } = await fixture.delivery.submit(aRequest({ intent, form }));
      const settling = fixture.delivery.settle();
      await fixture.time.advance(5_000);
      await settling;
      const told = await fixture.delivery.find(reference, anna);
      assert.deepEqual(
        told?.items.map(({ id, outcome }) => `${id}:${outcome}`),
        ['a:saved'],
      );
      assert.deepEqual(onRecord(fixture), ['a:active t2 | o2', 'b:active']);
    });
  }

  test('brings nothing back that was off on the form, by one reading that is older', async () => {
    const now = [record('a', 'active', ['t1', 't2']), record('b', 'off')];
    await using fixture = open({ center, purposes: now });
    lagging(fixture, 1, aSubject({ purposes: [record('a', 'active', ['t1', 't2']), record('b', 'active')] }));
    const intent = intentOf(reduce('a', ['t1']));
    await fixture.delivery.submit(aRequest({ intent, form: { ...form, refused: ['b'] } }));
    await fixture.delivery.settle();
    assert.deepEqual(onRecord(fixture), ['a:active t2', 'b:off']);
  });

  test('is accepted while the platform is away, however long, and delivered on its return', async () => {
    await using fixture = open();
    fixture.platform.script = away;
    fixture.delivery.start();
    const told = await submit(fixture, reduce('a', ['t1']));
    assert.deepEqual(await told(), ['a:reduce:being-carried-out']);
    assert.deepEqual((await fixture.delivery.underway('center', anna)).changes, [reduce('a', ['t1'])]);
    await fixture.time.advance(600_000);
    assert.deepEqual(await told(), ['a:reduce:being-carried-out']);
    fixture.platform.script = () => undefined;
    await fixture.time.advance(60_000);
    assert.deepEqual(await told(), ['a:reduce:saved']);
    assert.deepEqual(onRecord(fixture), ['a:active t2 | o2', 'b:active']);
    assert.deepEqual((await fixture.delivery.underway('center', anna)).changes, []);
  });

  test('goes on over a restart', async (t) => {
    const fixture = open();
    fixture.platform.script = away;
    await submit(fixture, reduce('a', ['t1']));
    fixture.time.pass(90_000);
    const after = fixture.restart();
    t.after(after.close);
    fixture.platform.script = () => undefined;
    after.delivery.start();
    await after.time.advance(30_000);
    assert.deepEqual(onRecord(after), ['a:active t2 | o2', 'b:active']);
    await after.delivery.stop();
  });

  const unclear: readonly (readonly [string, Fault])[] = [
    ['refused', answering((items) => items.map((item) => ({ ...item, accepted: false })))],
    ['passed over', answering(() => [])],
  ];
  for (const [what, fault] of unclear) {
    test(`that an answer says the platform ${what} is saved where the record shows it`, async () => {
      await using fixture = open();
      fixture.platform.script = (call, writes) => (call.kind === 'put' && writes === 1 ? fault : undefined);
      const told = await submit(fixture, reduce('a', ['t1']));
      assert.deepEqual(await told(), ['a:reduce:saved']);
      assert.deepEqual(onRecord(fixture), ['a:active t2 | o2', 'b:active']);
      assert.equal(fixture.platform.writes().length, 1);
    });
  }

  test('that the platform only pretended is tried again until it is on record', async () => {
    await using fixture = open();
    fixture.platform.script = (call, writes) =>
      call.kind === 'put' && writes === 1 ? { kind: 'ignores' } : undefined;
    fixture.delivery.start();
    const told = await submitFor(fixture, 9_000, reduce('a', ['t1']));
    assert.deepEqual(await told(), ['a:reduce:being-carried-out']);
    await fixture.time.advance(300_000);
    assert.deepEqual(await told(), ['a:reduce:saved']);
    assert.deepEqual(onRecord(fixture), ['a:active t2 | o2', 'b:active']);
  });

  test('whose answer was lost is not sent twice', async () => {
    await using fixture = open();
    fixture.platform.script = (call) =>
      call.kind === 'put' ? { kind: 'lost', code: 'platform-slow' } : undefined;
    fixture.delivery.start();
    const told = await submit(fixture, reduce('a', ['t1']));
    await fixture.time.advance(60_000);
    assert.deepEqual(await told(), ['a:reduce:saved']);
    assert.equal(fixture.platform.writes().length, 1);
  });

  test('brings back nothing that was switched off elsewhere meanwhile', async () => {
    await using fixture = open();
    fixture.platform.script = away;
    fixture.delivery.start();
    const told = await submit(fixture, reduce('a', ['t1']));
    fixture.platform.put(aSubject({ purposes: [record('a', 'off', ['t1', 't2'])] }));
    fixture.platform.script = () => undefined;
    await fixture.time.advance(60_000);
    assert.deepEqual(await told(), ['a:reduce:withdrawn-elsewhere']);
    assert.equal(fixture.platform.writes().length, 0);
  });

  for (const [what, known] of [
    ['implicit', [record('d', 'implicit', ['t1', 't2'])]],
    ['assumed', []],
  ] as const) {
    test(`never agrees to what is only ${what}`, async () => {
      await using fixture = open({ purposes: known });
      const told = await submit(fixture, reduce('d', ['t1']));
      assert.deepEqual(await told(), ['d:reduce:not-saved']);
      assert.equal(fixture.platform.writes().length, 0);
    });
  }

  test('of what is only implicit may agree to it within its minute, and not later', async () => {
    const implicit = [record('d', 'implicit', ['t1', 't2'])];
    await using fixture = open({ purposes: implicit });
    fixture.platform.script = away;
    fixture.delivery.start();
    const late = await submit(fixture, adjust('d', [], ['t1']));
    assert.deepEqual(await late(), ['d:adjust:in-progress']);
    await fixture.time.advance(61_000);
    assert.deepEqual(await late(), ['d:adjust:not-saved']);
    fixture.platform.script = () => undefined;
    await fixture.time.advance(300_000);
    assert.equal(fixture.platform.writes().length, 0);
    const inTime = await submit(fixture, adjust('d', [], ['t1']));
    assert.deepEqual(await inTime(), ['d:adjust:saved']);
    assert.deepEqual(onRecord(fixture), ['d:active t2']);
  });
});

suite('an adjustment that adds and takes out', () => {
  test('is saved as one', async () => {
    await using fixture = open();
    const told = await submit(fixture, adjust('a', ['t3'], ['t1']));
    assert.deepEqual(await told(), ['a:adjust:saved']);
    assert.deepEqual(onRecord(fixture), ['a:active t2 t3 | o1 o2', 'b:active']);
  });

  test('adds nothing after its minute, and still takes out', async () => {
    await using fixture = open();
    fixture.platform.script = away;
    fixture.delivery.start();
    const told = await submit(fixture, adjust('a', ['t3'], ['t1']));
    assert.deepEqual(await told(), ['a:adjust:in-progress']);
    assert.deepEqual((await fixture.delivery.underway('center', anna)).changes, [
      { kind: 'reduce', purpose: 'a', topicsOff: ['t1'], optionsOff: [] },
    ]);
    fixture.time.pass(60_000);
    assert.deepEqual(await told(), ['a:add:not-saved', 'a:reduce:being-carried-out']);
    await fixture.time.advance(600_000);
    fixture.platform.script = () => undefined;
    await fixture.time.advance(60_000);
    assert.deepEqual(await told(), ['a:add:not-saved', 'a:reduce:saved']);
    assert.deepEqual(onRecord(fixture), ['a:active t2 | o1 o2', 'b:active']);
  });

  test('takes out at once what it may when what it adds is refused', async () => {
    await using fixture = open();
    fixture.platform.script = refusing;
    const told = await submit(fixture, adjust('a', ['t3'], ['t1']));
    assert.deepEqual(await told(), ['a:add:not-saved', 'a:reduce:saved']);
    assert.deepEqual(onRecord(fixture), ['a:active t2 | o1 o2', 'b:active']);
  });

  test('that was only pretended takes out in the end', async () => {
    await using fixture = open();
    fixture.platform.script = (call, writes) =>
      call.kind === 'put' && writes === 1 ? { kind: 'ignores' } : undefined;
    fixture.delivery.start();
    const told = await submitFor(fixture, 9_000, adjust('a', ['t3'], ['t1']));
    assert.deepEqual(await told(), ['a:adjust:in-progress']);
    await fixture.time.advance(900_000);
    assert.deepEqual(await told(), ['a:add:not-saved', 'a:reduce:saved']);
    assert.deepEqual(onRecord(fixture), ['a:active t2 | o1 o2', 'b:active']);
  });

  test('that is on record without a word is not said to be half of it', async () => {
    await using fixture = open();
    fixture.platform.script = (call) =>
      call.kind === 'put' ? answering((items) => items.filter((item) => item.purpose !== 'a')) : undefined;
    const told = await submit(fixture, adjust('a', ['t3'], ['t1']));
    assert.deepEqual(await told(), ['a:adjust:unconfirmed']);
  });
});

suite('what is chosen again after it was taken out', () => {
  /** The platform refuses to take both topics out while `isRefusing`; later submissions need not wait for that. */
  async function refusedFirst(t: { after(fn: () => void): void }, ...changes: PurposeChange[]) {
    const fixture = open();
    t.after(() => fixture[Symbol.asyncDispose]());
    let isRefusing = true;
    fixture.platform.script = ({ update }) =>
      isRefusing && update?.purposes.some((each) => each.id === 'a' && each.topics.length === 0)
        ? { kind: 'fails', code: 'platform-refused' }
        : undefined;
    fixture.delivery.start();
    const first = await submit(fixture, {
      kind: 'reduce',
      purpose: 'a',
      topicsOff: ['t1', 't2'],
      optionsOff: [],
    });
    assert.deepEqual(await first(), ['a:reduce:being-carried-out']);
    const second = await submit(fixture, ...changes);
    await settled();
    isRefusing = false;
    await fixture.time.advance(700_000);
    return { fixture, first: await first(), second: await second() };
  }

  test('stays, and what was not is still taken out', async (t) => {
    const { fixture, first, second } = await refusedFirst(t, adjust('a', ['t1'], []));
    assert.deepEqual([first, second], [['a:reduce:saved'], ['a:adjust:unchanged']]);
    assert.equal(onRecord(fixture)[0], 'a:active t1 | o1 o2');
  });

  test('is all that a later opt-in brings back', async (t) => {
    const { fixture } = await refusedFirst(t, on('a', ['t2']));
    assert.equal(onRecord(fixture)[0], 'a:active t2 | o1 o2');
  });

  test('leaves nothing to take out when it is everything', async (t) => {
    const { fixture, first } = await refusedFirst(t, adjust('a', ['t1', 't2'], []));
    assert.deepEqual(first, ['a:reduce:replaced']);
    assert.equal(onRecord(fixture)[0], 'a:active t1 t2 | o1 o2');
  });

  test('is no matter to something else', async (t) => {
    const { fixture } = await refusedFirst(t, off('b'));
    assert.deepEqual(onRecord(fixture), ['a:active | o1 o2', 'b:off']);
  });
});
