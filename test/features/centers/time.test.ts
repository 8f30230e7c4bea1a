import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { formPageAt, outcomes } from './fixture.ts';
import { minutes, startPromiseWorld } from './promise-world.ts';
import { shop } from './sample-centers.ts';

const hours = 60 * minutes;

suite('A form that is a day old', { concurrency: false }, () => {
  const { fixture, pass } = forSuite(startPromiseWorld);
  afterEach(() => fixture.sandbox.clearFaults());

  test('an ended session does not accept it, and a new session shows it again for review', async () => {
    const record = { Calls: 'ACTIVE', Letters: 'ACTIVE', Notices: 'ACTIVE' };
    const person = await fixture.person(shop, record);
    const old = (await person.open()).tick('Offers').untick('Letters').type('First Name', 'Zoë');
    await (await person.open()).untick('Notices').save();
    pass(24 * hours + 1);
    assert.ok([303, 401].includes((await old.post()).status));
    const { visitor } = await person.again();
    const { action, fields } = old.form.press();
    const again = await visitor.post(action, fields);
    assert.equal(again.status, 200);
    assert.match(again.text, /Please check your choices again/);
    assert.equal((await person.writes()).length, 1, 'only the other tab wrote');
    const second = formPageAt(visitor, again);
    const shown = ['Calls', 'Letters', 'Notices', 'Offers'].map(second.isOn);
    assert.deepEqual(shown, [true, false, false, true]);
    const saved = { Letters: 'saved', Offers: 'saved', 'First Name': 'saved' };
    assert.deepEqual(outcomes(await second.save()), saved);
    const left = { Letters: 'WITHDRAWN', Notices: 'WITHDRAWN' };
    assert.deepEqual(await person.statuses(), { ...record, ...left, Offers: 'ACTIVE' });
  });
});
