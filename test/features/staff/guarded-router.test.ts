import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { save } from '../../kit/form.ts';
import { books as harbour } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { enter, guid, oneTimeAddress, taskIdOf } from './fixture.ts';

const product = productOf();
const staff = forSuite(() => enter(product));

describe('The sign-in of the staff pages', () => {
  test('opens once by the printed address', async () => {
    assert.equal((await createVisitor(product.url).open(oneTimeAddress(product))).status, 410);
  });

  test('makes staff nobody in a center', async () => {
    assert.notEqual((await staff.get(`/centers/${harbour}`)).status, 200);
  });
});

const minimal = [
  ['taskName', 'x'],
  ['parentEntityId', guid(0)],
  ['orgGroupId', guid(1)],
] as const;

describe('A task', () => {
  test('is found by its id, and again among those recently used', async () => {
    const page = await staff.open('/staff/tasks/new');
    const made = await staff.submit(
      page,
      (form) => minimal.map(([name, value]) => form.type(name, value)),
      save,
    );
    const home = `/staff/tasks/${taskIdOf(made)}`;
    assert.equal(
      (await staff.open(`/staff/tasks?id=${taskIdOf(made).toUpperCase()}`)).url,
      product.url + home,
    );
    assert.ok((await staff.open('/staff/tasks')).text.includes(home));
    assert.equal((await staff.open(`/staff/tasks/${guid(99)}`)).status, 404);
  });

  test('is not looked for by what is no id, which is shown again', async () => {
    const page = await staff.open('/staff/tasks?id=no-id');
    assert.equal(page.status, 422);
    assert.ok(page.text.includes('no-id'));
  });
});

describe('Centers', () => {
  test('are listed with what the linter finds, and previewed without anything that could be sent', async () => {
    const list = await staff.open('/staff/centers');
    for (const name of ['Harbour Books', 'Alster Bank', 'Lindgren University']) {
      assert.ok(list.text.includes(name), name);
    }
    const center = await staff.open(`/staff/centers/${harbour}`);
    assert.equal(center.status, 200);
    assert.match(center.text, /\bit\b/);
    await product.sandbox.clearCalls();
    const preview = await staff.open(`/staff/centers/${harbour}/preview/page?lang=ar&state=mixed`);
    assert.equal(preview.status, 200);
    assert.match(preview.text, /<html lang="ar" dir="rtl"/);
    assert.doesNotMatch(preview.text, /name="token"/);
    assert.deepEqual(await product.sandbox.calls({ operation: 'update-subject' }), []);
  });
});

describe('The audit log', () => {
  test('says who did what', async () => {
    const page = await staff.open('/staff/audit');
    assert.equal(page.status, 200);
    for (const done of ['created a task', 'looked at a previewed page', 'signed in']) {
      assert.ok(page.text.includes(done), done);
    }
  });
});

/** Last: until the wait is over, no staff page asks the platform. */
describe('A limit of requests', () => {
  test('of two seconds is waited out in full, and then the same form goes through', async () => {
    await product.sandbox.addFault({ kind: '429', operation: 'create-task', count: 1, retryAfter: 2 });
    await product.sandbox.clearCalls();
    const page = await staff.open('/staff/tasks/new');
    let answer = await staff.submit(
      page,
      (form) =>
        minimal.map(([name, value]) => form.type(name, name === 'taskName' ? 'After a while' : value)),
      save,
    );
    assert.equal(answer.status, 503);
    answer = await until(async () => {
      assert.ok(answer.text.includes('After a while'));
      answer = await staff.submit(answer, () => undefined, save);
      return answer.status !== 503 && answer;
    });
    assert.equal(answer.status, 200);
    const [refused, made, more] = await product.sandbox.calls({ operation: 'create-task' });
    assert.ok(refused !== undefined && made !== undefined && more === undefined);
    assert.ok(Date.parse(made.at) - Date.parse(refused.at) >= 2_000, 'asked again too early');
  });
});

describe('A person', () => {
  test('is looked for byte for byte, or not at all', async () => {
    const found = async (identifier: string) => {
      const search = await staff.open('/staff/people');
      return staff.submit(search, (form) => form.type('identifier', identifier));
    };
    assert.equal((await found('kate@example.org')).status, 200);
    for (const other of [
      '\u212aate@example.org',
      'kate@example.org\u00a0',
      ' kate@example.org',
      'ka\u200bte\u200b',
    ]) {
      const answer = await found(other);
      assert.equal(answer.status, 422, JSON.stringify(other));
      assert.match(answer.text, /as the platform has it/);
    }
  });
});
