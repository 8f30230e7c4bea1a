import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { request } from 'undici';
import { staffKeyToken } from '../../../src/features/staff/staff-key.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { runCommand } from '../../kit/command.ts';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { startProduct, tenantAt } from '../../kit/product.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';

const secret = 'gLMUoUTGmeyNEuxP8mxpAt0LIitxLUUIZdiaRudK35c';

const sandbox = productOf();
const product = forSuite(() => startProduct({ env: { SECRET: secret, ...tenantAt(sandbox.sandboxUrl) } }));

/** The address that the command prints. */
async function key(...flags: readonly string[]): Promise<URL> {
  const { stdout } = await runCommand(['staff-key', ...flags], product.env);
  return new URL(stdout.trim());
}

const pathOf = ({ pathname, search }: URL) => pathname + search;

suite('The address that npm run staff-key prints', () => {
  test('the sign-in page of a tenant without a provider names the command, and nothing else leads in', async () => {
    const visitor = createVisitor(product.url);
    assert.match((await visitor.get('/staff')).text, /npm run staff-key/);
    assert.doesNotMatch(product.output(), /^Staff:/m);
    assert.doesNotMatch((await visitor.get('/')).text, /\/staff/);
    // The start itself reads the list of centers, beside the first pages.
    await until(async () => (await sandbox.sandbox.calls({ operation: 'list-centers' })).length > 0);
    await sandbox.sandbox.clearCalls();
    assert.equal((await visitor.get('/staff/tasks')).status, 401);
    assert.deepEqual(await sandbox.sandbox.calls(), []);
  });

  test('a staff key opens the staff pages once, for a viewer', async () => {
    const address = await key();
    assert.equal(address.origin, `http://localhost:${product.env['PORT']}`);
    const staff = createVisitor(product.url);
    assert.equal((await staff.open(pathOf(address))).status, 200);
    assert.equal((await staff.get('/staff/submissions')).status, 200);
    assert.equal((await staff.get('/staff/audit')).status, 403);
    const again = await createVisitor(product.url).get(pathOf(address));
    assert.equal(again.status, 410);
    assert.match(again.text, /older than 15 minutes/);
  });

  test('the audit log has each use and each try of a staff key, with its role', async () => {
    const address = await key('--role', 'auditor');
    const auditor = createVisitor(product.url);
    await auditor.open(pathOf(address));
    await createVisitor(product.url).get(pathOf(address));
    const { text } = await auditor.get('/staff/audit');
    assert.match(text, /by a one-time address, as auditor/);
    assert.match(text, /Staff key [\w-]{6}/);
    assert.match(text, /tried a one-time address/);
    const used = address.searchParams.get('key') ?? '';
    assert.ok(!text.includes(used) && !product.output().includes(used));
  });

  for (const headers of [
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 proxy' },
    { host: 'preferences.example.org' },
  ]) {
    test(`a staff key opens on this machine alone, and not through a proxy: ${Object.keys(headers)}`, async () => {
      const near = pathOf(await key());
      const refused = await request(product.url + near, { headers });
      assert.equal(refused.statusCode, 410);
      await refused.body.dump();
      assert.equal((await createVisitor(product.url).open(near)).status, 200, 'the key is unused');
      const anywhere = await request(product.url + pathOf(await key('--anywhere')), { headers });
      assert.equal(anywhere.statusCode, 303);
      await anywhere.body.dump();
    });
  }

  test('a staff key for anywhere has the address that people see', async () => {
    assert.equal((await key('--anywhere')).origin, new URL(product.env['PUBLIC_URL'] ?? product.url).origin);
  });

  test('a staff key opens nothing after a quarter of an hour, or under another secret', async () => {
    for (const [sealedBy, ago, status] of [
      [secret, 14, 303],
      [secret, 16, 410],
      ['another-secret-of-at-least-32-bytes--2', 1, 410],
    ] as const) {
      const parts = { seal: createSeal([sealedBy]), clock: { now: () => Date.now() - ago * 60_000 } };
      const value = { id: `${sealedBy}${ago}`, roles: ['viewer' as const], from: 'anywhere' as const };
      const token = staffKeyToken.seal(parts, value);
      assert.equal((await createVisitor(product.url).get(`/staff?key=${token}`)).status, status);
    }
  });

  test('the command makes no staff key for an unknown role', async () => {
    const { code, stdout } = await runCommand(['staff-key', '--role', 'boss'], product.env);
    assert.deepEqual([code, stdout], [2, '']);
  });
});
