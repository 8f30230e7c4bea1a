import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { readForms } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { oneClick } from '../../kit/one-click.ts';
import type { Answer } from '../../kit/visitor.ts';
import { ended, formPageAt, headingOf, outcomes, startFixture, told, undo } from './fixture.ts';
import { idOf, shop } from './sample-centers.ts';

const fixture = forSuite(startFixture);

suite('After saving', { concurrency: 3 }, () => {
  test('what was not saved is chosen again on its page, for no other person, asks for nothing by itself, and is saved by one press.', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    const mend = await fixture.sandbox.addFault({
      kind: 'refuse',
      operation: 'update-subject',
      identifier: person.identifier,
      purposes: [idOf('Letters')],
    });
    const result = await ended(person, await (await person.open()).untick('Calls').tick('Letters').save());
    const [, link = ''] = /href="([^"]+)"[^>]*>Review and save again<\/a>/.exec(result.text) ?? [];
    const href = link.replaceAll('&amp;', '&');
    assert.match(href, /[?&]again=[^#]+#purpose-/);
    await mend();
    const writes = (await person.writes()).length;
    const again = await person.visitor.open(href);
    const [, anchor = ''] = href.split('#');
    assert.ok(again.text.includes(`id="${anchor}"`), 'it leads to what was not saved');
    assert.match(again.text, /What wasn’t saved is chosen again below/);
    const form = formPageAt(person.visitor, again);
    assert.ok(form.isOn('Letters') && !form.isOn('Calls'));
    const other = await fixture.person(shop, {});
    await other.open();
    for (const address of [href, href.replace(/again=.*/, 'again=nothing')]) {
      const page = await other.visitor.open(address);
      assert.equal(formPageAt(other.visitor, page).isOn('Letters'), false, 'it belongs to this person alone');
      assert.doesNotMatch(page.text, /chosen again/);
    }
    assert.equal((await other.visitor.get(new URL(result.url).pathname)).status, 404);
    assert.equal((await person.writes()).length, writes, 'a look changes nothing');
    await told(person.visitor, await form.save(), { Letters: 'saved' });
    assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Letters: 'ACTIVE' });
  });

  test('what was undone is told as undone, and can be done and undone again, each only by a post.', async () => {
    const person = await fixture.person(shop, {});
    const result = await ended(person, await (await person.open()).tick('Letters').save());
    const undone = await ended(person, await undo(person, result));
    assert.equal(headingOf(undone), 'Your change is undone');
    assert.equal(readForms(undone.text).at(-1)?.controls.at(-1)?.tag, 'button');
    assert.match(undone.text, />Redo</);
    assert.equal((await person.statuses())['Letters'], 'WITHDRAWN');
    const redone = await ended(person, await undo(person, undone));
    assert.equal(headingOf(redone), headingOf(result));
    assert.match(redone.text, />Undo</);
    assert.equal((await person.statuses())['Letters'], 'ACTIVE');
    const first = await person.visitor.open(new URL(result.url).pathname);
    assert.match(first.text, /These choices have been undone/);
    const cut = await person.visitor.open(`${new URL(result.url).pathname}?reason=cut`);
    assert.doesNotMatch(cut.text, /only the first 750 characters/, 'nothing was left');
  });

  test('numbers stand under “Details”.', async () => {
    const person = await fixture.person(shop, {});
    const result = await ended(person, await (await person.open()).tick('Letters').save());
    assert.match(textOf(result.text, 'details') ?? '', /./);
    const outside = result.text.replaceAll(/<details[\s\S]*?<\/details>/g, '');
    assert.doesNotMatch(outside.replace(/<form[\s\S]*?<\/form>/g, ''), /<code/);
  });
});

suite('An undo', { concurrency: false }, () => {
  const news = { status: 'ACTIVE', topics: ['Crime'], options: { Rhythm: ['Daily'] } };

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

  test('of a whole page turns all of it; from another tab it is told what came of it, and withdraws what was granted since.', async () => {
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
    const count = (await person.writes()).length;
    assert.equal((await undo(person, tab)).url, first.url, 'the same result');
    assert.equal((await person.writes()).length, count);
    await (await person.open()).tick('Letters').type('First Name', 'Zoe').save();
    assert.deepEqual(outcomes(await undo(person, tab)), { Letters: 'saved' });
    assert.deepEqual(await person.statuses(), { News: 'ACTIVE', Calls: 'ACTIVE', Letters: 'WITHDRAWN' });
    assert.deepEqual(await person.elements(), { 'First Name': 'Zoe' });
    assert.doesNotMatch((await person.visitor.open(result.url)).text, /\/undo"/);
  });
});

/** What a result page says of its undo before the button. */
function leftOut(result: Answer): readonly string[] {
  const said = /id="leaves-out"[\s\S]*?<\/div>/.exec(result.text)?.[0] ?? '';
  assert.ok(result.text.indexOf(said) < result.text.indexOf('/undo"'), 'it stands before the button');
  return [...said.matchAll(/<li[^>]*>(?:<span[^>]*>)?([^<]*)</g)].map(([, name = '']) => name);
}

/** What a reader of it sees. */
function plain(html: string): string {
  return html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

/** Of its page: what stands in the timeline, and what stands apart. */
function partsOf(html: string): readonly [timeline: string, elsewhere: string] {
  const [timeline = '', elsewhere = ''] = html.split('class="elsewhere"');
  return [plain(timeline.slice(timeline.indexOf('record-list'))), plain(elsewhere)];
}

suite('My record, without script,', () => {
  test('tells of one purpose alone, and what is known from elsewhere apart.', async () => {
    const person = await fixture.person(shop, { News: 'ACTIVE', Letters: 'ACTIVE' });
    await (await person.open()).tick('Calls').save();
    await (await (await person.again()).open()).untick('Letters').save();
    const { visitor } = await person.again();
    const path = `/centers/${shop}/record`;
    const [all, elsewhere] = partsOf((await visitor.get(`${path}?lang=en`)).text);
    assert.match(all, /Letters On → Off.*Calls Off → On/s);
    assert.match(elsewhere, /Also on record.*News On/);
    assert.doesNotMatch(elsewhere.split('Download')[0] ?? '', /Calls|Letters/);

    const page = await visitor.get(`${path}?lang=en`);
    const [, filter = ''] = /href="([^"]+)">Calls<\/a>/.exec(page.text) ?? [];
    const calls = await visitor.get(filter.replaceAll('&amp;', '&'));
    assert.ok(calls.url.includes(idOf('Calls')));
    const [ofCalls] = partsOf(calls.text);
    assert.match(ofCalls, /Calls Off → On/);
    assert.doesNotMatch(ofCalls, /Letters|News/);
    const [ofNews, newsElsewhere] = partsOf((await visitor.get(`${path}?purpose=${idOf('News')}`)).text);
    assert.doesNotMatch(ofNews, /→/);
    assert.match(newsElsewhere, /News On/);
  });

  test('can be printed as a certificate: whose it is, of which day, and what proves it.', async () => {
    const person = await fixture.person(shop, {});
    await (await person.open()).tick('Letters').save();
    const { text } = await person.visitor.get(`/centers/${shop}/record/certificate?lang=en`);
    const said = plain(text);
    assert.match(said, /What person[^ ]*@example\.org chose, when, and what came of it\./);
    assert.match(said, /Issued on \w+ \d+, \d{4} at [\d:]+\s[AP]M UTC/);
    assert.ok(said.includes(`${fixture.product.url}/verify`));
    assert.match(said, /Letters Off → On/);
  });
});
