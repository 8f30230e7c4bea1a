import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import type { Answer } from '../../kit/visitor.ts';
import { formPageAt, mistaken, outcomes, type Person, shows, startFixture } from './fixture.ts';
import { idOf, pageOf, school, shop } from './sample-centers.ts';

type Fields = [string, string][];

const fixture = forSuite(startFixture);

suite('A form of preferences', { concurrency: false }, () => {
  const put =
    (name: string, value: string) =>
    (fields: Fields): Fields => [...fields.filter(([other]) => other !== name), [name, value]];
  /** Checks that no writing call reached the platform and that the record is unchanged. */
  async function assertUntouched(person: Person, before: Record<string, string>): Promise<void> {
    assert.deepEqual(await person.writes(), []);
    assert.deepEqual(await person.statuses(), before);
  }

  test('a form with a mistake keeps its values, and grants nothing that was withdrawn after it was shown', async () => {
    const person = await fixture.person(shop, {});
    const first = await person.open();
    await (await person.open()).tick('Letters').save();
    await (await person.open()).untick('Letters').save();
    first.tick('Letters').tick('Calls').type('First Name', 'Zoë').type('Books', 'twelve');
    const again = await first.save();
    assert.deepEqual(mistaken(again), ['Books']);
    const second = formPageAt(person.visitor, again).type('Books', '12');
    const values = { 'First Name': 'saved', Books: 'saved' };
    const expected = { ...values, Calls: 'saved', Letters: 'withdrawn-elsewhere' };
    assert.deepEqual(outcomes(await second.save()), expected);
    assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE', Letters: 'WITHDRAWN' });
    assert.deepEqual(await person.elements(), { 'First Name': 'Zoë', Books: '12' });
  });

  test('a forged form is refused, and no call is sent', async () => {
    const person = await fixture.person(school, { 'Term letter': 'ACTIVE' });
    const formPage = (await person.open()).untick('Term letter').tick('Library');
    // test/core/consent/submission.test.ts holds a table of further refusals.
    for (const [problem, name, value] of [
      ['a purpose of another page', 'purpose', idOf('Concerts')],
      ['a purpose by the name of something else', 'purpose', '__proto__'],
      ['topics of no purpose', 'topic.__proto__', idOf('Sport')],
      ['an option of no preference', 'option.', 'x'],
      ['a data element of no name', 'element.constructor', 'x'],
      ['a language that the center does not have', 'keep-language', 'tlh'],
    ] as const) {
      const change = (fields: Fields): Fields => [...fields, [name, value]];
      assert.equal((await formPage.post({ change })).status, 400, problem);
    }
    await assertUntouched(person, { 'Term letter': 'ACTIVE' });
  });

  test('a form without its own, whole token is refused', async () => {
    const person = await fixture.person(school, { 'Term letter': 'ACTIVE' });
    const formPage = (await person.open()).untick('Term letter');
    const tokenIn = ({ text }: Answer) => readForm(text).valueOf('token') ?? '';
    const other = await fixture.person(school, {});
    const link = await fixture.product.link({ center: shop, identifier: person.identifier });
    const tokens = {
      'of another person': tokenIn((await other.open()).page),
      'of another center': tokenIn(await person.visitor.open(link)),
      'of another page': tokenIn((await person.open(pageOf(school, 'two'))).page),
      'of another use': tokenIn(await person.visitor.open(`/centers/${school}/unsubscribe`)),
      'cut short': tokenIn(formPage.page).slice(0, -4),
      'of nothing': '',
    };
    for (const [problem, token] of Object.entries(tokens))
      assert.equal((await formPage.post({ change: put('token', token) })).status, 400, problem);
    const without = (fields: Fields) => fields.filter(([name]) => name !== 'token');
    assert.equal((await formPage.post({ change: without })).status, 400, 'none');
    await assertUntouched(person, { 'Term letter': 'ACTIVE' });
    await assertUntouched(other, {});
  });

  test('a form that was posted unchanged grants nothing by a later post with changes', async () => {
    const person = await fixture.person(shop, {});
    const formPage = await person.open();
    assert.match((await formPage.post()).location ?? '', /saved=unchanged/);
    await shows(person.visitor, await formPage.tick('Calls').save(), { Calls: 'not-saved' });
    assert.deepEqual(await person.statuses(), {});
    const again = await (await person.open()).tick('Calls').save();
    await shows(person.visitor, again, { Calls: 'saved' });
  });
});
