import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import type { FormPage, Person } from './fixture.ts';
import { startPromiseWorld } from './promise-world.ts';
import { idOf, shop, shopPurposes, singlePage } from './sample-centers.ts';

const day = 86_400_000;
const lifeSpan = 30 * 86_400;
const circulars = idOf('Circulars');

suite('A consent with a life span', { concurrency: false }, () => {
  const { fixture, pass } = forSuite(() => {
    const purposes = [...shopPurposes, { name: 'Circulars', lifeSpan, topics: ['Gardens', 'Roses'] }];
    const files = { [`platform/centers/${shop}/preferences.json`]: JSON.stringify(singlePage(purposes)) };
    return startPromiseWorld({ files, now: Date.UTC(2028, 1, 2, 12) });
  });
  afterEach(() => fixture.sandbox.clearFaults());

  /** A new person who has just granted the purpose. */
  async function agreed(): Promise<Person> {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    await (await person.open()).tick('Circulars').topic('Circulars', 'Gardens').save();
    assert.deepEqual(await person.chosen('Circulars'), ['Gardens']);
    return person;
  }

  const isOffered = ({ form }: FormPage) => form.has('renew', circulars);
  const profileCalls = async ({ identifier }: Person) => {
    const calls = await fixture.sandbox.calls({ identifier });
    return calls.filter(({ path }) => path.includes('/profiles')).length;
  };

  test('a consent shows its end, and only the person renews it, in its last week', async () => {
    const person = await agreed();
    const first = await person.open();
    assert.match(first.page.text, /Until March 3, 2028\./);
    assert.ok(!isOffered(first));

    pass(22 * day);
    const early = await person.again();
    assert.ok(!isOffered(await early.open()));
    pass(2 * day);
    const today = await person.again();
    const last = await today.open();
    assert.ok(isOffered(last) && !last.form.isTicked('renew', circulars), last.page.text);
    assert.match(last.page.text, /Renew for 1 month/);
    assert.match((await last.save()).text, /Nothing has changed/);
    assert.equal((await person.writes()).length, 1);

    const again = await today.open();
    again.form.tick('renew', circulars);
    assert.match((await again.save()).text, /All is saved/);
    const renewal = (await person.writes()).at(-1);
    assert.deepEqual(renewal?.purposes, { Calls: [], Circulars: ['Gardens'] });
    const renewed = await today.open();
    assert.match(renewed.page.text, /Until March 27, 2028\./);
    assert.ok(!isOffered(renewed));

    pass(29 * day);
    assert.ok(isOffered(await (await person.again()).open()));
    pass(2 * day);
    const over = await (await person.again()).open();
    assert.match(over.page.text, /Your consent has run out/);
    assert.ok(!over.isOn('Circulars') && !isOffered(over));
    assert.equal((await person.writes()).length, 2, 'no call renews by itself');
    assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE', Circulars: 'EXPIRED' });
  });

  test('a consent shows its length if no end is known; a person other such a purpose causes no look-up', async () => {
    const person = await agreed();
    for (const kind of ['500', '429', 'garbage', 'drop'] as const) {
      await fixture.sandbox.addFault({ kind, operation: 'list-profiles' });
      const { page } = await (await person.again()).open();
      assert.match(page.text, /Lasts 1 month\./, kind);
      await fixture.sandbox.clearFaults();
    }
    const other = await fixture.person(shop, { Calls: 'ACTIVE' });
    await other.open();
    assert.equal(await profileCalls(other), 0);
  });

  test('pages within a few seconds share one look-up', async () => {
    const person = await agreed();
    await person.open();
    const before = await profileCalls(person);
    for (let count = 0; count < 5; count += 1) await person.open();
    assert.equal(await profileCalls(person), before);
  });
});
