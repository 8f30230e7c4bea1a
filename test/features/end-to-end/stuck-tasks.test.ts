import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Product, startProduct } from '../../kit/product.ts';
import { books, orders } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { enter, type StoredTask } from '../staff/fixture.ts';

const identifier = 'anna@example.org';

async function tasksOf({ sandboxUrl }: Product, reference: string): Promise<readonly StoredTask[]> {
  const tasks = (await (await fetch(`${sandboxUrl}/_sandbox/tasks`)).json()) as readonly StoredTask[];
  return tasks.filter(({ task }) => String(task['taskName']).includes(reference));
}

test('a withdrawal that the platform refuses becomes one task there, which is closed once it is on record', async () => {
  await using product = await startProduct({ env: { STUCK_HOURS: '0.0005' } });
  await product.sandbox.addFault({ kind: '500', operation: 'update-subject' });
  await product.sandbox.addFault({ kind: '500', operation: 'withdraw-subject' });
  const visitor = createVisitor(product.url);
  const page = await visitor.open(await product.link({ center: books, identifier }));
  await visitor.submit(page, (form) => {
    for (const { name, value, checked } of form.controls)
      if (name === 'purpose' && checked && value !== orders) form.untick('purpose', value);
  });
  const staff = await enter(product);
  const list = await staff.open('/staff/submissions');
  const reference = /\/staff\/submissions\/([\w-]{16,})"/.exec(list.text)?.[1] ?? assert.fail(list.text);
  const made = await until(async () => (await tasksOf(product, reference))[0]);
  assert.equal(made.task['status'], 'Open');
  assert.doesNotMatch(JSON.stringify(made), /anna@example/);
  const shown = await until(async () => {
    const { text } = await staff.open(`/staff/submissions/${reference}`);
    return text.includes(`/staff/tasks/${made.task['id']}`) && text;
  });
  assert.match(shown, /Task on the platform/);
  await product.sandbox.clearFaults();
  await until(async () => (await tasksOf(product, reference))[0]?.task['status'] === 'Closed');
  assert.equal((await tasksOf(product, reference)).length, 1);
});
