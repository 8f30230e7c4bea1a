import '../../kit/fast-here.ts';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { ended, outcomes, type Person, shows, startFixture, undo } from './fixture.ts';
import { academy, type OnRecord, school } from './sample-centers.ts';

/** One person in two centers that show the same purposes. */
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

  test('a change in one center is a change in both', async () => {
    const person = await someone();
    const asked = await (await person.school.open()).tick('Library').save();
    await shows(person.school.visitor, asked, { Library: 'saved' });
    const formPage = await person.academy.open();
    assert.equal(formPage.isOn('Library'), true);
    const result = await ended(person.academy, await formPage.untick('Library').save());
    assert.equal(outcomes(result)['Library'], 'saved');
    assert.deepEqual(await library(person), ['WITHDRAWN', 'WITHDRAWN']);
    assert.equal((await person.school.open()).isOn('Library'), false);
    await undo(person.academy, result);
    assert.equal((await person.school.open()).isOn('Library'), true);
  });

  test('a change stands in My record of its center, and of no other', async () => {
    const person = await someone();
    await (await person.school.open()).tick('Library').save();
    const record = async (of: Person) => (await of.visitor.open(`/centers/${of.center}/record`)).text;
    assert.match(await record(person.school), /Library/);
    const [timeline = '', apart = ''] = (await record(person.academy)).split('class="elsewhere"');
    assert.doesNotMatch(timeline, /Library/);
    assert.match(apart, /Library/, 'the other center lists it as known from elsewhere');
  });

  test('a result opens in its center, and in no other', async () => {
    const person = await someone();
    const result = await ended(person.school, await (await person.school.open()).tick('Library').save());
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
