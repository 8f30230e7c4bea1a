import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { readForms } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { oneClick } from '../../kit/one-click.ts';
import type { Answer } from '../../kit/visitor.ts';
import { ended, formPageAt, headingOf, outcomes, shows, startFixture, undo } from './fixture.ts';
import { idOf, shop } from './sample-centers.ts';

const fixture = forSuite(startFixture);

suite('After saving', { concurrency: 3 }, () => {
  test('an unsaved choice is preset on its page for this person only, sends nothing by itself, and one press saves it', async () => {
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
    await shows(person.visitor, await form.save(), { Letters: 'saved' });
    assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Letters: 'ACTIVE' });
  });

  test('an undone change is shown as undone, and can be redone and undone again, each by a post', async () => {
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
    assert.doesNotMatch(cut.text, /only the first 750 characters/, 'no reason was given');
  });

  test('receipt numbers stand under “Details”', async () => {
    const person = await fixture.person(shop, {});
    const result = await ended(person, await (await person.open()).tick('Letters').save());
    assert.match(textOf(result.text, 'details') ?? '', /./);
    const outside = result.text.replaceAll(/<details[\s\S]*?<\/details>/g, '');
    assert.doesNotMatch(outside.replace(/<form[\s\S]*?<\/form>/g, ''), /<code/);
  });
});

suite('An undo', { concurrency: false }, () => {
  const news = { status: 'ACTIVE', topics: ['Crime'], options: { Rhythm: ['Daily'] } };

  test('an undo that now restores less says so before it changes anything', async () => {
    const person = await fixture.person(shop, { News: 'ACTIVE', Calls: 'ACTIVE' });
    const result = await (await person.open()).untick('News').untick('Calls').save();
    assert.deepEqual(leftOut(result), []);
    await oneClick(fixture.product, person.identifier, idOf('News'), shop);
    const offer = await undo(person, result);
    assert.equal(offer.url, result.url);
    assert.deepEqual(leftOut(offer), ['News']);
    assert.equal((await person.statuses())['Calls'], 'WITHDRAWN');
    assert.equal(outcomes(await undo(person, offer))['Calls'], 'saved');
    const { News, Calls } = await person.statuses();
    assert.deepEqual([News, Calls], ['WITHDRAWN', 'ACTIVE']);
  });

  test('an undo of a whole page restores all; in another tab it shows the same result, and withdraws later grants', async () => {
    const elements = { 'First Name': 'Ann' };
    const person = await fixture.person(shop, { News: news, Calls: 'ACTIVE' }, { elements });
    const page = (await person.open()).untick('News').tick('Letters').type('First Name', 'Zoe');
    const result = await page.save();
    const tab = await person.visitor.open(result.url);
    const first = await undo(person, result);
    const saved = { News: 'saved', Letters: 'saved', 'First Name': 'saved' };
    assert.deepEqual(outcomes(first), saved);
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

/** Names that the result page lists, before the button, as not restored by its undo. */
function leftOut(result: Answer): readonly string[] {
  const note = /id="leaves-out"[\s\S]*?<\/div>/.exec(result.text)?.[0] ?? '';
  assert.ok(result.text.indexOf(note) < result.text.indexOf('/undo"'), 'the note stands before the button');
  return [...note.matchAll(/<li[^>]*>(?:<span[^>]*>)?([^<]*)</g)].map(([, name = '']) => name);
}

/** The visible text of a page. */
function plain(html: string): string {
  return html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

/** Visible text of the record page: its timeline, and its part about changes made elsewhere. */
function partsOf(html: string): readonly [timeline: string, elsewhere: string] {
  const [timeline = '', elsewhere = ''] = html.split('class="elsewhere"');
  return [plain(timeline.slice(timeline.indexOf('record-list'))), plain(elsewhere)];
}

suite('My record, without script', () => {
  test('the record can be filtered by purpose, and lists consent known from elsewhere in a part of its own', async () => {
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
    const [callsShown] = partsOf(calls.text);
    assert.match(callsShown, /Calls Off → On/);
    assert.doesNotMatch(callsShown, /Letters|News/);
    const [newsShown, newsElsewhere] = partsOf((await visitor.get(`${path}?purpose=${idOf('News')}`)).text);
    assert.doesNotMatch(newsShown, /→/);
    assert.match(newsElsewhere, /News On/);
  });

  test('the certificate names the person, its date and its proof', async () => {
    const person = await fixture.person(shop, {});
    await (await person.open()).tick('Letters').save();
    const { text } = await person.visitor.get(`/centers/${shop}/record/certificate?lang=en`);
    const shown = plain(text);
    assert.match(shown, /What person[^ ]*@example\.org chose, when, and what came of it\./);
    assert.match(shown, /Issued on \w+ \d+, \d{4} at [\d:]+\s[AP]M UTC/);
    assert.ok(shown.includes(`${fixture.product.url}/verify`));
    assert.match(shown, /Letters Off → On/);
  });
});
