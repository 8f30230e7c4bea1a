import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { eventually } from '../../kit/until.ts';
import { formPageAt, outcomes } from './fixture.ts';
import { minutes, seconds, startPromiseWorld } from './promise-world.ts';
import { shop, shopPurposes, singlePage } from './sample-centers.ts';

const hours = 60 * minutes;

suite('As time goes by', { concurrency: false }, () => {
  const { fixture, pass } = forSuite(startPromiseWorld);
  afterEach(() => fixture.sandbox.clearFaults());

  test('undo is offered for half an hour, and a page kept open does not stretch it.', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    const result = await (await person.open()).untick('Calls').save();
    const { pathname } = new URL(result.url);
    pass(25 * minutes);
    const kept = await person.visitor.open(pathname);
    assert.match(kept.text, /\/undo/);
    pass(6 * minutes);
    assert.doesNotMatch((await person.visitor.open(pathname)).text, /\/undo"/);
    const { fields } = formOf(kept.text);
    const late = await person.visitor.post(`${pathname}/undo`, fields);
    assert.equal(new URL(late.location ?? '').pathname, pathname, 'back to the result');
    assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN' });
  });

  test('a form from the future is refused, and one of the clock as it is now is read.', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    const formPage = (await person.open()).untick('Calls').tick('Letters');
    const leaving = await person.visitor.open(`/centers/${shop}/unsubscribe`);
    pass(-2 * hours);
    for (const answer of [await formPage.post(), await person.visitor.submit(leaving, () => undefined)])
      assert.equal(answer.status, 400);
    assert.deepEqual(await person.writes(), []);
    const today = (await person.open()).untick('Calls').tick('Letters');
    assert.deepEqual(outcomes(await today.save()), {
      Calls: 'saved',
      Letters: 'saved',
    });
    pass(2 * hours);
    assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Letters: 'ACTIVE' });
  });

  test('a session that has ended takes no form.', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    const formPage = (await person.open()).untick('Calls');
    pass(9 * hours);
    const answer = await formPage.post();
    assert.ok([303, 401].includes(answer.status), String(answer.status));
    assert.deepEqual(await person.writes(), []);
  });

  test('a changed schema is noticed within two minutes, and forms of the old one are shown again.', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    const stale = (await person.open()).untick('Calls');
    const file = join(fixture.folder, 'centers', shop, 'preferences.json');
    writeFileSync(file, JSON.stringify(singlePage([...shopPurposes, { name: 'Podcasts' }])));
    pass(61 * seconds);
    await eventually(async () => assert.ok((await person.open()).draws('Podcasts')));
    const again = await stale.save();
    assert.match(again.text, /This page has changed/);
    assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN' }, 'to leave needs no other words');
    assert.ok(!formPageAt(person.visitor, again).isOn('Calls'));
  });

  test('a center is still shown for a day while its schema cannot be read.', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    await person.open();
    await fixture.sandbox.addFault({ kind: '500', operation: 'read-schema' });
    pass(20 * minutes);
    assert.equal((await (await person.again()).open()).page.status, 200);
    pass(23 * hours);
    assert.equal((await (await person.again()).open()).page.status, 200);
  });
});

function formOf(html: string): { fields: [string, string][] } {
  const token = /\/undo"[^>]*>\s*<input type="hidden" name="token" value="([^"]+)"/.exec(html)?.[1] ?? '';
  return { fields: [['token', token]] };
}
