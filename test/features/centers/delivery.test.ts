import '../../kit/fast-here.ts';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { canaries } from '../../kit/canaries.ts';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { openJournalIn } from '../../kit/journal-file.ts';
import { eventually } from '../../kit/until.ts';
import type { Answer } from '../../kit/visitor.ts';
import { headingOf, outcomes, type Person, startFixture, told } from './fixture.ts';
import { idOf, school, shop } from './sample-centers.ts';

const carriedOut = 'in-progress';
const notSaved = 'not-saved';

suite('What is sent to the platform', { concurrency: false }, () => {
  const fixture = forSuite(startFixture);

  /** What goes wrong for one person until it is mended; others never notice. */
  const fault = (person: Person, kind: string, more: Readonly<Record<string, unknown>> = {}) =>
    fixture.sandbox.addFault({
      ...{ kind, operation: 'update-subject', identifier: person.identifier },
      ...more,
    });
  const reload = (person: Person, result: Answer) => person.visitor.open(new URL(result.url).pathname);
  const stands = (person: Person, expected: Readonly<Record<string, string>>) =>
    eventually(async () => assert.deepEqual(await person.statuses(), expected));
  const methods = async (person: Person) => (await person.writes()).map(({ method }) => method);

  suite('and answered with less than all', { concurrency: 3 }, () => {
    test('is named one by one: an opt-in that the platform refuses is not saved, the rest is.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      await fault(person, 'refuse', { purposes: [idOf('Letters')] });
      const result = await (await person.open()).untick('Calls').tick('Letters').save();
      const page = await told(person.visitor, result, { Calls: 'saved', Letters: notSaved });
      assert.notEqual(headingOf(page), 'All is saved');
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Offers: 'ACTIVE' });
      assert.equal((await person.open()).isOn('Letters'), false);
    });

    test('is tried again when it is a withdrawal that the platform refuses, and is then saved.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' });
      const mend = await fault(person, 'refuse', { purposes: [idOf('Calls')] });
      const result = await (await person.open()).untick('Calls').tick('Letters').save();
      await told(person.visitor, result, { Calls: carriedOut, Letters: 'saved' });
      assert.deepEqual(await person.statuses(), { Calls: 'ACTIVE', Letters: 'ACTIVE' });
      const formPage = await person.open();
      assert.equal(formPage.isOn('Calls'), false, 'it is shown as off at once');
      assert.match(formPage.page.text, /Being saved/);
      await mend();
      await told(person.visitor, result, {
        Calls: 'saved',
        Letters: 'saved',
      });
      assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Letters: 'ACTIVE' });
    });

    test('is shown as on where it was asked for again while something else is still being left.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Offers: 'ACTIVE' });
      const items = { purposes: [idOf('Calls')] };
      const mends = [
        await fault(person, 'refuse', items),
        await fault(person, 'refuse', { ...items, operation: 'withdraw-subject' }),
      ];
      const leaving = await person.visitor.open(`/centers/${shop}/unsubscribe`);
      await person.visitor.press(readForm(leaving.text));
      const statuses = async () => {
        const { Calls, Offers, Letters } = await person.statuses();
        return { Calls, Offers, Letters };
      };
      const become = (expected: object) =>
        eventually(async () => assert.deepEqual(await statuses(), expected));
      await become({ Calls: 'ACTIVE', Offers: 'WITHDRAWN', Letters: 'WITHDRAWN' });
      await (await person.open()).tick('Offers').save();
      await become({ Calls: 'ACTIVE', Offers: 'ACTIVE', Letters: 'WITHDRAWN' });

      const shown = await person.open();
      assert.deepEqual([shown.isOn('Calls'), shown.isOn('Offers')], [false, true]);
      const result = await shown.tick('Letters').save();
      await eventually(async () => {
        const saved = outcomes(await reload(person, result));
        assert.deepEqual([saved['Letters'], saved['Offers']], ['saved', undefined]);
      });
      const asked = { Calls: 'ACTIVE', Offers: 'ACTIVE', Letters: 'ACTIVE' };
      await become(asked);
      const taken = await (await person.open()).untick('Offers').save();
      for (const mend of mends) await mend();
      const ended = { Calls: 'WITHDRAWN', Offers: 'WITHDRAWN', Letters: 'ACTIVE' };
      // Each try that was refused made the pause before the next one longer.
      await become(ended);
      await eventually(async () => assert.equal(outcomes(await reload(person, taken))['Offers'], 'saved'));
    });

    test('is not believed when the record says otherwise.', async () => {
      const person = await fixture.person(shop, { Offers: 'ACTIVE' });
      await fault(person, 'ignore');
      const result = await (await person.open()).tick('Letters').save();
      assert.equal(headingOf(result), 'We’re checking');
      await told(person.visitor, result, { Letters: 'in-doubt' });
      assert.deepEqual(await person.statuses(), { Offers: 'ACTIVE' });
    });
  });

  suite('and whose answer is lost', { concurrency: 7 }, () => {
    for (const kind of ['drop', 'garbage', '500'])
      test(`by ${kind} is not sent twice after it took effect, and before that without the opt-in, which may have arrived.`, async () => {
        for (const [when, ...outcome] of [
          ['after', { Calls: 'saved', Letters: 'saved' }, { Calls: 'WITHDRAWN', Letters: 'ACTIVE' }, 1],
          ['before', { Calls: 'saved', Letters: 'in-doubt' }, { Calls: 'WITHDRAWN' }, 2],
        ] as const) {
          const [said, statuses, puts] = outcome;
          const person = await fixture.person(shop, { Calls: 'ACTIVE' });
          await fault(person, kind, { when, count: 1 });
          const result = await (await person.open()).untick('Calls').tick('Letters').save();
          await told(person.visitor, result, said);
          assert.deepEqual(await person.statuses(), statuses);
          assert.deepEqual(await methods(person), Array(puts).fill('PUT'));
        }
      });
  });

  suite('while the platform is down', { concurrency: 3 }, () => {
    test('is accepted when it is a withdrawal, shown as off at once, and delivered afterwards.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE', Letters: 'ACTIVE' });
      const mend = await fault(person, '500');
      const result = await (await person.open()).untick('Calls').save();
      assert.deepEqual(outcomes(result), { Calls: carriedOut });
      assert.match(result.text, /You don’t need to do anything/);
      const formPage = await person.open();
      assert.ok(!formPage.isOn('Calls') && formPage.isOn('Letters'));
      assert.match(formPage.page.text, /Being saved/);
      await mend();
      await stands(person, { Calls: 'WITHDRAWN', Letters: 'ACTIVE' });
      await told(person.visitor, result, { Calls: 'saved' });
    });

    test('is accepted even when not so much as the record can be read.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' });
      const formPage = (await person.open()).untick('Calls');
      const mend = await fault(person, '500', { operation: '*' });
      const result = await formPage.save();
      assert.deepEqual(outcomes(result), { Calls: carriedOut });
      const page = await person.visitor.get(`/centers/${shop}`);
      assert.equal(page.status, 503);
      assert.ok(Number(page.headers['retry-after']) > 0);
      const leave = await person.visitor.get(`/centers/${shop}/unsubscribe`);
      assert.equal(leave.status, 200, 'leaving is always possible');
      await mend();
      await stands(person, { Calls: 'WITHDRAWN' });
    });
  });

  test('A withdrawal of everything wins over an opt-in that is still on its way.', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    const formPage = (await person.open()).tick('Letters');
    const leaving = readForm((await person.visitor.open(`/centers/${shop}/unsubscribe`)).text).press();
    await fault(person, 'latency', { milliseconds: 600 });
    const optIn = formPage.post();
    const everything = person.visitor.post(leaving.action, leaving.fields);
    const answers = await Promise.all([optIn, everything]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    );
    await eventually(async () => {
      const statuses = await person.statuses();
      assert.equal(statuses['Calls'], 'WITHDRAWN');
      assert.ok([undefined, 'WITHDRAWN'].includes(statuses['Letters']));
      assert.match(
        (await person.visitor.open(answers[1]?.location ?? '')).text,
        /<li class="saved">|unsubscribed from everything/,
      );
    });
    assert.equal((await person.open()).isOn('Letters'), false);
  });

  test('Leaving everything by the same form again shows its result; after an opt-in it leaves that, too, once.', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    const form = readForm((await person.visitor.open(`/centers/${shop}/unsubscribe`)).text);
    const leave = async () => (await person.visitor.press(form)).location;
    const first = await leave();
    assert.equal(await leave(), first);
    await (await person.open()).tick('Letters').save();
    await eventually(async () => assert.equal((await person.statuses())['Letters'], 'ACTIVE'));
    const second = await leave();
    assert.notEqual(second, first);
    await eventually(async () => assert.equal((await person.statuses())['Letters'], 'WITHDRAWN'));
    await eventually(async () =>
      assert.equal(outcomes(await person.visitor.open(second ?? ''))['Letters'], 'saved'),
    );
    assert.equal(await leave(), second);
    assert.deepEqual(
      (await methods(person)).filter((method) => method === 'DELETE'),
      ['DELETE', 'DELETE'],
    );
  });

  test('The same form again shows its result; after an opt-in it withdraws that, too, and grants nothing.', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    const old = (await person.open()).untick('Calls').tick('Letters');
    const save = async () => (await old.post()).location ?? '';
    const first = await save();
    await stands(person, { Calls: 'WITHDRAWN', Letters: 'ACTIVE' });
    assert.equal(await save(), first);
    await (await person.open()).tick('Calls').untick('Letters').save();
    await stands(person, { Calls: 'ACTIVE', Letters: 'WITHDRAWN' });
    const second = await save();
    assert.notEqual(second, first);
    await stands(person, { Calls: 'WITHDRAWN', Letters: 'WITHDRAWN' });
    assert.equal(outcomes(await person.visitor.open(second))['Calls'], 'saved');
  });

  test('A GET changes nothing, whichever page it asks for.', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE' });
    const result = await (await person.open()).untick('Calls').save();
    const count = (await person.writes()).length;
    await person.again();
    const { pathname } = new URL(result.url);
    for (const path of [
      `/centers/${shop}?action=save&purpose=${idOf('Letters')}`,
      `/centers/${shop}/unsubscribe?reason=too-many`,
      pathname,
      `${pathname}/undo`,
      `/centers/${shop}/sign-out`,
    ])
      await person.visitor.get(path);
    assert.equal((await person.writes()).length, count);
    assert.equal((await person.open()).page.status, 200, 'still signed in');
  });

  suite('to leave everything', { concurrency: 3 }, () => {
    test('withdraws every purpose by one DELETE: shown or not, on by default, retired, of long ago.', async () => {
      const person = await fixture.person(school, {
        'Term letter': { status: 'ACTIVE', topics: ['Sport'] },
        Concerts: 'OPT_IN',
        Reunions: 'ACTIVE',
        Library: 'PENDING',
        'Something of long ago': 'ACTIVE',
        Sales: 'WITHDRAWN',
      });
      const result = await person.leave();
      await eventually(async () => assert.equal(outcomes(await reload(person, result))['Campus'], 'saved'));
      assert.deepEqual(await methods(person), ['DELETE']);
      const [statuses, page] = [await person.statuses(), await reload(person, result)];
      const groups = outcomes(page);
      for (const name of ['Term letter', 'Concerts', 'Library', 'Something of long ago', 'Campus'])
        assert.deepEqual([statuses[name], groups[name]], ['WITHDRAWN', 'saved'], name);
      for (const name of ['Reunions', 'Sales']) assert.equal(statuses[name], 'WITHDRAWN', name);
      assert.match(page.text, /<code dir="ltr">[0-9a-f-]{36}<\/code>/, 'with its receipt');
    });

    test('is sent even when there is nothing to leave: a reading may have passed over what is on.', async () => {
      const person = await fixture.person(school, { 'Term letter': 'WITHDRAWN', Campus: 'OPT_OUT' });
      assert.equal(headingOf(await person.leave()), 'You’re unsubscribed from all');
      assert.deepEqual(await methods(person), ['DELETE']);
    });

    test('sends a DELETE whose answer was lost only once.', async () => {
      const person = await fixture.person(school, { 'Term letter': 'ACTIVE' });
      await fault(person, 'drop', { operation: 'withdraw-subject', when: 'after', count: 1 });
      const result = await person.leave();
      await eventually(async () =>
        assert.equal(outcomes(await reload(person, result))['Term letter'], 'saved'),
      );
      assert.deepEqual(await methods(person), ['DELETE']);
    });

    test('is refused with the token of someone else, and nothing is sent.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' });
      const other = await fixture.person(shop, { Calls: 'ACTIVE' });
      const { fields } = readForm((await other.visitor.open(`/centers/${shop}/unsubscribe`)).text).press();
      const answer = await person.visitor.post(`/centers/${shop}/unsubscribe`, fields);
      assert.equal(answer.status, 400);
      assert.deepEqual(await methods(person), []);
      assert.deepEqual(await methods(other), []);
    });
  });

  suite('over a restart', () => {
    test('is a withdrawal still delivered.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' });
      await fault(person, '500');
      const result = await (await person.open()).untick('Calls').save();
      assert.deepEqual(outcomes(result), { Calls: carriedOut });
      await fixture.product.stop();
      await fixture.product.start();
      await stands(person, { Calls: 'WITHDRAWN' });
      await told(person.visitor, result, { Calls: 'saved' });
    });

    test('stays what it is: reasons in the journal without the person, and nothing personal in plain text.', async () => {
      const person = await fixture.person(shop, { Calls: 'ACTIVE' });
      const text = 'I moved to the sea, where nobody reads';
      await person.leave((fields) => [
        ...fields.filter(([name]) => name !== 'reason-text'),
        ['reason', 'too-many'],
        ['reason', 'nobody-offered-this'],
        ['reason-text', text],
      ]);
      const typed = await fixture.person(shop, {});
      await (await typed.open()).type('First Name', canaries.typed).save();
      await fixture.product.stop();
      const data = join(fixture.product.home, 'data');
      const { journal, close } = await openJournalIn(data, canaries.secret);
      try {
        const { reasons } = await journal.reasons({ center: shop }, { limit: 9, after: undefined });
        assert.deepEqual(
          reasons.map(({ id, text }) => ({ id, text })).toSorted((a, b) => a.text.localeCompare(b.text)),
          [
            { id: undefined, text },
            { id: 'too-many', text: 'Too many messages' },
          ],
        );
        for (const name of readdirSync(data).filter((name) => name.startsWith('journal'))) {
          const bytes = readFileSync(join(data, name), 'latin1');
          for (const personal of [person.identifier, typed.identifier, canaries.typed])
            assert.ok(!bytes.includes(personal), `${personal} stands in ${name}`);
        }
      } finally {
        await close();
        await fixture.product.start();
      }
    });
  });
});
