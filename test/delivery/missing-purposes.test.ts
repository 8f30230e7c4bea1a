import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { Center } from '../../src/core/model/center/center.ts';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { Problem } from '../../src/core/model/problem.ts';
import { aCenter, aPurpose, record } from '../core/center-builder.ts';
import { intentOf, off, on } from '../core/changes.ts';
import { anna, aRequest, aSubject, asking, ben, openFixture, outcomes } from './fixture.ts';

const center = aCenter([aPurpose('a'), aPurpose('b')]);

async function begin(t: TestContext, purposes = [record('a', 'active')]) {
  const counted: string[] = [];
  const warned: object[] = [];
  const fixture = await openFixture({
    center,
    subjects: [aSubject({ purposes }), aSubject({ id: ben, purposes })],
    routes: () => ({ receivers: [] }),
    observer: { noSuchPurpose: (id) => counted.push(id) },
    log: { info() {}, error() {}, warn: (fields, event) => void warned.push({ ...fields, event }) },
  });
  const { platform, time, delivery, events } = fixture;
  let schema: Center | undefined = center;
  const asked: unknown[] = [];
  Object.assign(platform, {
    async findCenter(_id: string, options?: { readWithin?: number }) {
      asked.push(options?.readWithin);
      if (schema === undefined) throw new Problem('platform-unreachable');
      return schema;
    },
  });
  t.after(async () => {
    await delivery.stop();
    await fixture.close();
  });
  delivery.start();
  return {
    ...fixture,
    counted,
    warned,
    asked,
    publish(published: Center | undefined): void {
      schema = published;
    },
    async click(purpose: string, subject: SubjectId = anna) {
      const intent = intentOf(off(purpose));
      const { reference } = await delivery.submit(aRequest({ channel: 'one-click', subject, intent }));
      await time.advance(5_000);
      return async () => outcomes(await delivery.find(reference, subject));
    },
    async told(): Promise<readonly string[]> {
      const page = await events.page('center', { after: 0, limit: 100 });
      return page.events.map(({ event }) => `${event?.type} ${event?.outcome}`);
    },
    mayUse: async (purpose: string) => (await events.mayUse('center', purpose, [anna])).answers[0],
  };
}

suite('A withdrawal of a purpose that its center does not have', () => {
  test('changes nothing, is never told as verified, is counted, and warned of once.', async (t) => {
    const { click, told, counted, warned, platform, time, mayUse } = await begin(t);
    const found = await click('gone');
    assert.equal(await found(), 'gone:no-such-purpose');
    assert.equal(platform.writes().length, 0);
    // By a reading that cannot be older than the click.
    await time.advance(10_000);
    assert.deepEqual(await told(), ['withdrawal.accepted accepted', 'consent.not-saved no-such-purpose']);
    assert.equal(await mayUse('gone'), false, 'whoever asks by the same name is answered so');
    assert.equal(await mayUse('a'), true);
    await click('gone', ben);
    await time.advance(10_000);
    assert.deepEqual(counted, ['center', 'center']);
    const event = 'a withdrawal names a purpose that its center does not have';
    assert.deepEqual(warned, [{ center: 'center', purpose: 'gone', event }]);
    await click('other', ben);
    await time.advance(10_000);
    assert.equal(warned.length, 2);
  });

  test('is not kept again when it comes again, and does not hold up what else is withdrawn.', async (t) => {
    const { click, journal, delivery, time, platform } = await begin(t);
    await click('gone');
    for (let again = 0; again < 3; again += 1) await click('gone');
    // Each is looked at once more before that.
    await time.advance(60_000);
    assert.equal(await journal.historySize('center', anna), 1);
    const { reference } = await delivery.submit(asking(off('gone'), off('a'), on('b')));
    await time.advance(5_000);
    assert.equal(outcomes(await delivery.find(reference, anna)), 'gone:no-such-purpose a:saved b:saved');
    assert.equal(platform.statusOf(anna, 'a'), 'off');
  });

  test('is carried out where it is on record all the same.', async (t) => {
    const { click, told, counted, platform } = await begin(t, [record('gone', 'active')]);
    const found = await click('gone');
    assert.equal(await found(), 'gone:saved');
    assert.equal(platform.statusOf(anna, 'gone'), 'off');
    assert.deepEqual(await told(), ['withdrawal.accepted accepted', 'consent.verified saved']);
    assert.deepEqual(counted, []);
  });

  test('waits while nobody can say what the center has, and is carried out once somebody can.', async (t) => {
    for (const after of [center, aCenter([aPurpose('a'), aPurpose('gone', { onByDefault: true })])]) {
      const { click, told, counted, platform, time, publish } = await begin(t);
      publish(undefined);
      const found = await click('gone');
      await time.advance(600_000);
      assert.equal(await found(), 'gone:being-carried-out');
      assert.deepEqual(await told(), ['withdrawal.accepted accepted']);
      publish(after);
      await time.advance(400_000);
      assert.equal(await found(), after === center ? 'gone:no-such-purpose' : 'gone:saved');
      assert.equal(platform.statusOf(anna, 'gone'), after === center ? undefined : 'off');
      assert.equal(counted.length, after === center ? 1 : 0);
    }
  });

  test('counts as missing only by a schema that was read since, or a moment before.', async (t) => {
    const { click, platform, asked } = await begin(t);
    const later = aCenter([aPurpose('a'), aPurpose('new', { onByDefault: true })]);
    Object.assign(platform, {
      async findCenter(_id: string, { readWithin }: { readWithin?: number } = {}) {
        asked.push(readWithin);
        // What is kept is of before it was published.
        return readWithin === undefined ? center : later;
      },
    });
    const found = await click('new');
    assert.equal(await found(), 'new:saved');
    assert.equal(platform.statusOf(anna, 'new'), 'off');
    assert.ok(asked.includes(30_000));
    asked.length = 0;
    await click('a', ben);
    assert.deepEqual([...new Set(asked)], [undefined], 'of no other purpose the schema is read once more');
  });

  test('counts as missing only by two readings of the schema that say the same.', async (t) => {
    const { click, platform } = await begin(t);
    const whole = aCenter([aPurpose('a'), aPurpose('new', { onByDefault: true })]);
    Object.assign(platform, {
      findCenter: async (_id: string, { isConfirmed = false } = {}) => (isConfirmed ? whole : center),
    });
    const found = await click('new');
    assert.equal(await found(), 'new:saved');
    assert.equal(platform.statusOf(anna, 'new'), 'off');
  });

  test('nor is it off where only one reading of the schema has it off by default.', async (t) => {
    const { click, platform } = await begin(t);
    const before = aCenter([aPurpose('a'), aPurpose('new')]);
    const since = aCenter([aPurpose('a'), aPurpose('new', { onByDefault: true })]);
    Object.assign(platform, {
      findCenter: async (_id: string, { isConfirmed = false } = {}) => (isConfirmed ? since : before),
    });
    const found = await click('new');
    assert.equal(await found(), 'new:saved');
    assert.equal(platform.statusOf(anna, 'new'), 'off');
  });
});
