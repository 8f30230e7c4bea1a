import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm, save } from '../../kit/form.ts';
import { oneClick } from '../../kit/one-click.ts';
import { eventually } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { ended, outcomes, type Person, startFixture } from './fixture.ts';
import { club, hiddenByDefault, idOf, kiosk, pageOf } from './sample-centers.ts';

const clubPurposes = ['Alarms', 'Archive', 'Reunions'];

suite('A purpose that is on by default and on no page', { concurrency: false }, () => {
  const fixture = forSuite(startFixture);

  /** The purposes of each PUT that the platform received. */
  const put = async (person: Person) => {
    const puts = (await person.writes()).filter(({ method }) => method === 'PUT');
    return puts.map(({ purposes }) => Object.keys(purposes).sort());
  };

  for (const [where, { center, name }] of Object.entries(hiddenByDefault))
    test(`a purpose (${where}) is not shown, no forged form changes it, and one click withdraws it`, async () => {
      const person = await fixture.person(center);
      const pages = center === kiosk ? [undefined] : [pageOf(club, 'one'), pageOf(club, 'two')];
      for (const page of pages) {
        const formPage = await person.open(page);
        assert.equal(formPage.draws(name), false);
        assert.ok(!formPage.page.text.includes(name), 'the page does not name it');
        const answer = await formPage.post({ change: (fields) => [...fields, ['purpose', idOf(name)]] });
        assert.equal(answer.status, 400);
      }
      assert.deepEqual(await person.writes(), []);
      await oneClick(fixture.product, person.identifier, idOf(name), center);
      await eventually(async () => assert.equal((await person.statuses())[name], 'WITHDRAWN'));
    });

  for (const [center, names] of [
    [club, clubPurposes],
    [kiosk, ['Tidings']],
  ] as const)
    test(`unsubscribing and the objection of a browser withdraw it, without an undo: ${names.join(', ')}`, async () => {
      const gpc = { 'sec-gpc': '1', 'accept-language': 'en' };
      const others = { 'Something of long ago': 'ACTIVE', 'Something to confirm': 'PENDING' };
      const [leaver, objector] = [await fixture.person(center, others), await fixture.person(center)];
      const left = await ended(leaver, await leaver.leave());
      assert.doesNotMatch(left.text, /\/undo"/);
      assert.match(left.text, /<code dir="ltr">[0-9a-f-]{36}<\/code>/, 'the result has a receipt');
      assert.equal((await leaver.writes()).map(({ method }) => method).join(), 'DELETE');
      const visitor = createVisitor(fixture.product.url, gpc);
      const { identifier } = objector;
      const page = await visitor.open(await fixture.product.link({ center, identifier }));
      const objected = await visitor.send(readForm(page.text, /\/objection/));
      for (const [person, result, off] of [
        [leaver, left, [...names, ...Object.keys(others)]],
        [objector, objected, names],
      ] as const) {
        const [shown, statuses] = [outcomes(result), await person.statuses()];
        for (const name of off) assert.deepEqual([shown[name], statuses[name]], ['saved', 'WITHDRAWN'], name);
      }
      const later = await visitor.open(`/centers/${center}`);
      assert.doesNotMatch(later.text, /\/objection/, 'nothing is left to object to');
    });

  test('a save does not confirm a purpose that its page does not show', async () => {
    const first = await fixture.person(club);
    await (await first.open(pageOf(club, 'one'))).tick('Library').save();
    assert.deepEqual(await put(first), [['Campus', 'Library']]);

    // A purpose of another page is not confirmed either.
    const second = await fixture.person(club);
    await (await second.open(pageOf(club, 'two'))).tick('Sales').save();
    assert.deepEqual(await put(second), [['Sales']]);
    assert.deepEqual(await second.statuses(), { Sales: 'ACTIVE' });
  });

  test('“subscribe to everything” does not switch it on', async () => {
    const person = await fixture.person(club);
    const review = await (await person.open(pageOf(club, 'two'))).save({ button: 'subscribe-all' });
    await person.visitor.submit(review, () => undefined, save);
    assert.deepEqual(await put(person), [['Concerts', 'Sales']]);
  });
});
