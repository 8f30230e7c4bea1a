import '../../kit/fast-here.ts';
import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import { times } from '../../chaos/dice.ts';
import { forSuite } from '../../kit/for-suite.ts';
import { outcomes, type Person } from './fixture.ts';
import { minutes, startPromiseWorld } from './promise-world.ts';
import { academy, pageOf, school, shop } from './sample-centers.ts';

/** What changes at the platform between the drawing of a form and its post. */
suite('A change elsewhere', { concurrency: false }, () => {
  const world = forSuite(startPromiseWorld);
  afterEach(() => world.sandbox.clearFaults());

  const changes = {
    // What the form showed as on, and is off by the time of the save, is named.
    'a withdrawal': {
      named: { Calls: 'withdrawn-elsewhere' },
      change: { Calls: 'WITHDRAWN' },
      after: { Calls: 'WITHDRAWN', Offers: 'ACTIVE' },
    },
    'a grant': {
      named: {},
      change: { Notices: 'ACTIVE' },
      after: { Calls: 'ACTIVE', Offers: 'ACTIVE', Notices: 'ACTIVE' },
    },
  };
  // test/features/centers/wrong-once asks for every reading, in its long form.
  for (const [what, answer, skip] of [
    ['a withdrawal', '404', 0],
    ['a withdrawal', 'purposes-empty', 1],
    ['a grant', '404', 2],
    ['a grant', 'purposes-empty', 3],
  ] as const)
    test(`(${what}) survives a reading that is empty once (${answer}), after ${skip} others.`, async () => {
      const { named, change, after: others } = changes[what];
      const person = await world.fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      const formPage = (await person.open()).tick('Letters');
      await world.elsewhere(person, change);
      await world.fault(person, 'unknown-subject', { operation: 'read-subject', answer, skip, count: 1 });
      const result = await formPage.save();
      await world.becomes(person, result, { Letters: 'saved', ...named });
      await world.sandbox.clearFaults();
      assert.deepEqual(await person.statuses(), { ...others, Letters: 'ACTIVE' });
      assert.ok((await world.puts(person)).every((put) => put.includes('Offers')));
    });

  /** The next readings of the person are as they were just then. */
  const staysBehind = async (person: Person, more: { readonly count: number; readonly skip?: number }) => {
    const body = JSON.stringify(await world.sandbox.subject(shop, person.identifier));
    const kind = { operation: 'read-subject', contentType: 'application/json', body };
    return () => world.fault(person, 'garbage', { ...kind, ...more });
  };

  for (const skip of times([1], [0, 1, 2])) {
    test(`(a withdrawal) is not undone by a reading that is older once, after ${skip + 1} others.`, async () => {
      const person = await world.fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      const fall = await staysBehind(person, { skip: skip + 1, count: 1 });
      const formPage = (await person.open()).tick('Letters');
      await world.elsewhere(person, { Calls: 'WITHDRAWN' });
      await fall();
      const result = await formPage.save();
      await world.becomes(person, result, { Letters: 'saved', Calls: 'withdrawn-elsewhere' });
      await world.sandbox.clearFaults();
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE', Letters: 'ACTIVE' });
    });

    test(`survives an empty reading where a save seconds ago is not shown yet, after ${skip} others.`, async () => {
      const record = { Calls: 'ACTIVE', Offers: 'ACTIVE', Letters: 'WITHDRAWN' };
      const person = await world.fixture.person(shop, record);
      const stale = (await person.open()).tick('Notices');
      const fall = await staysBehind(person, { count: 1 + skip });
      await (await person.open()).tick('Letters').save();
      await fall();
      await world.fault(person, 'unknown-subject', { operation: 'read-subject', answer: '404', count: 1 });
      const result = await stale.save();
      await world.becomes(person, result, { Notices: 'saved' });
      assert.deepEqual(await person.statuses(), { ...record, Letters: 'ACTIVE', Notices: 'ACTIVE' });
    });
  }

  suite('that withdraws what an older form switches on wins', () => {
    const refused = { Letters: 'withdrawn-elsewhere' };

    for (const [what, wait] of [
      ['at once', 0],
      ['after eleven minutes', 11 * minutes],
    ] as const)
      test(`though it was off when the form was shown, and another tab had switched it on (${what}).`, async () => {
        const person = await world.fixture.person(shop, { Calls: 'ACTIVE', Letters: 'WITHDRAWN' });
        const old = (await person.open()).tick('Letters');
        await (await person.open()).tick('Letters').save();
        assert.equal((await person.statuses())['Letters'], 'ACTIVE');
        await world.elsewhere(person, { Letters: 'WITHDRAWN' });
        world.pass(wait);
        await world.becomes(person, await old.save(), refused);
        assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE', Letters: 'WITHDRAWN' });
        const later = await (await person.open()).tick('Letters').save();
        if (wait > 0) assert.deepEqual(outcomes(later), { Letters: 'saved' });
      });

    test('though it was switched on elsewhere, where a save here showed it on.', async () => {
      const person = await world.fixture.person(shop, { Calls: 'ACTIVE', Letters: 'WITHDRAWN' });
      const old = (await person.open()).tick('Letters');
      await world.elsewhere(person, { Letters: 'ACTIVE' });
      await (await person.open()).untick('Calls').save();
      await world.elsewhere(person, { Letters: 'WITHDRAWN' });
      await world.becomes(person, await old.save(), refused);
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Letters: 'WITHDRAWN' });
    });

    test('though it was switched on in another center.', async () => {
      const inSchool = await world.fixture.person(school, { Library: 'WITHDRAWN', Campus: 'ACTIVE' });
      const { identifier } = inSchool;
      const inAcademy = await world.fixture.person(academy, undefined, { identifier });
      const old = (await inSchool.open()).tick('Library');
      world.pass(1);
      await (await inAcademy.open()).tick('Library').save();
      assert.equal((await inSchool.statuses())['Library'], 'ACTIVE');
      world.pass(1);
      await world.elsewhere(inAcademy, { Library: 'WITHDRAWN' });
      await world.becomes(inSchool, await old.save(), { Library: 'withdrawn-elsewhere' });
      assert.equal((await inSchool.statuses())['Library'], 'WITHDRAWN');
    });

    for (const displayed of ['OPT_OUT', 'SUSPENDED', 'x'.repeat(300)])
      test(`where another status stood for off when the form was shown (${displayed.slice(0, 9)}).`, async () => {
        const person = await world.fixture.person(shop, { Calls: 'ACTIVE', Letters: 'WITHDRAWN' });
        await world.elsewhere(person, { Letters: displayed });
        const formPage = (await person.open()).tick('Letters');
        const again = (await person.open()).tick('Letters');
        await world.elsewhere(person, { Letters: 'WITHDRAWN' });
        assert.deepEqual(outcomes(await formPage.save()), refused);
        assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE', Letters: 'WITHDRAWN' });
        await world.elsewhere(person, { Letters: displayed });
        assert.deepEqual(outcomes(await again.save()), { Letters: 'saved' });
      });
  });

  test('is none where the person withdrew it here, and switches it on by a newer form.', async () => {
    const person = await world.fixture.person(shop, { Calls: 'ACTIVE', Letters: 'WITHDRAWN' });
    for (const _ of [1, 2]) {
      await (await person.open()).tick('Letters').save();
      assert.equal((await person.statuses())['Letters'], 'ACTIVE');
      await (await person.open()).untick('Letters').save();
      assert.equal((await person.statuses())['Letters'], 'WITHDRAWN');
    }
  });
});

