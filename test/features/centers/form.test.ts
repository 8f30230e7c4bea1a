import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createSeal } from '../../../src/store/seal.ts';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm, save } from '../../kit/form.ts';
import { until } from '../../kit/until.ts';
import type { Answer } from '../../kit/visitor.ts';
import { type FormPage, formPageAt, mistaken, outcomes, type Person, startFixture } from './fixture.ts';
import { idOf, pageOf, school, shop, shopPurposes, singlePage } from './sample-centers.ts';

type Fields = [string, string][];

suite('A form of preferences', { concurrency: false }, () => {
  const fixture = forSuite(startFixture);

  const field = (element: string) => `element.${idOf(element)}`;
  const put =
    (name: string, value: string) =>
    (fields: Fields): Fields => [...fields.filter(([other]) => other !== name), [name, value]];
  const add =
    (name: string, value: string) =>
    (fields: Fields): Fields => [...fields, [name, value]];

  /** Nothing reached the platform, and nothing is on record that was not there. */
  async function assertUntouched(person: Person, before: Record<string, string>): Promise<void> {
    assert.deepEqual(await person.writes(), []);
    assert.deepEqual(await person.statuses(), before);
  }

  suite('that has a mistake', () => {
    test('comes back with everything typed and ticked, and once corrected it is saved.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' });
      const formPage = await person.open();
      formPage
        .tick('News')
        .topic('News', 'Poetry')
        .untick('Calls')
        .type('First Name', 'Zoë')
        .type('Books', '12');
      const again = await formPage.save();
      assert.deepEqual(mistaken(again), ['Rhythm']);
      await assertUntouched(person, { Calls: 'ACTIVE' });
      const second = formPageAt(person.visitor, again);
      assert.ok(second.isOn('News') && !second.isOn('Calls'));
      assert.ok(second.form.isTicked(`topic.${idOf('News')}`, idOf('Poetry')));
      assert.equal(second.form.valueOf(field('First Name')), 'Zoë');
      assert.equal(second.form.valueOf(field('Books')), '12');
      const result = await second.option('News', 'Rhythm', 'Weekly').save();
      assert.deepEqual(Object.keys(outcomes(result)).sort(), ['Books', 'Calls', 'First Name', 'News']);
      assert.deepEqual(await person.statuses(), { News: 'ACTIVE', Calls: 'WITHDRAWN' });
      assert.deepEqual(await person.chosen('News'), ['Poetry', 'Weekly']);
      assert.deepEqual(await person.elements(), { 'First Name': 'Zoë', Books: '12' });
    });

    test('still grants nothing of what was withdrawn since it was first shown.', async () => {
      const person = await fixture.person(shop, {});
      const first = await person.open();
      await (await person.open()).tick('Letters').save();
      await (await person.open()).untick('Letters').save();
      const again = await first.tick('Letters').tick('Calls').type('Books', 'twelve').save();
      assert.deepEqual(mistaken(again), ['Books']);
      const second = formPageAt(person.visitor, again).type('Books', '12');
      assert.deepEqual(outcomes(await second.save()), {
        Books: 'saved',
        Calls: 'saved',
        Letters: 'withdrawn-elsewhere',
      });
      assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE', Letters: 'WITHDRAWN' });
    });

    test('of any kind is named at its field with what was typed, and the opt-in beside it is not saved.', async () => {
      const wrong = {
        'Second Email': 'a b@example.org',
        'First Name': 'Ann\u0000',
        Born: '2023-02-30',
        Country: 'XX',
        Mobile: 'call me',
        Books: '1,5',
        Shelf: 'Poison',
      };
      const person = await fixture.person(shop, {}, { elements: { Books: '1' } });
      const again = await (await person.open()).tick('Calls').save({
        change: (fields) =>
          Object.entries(wrong).reduce((all, [name, typed]) => put(field(name), typed)(all), fields),
      });
      assert.deepEqual(mistaken(again), Object.keys(wrong));
      await assertUntouched(person, {});
      const second = readForm(again.text);
      assert.ok(second.isTicked('purpose', idOf('Calls')));
      // No browser shows a NUL: a sign for what cannot be read stands in its place.
      for (const name of ['Second Email', 'First Name', 'Mobile', 'Books'] as const)
        assert.equal(second.valueOf(field(name)), wrong[name].replace('\0', '\ufffd'));
    });
  });

  suite('that is right', () => {
    type Values = Readonly<Record<string, string>>;
    const right: readonly (readonly [recorded: Values, typed: Values, sent: Values])[] = [
      [
        { Born: '1/2/1990', Country: 'Germany', 'First Name': 'Ann' },
        {
          ...{ 'Second Email': ' ann@example.org ', 'First Name': '', Born: '1999-12-01', Country: 'FR' },
          ...{ Mobile: '+٤٤٢٠٧٩٤٦', Books: '-2.5', Shelf: 'Comics' },
        },
        {
          ...{ 'Second Email': 'ann@example.org', 'First Name': '', Born: '12/01/1999', Country: 'France' },
          ...{ Mobile: '+44207946', Books: '-2.5', Shelf: 'Comics' },
        },
      ],
      [
        { Born: '01/02/1990', Country: 'gb' },
        { 'First Name': '<b>Ann</b> & "Söhne"', Born: '', Country: 'FR' },
        { 'First Name': '<b>Ann</b> & "Söhne"', Born: '', Country: 'fr' },
      ],
    ];
    test('sends what was typed as the platform writes it, alone.', async () => {
      for (const [recorded, typed, sent] of right) {
        const elements = { 'A label of another center': 'kept', CRM: 'c-1', ...recorded };
        const person = await fixture.person(shop, { Calls: 'ACTIVE' }, { elements });
        const page = await person.open();
        for (const [element, text] of Object.entries(typed)) page.type(element, text);
        const told = Object.fromEntries(Object.keys(typed).map((element) => [element, 'saved']));
        assert.deepEqual(outcomes(await page.save()), told);
        const writes = (await person.writes()).map(({ purposes, elements: changed }) => [purposes, changed]);
        assert.deepEqual(writes, [[{ Calls: [] }, sent]]);
        assert.deepEqual(await person.elements(), { ...elements, ...sent });
        assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE' });
      }
    });

    test('changes no element that was left as it is, however odd it is on record.', async () => {
      const odd = {
        Born: 'around 1990',
        Books: 'several',
        Country: 'Atlantis',
        Mobile: '?',
        'Second Email': 'none',
        Shelf: 'Poison',
      };
      const person = await fixture.person(shop, {}, { elements: odd });
      const result = await (await person.open()).tick('Calls').save();
      assert.deepEqual(outcomes(result), { Calls: 'saved' });
      assert.deepEqual(await person.elements(), odd);
    });

    test('switches on everything it draws by "subscribe all" where the center offers it, and nothing off.', async () => {
      const person = await fixture.person(school, {
        Library: 'HARD_OPT_OUT',
        Campus: 'WITHDRAWN',
        Concerts: 'WITHDRAWN',
      });
      const shown = await (await person.open()).post({ button: 'subscribe-all' });
      assert.equal(shown.status, 200);
      assert.match(shown.text, /All choices on this page are on below\. Nothing is saved yet\./);
      assert.deepEqual(await person.writes(), [], 'as leaving everything does, it asks once more');
      const result = await person.visitor.submit(shown, () => undefined, save);
      assert.deepEqual(outcomes(result), { 'Term letter': 'saved', Campus: 'saved' });
      assert.deepEqual(await person.statuses(), {
        Library: 'HARD_OPT_OUT',
        Campus: 'ACTIVE',
        Concerts: 'WITHDRAWN',
        'Term letter': 'ACTIVE',
      });
    });
  });

  test('that was made up by hand is refused, and nothing is sent.', async () => {
    const person = await fixture.person(school, { 'Term letter': 'ACTIVE' });
    const formPage = (await person.open()).untick('Term letter').tick('Library');
    const forged: readonly (readonly [what: string, name: string, value: string])[] = [
      ['a purpose of another page', 'purpose', idOf('Concerts')],
      ['a purpose that this person is not shown', 'purpose', idOf('Alumni')],
      ['a purpose by the name of something else', 'purpose', '__proto__'],
      ['a topic of another purpose', `topic.${idOf('Library')}`, idOf('Sport')],
      ['topics of no purpose', 'topic.__proto__', idOf('Sport')],
      ['an unknown option', `option.${idOf('Library')}.${idOf('Rhythm')}`, idOf('Daily')],
      ['an option of no preference', 'option.', 'x'],
      ['a data element of another center', field('First Name'), 'x'],
      ['a data element of no name', 'element.constructor', 'x'],
      ['a language that the center does not have', 'keep-language', 'tlh'],
    ];
    for (const [what, name, value] of forged)
      assert.equal((await formPage.post({ change: add(name, value) })).status, 400, what);
    await assertUntouched(person, { 'Term letter': 'ACTIVE' });

    const other = await fixture.person(shop, {}, { elements: { CRM: 'c-1' } });
    const change = add(field('CRM'), 'c-2');
    assert.equal((await (await other.open()).tick('Calls').post({ change })).status, 400, 'hidden');
    await assertUntouched(other, {});
  });

  test('with a token of another person, center, page or use, of none, or cut short is refused.', async () => {
    const person = await fixture.person(school, { 'Term letter': 'ACTIVE' });
    const formPage = (await person.open()).untick('Term letter');
    const tokenIn = ({ text }: Answer) => readForm(text).valueOf('token') ?? '';
    const other = await fixture.person(school, {});
    const link = await fixture.product.link({ center: shop, identifier: person.identifier });
    const own = tokenIn(formPage.page);
    const tokens = {
      'of another person': tokenIn((await other.open()).page),
      'of another center': tokenIn(await person.visitor.open(link)),
      'of another page': tokenIn((await person.open(pageOf(school, 'two'))).page),
      'of another use': tokenIn(await person.visitor.open(`/centers/${school}/unsubscribe`)),
      'of another installation': createSeal(['another secret of at least thirty-two bytes']).seal(
        'preferences',
        {},
      ),
      'cut short': own.slice(0, -4),
      longer: `${own}x`,
      'of nothing': '',
    };
    for (const [what, token] of Object.entries(tokens))
      assert.equal((await formPage.post({ change: put('token', token) })).status, 400, what);
    const without = (fields: Fields) => fields.filter(([name]) => name !== 'token');
    assert.equal((await formPage.post({ change: without })).status, 400, 'none');
    await assertUntouched(person, { 'Term letter': 'ACTIVE' });
    await assertUntouched(other, {});
  });

  suite('that is stale', () => {
    /** The form of a page as if it had been shown at another time. */
    const shownAt = (formPage: FormPage, at: number) => (fields: Fields) => {
      const seal = createSeal([fixture.product.env['SECRET'] ?? '']);
      const opened = seal.openBytes('preferences 4', formPage.form.valueOf('token') ?? '');
      const bytes = Buffer.from(opened ?? []);
      const end = bytes.indexOf('\n');
      const [nonce, subject, , order] = JSON.parse(bytes.subarray(0, end).toString());
      const head = Buffer.from(JSON.stringify([nonce, subject, at, order]));
      return put(
        'token',
        seal.sealBytes('preferences 4', Buffer.concat([head, bytes.subarray(end)])),
      )(fields);
    };
    const hours = 3_600_000;

    test('by a day is shown again with the choices in it, and applies and brings back nothing by itself.', async () => {
      const record = { Calls: 'ACTIVE', Letters: 'ACTIVE', Notices: 'ACTIVE' };
      const person = await fixture.person(shop, record);
      const formPage = (await person.open()).tick('Offers').untick('Letters').type('First Name', 'Zoë');
      await (await person.open()).untick('Notices').save();
      const again = await formPage.save({
        change: shownAt(formPage, Date.now() - 24 * hours - 1_000),
      });
      assert.equal(again.status, 200);
      assert.match(again.text, /Please check your choices again/);
      assert.equal((await person.writes()).length, 1, 'the other tab’s alone');
      const second = formPageAt(person.visitor, again);
      const shown = ['Calls', 'Letters', 'Notices', 'Offers'].map(second.isOn);
      assert.deepEqual(shown, [true, false, false, true]);
      assert.equal(second.form.valueOf(field('First Name')), 'Zoë');
      const told = Object.keys(outcomes(await second.save()));
      assert.deepEqual(told.sort(), ['First Name', 'Letters', 'Offers']);
      const left = { Letters: 'WITHDRAWN', Notices: 'WITHDRAWN' };
      assert.deepEqual(await person.statuses(), { ...record, ...left, Offers: 'ACTIVE' });
    });

    test('switches nothing on that was left once more since, though it was off when it was shown.', async () => {
      const person = await fixture.person(shop, { Calls: 'WITHDRAWN', Letters: 'ACTIVE' });
      const stale = (await person.open()).tick('Calls');
      const leaving = await person.visitor.open(`/centers/${shop}/unsubscribe`);
      await person.visitor.submit(leaving, () => undefined);
      assert.deepEqual(outcomes(await stale.save()), {
        Calls: 'withdrawn-elsewhere',
      });
      assert.equal((await person.statuses())['Calls'], 'WITHDRAWN');
    });

    test('because the schema changed still withdraws what it switched off and the new schema does not draw.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE', Letters: 'ACTIVE' });
      const formPage = (await person.open()).untick('Offers').untick('Calls').tick('News');
      await fixture.product.stop();
      const file = join(fixture.folder, 'centers', shop, 'preferences.json');
      const remaining = shopPurposes.filter(({ name }) => name !== 'Offers');
      writeFileSync(file, JSON.stringify(singlePage(remaining)));
      await fixture.product.start();
      try {
        const again = await formPage.save();
        assert.match(again.text, /This page has changed/);
        assert.match(again.text, /We’re saving your changes[\s\S]*Offers/);
        await until(async () => (await person.writes()).length > 0);
        assert.deepEqual(await person.statuses(), {
          Calls: 'WITHDRAWN',
          Offers: 'WITHDRAWN',
          Letters: 'ACTIVE',
        });
        const second = formPageAt(person.visitor, again);
        assert.ok(!second.isOn('Calls') && second.isOn('News') && !second.draws('Offers'));
        const count = (await person.writes()).length;
        await formPage.save();
        assert.equal((await person.writes()).length, count);
      } finally {
        await fixture.product.stop();
        writeFileSync(file, JSON.stringify(singlePage()));
        await fixture.product.start();
      }
    });
  });

  suite('that is posted again', () => {
    test('shows the same result, also after a restart, to no other person, and with another choice is refused.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' });
      const formPage = (await person.open()).untick('Calls');
      const first = await formPage.post();
      assert.equal((await formPage.post()).location, first.location);
      assert.equal((await person.writes()).length, 1);
      await fixture.product.stop();
      await fixture.product.start();
      assert.equal((await formPage.post()).location, first.location);
      assert.equal((await formPage.tick('Letters').post()).status, 409);
      assert.deepEqual(await person.writes(), [], 'none since the restart');
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN' });
      const other = await fixture.person(shop, {});
      const { pathname } = new URL(first.location ?? '', fixture.product.url);
      assert.equal((await other.visitor.get(pathname)).status, 404);
    });

    test('50 times at once makes one call and one reference.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' });
      const formPage = (await person.open()).untick('Calls').tick('Letters');
      const answers = await Promise.all(Array.from({ length: 50 }, () => formPage.post()));
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [303]);
      assert.equal(new Set(answers.map(({ location }) => location)).size, 1);
      assert.equal((await person.writes()).length, 1);
      const result = await person.visitor.open(answers[0]?.location ?? '');
      assert.deepEqual(outcomes(result), { Calls: 'saved', Letters: 'saved' });
    });
  });
});
