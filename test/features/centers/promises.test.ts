import '../../kit/fast-here.ts';
import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import { times } from '../../chaos/dice.ts';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { type FormPage, formPageAt, headingOf, mistaken, outcomes, type Person, undo } from './fixture.ts';
import { minutes, seconds, startPromiseWorld } from './promise-world.ts';
import { shop, shopPurposes, singlePage } from './sample-centers.ts';

/** A platform that loses, delays, lags, forgets and changes, and what a person asked for all the same. */
suite('The promises', { concurrency: false }, () => {
  const world = forSuite(startPromiseWorld);
  const { fixture, sandbox, fault, pass, soon, lost, land, reload, becomes, record, puts, oneClick } = world;
  afterEach(async () => {
    await sandbox.clearFaults();
    await sandbox.putBack(shop);
  });

  suite('where a passing answer says that nothing is on record', () => {
    const forgets = (person: Person, answer: string, count: number) =>
      fault(person, 'unknown-subject', { operation: 'read-subject', answer, count });
    const emptied = ['404', '400', 'status-400', 'purposes-null', 'purposes-absent', 'purposes-empty'];
    // What each answer means is read in one place; what comes of that is the same for all.
    for (const answer of times(['404', 'purposes-empty'], emptied))
      test(`(${answer}) it hides nothing that is switched on, switched off or left.`, async () => {
        const someone = () => fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
        for (const count of [1, 3]) {
          const granting = await someone();
          const formPage = (await granting.open()).tick('Letters');
          await forgets(granting, answer, count);
          await becomes(granting, await formPage.save(), { Letters: 'saved' });
          assert.deepEqual(await puts(granting), ['PUT Calls Letters Offers'], `${count} times`);
        }
        const withdrawing = await someone();
        const formPage = (await withdrawing.open()).untick('Calls');
        await forgets(withdrawing, answer, 3);
        await becomes(withdrawing, await formPage.save(), { Calls: 'saved' });
        assert.deepEqual(await puts(withdrawing), ['PUT Offers'], 'it was not "off already"');

        const leaving = await someone();
        const page = await leaving.visitor.open(`/centers/${shop}/unsubscribe`);
        await forgets(leaving, answer, 2);
        await leaving.visitor.press(readForm(page.text));
        await soon(async () => assert.equal((await leaving.writes())[0]?.method, 'DELETE'));
        const { Calls, Offers } = await leaving.statuses();
        assert.deepEqual([Calls, Offers], ['WITHDRAWN', 'WITHDRAWN']);
      });

    test('what was left is not shown as on by default to whom the product knows.', async () => {
      const person = await fixture.person(shop, {});
      await (await person.open()).untick('Surveys').save();
      assert.equal((await person.statuses())['Surveys'], 'WITHDRAWN');
      const again = await person.again();
      await fault(person, 'unknown-subject', { operation: 'read-subject', answer: '404', count: 1 });
      assert.equal((await again.open()).isOn('Surveys'), false);
      const stranger = await fixture.person(shop, {});
      assert.equal((await stranger.open()).isOn('Surveys'), true);
      const asked = await sandbox.calls({ identifier: stranger.identifier, operation: 'read-subject' });
      assert.equal(asked.length, 1, 'nobody here knows them');
    });

    test('for as long as it lasts, an opt-in ends unsaved, and a withdrawal waits for the day it ends.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      const formPage = (await person.open()).untick('Calls').tick('Letters');
      await fault(person, 'unknown-subject', { operation: 'read-subject', answer: '404' });
      const saving = formPage.save();
      await soon(async () => assert.ok((await sandbox.calls({ identifier: person.identifier })).length > 3));
      pass(61 * seconds);
      const result = await saving;
      assert.deepEqual(await puts(person), []);
      assert.deepEqual(outcomes(result), {
        Calls: 'in-progress',
        Letters: 'not-saved',
      });
      await sandbox.clearFaults();
      await soon(async () => {
        pass(20 * seconds);
        assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE' });
      });
    });
  });

  suite('where a call lands late', () => {
    test('what was left after it is looked at again, and switched off once more.', async () => {
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
      assert.deepEqual((await person.statuses())['Calls'], 'ACTIVE', 'it landed');
      pass(31 * seconds);
      await soon(async () => {
        const { Calls, Letters, Offers } = await person.statuses();
        assert.deepEqual([Calls, Letters, Offers], ['WITHDRAWN', 'WITHDRAWN', 'WITHDRAWN']);
      });
      await soon(async () =>
        assert.match(await record(person), /An earlier change arrived late and undid this/),
      );
    });

    test('what it takes out that was granted after it is told as switched off, and never granted again.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      const formPage = (await person.open()).untick('Calls');
      await lost(person);
      await formPage.save();
      await soon(async () => {
        assert.equal((await person.statuses())['Calls'], 'WITHDRAWN');
      });
      const granted = await (await person.open()).tick('Letters').save();
      await becomes(person, granted, { Letters: 'saved' });
      const sent = (await puts(person)).length;
      await land();
      assert.equal((await person.statuses())['Letters'], 'WITHDRAWN', 'it landed');
      pass(2 * minutes);
      await becomes(person, granted, { Letters: 'to-check' });
      assert.match(await record(person), /This was on, and has been turned off since/);
      pass(20 * minutes);

      assert.deepEqual((await puts(person)).slice(sent), []);
      // Asked for anew it is on.
      const again = await (await person.open()).tick('Letters').save();
      assert.deepEqual(outcomes(again), { Letters: 'saved' });
    });

    test('an opt-in in doubt that was undone is switched off once it lands.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      const formPage = (await person.open()).tick('Letters').untick('Calls');
      await lost(person);
      const result = await formPage.save();
      pass(20 * seconds);
      await soon(async () => {
        const { text } = await reload(person, result);
        assert.match(text, /We don’t know yet if this was saved/);
        assert.match(text, /\/undo"/);
      });
      await undo(person, await reload(person, result));
      await land();
      assert.deepEqual((await person.statuses())['Letters'], 'ACTIVE', 'it landed');
      pass(31 * seconds);
      await soon(async () => {
        const { Letters, Offers } = await person.statuses();
        assert.deepEqual([Letters, Offers], ['WITHDRAWN', 'ACTIVE']);
      });
    });

    test('an opt-in whose answer was lost is never sent again, and told as on once it is on.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' });
      const formPage = (await person.open()).tick('Letters');
      await lost(person);
      const result = await formPage.save();
      await becomes(person, result, { Letters: 'in-doubt' });
      pass(70 * seconds);
      await land();
      pass(60 * seconds);
      await becomes(person, result, { Letters: 'saved' });
      assert.match(await record(person), /Letters<\/span>[^\n]*Off [^\n]*→[^\n]* On</);
      assert.deepEqual(await puts(person), ['PUT Calls Letters']);
    });

    test('and never does, the opt-in ends as not saved.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' });
      const formPage = (await person.open()).tick('Letters');
      await fault(person, 'drop', { operation: 'update-subject', count: 1 });
      const result = await formPage.save();
      await becomes(person, result, { Letters: 'in-doubt' });
      await soon(async () => {
        pass(10 * minutes);
        assert.deepEqual(outcomes(await reload(person, result)), { Letters: 'not-saved' });
      });
      assert.deepEqual(await puts(person), ['PUT Calls Letters']);
    });

    test('a withdrawal elsewhere wins over what was on record before, and where nothing was.', async () => {
      const record = { Calls: 'EXPIRED', Offers: 'PENDING', Notices: 'NO_CONSENT' };
      const wanted = [...Object.keys(record), 'Letters'];
      const each = (what: string) => Object.fromEntries(wanted.map((name) => [name, what]));
      const person = await fixture.person(shop, record);
      const formPage = await person.open();
      for (const name of wanted) formPage.tick(name);
      await world.elsewhere(person, each('WITHDRAWN'));
      assert.deepEqual(outcomes(await formPage.save()), each('withdrawn-elsewhere'));
      assert.deepEqual(await person.statuses(), each('WITHDRAWN'));
      assert.deepEqual(await puts(person), []);
    });
  });

  suite('where readings lag', () => {
    test('what was switched off here is in nothing that is sent after it.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      const first = (await person.open()).untick('Calls');
      const second = (await person.open()).tick('Letters');
      await fault(person, 'lag', { operation: 'read-subject', milliseconds: 4 * seconds });
      const ticking = setInterval(() => pass(0), 250);
      try {
        const one = await first.save();
        const other = await second.save();
        await soon(async () => {
          assert.deepEqual(outcomes(await reload(person, one)), { Calls: 'saved' });
          assert.deepEqual(outcomes(await reload(person, other)), { Letters: 'saved' });
        });
      } finally {
        clearInterval(ticking);
      }
      await sandbox.clearFaults();
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE', Letters: 'ACTIVE' });
      assert.ok(!(await puts(person)).some((put) => put.includes('Calls')));
    });
  });

  test('what swapped a choice, topics or options for others is undone as a whole.', async () => {
    const person = await fixture.person(shop, {
      News: { status: 'ACTIVE', topics: ['Crime'], options: { Rhythm: ['Daily'] } },
      Offers: { status: 'ACTIVE', options: { Shelves: ['New'] } },
    });
    const page = (await person.open()).option('News', 'Rhythm', 'Weekly');
    page.topic('News', 'Crime', false).topic('News', 'Poetry');
    const result = await page
      .option('Offers', 'Shelves', 'New', false)
      .option('Offers', 'Shelves', 'Signed')
      .save();
    const chosen = async () => [await person.chosen('News'), await person.chosen('Offers')];
    assert.deepEqual(await chosen(), [['Poetry', 'Weekly'], ['Signed']]);
    assert.equal(headingOf(await undo(person, result)), 'Your change is undone');
    assert.deepEqual(await chosen(), [['Crime', 'Daily'], ['New']]);
  });

  suite('where the platform is away', () => {
    /** Longer than what was read for a page is shown again. */
    const away = async (person: Person) => {
      pass(11 * seconds);
      await fault(person, 'drop', {});
    };

    test('a form with a mistake is shown again, and what it switches off is taken.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      const formPage = (await person.open()).untick('Calls').tick('Letters').type('Second Email', 'nonsense');
      await away(person);
      const answer = await formPage.post();
      assert.deepEqual(mistaken(answer), ['Second Email']);
      assert.match(answer.text, /We’re saving what you turned off\. Nothing else is saved yet/);
      const again = formPageAt(person.visitor, answer);
      assert.deepEqual(['Calls', 'Offers', 'Letters'].map(again.isOn), [false, true, true]);
      await sandbox.clearFaults();
      await soon(async () => {
        assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE' });
      });
      const result = await again.type('Second Email', 'anna@example.org').save();
      assert.deepEqual(outcomes(result), { Calls: 'unchanged', Letters: 'saved', 'Second Email': 'saved' });
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE', Letters: 'ACTIVE' });
    });

    test('a withdrawal elsewhere since the form was shown wins over the form that is shown again.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Letters: 'ACTIVE' });
      await (await person.open()).untick('Letters').save();
      pass(1 * minutes);
      const formPage = (await person.open()).tick('Letters').type('Second Email', 'nonsense');
      const other = await person.again();
      await (await other.open()).tick('Letters').save();
      await world.elsewhere(person, { Letters: 'WITHDRAWN' });
      await away(person);
      const answer = await formPage.post();
      await sandbox.clearFaults();
      const again = formPageAt(person.visitor, answer).type('Second Email', 'anna@example.org');
      const result = await again.save();
      await soon(async () => {
        assert.equal(outcomes(await reload(person, result))['Letters'], 'withdrawn-elsewhere');
      });
      assert.equal((await person.statuses())['Letters'], 'WITHDRAWN');
    });
  });

  suite('where the words changed', () => {
    const withVersion = (change: object) =>
      JSON.parse(
        JSON.stringify(singlePage(shopPurposes)).replaceAll(
          '"Version":1',
          JSON.stringify(change).slice(1, -1),
        ),
      );
    const changes = {
      'a text': () =>
        singlePage(
          shopPurposes.map((each) => (each.name === 'Letters' ? { ...each, topics: ['Sale'] } : each)),
        ),
      'a Version alone': () => withVersion({ Version: 2 }),
    };
    for (const [what, change] of Object.entries(changes)) {
      test(`since the form was shown (${what}), an opt-in is shown again, and what is switched off goes.`, async () => {
        const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
        // Time passes before the next page: else what is read for this one counts as read since.
        await person.open();
        pass(0);
        const formPage = (await person.open()).tick('Letters').untick('Calls');
        await sandbox.replace(shop, 'preferences', change());
        pass(100);
        const again = await formPage.save();
        assert.match(again.text, /This page has changed/);
        assert.match(again.text, /We’re saving what you turned off\. Nothing else is saved yet/);
        assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE' });
      });
    }

    test('since it was switched off, an undoing does not agree to them.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      const result = await (await person.open()).untick('Calls').save();
      await sandbox.replace(shop, 'preferences', withVersion({ Version: 3 }));
      pass(1 * minutes);
      await undo(person, result);
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE' });
    });

    /** A page on which words changed, with a purpose switched off and another switched on. */
    async function reworded(): Promise<{ person: Person; formPage: FormPage }> {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      await sandbox.putBack(shop);
      pass(1 * minutes);
      await person.open();
      await soon(async () => {
        pass(1 * minutes);
        assert.doesNotMatch((await person.open()).page.text, /Sale/);
      });
      pass(0);
      const formPage = (await person.open()).tick('Letters').untick('Calls');
      await sandbox.replace(shop, 'preferences', changes['a text']());
      pass(100);
      return { person, formPage };
    }

    test('what is shown again as switched off is off when it is saved, though it was on again in between.', async () => {
      const { person, formPage } = await reworded();
      const again = formPageAt(person.visitor, await formPage.save());
      // A page of the words before would be shown again, too.
      await soon(async () => {
        const granted = await (await person.open()).tick('Calls').save();
        assert.deepEqual(outcomes(granted), { Calls: 'saved' });
      });
      assert.equal((await person.statuses())['Calls'], 'ACTIVE');
      const result = await again.save();
      assert.deepEqual(outcomes(result), { Letters: 'saved', Calls: 'saved' });
      assert.equal((await person.statuses())['Calls'], 'WITHDRAWN');
    });

    test('and the page cannot be shown again, what was switched off is told as taken, and the rest as not.', async () => {
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

  suite('whoever leaves by one click', () => {
    /**
     * A page waits 150 ms for what comes of a click; on a busy machine that is "being carried out", and another person
     * clicks: one who repeats a click often has to wait.
     */
    async function whoIsTold(status: string, told: RegExp): Promise<Person> {
      for (let tries = 0; ; tries += 1) {
        assert.ok(tries < 100, 'each click is still being carried out');
        const person = await fixture.person(shop, { Letters: status });
        const text = await oneClick(person.identifier, 'Letters');
        unsubscribed ||= /You’re unsubscribed/.test(text);
        if (told.test(text)) return person;
        assert.match(text, /We’re saving your changes/);
      }
    }
    let unsubscribed = false;
    afterEach(() => assert.equal(unsubscribed, false, 'nobody was told to be unsubscribed'));

    test('what is always active is not told to be unsubscribed.', async () => {
      const person = await fixture.person(shop, { Letters: 'ALWAYS_ACTIVE' });
      // Two readings show it as always active, for which the page does not wait.
      assert.match(
        await oneClick(person.identifier, 'Letters'),
        /We’re saving your changes|Can’t be changed here/,
      );
      await soon(async () => assert.match(await world.record(person), /Letters.*part of the service/s));
      assert.deepEqual(await person.statuses(), { Letters: 'ALWAYS_ACTIVE' });
    });

    test('everything is told what was switched off, and what is always active.', async () => {
      const record = { Calls: 'ACTIVE', Offers: 'ACTIVE', Letters: 'ALWAYS_ACTIVE' };
      // Another person for each try, as above.
      const person = await soon(async () => {
        const clicking = await fixture.person(shop, record);
        const text = await oneClick(clicking.identifier);
        assert.match(text, /Turned off\. [^<]*Calls[^<]*Offers/);
        assert.match(text, /Stays on: Letters/);
        assert.doesNotMatch(text, /Can’t be changed here/);
        return clicking;
      });
      const { Calls, Offers, Letters } = await person.statuses();
      assert.deepEqual([Calls, Offers, Letters], ['WITHDRAWN', 'WITHDRAWN', 'ALWAYS_ACTIVE']);
      const told = await world.record(person);
      for (const name of ['Calls', 'Offers', 'Letters']) assert.match(told, new RegExp(name));
    });

    test('what was never confirmed is told so.', async () => {
      const person = await whoIsTold('PENDING', /It wasn’t on, because you never confirmed it/);
      assert.deepEqual(await person.statuses(), { Letters: 'PENDING' });
    });
  });

  suite('where there is no schema', () => {
    const faults = {
      'over 2 MiB': undefined,
      '404': { kind: '500', status: 404 },
      '400': { kind: '500', status: 400 },
      away: { kind: 'drop' },
    };
    for (const [what, described] of Object.entries(faults)) {
      test(`(${what}) withdrawals go out all the same.`, async () => {
        pass(25 * 60 * minutes);
        const one = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
        const all = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
        if (described === undefined) {
          await sandbox.replace(shop, 'preferences', { ...singlePage(), Padding: 'x'.repeat(2_200_000) });
        } else {
          for (const operation of ['read-schema', 'read-root'])
            await sandbox.addFault({ ...described, operation });
        }
        await oneClick(one.identifier, 'Calls');
        await oneClick(all.identifier);
        await soon(async () => {
          assert.deepEqual(await one.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE' });
          const { Calls, Offers } = await all.statuses();
          assert.deepEqual([Calls, Offers], ['WITHDRAWN', 'WITHDRAWN']);
        });
      });
    }
  });
});
