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
  for (const [what, { named, change, after: others }] of Object.entries(changes)) {
    for (const answer of ['404', 'purposes-empty'])
      for (const skip of times(answer === '404' ? [0, 2] : [1, 3], [0, 1, 2, 3]))
        test(`(${what}) survives a reading that is empty once (${answer}), after ${skip} others.`, async () => {
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
  }

  for (const skip of [0, 1, 2])
    test(`(a withdrawal) is not undone by a reading that is older once, after ${skip + 1} others.`, async () => {
      const person = await world.fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      const body = JSON.stringify(await world.sandbox.subject(shop, person.identifier));
      const formPage = (await person.open()).tick('Letters');
      await world.elsewhere(person, { Calls: 'WITHDRAWN' });
      await world.fault(person, 'garbage', {
        operation: 'read-subject',
        contentType: 'application/json',
        body,
        skip: skip + 1,
        count: 1,
      });
      const result = await formPage.save();
      await world.becomes(person, result, { Letters: 'saved', Calls: 'withdrawn-elsewhere' });
      await world.sandbox.clearFaults();
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE', Letters: 'ACTIVE' });
    });

  for (const skip of [0, 1, 2])
    test(`survives an empty reading where a save seconds ago is not shown yet, after ${skip} others.`, async () => {
      const person = await world.fixture.person(shop, {
        Calls: 'ACTIVE',
        Offers: 'ACTIVE',
        Letters: 'WITHDRAWN',
      });
      const stale = (await person.open()).tick('Notices');
      const older = JSON.stringify(await world.sandbox.subject(shop, person.identifier));
      await (await person.open()).tick('Letters').save();
      await world.fault(person, 'garbage', {
        operation: 'read-subject',
        contentType: 'application/json',
        body: older,
        count: 1 + skip,
      });
      await world.fault(person, 'unknown-subject', { operation: 'read-subject', answer: '404', count: 1 });
      const result = await stale.save();
      await world.becomes(person, result, { Notices: 'saved' });
      const on = { Calls: 'ACTIVE', Offers: 'ACTIVE', Letters: 'ACTIVE', Notices: 'ACTIVE' };
      assert.deepEqual(await person.statuses(), on);
    });

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
