import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { oneClick } from '../../kit/one-click.ts';
import { eventually } from '../../kit/until.ts';
import type { Answer } from '../../kit/visitor.ts';
import { type FormPage, outcomes, startFixture, undo } from './fixture.ts';
import { idOf, pageOf, school, shop } from './sample-centers.ts';

suite('What a person is shown, and what becomes of it', { concurrency: false }, () => {
  const fixture = forSuite(startFixture);

  const news = { status: 'ACTIVE', topics: ['Crime'], options: { Rhythm: ['Daily'] } };

  const on = ['ACTIVE', 'OPT_IN', 'EXTEND', 'CHANGE_PREFERENCES', 'ALWAYS_ACTIVE'];
  const assumed = ['IMPLICIT', 'NOT_OPT_OUT'];
  const tags = [
    ...['Always active', 'On by default', 'Expired'],
    ...['Waiting for your confirmation', 'Turned off at your request'],
  ];
  const records: readonly (readonly [Readonly<Record<string, string>>, tags: readonly string[]])[] = [
    [
      {
        ...{ News: 'ALWAYS_ACTIVE', Offers: 'PENDING', Calls: 'HARD_OPT_OUT', Letters: 'OPT_IN' },
        ...{ Notices: 'EXPIRED', Surveys: 'IMPLICIT', Advice: 'WITHDRAWN' },
      },
      tags,
    ],
    [
      {
        ...{ News: 'EXTEND', Offers: 'CHANGE_PREFERENCES', Calls: 'NO_CONSENT', Letters: 'SOMETHING_NEW' },
        ...{ Notices: 'OPT_OUT', Surveys: 'NOT_OPT_OUT', Advice: 'ACTIVE' },
      },
      ['On by default'],
    ],
  ];
  test('Each status is shown on or off, or locked, and stays as it is while another thing changes.', async () => {
    for (const [record, shown] of records) {
      const person = await fixture.person(shop, { ...record, Catalogue: 'ACTIVE' });
      const formPage = await person.open();
      assert.equal(formPage.draws('Catalogue'), false, 'it is retired');
      const switches = formPage.form.controls.filter(({ name }) => name === 'purpose');
      for (const [name, status] of Object.entries(record)) {
        assert.equal(formPage.isOn(name), on.includes(status) || assumed.includes(status), status);
        const control = switches.find(({ label }) => label.startsWith(name));
        assert.equal(control?.disabled, ['ALWAYS_ACTIVE', 'HARD_OPT_OUT'].includes(status), status);
        const forced = [['purpose', control?.value ?? '']] as [string, string][];
        const change = (fields: [string, string][]) => [...fields, ...forced];
        if (status === 'HARD_OPT_OUT') assert.equal((await formPage.post({ change })).status, 400, 'by hand');
      }
      for (const tag of tags) assert.equal(formPage.page.text.includes(tag), shown.includes(tag), tag);
      assert.deepEqual(outcomes(await formPage.type('Books', '3').save()), { Books: 'saved' });
      const statuses = await person.statuses();
      const kept = Object.keys(record).filter((name) => on.includes(record[name] ?? ''));
      const writes = (await person.writes()).map(({ purposes }) => Object.keys(purposes).sort());
      assert.deepEqual(writes, [[...kept, 'Catalogue'].sort()]);
      assert.equal(statuses['Catalogue'], 'ACTIVE');
      for (const [name, status] of Object.entries(record))
        assert.ok([status, kept.includes(name) ? 'ACTIVE' : status].includes(statuses[name] ?? ''), status);
    }
  });

  test('What a page does not draw is untouched: other pages, hidden ones, a hidden hard opt-out, and what no schema knows.', async () => {
    const person = await fixture.person(school, {
      'Term letter': { status: 'ACTIVE', topics: ['Sport'] },
      ...{ Library: 'HARD_OPT_OUT', Concerts: 'ACTIVE', Sales: 'OPT_OUT', Reunions: 'ACTIVE' },
      'A thing of the past': { status: 'ACTIVE', topics: ['A topic of the past'] },
    });
    const formPage = await person.open();
    for (const hidden of ['Library', 'Concerts', 'Sales', 'Reunions', 'A thing of the past'])
      assert.equal(formPage.draws(hidden), false, hidden);
    assert.deepEqual(outcomes(await formPage.untick('Campus').save()), { Campus: 'saved' });
    const others = { 'Term letter': 'ACTIVE', Reunions: 'ACTIVE', 'A thing of the past': 'ACTIVE' };
    const statuses = { ...others, Library: 'HARD_OPT_OUT', Campus: 'WITHDRAWN' };
    assert.deepEqual(await person.statuses(), { ...statuses, Concerts: 'ACTIVE', Sales: 'OPT_OUT' });
    const second = await person.open(pageOf(school, 'two'));
    assert.equal(second.draws('Term letter'), false);
    await second.untick('Concerts').tick('Sales').save();
    assert.deepEqual(await person.statuses(), { ...statuses, Concerts: 'WITHDRAWN', Sales: 'ACTIVE' });
    assert.deepEqual(await person.chosen('Term letter'), ['Sport']);
    assert.deepEqual(await person.chosen('A thing of the past'), ['A topic of the past']);
    assert.equal((await person.visitor.get(pageOf(school, 'hidden'))).status, 404);
  });

  test('What is always active stays so, with what is chosen under it, through saves, undo, one click and leaving everything.', async () => {
    const kept = { status: 'ALWAYS_ACTIVE', topics: ['Poetry'], options: { Rhythm: ['Weekly'] } };
    const person = await fixture.person(shop, { News: kept, Calls: 'ACTIVE' });
    const isKept = async () => {
      assert.equal((await person.statuses())['News'], 'ALWAYS_ACTIVE');
      assert.deepEqual(await person.chosen('News'), ['Poetry', 'Weekly']);
      const formPage = await person.open();
      assert.ok(formPage.isOn('News'));
      const { fields } = formPage.form.press();
      assert.ok(!fields.some(([, value]) => value === idOf('News')), 'it is locked');
    };
    const changes: readonly ((formPage: FormPage) => FormPage)[] = [
      (formPage) => formPage.untick('Surveys').type('First Name', 'Anna'),
      (formPage) => formPage.untick('Calls').tick('Letters'),
    ];
    for (const change of changes) {
      const saved = await change(await person.open()).save();
      await isKept();
      if (/\/undo"/.test(saved.text)) await undo(person, saved);
      await isKept();
    }
    for (const { purposes } of await person.writes())
      assert.deepEqual(purposes['News'], ['Poetry', 'Weekly'], 'each update carries it');

    const left = await person.leave();
    const { Calls, News } = outcomes(left);
    assert.deepEqual([Calls, News], ['saved', 'locked']);
    await isKept();
    const told = { Calls: 'saved', Advice: 'stays-off' };
    assert.deepEqual(outcomes(await undo(person, left)), told);
    assert.equal((await person.statuses())['Calls'], 'ACTIVE');
    for (const purpose of [idOf('News'), undefined])
      await oneClick(fixture.product, person.identifier, purpose, shop);
    await eventually(async () => assert.equal((await person.statuses())['Calls'], 'WITHDRAWN'));
    await isKept();
  });

  suite('undo', () => {
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

    test('of a whole page turns all of it, once: another tab that still shows its button is told what came of it.', async () => {
      const elements = { 'First Name': 'Ann' };
      const person = await fixture.person(shop, { News: news, Calls: 'ACTIVE' }, { elements });
      const page = (await person.open()).untick('News').tick('Letters').type('First Name', 'Zoe');
      const result = await page.save();
      const tab = await person.visitor.open(result.url);
      const first = await undo(person, result);
      const told = { News: 'saved', Letters: 'saved', 'First Name': 'saved' };
      assert.deepEqual(outcomes(first), told);
      assert.deepEqual(await person.statuses(), { News: 'ACTIVE', Calls: 'ACTIVE', Letters: 'WITHDRAWN' });
      assert.deepEqual(await person.chosen('News'), ['Crime', 'Daily']);
      assert.deepEqual(await person.elements(), elements);
      await (await person.open()).tick('Letters').save();
      const count = (await person.writes()).length;
      assert.equal((await undo(person, tab)).url, first.url, 'the same result');
      assert.equal((await person.writes()).length, count);
      assert.equal((await person.statuses())['Letters'], 'ACTIVE');
      assert.doesNotMatch((await person.visitor.open(result.url)).text, /\/undo"/);
    });
  });

  test('A language that is only looked at is not kept; one that is kept is on record, and nothing else changes.', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' }, { language: 'en' });
    const look = () => person.open(`/centers/${shop}?lang=fr`);
    await (await look()).tick('Letters').save();
    assert.equal(await person.language(), 'en');
    const formPage = await look();
    assert.match(formPage.page.text, /<html[^>]*lang="fr"/);
    formPage.form.tick('keep-language');
    assert.equal((await formPage.save()).status, 200);
    assert.equal(await person.language(), 'fr');
    assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE', Letters: 'ACTIVE' });
    assert.match((await person.open()).page.text, /<html[^>]*lang="fr"/);
  });
});

/** What a result page says of its undo before the button. */
function leftOut(result: Answer): readonly string[] {
  const said = /id="leaves-out"[\s\S]*?<\/div>/.exec(result.text)?.[0] ?? '';
  assert.ok(result.text.indexOf(said) < result.text.indexOf('/undo"'), 'it stands before the button');
  return [...said.matchAll(/<li[^>]*>(?:<span[^>]*>)?([^<]*)</g)].map(([, name = '']) => name);
}
