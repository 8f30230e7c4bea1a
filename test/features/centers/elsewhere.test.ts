import '../../kit/fast-here.ts';
import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { startPromiseWorld } from './promise-world.ts';
import { academy, school, shop } from './sample-centers.ts';

/** A change at the platform after a form was shown and before it is posted. */
suite('A change elsewhere', { concurrency: false }, () => {
  const world = forSuite(startPromiseWorld);
  afterEach(() => world.sandbox.clearFaults());

  // The long form of test/features/centers/wrong-once tries every reading.
  for (const [kind, change, named, answer, skip] of [
    ['withdrawal', { Calls: 'WITHDRAWN' }, { Calls: 'withdrawn-elsewhere' }, '404', 0],
    ['grant', { Notices: 'ACTIVE' }, {}, 'purposes-empty', 2],
  ] as const)
    test(`a ${kind} survives an empty reading (${answer}) after ${skip} right ones`, async () => {
      const record = { Calls: 'ACTIVE', Offers: 'ACTIVE' };
      const person = await world.fixture.person(shop, record);
      const formPage = (await person.open()).tick('Letters');
      await world.elsewhere(person, change);
      await world.fault(person, 'unknown-subject', { operation: 'read-subject', answer, skip, count: 1 });
      const result = await formPage.save();
      await world.becomes(person, result, { Letters: 'saved', ...named });
      await world.sandbox.clearFaults();
      assert.deepEqual(await person.statuses(), { ...record, ...change, Letters: 'ACTIVE' });
      assert.ok((await world.puts(person)).every((put) => put.includes('Offers')));
    });

  test('a withdrawal of a purpose that another tab had granted wins over an older form', async () => {
    const person = await world.fixture.person(shop, { Calls: 'ACTIVE', Letters: 'WITHDRAWN' });
    const old = (await person.open()).tick('Letters');
    await (await person.open()).tick('Letters').save();
    await world.elsewhere(person, { Letters: 'WITHDRAWN' });
    await world.becomes(person, await old.save(), { Letters: 'withdrawn-elsewhere' });
    assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE', Letters: 'WITHDRAWN' });
  });

  test('a withdrawal of a purpose that another center had granted wins over an older form', async () => {
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

  for (const displayed of [null, 'OPT_OUT', 'EXPIRED', 'PENDING', 'x'.repeat(300)])
    test(`a withdrawal wins over a form that showed the purpose as off (${displayed?.slice(0, 9) ?? 'none'})`, async () => {
      const person = await world.fixture.person(shop, { Calls: 'ACTIVE' });
      await world.elsewhere(person, { Letters: displayed });
      const formPage = (await person.open()).tick('Letters');
      const again = (await person.open()).tick('Letters');
      await world.elsewhere(person, { Letters: 'WITHDRAWN' });
      await world.becomes(person, await formPage.save(), { Letters: 'withdrawn-elsewhere' });
      assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE', Letters: 'WITHDRAWN' });
      await world.elsewhere(person, { Letters: displayed });
      await world.becomes(person, await again.save(), { Letters: 'saved' });
    });

  test('the page of the confirmation link shows the status that is on record then', async () => {
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
