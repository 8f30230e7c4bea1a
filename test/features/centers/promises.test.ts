import '../../kit/fast-here.ts';
import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { oneClick } from '../../kit/one-click.ts';
import { type FormPage, formPageAt, headingOf, mistaken, outcomes, type Person, undo } from './fixture.ts';
import { minutes, seconds, startPromiseWorld } from './promise-world.ts';
import { idOf, shop, shopPurposes, singlePage } from './sample-centers.ts';

/** The platform loses, delays, lags, forgets or changes; the wish of the person still holds. */
suite('A platform with faults', { concurrency: false }, () => {
  const world = forSuite(startPromiseWorld);
  const { fixture, sandbox, fault, pass, soon, lost, land, reload, becomes, record } = world;
  afterEach(async () => {
    await sandbox.clearFaults();
    await sandbox.putBack(shop);
  });

  suite('when one answer says that the record is empty', () => {
    test('a withdrawn purpose is not shown as on by default to a person whom the product knows', async () => {
      const person = await fixture.person(shop, {});
      await (await person.open()).untick('Surveys').save();
      assert.equal((await person.statuses())['Surveys'], 'WITHDRAWN');
      // Wait longer than a reading may be old: the own notes of the product no longer decide alone.
      pass(20 * minutes);
      const again = await person.again();
      await fault(person, 'unknown-subject', { operation: 'read-subject', answer: '404', count: 1 });
      assert.equal((await again.open()).isOn('Surveys'), false);
      const unknown = await fixture.person(shop, {});
      assert.equal((await unknown.open()).isOn('Surveys'), true);
      const asked = await sandbox.calls({ identifier: unknown.identifier, operation: 'read-subject' });
      assert.equal(asked.length, 1, 'the product does not know this person');
    });
  });

  suite('when a call lands late', () => {
    test('a purpose withdrawn after the call is checked later, and withdrawn again', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      const formPage = (await person.open()).tick('Letters');
      await lost(person);
      const saving = formPage.save();
      await soon(async () => assert.equal((await person.writes()).length, 1));
      const left = await person.leave();
      await saving;
      await soon(async () =>
        assert.equal(headingOf(await reload(person, left)), 'You’re unsubscribed from all'),
      );
      assert.match((await reload(person, left)).text, /An earlier change may still arrive late/);
      assert.match(await record(person), /An earlier change may still arrive late/);
      await land();
      assert.deepEqual((await person.statuses())['Calls'], 'ACTIVE', 'the late call landed');
      pass(31 * seconds);
      await soon(async () => {
        const { Calls, Letters, Offers } = await person.statuses();
        assert.deepEqual([Calls, Letters, Offers], ['WITHDRAWN', 'WITHDRAWN', 'WITHDRAWN']);
      });
      await soon(async () =>
        assert.match(await record(person), /An earlier change arrived late and undid this/),
      );
    });
  });

  test('when readings lag, no later call grants a purpose that was withdrawn here', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
    const first = (await person.open()).untick('Calls');
    const second = (await person.open()).tick('Letters');
    await fault(person, 'lag', { operation: 'read-subject', milliseconds: 4 * seconds });
    const ticking = setInterval(() => pass(0), 250);
    try {
      await becomes(person, await first.save(), { Calls: 'saved' });
      await becomes(person, await second.save(), { Letters: 'saved' });
    } finally {
      clearInterval(ticking);
    }
    await sandbox.clearFaults();
    assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE', Letters: 'ACTIVE' });
    assert.ok(!(await world.puts(person)).some((put) => put.includes('Calls')));
  });

  suite('when the platform is away', () => {
    /** Waits until the last reading is too old to show a page again, then drops every call. */
    const dropCalls = async (person: Person) => {
      pass(11 * seconds);
      await fault(person, 'drop', {});
    };

    test('a form with a mistake is shown again, its withdrawals are saved, and a withdrawal made elsewhere stays', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE', Notices: 'ACTIVE' });
      await (await person.open()).untick('Notices').save();
      pass(1 * minutes);
      const formPage = (await person.open()).untick('Calls').tick('Letters').tick('Notices');
      await (await (await person.again()).open()).tick('Notices').save();
      await world.elsewhere(person, { Notices: 'WITHDRAWN' });
      await dropCalls(person);
      const answer = await formPage.type('Second Email', 'nonsense').post();
      assert.deepEqual(mistaken(answer), ['Second Email']);
      assert.match(answer.text, /We’re saving what you turned off\. Nothing else is saved yet/);
      const again = formPageAt(person.visitor, answer);
      assert.deepEqual(['Calls', 'Offers', 'Letters'].map(again.isOn), [false, true, true]);
      await sandbox.clearFaults();
      const others = { Offers: 'ACTIVE', Notices: 'WITHDRAWN' };
      await soon(async () => assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', ...others }));
      const result = await again.type('Second Email', 'anna@example.org').save();
      const saved = { Letters: 'saved', 'Second Email': 'saved' };
      await becomes(person, result, { Calls: 'unchanged', Notices: 'withdrawn-elsewhere', ...saved });
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Letters: 'ACTIVE', ...others });
    });
  });

  suite('when the wording changed', () => {
    const rewording = (text: string, other: string) =>
      sandbox.replace(
        shop,
        'preferences',
        JSON.parse(JSON.stringify(singlePage(shopPurposes)).replaceAll(text, other)),
      );

    /** A page whose wording changed after a purpose was switched off and another on. */
    async function reworded(): Promise<{ person: Person; formPage: FormPage }> {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      await sandbox.putBack(shop);
      await soon(async () => {
        pass(1 * minutes);
        assert.doesNotMatch((await person.open()).page.text, /Chain letters/);
      });
      // Time passes before the next page; otherwise the reading for this page counts as newer.
      pass(0);
      const formPage = (await person.open()).tick('Letters').untick('Calls');
      await rewording('About Letters', 'Chain letters');
      pass(100);
      return { person, formPage };
    }

    test('withdrawals of an old form are saved at once, only once, and replace a grant made in between', async () => {
      const { person, formPage } = await reworded();
      const answer = await formPage.save();
      assert.match(answer.text, /This page has changed/);
      assert.match(answer.text, /We’re saving what you turned off\. Nothing else is saved yet/);
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE' });
      const count = (await person.writes()).length;
      await formPage.save();
      assert.equal((await person.writes()).length, count);
      // A page with the old wording would be shown again, too.
      await soon(async () => {
        const granted = await (await person.open()).tick('Calls').save();
        assert.deepEqual(outcomes(granted), { Calls: 'saved' });
      });
      const result = await formPageAt(person.visitor, answer).save();
      assert.deepEqual(outcomes(result), { Letters: 'saved', Calls: 'saved' });
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE', Letters: 'ACTIVE' });
    });

    test('an undo does not agree to wording that changed since the withdrawal', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      const result = await (await person.open()).untick('Calls').save();
      await rewording('"Version":1', '"Version":3');
      pass(1 * minutes);
      await undo(person, result);
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE' });
    });

    test('if the page cannot be shown again, the result names the withdrawal as saved and the rest as not saved', async () => {
      const { person, formPage } = await reworded();
      await fault(person, '500', { operation: 'read-subject', when: 'before', status: 500, count: 100 });
      const result = await formPage.save();
      assert.equal(result.status, 200);
      assert.match(result.text, /We’re saving what you turned off\. Nothing else is saved yet/);
      assert.deepEqual(Object.keys(outcomes(result)), ['Calls']);
      await sandbox.clearFaults();
      await soon(async () => {
        assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE' });
      });
    });
  });

  for (const [problem, answersBadly] of [
    ['over 2 MiB', () => sandbox.replace(shop, 'preferences', { Padding: 'x'.repeat(2_200_000) })],
    ['404', () => sandbox.addFault({ kind: '500', status: 404, operation: 'read-schema' })],
  ] as const)
    test(`a one-click withdrawal works without a schema (${problem})`, async () => {
      pass(25 * 60 * minutes);
      const one = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      const all = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      await answersBadly();
      await oneClick(fixture.product, one.identifier, idOf('Calls'), shop);
      await oneClick(fixture.product, all.identifier, undefined, shop);
      await soon(async () => {
        assert.deepEqual(await one.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE' });
        const { Calls, Offers } = await all.statuses();
        assert.deepEqual([Calls, Offers], ['WITHDRAWN', 'WITHDRAWN']);
      });
    });
});
