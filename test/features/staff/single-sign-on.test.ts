import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { freePorts, type Product, startProduct } from '../../kit/product.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';
import { enter } from './fixture.ts';
import { createIssuer, type Issuer } from './issuer.ts';

let product: Product;
let issuer: Issuer;

before(async () => {
  issuer = await createIssuer({
    edda: { sub: 'edda', name: 'Edda Editor', groups: { sayso: ['editor', 'unknown'] } },
    norma: { sub: 'norma', name: 'Norma Nobody', groups: { sayso: [] } },
  });
  product = await startProduct({ env: issuer.env });
  await issuer.open(product);
});

after(async () => {
  await product?.[Symbol.asyncDispose]();
  issuer?.close();
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
  test('is offered, and opens the pages by a step of our own, because the cookie is strict', async () => {
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

  test('lets nobody in without a role', async () => {
    const visitor = createVisitor(product.url);
    assert.equal((await comeBack(visitor, await wayBack(visitor, 'norma'))).status, 403);
    assert.equal((await visitor.get('/staff')).status, 401);
  });

  test('does not take the way back twice, in another browser, or with another state', async () => {
    const visitor = createVisitor(product.url);
    const path = await wayBack(visitor, 'edda');
    assert.equal((await comeBack(createVisitor(product.url), path)).status, 401);
    assert.equal((await comeBack(visitor, path.replace(/state=[^&]+/, 'state=another'))).status, 401);
    assert.equal((await comeBack(visitor, path)).status, 401);
    assert.equal((await visitor.get('/staff/notices')).status, 401);
  });

  test('takes no cookie that was made up, and is no worse for one that cannot be read', async () => {
    for (const made of ['made-up', '%E0%A4%A', '%00', 'x'.repeat(3_000)]) {
      const visitor = createVisitor(product.url);
      visitor.cookies.set('sayso-staff-way', made);
      assert.equal((await comeBack(visitor, '/staff/callback?state=x&code=y')).status, 401, made);
      assert.equal(visitor.cookies.size, 0, 'it is kept');
    }
  });

  test('is in the audit log where it fails, with whom it refused', async () => {
    const stranger = createVisitor(product.url);
    assert.equal((await stranger.get('/staff/callback?state=x&code=y')).status, 401);
    assert.equal((await stranger.get('/staff?key=guessed')).status, 410);
    const known = createVisitor(product.url);
    await comeBack(known, await wayBack(known, 'norma'));
    const staff = await enter(product);
    const lines = (await staff.open('/staff/audit.csv')).text.split('\r\n');
    assert.ok(
      lines.some((line) => /,,nobody,.*single sign-on failed \(127\.0\.0\.0\/24\),refused$/.test(line)),
    );
    for (const end of [
      ',Norma Nobody,tried to sign in,no role (127.0.0.0/24),refused',
      ',signed in,by the one-time address (127.0.0.0/24),done',
    ])
      assert.ok(
        lines.some((line) => line.endsWith(end)),
        end,
      );
  });

  test('says so when the issuer does not answer', async () => {
    const [nowhere] = await freePorts(1);
    await using lonely = await startProduct({
      env: { STAFF_OIDC_ISSUER: `http://127.0.0.1:${nowhere}`, STAFF_OIDC_CLIENT_ID: 'staff' },
    });
    const answer = await createVisitor(lonely.url).get('/staff/sign-in');
    assert.equal(answer.status, 503);
    assert.match(answer.text, /does not answer/);
  });
});
