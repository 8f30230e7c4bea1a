import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import type { Answer } from '../../kit/visitor.ts';
import { type FormPage, formPageAt, outcomes, type Person, startFixture } from './fixture.ts';
import { idOf, shop } from './sample-centers.ts';

/** Posts like the script: the result is shown over the same form. */
const here = {
  change: (fields: [string, string][]): [string, string][] => [...fields, ['here', '']],
};

function noteIn(page: Answer): string {
  assert.equal(page.status, 200, page.text.slice(0, 2_000));
  assert.match(page.url, /[?&]told=/, 'this is the form with its result');
  const [note = ''] = /<div class="note success" id="result"[\s\S]*?<\/ul>/.exec(page.text) ?? [];
  return note
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' :', ':')
    .trim();
}

suite('A result over its form', { concurrency: 4 }, () => {
  const fixture = forSuite(startFixture);

  const fault = ({ identifier }: Person, about: Readonly<Record<string, unknown>>) =>
    fixture.sandbox.addFault({ identifier, ...about });
  /** The form under the note; the note has an undo form of its own. */
  const next = ({ visitor }: Person, page: Answer): FormPage => {
    const text = page.text.replace(/<form[^>]*id="undo"[\s\S]*?<\/form>/, '');
    return formPageAt(visitor, { ...page, text });
  };

  test('the result names and marks the saved changes, and its form can be saved next', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
    const first = await (await person.open()).untick('Calls').tick('Letters').save(here);
    assert.equal(noteIn(first), 'All is saved Calls: Turned off. Letters: Turned on.');
    assert.equal(first.text.match(/<span class="tag success"[^>]*>Saved</g)?.length, 2);
    const second = await next(person, first).tick('Calls').save(here);
    assert.equal(noteIn(second), 'All is saved Calls: Turned on.');
    const writes = (await person.writes()).map(({ purposes }) => Object.keys(purposes).sort());
    assert.equal(writes.join(' '), 'Letters,Offers Calls,Letters,Offers');
    const nothing = await next(person, second).save(here);
    assert.match(nothing.text, /Nothing has changed/);
    assert.equal((await person.writes()).length, 2);
  });

  test('the result can be undone and its form saved again', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    const left = await (await person.open()).untick('Calls').save(here);
    const undone = await person.visitor.send(readForm(left.text, /\/undo/));
    assert.equal(noteIn(undone), 'Your change is undone Calls: Turned on.');
    assert.equal((await person.statuses())['Calls'], 'ACTIVE');
    const saved = await next(person, undone).tick('Letters').save(here);
    assert.equal(noteIn(saved), 'All is saved Letters: Turned on.');
    assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE', Letters: 'ACTIVE' });
    const before = await person.visitor.open(undone.url);
    assert.equal(next(person, before).isOn('Letters'), true, 'the form shows what is saved by now');
  });

  test('a form of an older tab shows its result, and restores nothing', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    const old = await person.open();
    const saved = await (await person.open()).untick('Calls').save(here);
    assert.equal(noteIn(saved), 'All is saved Calls: Turned off.');
    assert.equal(noteIn(await old.tick('Letters').save(here)), 'All is saved Letters: Turned on.');
    assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Letters: 'ACTIVE' });
    await (await person.open()).tick('Calls').save(here);
    const again = await person.visitor.open(saved.url);
    assert.match(again.url, /\/results\//, 'its form shows the purpose as on by now');
  });

  test('the result has a page of its own if a change failed or its form cannot be shown', async () => {
    const [person, away] = [await fixture.person(shop, {}), await fixture.person(shop, { Calls: 'ACTIVE' })];
    await fault(person, { kind: 'refuse', operation: 'update-subject', purposes: [idOf('Letters')] });
    const mixed = await (await person.open()).tick('Letters').tick('Calls').save(here);
    assert.deepEqual(outcomes(mixed), { Calls: 'saved', Letters: 'not-saved' });
    const saved = await (await away.open()).untick('Calls').save(here);
    const other = await away.again();
    await fault(away, { kind: '500', operation: 'read-subject' });
    assert.deepEqual(outcomes(await other.visitor.open(saved.url)), { Calls: 'saved' });
  });

  test('a link for withdrawing offers a message instead of an undo that cannot work', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' }, { scope: 'withdraw' });
    const saved = await (await person.open()).untick('Calls').save(here);
    assert.equal(noteIn(saved), 'All is saved Calls: Turned off.');
    assert.match(saved.text, /<button[^>]*form="undo">Email me a link to turn it back on<\/button>/);
    const answer = await person.visitor.press(readForm(saved.text, /\/undo/));
    assert.equal(answer.status, 403);
    assert.match(answer.text, /Email me a new link/);
    assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN' });
  });

  test('no other person sees the result', async () => {
    const [person, other] = [await fixture.person(shop, {}), await fixture.person(shop, {})];
    const saved = await (await person.open()).tick('Letters').save(here);
    const page = await other.visitor.open(saved.url);
    assert.equal(page.status, 200);
    assert.doesNotMatch(textOf(page.text, 'main') ?? '', /All is saved|Turned on/);
  });
});
