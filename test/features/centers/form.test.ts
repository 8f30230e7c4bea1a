import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createSeal } from '../../../src/store/seal.ts';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm, save } from '../../kit/form.ts';
import { until } from '../../kit/until.ts';
import { type FormPage, formPageAt, mistaken, outcomes, type Person, startFixture } from './fixture.ts';
import { idOf, pageOf, school, shop, shopPurposes, singlePage } from './sample-centers.ts';

type Fields = [string, string][];

suite('A form of preferences', { concurrency: false }, () => {
  const fixture = forSuite(startFixture);

  const field = (element: string) => `element.${idOf(element)}`;
  const rhythm = `option.${idOf('News')}.${idOf('Rhythm')}`;
  const put = (name: string, value: string) => (fields: Fields) =>
    [...fields.filter(([other]) => other !== name), [name, value]] satisfies Fields;
  const add = (name: string, value: string) => (fields: Fields) =>
    [...fields, [name, value]] satisfies Fields;

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

    test('keeps the language asked for too.', async () => {
      const person = await fixture.person(shop, {}, { language: 'en' });
      const formPage = await person.open(`/centers/${shop}?lang=fr`);
      formPage.form.tick('keep-language').type(field('Second Email'), 'none');
      const second = formPageAt(person.visitor, await formPage.save());
      assert.ok(second.form.isTicked('keep-language', 'fr'));
      second.form.type(field('Second Email'), 'zoe@example.org');
      assert.equal((await second.save()).status, 200);
      assert.equal(await person.language(), 'fr');
    });

    test('of two options where one may be chosen is not saved.', async () => {
      const person = await fixture.person(shop, {});
      const formPage = (await person.open()).tick('News').option('News', 'Rhythm', 'Weekly');
      const again = await formPage.save({ change: add(rhythm, idOf('Daily')) });
      assert.deepEqual(mistaken(again), ['Rhythm']);
      await assertUntouched(person, {});
    });

    const wrong: readonly (readonly [element: string, typed: string])[] = [
      ['Second Email', 'no address'],
      ['Second Email', 'a@b'],
      ['Second Email', 'a b@example.org'],
      ['Mobile', 'call me'],
      ['Mobile', '123'],
      ['Mobile', '+1234567890123456'],
      ['Books', 'many'],
      ['Books', '1,5'],
      ['Books', '0x10'],
      ['Books', '1e3'],
      ['Born', '2023-02-30'],
      ['Born', '29/02/2024'],
      ['Born', '0000-01-01'],
      ['Born', 'yesterday'],
      ['Country', 'XX'],
      ['Country', 'Atlantis'],
      ['Shelf', 'Poison'],
      ['First Name', 'x'.repeat(751)],
      ['First Name', 'Ann\u0000'],
      ['First Name', 'Ann\u2028Bee'],
    ];
    for (const [element, typed] of wrong) {
      const shownAs = typed.length > 30 ? `${typed.length} characters` : JSON.stringify(typed);
      test(`of ${shownAs} for ${element} is not saved, and the opt-in beside it neither.`, async () => {
        const person = await fixture.person(shop, {}, { elements: { Books: '1' } });
        const again = await (await person.open()).tick('Calls').save({ change: put(field(element), typed) });
        assert.deepEqual(mistaken(again), [element]);
        await assertUntouched(person, {});
        const second = readForm(again.text);
        assert.ok(second.isTicked('purpose', idOf('Calls')));
        if (element !== 'Country' && element !== 'Shelf' && element !== 'Born')
          // No browser shows a NUL: a sign for what cannot be read stands in its place.
          assert.equal(second.valueOf(field(element)), typed.replace('\0', '\ufffd'));
      });
    }

    test('of a read-only element changed by hand is not saved.', async () => {
      const person = await fixture.person(shop, {}, { elements: { Email: 'a@example.org' } });
      const again = await (await person.open())
        .tick('Calls')
        .save({ change: put(field('Email'), 'b@example.org') });
      assert.equal(again.status, 422);
      await assertUntouched(person, {});
      assert.deepEqual(await person.elements(), { Email: 'a@example.org' });
    });
  });

  suite('that is right', () => {
    const right: readonly (readonly [element: string, typed: string, sent: string, recorded?: string])[] = [
      ['Second Email', 'ann@example.org', 'ann@example.org'],
      ['Second Email', ' ann@example.org ', 'ann@example.org'],
      ['Mobile', '+44 (20) 7946-0000', '+44 (20) 7946-0000'],
      ['Mobile', '+٤٤٢٠٧٩٤٦', '+44207946'],
      ['Books', '-2.5', '-2.5'],
      ['Born', '1984-02-29', '02/29/1984'],
      ['Born', '1999-12-01', '12/01/1999', '1/2/1990'],
      ['Born', '', '', '01/02/1990'],
      ['Country', 'FR', 'FR'],
      ['Country', 'FR', 'FR', 'GB'],
      ['Country', 'FR', 'fr', 'gb'],
      ['Country', 'FR', 'France', 'Germany'],
      ['Shelf', 'Comics', 'Comics'],
      ['First Name', 'x'.repeat(750), 'x'.repeat(750)],
      ['First Name', '<b>Ann</b> & "Söhne"', '<b>Ann</b> & "Söhne"'],
      ['First Name', '', '', 'Ann'],
    ];
    for (const [element, typed, sent, recorded] of right) {
      const shownAs = typed.length > 30 ? `${typed.length} characters` : JSON.stringify(typed);
      test(`sends ${element} ${shownAs} as ${sent.length > 30 ? 'typed' : JSON.stringify(sent)}${recorded === undefined ? '' : ` in place of ${recorded}`}, alone.`, async () => {
        const others = { 'A label of another center': 'kept', CRM: 'c-1' };
        const elements = recorded === undefined ? others : { ...others, [element]: recorded };
        const person = await fixture.person(shop, { Calls: 'ACTIVE' }, { elements });
        const result = await (await person.open()).type(element, typed).save();
        assert.deepEqual(outcomes(result), { [element]: 'saved' });
        const writes = await person.writes();
        assert.deepEqual(
          writes.map(({ purposes, elements: changed }) => ({ purposes, changed })),
          [{ purposes: { Calls: [] }, changed: { [element]: sent } }],
        );
        assert.deepEqual(await person.elements(), { ...elements, [element]: sent });
        assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE' });
      });
    }

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

  suite('that was made up by hand is refused, and nothing is sent:', () => {
    const forged: readonly (readonly [what: string, change: (fields: Fields) => Fields])[] = [
      ['a purpose of another page', add('purpose', idOf('Concerts'))],
      ['a purpose of a hidden page', add('purpose', idOf('Reunions'))],
      ['a purpose that this person is not shown', add('purpose', idOf('Alumni'))],
      ['a purpose that nobody knows', add('purpose', idOf('nobody knows it'))],
      ['a purpose by the name of something else', add('purpose', '__proto__')],
      ['a topic of another purpose', add(`topic.${idOf('Library')}`, idOf('Sport'))],
      ['a topic that nobody knows', add(`topic.${idOf('Term letter')}`, idOf('Chess'))],
      ['topics of a purpose not shown', add(`topic.${idOf('Concerts')}`, idOf('Sport'))],
      ['topics of no purpose', add('topic.__proto__', idOf('Sport'))],
      ['an option that nobody knows', add(`option.${idOf('Library')}.${idOf('Rhythm')}`, idOf('Daily'))],
      ['an option of no preference', add('option.', 'x')],
      ['a data element of another center', add(field('First Name'), 'x')],
      ['a data element of no name', add('element.constructor', 'x')],
      ['a language that the center does not have', add('keep-language', 'tlh')],
    ];
    for (const [what, change] of forged) {
      test(`${what}.`, async () => {
        const person = await fixture.person(school, { 'Term letter': 'ACTIVE' });
        const answer = await (await person.open()).untick('Term letter').tick('Library').post({ change });
        assert.equal(answer.status, 400, answer.text.slice(0, 500));
        await assertUntouched(person, { 'Term letter': 'ACTIVE' });
      });
    }

    test('a hidden data element.', async () => {
      const person = await fixture.person(shop, {}, { elements: { CRM: 'c-1' } });
      const answer = await (await person.open()).tick('Calls').post({ change: add(field('CRM'), 'c-2') });
      assert.equal(answer.status, 400);
      await assertUntouched(person, {});
    });
  });

  suite('with a token', () => {
    const tokenOf = ({ form }: FormPage) => form.valueOf('token') ?? '';
    /** The person posts their own form with somebody else's token. */
    async function assertRefused(
      person: Person,
      formPage: FormPage,
      token: string | undefined,
    ): Promise<void> {
      const before = await person.statuses();
      const answer = await formPage.post({
        change: (fields) =>
          fields.flatMap(
            ([name, value]): Fields =>
              name !== 'token' ? [[name, value]] : token === undefined ? [] : [[name, token]],
          ),
      });
      assert.equal(answer.status, 400, answer.text.slice(0, 500));
      await assertUntouched(person, before);
    }

    test('of another person is refused.', async () => {
      const person = await fixture.person(shop, {});
      const other = await fixture.person(shop, { Calls: 'ACTIVE' });
      await assertRefused(person, (await person.open()).tick('Calls'), tokenOf(await other.open()));
      await assertUntouched(other, { Calls: 'ACTIVE' });
    });

    test('of another center is refused.', async () => {
      const person = await fixture.person(shop, {});
      const formPage = await person.open();
      const link = await fixture.product.link({ center: school, identifier: person.identifier });
      const elsewhere = formPageAt(person.visitor, await person.visitor.open(link));
      await assertRefused(person, formPage, tokenOf(elsewhere));
    });

    test('of another page is refused.', async () => {
      const person = await fixture.person(school, {});
      const two = await person.open(pageOf(school, 'two'));
      await assertRefused(person, await person.open(), tokenOf(two));
      const answer = await two.tick('Concerts').post({ to: `/centers/${school}` });
      assert.equal(answer.status, 400);
    });

    test('of another use, cut short, of another installation or of none is refused.', async () => {
      const person = await fixture.person(shop, {});
      const formPage = await person.open();
      const token = tokenOf(formPage);
      const leave = readForm((await person.visitor.open(`/centers/${shop}/unsubscribe`)).text).valueOf(
        'token',
      );
      const foreign = createSeal(['another secret of at least thirty-two bytes']).seal('preferences', {});
      for (const other of [leave, token.slice(0, -4), `${token}x`, foreign, 'x', '', undefined])
        await assertRefused(person, formPage, other);
    });
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

    test('by a day is shown again with the choices in it, and applies nothing by itself.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Letters: 'ACTIVE' });
      const formPage = (await person.open()).tick('Offers').untick('Letters').type('First Name', 'Zoë');
      const again = await formPage.save({
        change: shownAt(formPage, Date.now() - 24 * hours - 1_000),
      });
      assert.equal(again.status, 200);
      assert.match(again.text, /Please check your choices again/);
      await assertUntouched(person, { Calls: 'ACTIVE', Letters: 'ACTIVE' });
      const second = formPageAt(person.visitor, again);
      assert.ok(second.isOn('Offers') && !second.isOn('Letters') && second.isOn('Calls'));
      assert.equal(second.form.valueOf(field('First Name')), 'Zoë');
      assert.deepEqual(Object.keys(outcomes(await second.save())).sort(), [
        'First Name',
        'Letters',
        'Offers',
      ]);
      assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE', Letters: 'WITHDRAWN', Offers: 'ACTIVE' });
    });

    test('by less than a day is saved.', async () => {
      const person = await fixture.person(shop, {});
      const formPage = (await person.open()).tick('Calls');
      const result = await formPage.save({ change: shownAt(formPage, Date.now() - 23 * hours) });
      assert.deepEqual(outcomes(result), { Calls: 'saved' });
    });

    test('and shown again brings back nothing that was switched off since.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Letters: 'ACTIVE' });
      const stale = (await person.open()).tick('Offers');
      await (await person.open()).untick('Calls').save();
      const again = await stale.save({ change: shownAt(stale, Date.now() - 30 * hours) });
      const second = formPageAt(person.visitor, again);
      assert.ok(!second.isOn('Calls') && second.isOn('Letters') && second.isOn('Offers'));
      await second.save();
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Letters: 'ACTIVE', Offers: 'ACTIVE' });
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
    test('shows the same result after a restart.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' });
      const formPage = (await person.open()).untick('Calls');
      const first = await formPage.post();
      const before = await fixture.sandbox.calls({ identifier: person.identifier, method: 'PUT' });
      assert.equal(before.length, 1);
      await fixture.product.stop();
      await fixture.product.start();
      const second = await formPage.post();
      assert.equal(second.location, first.location);
      assert.deepEqual(await person.writes(), [], 'none since the restart');
    });

    test('does not opt in again what was switched off since.', async () => {
      const person = await fixture.person(shop, {});
      const formPage = (await person.open()).tick('Calls');
      await formPage.save();
      await (await person.open()).untick('Calls').save();
      await formPage.save();
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN' });
    });

    test('with another choice in it is refused.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' });
      const formPage = (await person.open()).untick('Calls');
      await formPage.save();
      const other = await formPage.tick('Letters').post();
      assert.equal(other.status, 409);
      assert.equal((await person.writes()).length, 1);
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN' });
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

    test('by others is theirs alone: nobody sees another person’s result.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' });
      const result = await (await person.open()).untick('Calls').save();
      const other = await fixture.person(shop, {});
      assert.equal((await other.visitor.get(new URL(result.url).pathname)).status, 404);
    });
  });
});
