import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { startFixture } from './fixture.ts';
import { idOf, shop } from './sample-centers.ts';

const fixture = forSuite(startFixture);

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
