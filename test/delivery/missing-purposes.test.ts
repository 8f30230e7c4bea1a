import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { Center } from '../../src/core/model/center/center.ts';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { Problem } from '../../src/core/model/problem.ts';
import { aCenter, aPurpose, record } from '../core/center-builder.ts';
import { intentOf, off } from '../core/changes.ts';
import { anna, aRequest, aSubject, ben, openFixture, outcomes } from './fixture.ts';

const center = aCenter([aPurpose('a'), aPurpose('b')]);

async function begin(t: TestContext) {
  const purposes = [record('a', 'active')];
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
  test('changes nothing, is never told as verified, is counted, and is logged once as a warning', async (t) => {
    const { click, told, counted, warned, platform, time, mayUse } = await begin(t);
    const found = await click('gone');
    assert.equal(await found(), 'gone:no-such-purpose');
    assert.equal(platform.writes().length, 0);
    // The next reading cannot be older than the click.
    await time.advance(10_000);
    assert.deepEqual(await told(), ['withdrawal.accepted accepted', 'consent.not-saved no-such-purpose']);
    assert.equal(await mayUse('gone'), false, 'a receiver that asks by that name gets the same answer');
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

  test('waits while the schema cannot be read, and is carried out once it can', async (t) => {
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

  test('counts as missing only by a schema that was read after it, or just before', async (t) => {
    const { click, platform, asked } = await begin(t);
    const later = aCenter([aPurpose('a'), aPurpose('new', { onByDefault: true })]);
    Object.assign(platform, {
      async findCenter(_id: string, { readWithin }: { readWithin?: number } = {}) {
        asked.push(readWithin);
        // The cached schema is older than the publication.
        return readWithin === undefined ? center : later;
      },
    });
    const found = await click('new');
    assert.equal(await found(), 'new:saved');
    assert.equal(platform.statusOf(anna, 'new'), 'off');
    assert.ok(asked.includes(30_000));
    asked.length = 0;
    await click('a', ben);
    assert.deepEqual([...new Set(asked)], [undefined], 'a known purpose needs no new reading of the schema');
  });

  for (const [what, first] of [
    ['is missing', center],
    ['is not on by default', aCenter([aPurpose('a'), aPurpose('new')])],
  ] as const)
    test(`is carried out if only one of two readings of the schema says that the purpose ${what}`, async (t) => {
      const { click, platform } = await begin(t);
      const second = aCenter([aPurpose('a'), aPurpose('new', { onByDefault: true })]);
      Object.assign(platform, {
        findCenter: async (_id: string, { isConfirmed = false } = {}) => (isConfirmed ? second : first),
      });
      const found = await click('new');
      assert.equal(await found(), 'new:saved');
      assert.equal(platform.statusOf(anna, 'new'), 'off');
    });
});
