import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { readForms } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { ended, formPageAt, headingOf, startFixture, told, undo } from './fixture.ts';
import { idOf, shop } from './sample-centers.ts';

suite('After saving', { concurrency: 3 }, () => {
  const fixture = forSuite(startFixture);

  test('nothing that was changed, the page says so itself, and nothing is written down.', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    const page = await (await person.open()).save();
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.url, /\/results\//);
    assert.match(page.text, /Nothing has changed/);
    assert.ok(formPageAt(person.visitor, page).isOn('Calls'));
    assert.deepEqual(await person.writes(), []);
    const record = await person.visitor.open(`${new URL(page.url).pathname}/record`);
    assert.match(record.text, /Nothing has changed here yet/);
  });

  test('what was not saved is chosen again on its page, for no other person, asks for nothing by itself, and is saved by one press.', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    const mend = await fixture.sandbox.addFault({
      ...{ kind: 'refuse', operation: 'update-subject', identifier: person.identifier },
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
