import '../../kit/fast-here.ts';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { canaries } from '../../kit/canaries.ts';
import { forSuite } from '../../kit/for-suite.ts';
import { openJournalIn } from '../../kit/journal-file.ts';
import { outcomes, type Person, shows, startFixture } from './fixture.ts';
import { shop } from './sample-centers.ts';

suite('Delivery to the platform', { concurrency: false }, () => {
  const fixture = forSuite(startFixture);

  /** Adds a fault that affects this person only, until it is removed. */
  const fault = ({ identifier }: Person, operation: string) =>
    fixture.sandbox.addFault({ kind: '500', operation, identifier });

  test('a withdrawal is accepted, shown as off at once, and delivered once the platform is back', async () => {
    const person = await fixture.person(shop, { Calls: 'ACTIVE', Letters: 'ACTIVE', Offers: 'ACTIVE' });
    const mend = await fault(person, 'update-subject');
    const first = await (await person.open()).untick('Calls').save();
    assert.deepEqual(outcomes(first), { Calls: 'in-progress' });
    assert.match(first.text, /You don’t need to do anything/);
    const formPage = await person.open();
    assert.ok(!formPage.isOn('Calls') && formPage.isOn('Letters'));
    assert.match(formPage.page.text, /Being saved/);

    const { visitor } = await person.again();
    const restore = await fault(person, '*');
    const second = await formPage.untick('Letters').save();
    assert.deepEqual(outcomes(second), { Letters: 'in-progress' });
    const page = await visitor.get(`/centers/${shop}`);
    assert.equal(page.status, 503);
    assert.ok(Number(page.headers['retry-after']) > 0);
    const leave = await visitor.get(`/centers/${shop}/unsubscribe`);
    assert.equal(leave.status, 200, 'leaving is always possible');
    await Promise.all([mend(), restore()]);
    await shows(visitor, first, { Calls: 'saved' });
    await shows(visitor, second, { Letters: 'saved' });
    assert.deepEqual(await person.statuses(), { Calls: 'WITHDRAWN', Letters: 'WITHDRAWN', Offers: 'ACTIVE' });
  });

  test('the journal keeps reasons without the person, and no personal data in plain text', async () => {
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
