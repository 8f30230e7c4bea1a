import '../../kit/fast-here.ts';
import assert from 'node:assert/strict';
import { after, afterEach, before, suite, test } from 'node:test';
import { eventually, outcomes } from './fixture.ts';
import { type PromiseWorld, patience, startPromiseWorld } from './promise-world.ts';
import { shop } from './sample-centers.ts';

/** What changes at the platform between the drawing of a form and its post. */
suite('A change elsewhere', { concurrency: false }, () => {
  let world: PromiseWorld;
  before(async () => {
    world = await startPromiseWorld();
  });
  afterEach(() => world.sandbox.clearFaults());
  after(() => world?.close());

  const changes = {
    'a withdrawal': { change: { Calls: 'WITHDRAWN' }, after: { Calls: 'WITHDRAWN', Offers: 'ACTIVE' } },
    'a grant': {
      change: { Notices: 'ACTIVE' },
      after: { Calls: 'ACTIVE', Offers: 'ACTIVE', Notices: 'ACTIVE' },
    },
  };
  for (const [what, { change, after: others }] of Object.entries(changes)) {
    for (const answer of ['404', 'purposes-empty'])
      for (const skip of [0, 1, 2, 3])
        test(`(${what}) survives a reading that is empty once (${answer}), after ${skip} others.`, async () => {
          const person = await world.fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
          const formPage = (await person.open()).tick('Letters');
          await world.elsewhere(person, change);
          await world.fault(person, 'unknown-subject', { operation: 'read-subject', answer, skip, count: 1 });
          const result = await formPage.save();
          await eventually(patience, async () =>
            assert.deepEqual(outcomes(await world.reload(person, result)), { Letters: 'What has changed' }),
          );
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
      await eventually(patience, async () =>
        assert.deepEqual(outcomes(await world.reload(person, result)), { Letters: 'What has changed' }),
      );
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
      await eventually(patience, async () =>
        assert.deepEqual(outcomes(await world.reload(person, result)), { Notices: 'What has changed' }),
      );
      const on = { Calls: 'ACTIVE', Offers: 'ACTIVE', Letters: 'ACTIVE', Notices: 'ACTIVE' };
      assert.deepEqual(await person.statuses(), on);
    });
});
