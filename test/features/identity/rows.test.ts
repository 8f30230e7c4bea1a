import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { readForm } from '../../kit/form.ts';
import { startProduct } from '../../kit/product.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { storedRows } from '../../kit/stored-rows.ts';
import { createVisitor } from '../../kit/visitor.ts';

test('each opened link makes one row of a session, and signing out makes no other', async () => {
  const [newest, older] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64'));
  const env = { SECRET: `${newest},${older}` };
  await using product = await startProduct({ env });
  const rows = () => storedRows(join(product.home, 'data')).get('sessions.sqlite session')?.count;
  const link = await product.link({ center: books, identifier: 'anna@example.org' });
  const visitor = createVisitor(product.url);
  assert.equal((await visitor.open(link)).status, 200);
  assert.equal(rows(), 1);
  assert.equal((await createVisitor(product.url).open(link)).status, 200);
  assert.equal(rows(), 2);
  const before = [...visitor.cookies.values()];
  assert.equal((await visitor.open(link)).status, 200);
  assert.equal(rows(), 3);
  assert.notDeepEqual([...visitor.cookies.values()], before, 'a known session gets another id');
  const page = await visitor.get(`/centers/${books}`);
  assert.equal((await visitor.press(readForm(page.text, /\/sign-out/))).status, 303);
  assert.equal(rows(), 3);
});
