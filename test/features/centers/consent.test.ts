import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { oneClick } from '../../kit/one-click.ts';
import { eventually } from '../../kit/until.ts';
import type { Answer } from '../../kit/visitor.ts';
import { type FormPage, outcomes, type Person, startFixture, undo } from './fixture.ts';
import { academy, idOf, pageOf, school, shop } from './sample-centers.ts';

suite('What a person is shown, and what becomes of it', { concurrency: false }, () => {
  const fixture = forSuite(startFixture);

  const news = { status: 'ACTIVE', topics: ['Crime'], options: { Rhythm: ['Daily'] } };

  const shown: readonly (readonly [status: string, state: 'on' | 'off', free: boolean, tag?: string])[] = [
    ['ACTIVE', 'on', true],
    ['OPT_IN', 'on', true],
    ['EXTEND', 'on', true],
    ['CHANGE_PREFERENCES', 'on', true],
    ['ALWAYS_ACTIVE', 'on', false, 'Always active'],
    ['IMPLICIT', 'on', true, 'On by default'],
    ['NOT_OPT_OUT', 'on', true, 'On by default'],
    ['PENDING', 'off', true, 'Waiting for your confirmation'],
    ['EXPIRED', 'off', true, 'Expired'],
    ['HARD_OPT_OUT', 'off', false, 'Turned off at your request'],
    ['WITHDRAWN', 'off', true],
    ['OPT_OUT', 'off', true],
    ['NO_CONSENT', 'off', true],
    ['SOMETHING_NEW', 'off', true],
  ];
  for (const [status, state, isFree, tag] of shown) {
    test(`${status} is shown ${state}${isFree ? '' : ', locked'}, and stays as it is while another thing changes.`, async () => {
      const person = await fixture.person(shop, { Calls: status, Letters: 'ACTIVE' });
      const formPage = await person.open();
      assert.equal(formPage.isOn('Calls'), state === 'on');
      const switches = formPage.form.controls.filter(({ name }) => name === 'purpose');
      const [control] = switches.filter(({ label }) => label.startsWith('Calls'));
      assert.equal(control?.disabled, !isFree);
      if (tag !== undefined) assert.ok(formPage.page.text.includes(tag), tag);
      const result = await formPage.type('Books', '3').save();
      assert.equal(outcomes(result)['Books'], 'saved');
      const statuses = await person.statuses();
      const isKept = ['ACTIVE', 'OPT_IN', 'EXTEND', 'CHANGE_PREFERENCES', 'ALWAYS_ACTIVE'].includes(status);
      const [put, ...more] = await person.writes();
      assert.deepEqual(more, []);
      assert.deepEqual(Object.keys(put?.purposes ?? {}).sort(), isKept ? ['Calls', 'Letters'] : ['Letters']);
      assert.equal(statuses['Letters'], 'ACTIVE');
      assert.ok(
        [status, isKept ? 'ACTIVE' : status].includes(statuses['Calls'] ?? ''),
        JSON.stringify(statuses),
      );
      assert.equal(statuses['Surveys'], undefined, 'nothing is recorded of what is only on by default');
    });
  }

  test('What a hard opt-out says stands on the page with the language that it is in.', async () => {
    const person = await fixture.person(shop, { Calls: 'HARD_OPT_OUT' });
    const hint = /<p class="hint"[^>]*>You asked us never to call\.<\/p>/;
    const [english = ''] = hint.exec((await person.open()).page.text) ?? [];
    assert.match(english, /^<p class="hint" id="[^"]+">/);
    const [french = ''] = hint.exec((await person.open(`/centers/${shop}?lang=fr`)).page.text) ?? [];
    assert.match(french, / lang="en"/);
  });

  test('A hard opt-out is hidden where the center hides it, and stays.', async () => {
    const person = await fixture.person(school, { Library: 'HARD_OPT_OUT', 'Term letter': 'ACTIVE' });
    const formPage = await person.open();
    assert.equal(formPage.draws('Library'), false);
    await formPage.untick('Term letter').save();
    assert.deepEqual(await person.statuses(), { Library: 'HARD_OPT_OUT', 'Term letter': 'WITHDRAWN' });
  });

  test('What a page does not draw is untouched: other pages, hidden ones, retired ones, and what no schema knows.', async () => {
    const person = await fixture.person(school, {
      'Term letter': { status: 'ACTIVE', topics: ['Sport'] },
      Concerts: 'ACTIVE',
      Sales: 'OPT_OUT',
      Reunions: 'ACTIVE',
      'A thing of the past': { status: 'ACTIVE', topics: ['A topic of the past'] },
    });
    const formPage = await person.open();
    for (const hidden of ['Concerts', 'Sales', 'Reunions', 'A thing of the past'])
      assert.equal(formPage.draws(hidden), false, hidden);
    const result = await formPage.tick('Library').save();
    assert.deepEqual(outcomes(result), { Library: 'saved' });
    assert.deepEqual(await person.statuses(), {
      'Term letter': 'ACTIVE',
      Concerts: 'ACTIVE',
      Sales: 'OPT_OUT',
      Reunions: 'ACTIVE',
      'A thing of the past': 'ACTIVE',
      Library: 'ACTIVE',
    });
    assert.deepEqual(await person.chosen('Term letter'), ['Sport']);
    assert.deepEqual(await person.chosen('A thing of the past'), ['A topic of the past']);
  });

  test('The second page changes the second page.', async () => {
    const person = await fixture.person(school, { 'Term letter': 'ACTIVE', Concerts: 'ACTIVE' });
    const formPage = await person.open(pageOf(school, 'two'));
    assert.equal(formPage.draws('Term letter'), false);
    await formPage.untick('Concerts').tick('Sales').save();
    assert.deepEqual(await person.statuses(), {
      'Term letter': 'ACTIVE',
      Concerts: 'WITHDRAWN',
      Sales: 'ACTIVE',
    });
  });

  test('A hidden page cannot be opened.', async () => {
    const person = await fixture.person(school, {});
    assert.equal((await person.visitor.get(pageOf(school, 'hidden'))).status, 404);
  });

  test('A retired purpose is not shown and what is on record of it is kept.', async () => {
    const person = await fixture.person(shop, { Catalogue: 'ACTIVE', Calls: 'ACTIVE' });
    const formPage = await person.open();
    assert.equal(formPage.draws('Catalogue'), false);
    await formPage.untick('Calls').save();
    assert.deepEqual(await person.statuses(), { Catalogue: 'ACTIVE', Calls: 'WITHDRAWN' });
  });

  test('What is on by default and switched off leaves a refusal on record, and nothing else moves.', async () => {
    const person = await fixture.person(shop, { News: news, Calls: 'WITHDRAWN' });
    const formPage = await person.open();
    assert.ok(formPage.isOn('Surveys') && formPage.isOn('Advice'));
    const result = await formPage.untick('Surveys').save();
    assert.deepEqual(outcomes(result), { Surveys: 'saved' });
    assert.deepEqual(await person.statuses(), { News: 'ACTIVE', Calls: 'WITHDRAWN', Surveys: 'WITHDRAWN' });
    assert.deepEqual(await person.chosen('News'), ['Crime', 'Daily']);
    const seen = await person.open();
    assert.ok(!seen.isOn('Surveys') && seen.isOn('Advice'));
  });

  test('A center that confirms what is on by default does it with the next update, but not what was switched off.', async () => {
    const person = await fixture.person(academy, { 'Term letter': 'WITHDRAWN', Library: 'PENDING' });
    const formPage = await person.open();
    assert.ok(formPage.isOn('Campus'));
    await formPage.tick('Term letter').save();
    assert.deepEqual(await person.statuses(), {
      'Term letter': 'ACTIVE',
      Library: 'PENDING',
      Campus: 'ACTIVE',
    });
    const other = await fixture.person(academy, { 'Term letter': 'ACTIVE' });
    await (await other.open()).untick('Campus').untick('Term letter').save();
    assert.deepEqual(await other.statuses(), { 'Term letter': 'WITHDRAWN', Campus: 'WITHDRAWN' });
  });

  test('A center that confirms what is on by default does not do it for who came by a link for withdrawing.', async () => {
    const person = await fixture.person(academy, { 'Term letter': 'ACTIVE' }, { scope: 'withdraw' });
    const formPage = await person.open();
    assert.ok(formPage.isOn('Campus'));
    assert.deepEqual(outcomes(await formPage.untick('Term letter').save()), {
      'Term letter': 'saved',
    });
    assert.deepEqual(await person.statuses(), { 'Term letter': 'WITHDRAWN' });
  });

  test('What is locked cannot be changed by hand either.', async () => {
    const person = await fixture.person(shop, { Calls: 'HARD_OPT_OUT', Letters: 'ALWAYS_ACTIVE' });
    const formPage = await person.open();
    const calls = formPage.form.controls.find(
      ({ name, label }) => name === 'purpose' && label.startsWith('Calls'),
    );
    const forced = await formPage.post({ change: (fields) => [...fields, ['purpose', calls?.value ?? '']] });
    assert.equal(forced.status, 400);
    const result = await (await person.open()).type('Books', '4').save();
    assert.equal(outcomes(result)['Books'], 'saved');
    const statuses = await person.statuses();
    assert.equal(statuses['Calls'], 'HARD_OPT_OUT');
    assert.ok(['ALWAYS_ACTIVE', 'ACTIVE'].includes(statuses['Letters'] ?? ''));
  });

  suite('what is always active', () => {
    const kept = { status: 'ALWAYS_ACTIVE', topics: ['Poetry'], options: { Rhythm: ['Weekly'] } };
    const isKept = async (person: Person) => {
      assert.equal((await person.statuses())['News'], 'ALWAYS_ACTIVE');
      assert.deepEqual(await person.chosen('News'), ['Poetry', 'Weekly']);
      const formPage = await person.open();
      assert.ok(formPage.isOn('News'));
      const { fields } = formPage.form.press();
      assert.ok(!fields.some(([, value]) => value === idOf('News')), 'it is locked');
    };

    test('stays so, with what is chosen under it, through every save.', async () => {
      const person = await fixture.person(shop, { News: kept, Calls: 'ACTIVE' });
      const saves: readonly ((formPage: FormPage) => FormPage)[] = [
        (formPage) => formPage.untick('Calls'),
        (formPage) => formPage.tick('Letters'),
        (formPage) => formPage.untick('Surveys'),
        (formPage) => formPage.untick('Letters').tick('Calls'),
        (formPage) => formPage.type('First Name', 'Anna'),
      ];
      for (const change of saves) {
        await change(await person.open()).save();
        await isKept(person);
      }
      for (const { purposes } of await person.writes())
        assert.deepEqual(purposes['News'], ['Poetry', 'Weekly'], 'each update carries it');
    });

    test('stays so when everything is left, is told so, and stays so when that is undone.', async () => {
      const person = await fixture.person(shop, { News: kept, Calls: 'ACTIVE' });
      const page = await person.visitor.open(`/centers/${shop}/unsubscribe`);
      const result = await person.visitor.submit(page, () => undefined);
      const told = outcomes(result);
      assert.equal(told['Calls'], 'saved');
      assert.equal(told['News'], 'locked');
      await isKept(person);
      const undone = await undo(person, result);
      assert.deepEqual(outcomes(undone), {
        Calls: 'saved',
        Surveys: 'stays-off',
        Advice: 'stays-off',
      });
      assert.equal((await person.statuses())['Calls'], 'ACTIVE');
      await isKept(person);
    });

    test('stays so through one click and through the undo of a save.', async () => {
      const person = await fixture.person(shop, { News: kept, Calls: 'ACTIVE' });
      const saved = await (await person.open()).untick('Calls').save();
      assert.deepEqual(outcomes(await undo(person, saved)), { Calls: 'saved' });
      await isKept(person);
      for (const purpose of [idOf('News'), undefined])
        await oneClick(fixture.product, person.identifier, purpose, shop);
      await eventually(async () => assert.equal((await person.statuses())['Calls'], 'WITHDRAWN'));
      await isKept(person);
    });
  });

  suite('with two tabs', () => {
    test('what was switched off in one stays off when the stale other is saved, and the result says so.', async () => {
      const person = await fixture.person(shop, { News: news, Calls: 'ACTIVE' });
      const stale = await person.open();
      const fresh = await (await person.again()).open();
      await fresh.untick('News').save();
      const result = await stale.topic('News', 'Poetry').tick('Letters').save();
      assert.deepEqual(outcomes(result), {
        News: 'withdrawn-elsewhere',
        Letters: 'saved',
      });
      assert.match(result.text, /stays off/);
      assert.deepEqual(await person.statuses(), { News: 'WITHDRAWN', Calls: 'ACTIVE', Letters: 'ACTIVE' });
    });

    test('an untouched stale tab switches nothing on again.', async () => {
      const person = await fixture.person(shop, { News: news, Calls: 'ACTIVE' });
      const stale = await person.open();
      await (await person.open()).untick('News').untick('Calls').save();
      await stale.type('Books', '5').save();
      assert.deepEqual(await person.statuses(), { News: 'WITHDRAWN', Calls: 'WITHDRAWN' });
    });

    test('an untouched stale tab switches nothing off that was switched on in the other.', async () => {
      const person = await fixture.person(shop, { News: news });
      const stale = await person.open();
      await (await person.open()).tick('Calls').topic('News', 'History').save();
      await stale.tick('Letters').topic('News', 'Crime', false).save();
      assert.deepEqual(await person.statuses(), { News: 'ACTIVE', Calls: 'ACTIVE', Letters: 'ACTIVE' });
      assert.deepEqual(await person.chosen('News'), ['Daily', 'History']);
    });
  });

  suite('choices under a purpose', () => {
    test('are recorded as chosen, and only they change.', async () => {
      const person = await fixture.person(shop, {
        News: news,
        Offers: { status: 'ACTIVE', options: { Shelves: ['New', 'Signed'] } },
      });
      const formPage = await person.open();
      await formPage
        .topic('News', 'History')
        .option('News', 'Rhythm', 'Weekly')
        .option('Offers', 'Shelves', 'New', false)
        .save();
      assert.deepEqual(await person.chosen('News'), ['Crime', 'History', 'Weekly']);
      assert.deepEqual(await person.chosen('Offers'), ['Signed']);
    });

    test('that are prepared are recorded with the opt-in and not before.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' });
      const formPage = await person.open();
      await formPage.untick('Calls').save();
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN' });
      await (await person.open()).tick('Offers').save();
      assert.deepEqual(await person.chosen('Offers'), ['Used']);
    });

    test('are all taken where the center takes all topics with a purpose.', async () => {
      const person = await fixture.person(school, {});
      await (await person.open()).tick('Term letter').save();
      assert.deepEqual(await person.chosen('Term letter'), ['Music', 'Sport']);
      const other = await fixture.person(school, {});
      await (await other.open()).tick('Term letter').topic('Term letter', 'Music').save();
      assert.deepEqual(await other.chosen('Term letter'), ['Music']);
    });
  });

  suite('undo', () => {
    test('brings back what a withdrawal took, with its topics and options.', async () => {
      const person = await fixture.person(shop, { News: news, Calls: 'ACTIVE' });
      const result = await (await person.open()).untick('News').save();
      assert.deepEqual(await person.statuses(), { News: 'WITHDRAWN', Calls: 'ACTIVE' });
      const undone = await undo(person, result);
      assert.deepEqual(outcomes(undone), { News: 'saved' });
      assert.deepEqual(await person.statuses(), { News: 'ACTIVE', Calls: 'ACTIVE' });
      assert.deepEqual(await person.chosen('News'), ['Crime', 'Daily']);
    });

    test('of what was only on by default leaves it off, beside what it does turn back.', async () => {
      const person = await fixture.person(shop);
      const only = await (await person.open()).untick('Surveys').save();
      assert.deepEqual(outcomes(only), { Surveys: 'saved' });
      assert.doesNotMatch(only.text, /\/undo"/, 'there is nothing to undo');
      const both = await (await person.open()).untick('Advice').tick('Letters').save();
      assert.deepEqual(leftOut(both), ['Advice'], 'said before the button');
      const told = { Letters: 'saved', Advice: 'stays-off' };
      assert.deepEqual(outcomes(await undo(person, both)), told);
      assert.deepEqual(await person.statuses(), {
        Surveys: 'WITHDRAWN',
        Advice: 'WITHDRAWN',
        Letters: 'WITHDRAWN',
      });
    });

    test('does not bring back what was taken back since by one click in a mail.', async () => {
      const person = await fixture.person(shop, { News: 'ACTIVE', Calls: 'ACTIVE' });
      const result = await (await person.open()).untick('News').untick('Calls').save();
      await oneClick(fixture.product, person.identifier, undefined, shop);
      const answer = await person.visitor.press(readForm(result.text));
      assert.equal(answer.location, result.url, 'it was undone');
      // What the click leaves besides may or may not be on record yet.
      const { News, Calls } = await person.statuses();
      assert.deepEqual([News, Calls], ['WITHDRAWN', 'WITHDRAWN']);
      assert.doesNotMatch((await person.visitor.open(result.url)).text, /\/undo"/);
    });

    test('that has come to less since it was offered says so before it does anything.', async () => {
      const person = await fixture.person(shop, { News: 'ACTIVE', Calls: 'ACTIVE' });
      const result = await (await person.open()).untick('News').untick('Calls').save();
      assert.deepEqual(leftOut(result), []);
      await oneClick(fixture.product, person.identifier, idOf('News'), shop);
      const told = await undo(person, result);
      assert.equal(told.url, result.url);
      assert.deepEqual(leftOut(told), ['News']);
      assert.equal((await person.statuses())['Calls'], 'WITHDRAWN');
      assert.equal(outcomes(await undo(person, told))['Calls'], 'saved');
      const { News, Calls } = await person.statuses();
      assert.deepEqual([News, Calls], ['WITHDRAWN', 'ACTIVE']);
    });

    test('of swapped choices of which one was changed since says that it is not whole.', async () => {
      const person = await fixture.person(shop, { News: news });
      const swap = (await person.open()).topic('News', 'Crime', false).topic('News', 'Poetry');
      const result = await swap.save();
      assert.deepEqual(leftOut(result), []);
      await (await person.open()).topic('News', 'Crime').save();
      await (await person.open()).topic('News', 'Crime', false).save();
      assert.deepEqual(leftOut(await person.visitor.open(result.url)), ['News']);
    });

    test('of a page with both turns both, and cannot be pressed twice.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' }, { elements: { 'First Name': 'Ann' } });
      const result = await (await person.open())
        .untick('Calls')
        .tick('Letters')
        .type('First Name', 'Zoe')
        .save();
      const first = await undo(person, result);
      const count = (await person.writes()).length;
      const second = await undo(person, result);
      assert.equal(second.url, first.url, 'the same result');
      assert.equal((await person.writes()).length, count);
      assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE', Letters: 'WITHDRAWN' });
      assert.equal((await person.elements())['First Name'], 'Ann');
    });

    test('is offered once: another tab that still shows its button is told what came of it.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' });
      const result = await (await person.open()).tick('Letters').save();
      const tab = await person.visitor.open(result.url);
      const first = await undo(person, result);
      await (await person.open()).tick('Letters').save();
      const second = await undo(person, tab);
      assert.equal(second.url, first.url, 'the same result');
      assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE', Letters: 'ACTIVE' });
      assert.doesNotMatch((await person.visitor.open(result.url)).text, /\/undo"/);
    });
  });

  suite('language', () => {
    test('that is kept becomes the language on record, and nothing else changes.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' }, { language: 'en' });
      const formPage = await person.open(`/centers/${shop}?lang=fr`);
      assert.match(formPage.page.text, /<html[^>]*lang="fr"/);
      formPage.form.tick('keep-language');
      const result = await formPage.save();
      assert.equal(result.status, 200);
      assert.equal(await person.language(), 'fr');
      assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE' });
      assert.match((await person.open()).page.text, /<html[^>]*lang="fr"/);
    });

    test('that is only looked at is not kept.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' }, { language: 'en' });
      await (await person.open(`/centers/${shop}?lang=fr`)).untick('Calls').save();
      assert.equal(await person.language(), 'en');
    });
  });
});

/** What a result page says of its undo before the button. */
function leftOut(result: Answer): readonly string[] {
  const said = /id="leaves-out"[\s\S]*?<\/div>/.exec(result.text)?.[0] ?? '';
  assert.ok(result.text.indexOf(said) < result.text.indexOf('/undo"'), 'it stands before the button');
  return [...said.matchAll(/<li[^>]*>(?:<span[^>]*>)?([^<]*)</g)].map(([, name = '']) => name);
}
