import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { startProduct } from '../../kit/product.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';
import { enter } from './fixture.ts';
import { createIssuer } from './issuer.ts';

const accounts = {
  edda: { sub: 'edda', name: 'Edda Editor', groups: { sayso: ['editor', 'unknown'] } },
  norma: { sub: 'norma', name: 'Norma Nobody', groups: { sayso: [] } },
};
const issuer = forSuite(
  () => createIssuer(accounts),
  ({ close }) => close(),
);
const product = forSuite(async () => {
  const started = await startProduct({ env: issuer.env });
  await issuer.open(started);
  return started;
});
async function wayBack(visitor: Visitor, account: string): Promise<string> {
  const start = await visitor.get('/staff/sign-in');
  assert.equal(start.status, 303);
  const { pathname, search } = new URL(await issuer.signIn(start.location ?? '', account));
  return pathname + search;
}

const comeBack = (visitor: Visitor, path: string): Promise<Answer> =>
  visitor.get(path, { 'sec-fetch-site': 'cross-site' });

describe('Single sign-on for staff', () => {
  test('single sign-on opens the pages by a step of the product’s own, because the cookie is strict', async () => {
    const visitor = createVisitor(product.url);
    const page = await visitor.get('/staff');
    assert.equal(page.status, 401);
    assert.match(page.text, /href="\/staff\/sign-in"/);
    const back = await comeBack(visitor, await wayBack(visitor, 'edda'));
    assert.equal(back.status, 200);
    assert.equal(back.headers['refresh'], '0;url=/staff');
    const cookies = [back.headers['set-cookie'] ?? []].flat();
    assert.ok(
      cookies.some((line) => /^sayso-staff=.*HttpOnly.*SameSite=Strict/.test(line)),
      cookies.join(),
    );
    assert.deepEqual([...visitor.cookies.keys()], ['sayso-staff']);
    const home = await visitor.get('/staff');
    assert.match(home.text, /Edda Editor \(editor\)/);
    assert.equal((await visitor.get('/staff/tasks/new')).status, 200);
    assert.equal((await visitor.get('/staff/audit')).status, 403);
  });

  test('a member without a role and a second return are refused, and the audit log has each sign-in', async () => {
    const known = createVisitor(product.url);
    assert.equal((await comeBack(known, await wayBack(known, 'norma'))).status, 403);
    assert.equal((await known.get('/staff')).status, 401);
    const visitor = createVisitor(product.url);
    const path = await wayBack(visitor, 'edda');
    const way = new Map(visitor.cookies);
    await comeBack(visitor, path);
    const again = createVisitor(product.url);
    for (const [name, value] of way) again.cookies.set(name, value);
    assert.equal((await comeBack(again, path)).status, 401);
    assert.equal(again.cookies.size, 0);
    const lines = (await (await enter(product)).open('/staff/audit.csv')).text.split('\r\n');
    for (const end of [
      /,,nobody,.*single sign-on failed \(127\.0\.0\.0\/24\),refused$/,
      /,Norma Nobody,tried to sign in,no role \(127\.0\.0\.0\/24\),refused$/,
      /,signed in,by the one-time address \(127\.0\.0\.0\/24\),done$/,
    ])
      assert.ok(
        lines.some((line) => end.test(line)),
        String(end),
      );
  });

  test('a cookie that was made up is not accepted, and an unreadable one is not kept', async () => {
    for (const made of ['made-up', '%E0%A4%A', '%00', 'x'.repeat(3_000)]) {
      const visitor = createVisitor(product.url);
      visitor.cookies.set('sayso-staff-way', made);
      assert.equal((await comeBack(visitor, '/staff/callback?state=x&code=y')).status, 401, made);
      assert.equal(visitor.cookies.size, 0, 'the cookie is kept');
    }
  });
});
