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
    vera: { sub: 'vera', name: 'Vera Viewer', groups: { sayso: ['viewer'] } },
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

  test('gives a viewer no more than reading', async () => {
    const visitor = createVisitor(product.url);
    await comeBack(visitor, await wayBack(visitor, 'vera'));
    assert.equal((await visitor.get('/staff/notices')).status, 200);
    assert.equal((await visitor.get('/staff/tasks/new')).status, 403);
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

  test('ends for good by signing out', async () => {
    const visitor = createVisitor(product.url);
    await comeBack(visitor, await wayBack(visitor, 'edda'));
    const home = await visitor.get('/staff');
    const token = /action="\/staff\/sign-out">\s*<input type="hidden" name="token" value="([^"]+)"/.exec(
      home.text,
    )?.[1];
    const before = new Map(visitor.cookies);
    const out = await visitor.post('/staff/sign-out', [['token', token ?? '']]);
    assert.equal(out.location, `${product.url}/staff/signed-out`);
    for (const [name, value] of before) visitor.cookies.set(name, value);
    assert.equal((await visitor.get('/staff')).status, 401);
  });

  test('notes strangers at the sign-in, who cannot fill the audit log', async () => {
    const stranger = createVisitor(product.url);
    for (let tries = 0; tries < 40; tries += 1) {
      assert.equal((await stranger.get('/staff/callback?state=x&code=y')).status, 401);
      assert.equal((await stranger.get('/staff?key=guessed')).status, 410);
    }
    const known = createVisitor(product.url);
    await comeBack(known, await wayBack(known, 'norma'));
    const staff = await enter(product);
    const lines = (await staff.open('/staff/audit.csv')).text.split('\r\n');
    const isStranger = (line: string) => /,,nobody,.*,refused$/.test(line);
    const told = lines.filter(isStranger).length;
    assert.ok(told >= 1 && told <= 21, `${told} lines`);
    const counted = lines.flatMap(
      (line) => /,(\d+) more within the hour \(the last from 127\.0\.0\.0\/24\),/.exec(line)?.[1] ?? [],
    );
    assert.equal(counted.length, 1, 'the rest is one line');
    assert.ok(Number(counted[0]) > 0);
    assert.ok(lines.some((line) => line.includes('single sign-on failed (127.0.0.0/24)')));
    // Newest first: who is known is told of after all of them.
    const norma = lines.findIndex((line) =>
      line.endsWith(',Norma Nobody,tried to sign in,no role (127.0.0.0/24),refused'),
    );
    assert.ok(norma !== -1 && norma < lines.findIndex(isStranger));
    assert.ok(lines.some((line) => line.endsWith(',signed in,by the one-time address (127.0.0.0/24),done')));
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
