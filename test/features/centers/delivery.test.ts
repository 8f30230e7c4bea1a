import '../../kit/fast-here.ts';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { canaries } from '../../kit/canaries.ts';
import { forSuite } from '../../kit/for-suite.ts';
import { openJournalIn } from '../../kit/journal-file.ts';
import { ended, outcomes, type Person, startFixture, told } from './fixture.ts';
import { idOf, school, shop } from './sample-centers.ts';

suite('What is sent to the platform', { concurrency: false }, () => {
  const fixture = forSuite(startFixture);

  /** What goes wrong for one person until it is mended; others never notice. */
  const fault = ({ identifier }: Person, operation: string) =>
    fixture.sandbox.addFault({ kind: '500', operation, identifier });

  test('is accepted when it is a withdrawal, shown as off at once, and delivered once the platform is back.', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE', Letters: 'ACTIVE', Offers: 'ACTIVE' });
    const mend = await fault(person, 'update-subject');
    const first = await (await person.open()).untick('Calls').save();
    assert.deepEqual(outcomes(first), { Calls: 'in-progress' });
    assert.match(first.text, /You don’t need to do anything/);
    const formPage = await person.open();
    assert.ok(!formPage.isOn('Calls') && formPage.isOn('Letters'));
    assert.match(formPage.page.text, /Being saved/);

    const { visitor } = await person.again();
    const comeBack = await fault(person, '*');
    const second = await formPage.untick('Letters').save();
    assert.deepEqual(outcomes(second), { Letters: 'in-progress' });
    const page = await visitor.get(`/centers/${shop}`);
    assert.equal(page.status, 503);
    assert.ok(Number(page.headers['retry-after']) > 0);
    const leave = await visitor.get(`/centers/${shop}/unsubscribe`);
    assert.equal(leave.status, 200, 'leaving is always possible');
    await Promise.all([mend(), comeBack()]);
    await told(visitor, first, { Calls: 'saved' });
    await told(visitor, second, { Letters: 'saved' });
    assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Letters: 'WITHDRAWN', Offers: 'ACTIVE' });
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

  test('is one DELETE for everything: shown or not, on by default, retired, of long ago.', async () => {
    const person = await fixture.person(school, {
      'Term letter': { status: 'ACTIVE', topics: ['Sport'] },
      Concerts: 'OPT_IN',
      Reunions: 'ACTIVE',
      Library: 'PENDING',
      'Something of long ago': 'ACTIVE',
      Sales: 'WITHDRAWN',
    });
    const result = await ended(person, await person.leave());
    assert.deepEqual(
      (await person.writes()).map(({ method }) => method),
      ['DELETE'],
    );
    const [statuses, groups] = [await person.statuses(), outcomes(result)];
    for (const name of ['Term letter', 'Concerts', 'Library', 'Something of long ago', 'Campus'])
      assert.deepEqual([statuses[name], groups[name]], ['WITHDRAWN', 'saved'], name);
    for (const name of ['Reunions', 'Sales']) assert.equal(statuses[name], 'WITHDRAWN', name);
    assert.match(result.text, /<code dir="ltr">[0-9a-f-]{36}<\/code>/, 'with its receipt');
  });

  test('leaves reasons in the journal without the person, and nothing personal in plain text.', async () => {
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