suite('A grant elsewhere', { concurrency: false }, () => {
  const world = forSuite(() => startPromiseWorld({ sandbox: { consent: 'by-center' } }));

  for (const [what, withdraw] of [
    ['one purpose', (person: Person) => person.open().then((page) => page.untick('Calls').save())],
    ['everything', (person: Person) => person.leave()],
  ] as const)
    test(`is kept by every save, where ${what} had been withdrawn here two minutes before.`, async () => {
      const person = await world.fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      await withdraw(person);
      await world.soon(async () => assert.equal((await person.statuses())['Calls'], 'WITHDRAWN'));
      world.pass(2 * minutes);
      await world.elsewhere(person, { Calls: 'ACTIVE' });
      const formPage = await person.open();
      assert.equal(formPage.isOn('Calls'), true);
      assert.deepEqual(outcomes(await formPage.tick('Letters').save()), { Letters: 'saved' });
      const { Calls, Letters } = await person.statuses();
      assert.deepEqual([Calls, Letters], ['ACTIVE', 'ACTIVE']);
      // Switched off again it is off.
      assert.deepEqual(outcomes(await (await person.open()).untick('Calls').save()), {
        Calls: 'saved',
      });
      assert.equal((await person.statuses())['Calls'], 'WITHDRAWN');
    });

  for (const [what, wait] of [
    ['at once', 0],
    ['a minute later', 1 * minutes],
  ] as const)
    test(`in a center of its own record is kept by a save there, after everything was left in another (${what}).`, async () => {
      const inSchool = await world.fixture.person(school, { Library: 'ACTIVE', 'Term letter': 'ACTIVE' });
      const { identifier } = inSchool;
      const record = { Library: 'ACTIVE', 'Term letter': 'ACTIVE' };
      const inAcademy = await world.fixture.person(academy, record, { identifier });
      await inSchool.leave();
      await world.soon(async () => {
        assert.equal((await inSchool.statuses())['Library'], 'WITHDRAWN');
      });
      world.pass(wait);
      const ticking = setInterval(() => world.pass(0), 250);
      try {
        const result = await (await inAcademy.open(pageOf(academy, 'two'))).tick('Concerts').save();
        await world.soon(async () =>
          assert.equal(outcomes(await world.reload(inAcademy, result))['Concerts'], 'saved'),
        );
      } finally {
        clearInterval(ticking);
      }
      const { Library, Concerts, 'Term letter': letter } = await inAcademy.statuses();
      assert.deepEqual([Library, letter, Concerts], ['ACTIVE', 'ACTIVE', 'ACTIVE']);
    });
});

suite('Where the link in the platform’s message leads', () => {
  test('says what still waits and what no longer does, by the record as it is then.', async () => {
    await using world = await startPromiseWorld();
    const person = await world.fixture.person(shop, { Calls: 'PENDING', Offers: 'ACTIVE' });
    const { page } = await person.open();
    assert.match(page.text, /It stays off until you confirm it/);
    const path = `/centers/${shop}/confirmed`;
    const note = async () =>
      /class="note-title">([^<]*)</.exec((await person.visitor.get(path)).text)?.[1] ?? 'none';
    assert.equal(await note(), 'Waiting for your confirmation');
    await world.elsewhere(person, { Calls: 'ACTIVE' });
    assert.equal(await note(), 'Nothing is waiting for your confirmation.');
  });
});
