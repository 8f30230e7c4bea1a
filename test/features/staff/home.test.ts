import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { productOf } from '../../kit/for-suite.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { createVisitor, type Visitor } from '../../kit/visitor.ts';
import { enter, saidOn } from './fixture.ts';

const refused = 'emil@example.org';

let staff: Visitor;

const product = productOf();
before(async () => {
  for (const operation of ['withdraw-subject', 'update-subject'])
    await product.sandbox.addFault({ kind: '500', status: 400, operation, identifier: refused });
  for (const identifier of ['anna@example.org', refused]) {
    const link = new URL(await product.link({ center: books, identifier }));
    const person = createVisitor(product.url, { 'accept-language': 'en' });
    await person.open(link.pathname + link.search);
    const page = await person.open(`/centers/${books}/unsubscribe?lang=en`);
    const reason = /name="reason" value="([^"]+)"/.exec(page.text)?.[1] ?? assert.fail('no reason');
    assert.equal((await person.submit(page, (form) => form.tick('reason', reason))).status, 200);
  }
  staff = await enter(product);
});

describe('The first page of the staff', () => {
  test('says what waits, what came today and why, where findings are, and that the platform answers', async () => {
    const said = await until(async () => {
      const page = saidOn((await staff.open('/staff')).text).join(' | ');
      // A center that is read slowly is not waited for.
      return !page.includes('centers were looked at. |') && page;
    }, 'all centers are looked at');
    assert.match(said, /Withdrawals waiting \| 1 \| the oldest for \d+ seconds?/);
    assert.match(said, /Failed in 24 hours \| 0/);
    assert.match(said, /Submissions today \(UTC\) \| 2 \| 2 unsubscribed from all/);
    assert.match(said, /2 in the last 30 days \(UTC\), 2 unsubscribed from all/);
    assert.match(said, /Why people unsubscribed \| [^|]+ \| 2 \|/);
    assert.match(said, /Lindgren University \| 0 \| \d+ \| \d+/);
    assert.match(said, /Platform \| Connected \| last answer/);
    assert.doesNotMatch(said, /example\.org/);
  });

  test('leads to the withdrawals that wait', async () => {
    const list = await staff.open('/staff/submissions?state=pending&only=withdrawals');
    assert.equal([...list.text.matchAll(/href="\/staff\/submissions\/[\w-]+"/g)].length, 1);
  });

  test('opens also while the platform is away, and says so', async () => {
    await product.sandbox.addFault({ kind: '500' });
    await staff.open('/staff/notices');
    const page = await staff.open('/staff');
    assert.equal(page.status, 200);
    assert.match(saidOn(page.text).join(' | '), /Platform \| Errors/);
    await product.sandbox.clearFaults();
  });
});
