import '../../kit/fast-here.ts';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { oneClick } from '../../kit/one-click.ts';
import { eventually } from '../../kit/until.ts';
import { outcomes, type Person, startFixture, undo } from './fixture.ts';
import { academy, idOf, type OnRecord, school } from './sample-centers.ts';

/** Somebody in two centers that draw the same purposes. */
interface Both {
  readonly school: Person;
  readonly academy: Person;
}

suite('One purpose in two centers', { concurrency: false }, () => {
  const fixture = forSuite(startFixture);

  async function someone(record?: OnRecord): Promise<Both> {
    const inSchool = await fixture.person(school, record);
    const { identifier } = inSchool;
    return { school: inSchool, academy: await fixture.person(academy, undefined, { identifier }) };
  }

  async function library(person: Both): Promise<unknown[]> {
    const records = [await person.school.statuses(), await person.academy.statuses()];
    return records.map((statuses) => statuses['Library']);
  }

  async function leaveAll(person: Person) {
    const page = await person.visitor.open(`/centers/${person.center}/unsubscribe`);
    return person.visitor.press(readForm(page.text));
  }

  test('is one switch: on in one it is on in the other, off there it is off in both.', async () => {
    const person = await someone();
    assert.deepEqual(outcomes(await (await person.school.open()).tick('Library').save()), {
      Library: 'saved',
    });
    const formPage = await person.academy.open();
    assert.equal(formPage.isOn('Library'), true);
    const result = await formPage.untick('Library').save();
    assert.equal(outcomes(result)['Library'], 'saved');
    assert.deepEqual(await library(person), ['WITHDRAWN', 'WITHDRAWN']);
    assert.equal((await person.school.open()).isOn('Library'), false);
    await undo(person.academy, result);
    assert.equal((await person.school.open()).isOn('Library'), true);
  });

  test('that a page still shows as on, but was left in the other center since, is not brought back.', async () => {
    const person = await someone({ Library: 'ACTIVE', 'Term letter': 'ACTIVE' });
    await (await person.school.open()).untick('Term letter').save();
    const stale = await person.academy.open();
    await (await person.school.open()).untick('Library').save();
    assert.deepEqual(await library(person), ['WITHDRAWN', 'WITHDRAWN']);
    await stale.tick('Term letter').save();
    assert.deepEqual(await library(person), ['WITHDRAWN', 'WITHDRAWN']);
    assert.equal((await person.school.statuses())['Term letter'], 'ACTIVE');
  });

  test('is left in both by one click in either, and by leaving everything.', async () => {
    const person = await someone({ Library: 'ACTIVE' });
    await (await person.academy.open()).tick('Term letter').save();
    assert.equal((await person.school.statuses())['Term letter'], 'ACTIVE');
    await oneClick(fixture.product, person.school.identifier, idOf('Term letter'), academy);
    await eventually(async () => assert.equal((await person.school.statuses())['Term letter'], 'WITHDRAWN'));
    assert.equal((await person.school.open()).isOn('Term letter'), false);
    assert.equal((await leaveAll(person.school)).status, 303);
    assert.deepEqual(await library(person), ['WITHDRAWN', 'WITHDRAWN']);
    assert.equal((await person.academy.open()).isOn('Library'), false);
  });

  test('that waits to be switched on in one, and is left in the other meanwhile, stays off.', async () => {
    const person = await someone({ Library: 'WITHDRAWN' });
    const { identifier } = person.school;
    await fixture.sandbox.addFault({ kind: '500', operation: 'update-subject', identifier });
    const asked = await (await person.school.open()).tick('Library').save();
    assert.equal((await leaveAll(person.academy)).status, 303);
    await eventually(async () => assert.deepEqual(await library(person), ['WITHDRAWN', 'WITHDRAWN']));
    await fixture.sandbox.clearFaults();
    await eventually(async () => {
      const page = await person.school.visitor.open(new URL(asked.url).pathname);
      assert.equal(outcomes(page)['Library'], 'withdrawn-elsewhere');
    });
    assert.deepEqual(await library(person), ['WITHDRAWN', 'WITHDRAWN']);
  });

  test('that was left in one is not brought back by an undo, once everything was left in the other.', async () => {
    const person = await someone({ Library: 'ACTIVE' });
    const result = await (await person.school.open()).untick('Library').save();
    assert.equal((await leaveAll(person.academy)).status, 303);
    await undo(person.school, result);
    assert.deepEqual(await library(person), ['WITHDRAWN', 'WITHDRAWN']);
  });

  test('stands in My record of the center where it was changed, and of no other.', async () => {
    const person = await someone();
    await (await person.school.open()).tick('Library').save();
    const record = async (of: Person) => (await of.visitor.open(`/centers/${of.center}/record`)).text;
    assert.match(await record(person.school), /Library/);
    const [told = '', apart = ''] = (await record(person.academy)).split('class="elsewhere"');
    assert.doesNotMatch(told, /Library/);
    assert.match(apart, /Library/, 'as known from elsewhere');
  });

  test('has results that open in the center where it was changed, and in no other.', async () => {
    const person = await someone();
    const result = await (await person.school.open()).tick('Library').save();
    const [, reference = ''] = new URL(result.url).pathname.split('/results/');
    const { action, fields } = readForm(result.text).press();
    const elsewhere = new URL(action, result.url).pathname.replace(school, academy);
    const { visitor } = person.academy;
    assert.equal((await visitor.get(`/centers/${academy}/results/${reference}`)).status, 404);
    const own = readForm((await person.academy.open()).page.text).press();
    for (const posted of [fields, own.fields])
      assert.ok([400, 404].includes((await visitor.post(elsewhere, posted)).status));
    assert.deepEqual(await library(person), ['ACTIVE', 'ACTIVE']);
  });
});
