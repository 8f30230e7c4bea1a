import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readConfig } from '../../../src/config/environment.ts';
import { onRecord } from '../../chaos/rig.ts';
import { runCommand } from '../../kit/command.ts';
import { oneClick } from '../../kit/one-click.ts';
import { type Product, startProduct, tenantAt } from '../../kit/product.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';

const anna = 'anna@example.org';
const secret = 'k7EhmthNRqnQbtqlX4PasDTFt103b1XHVyg2Q78JGfs';

const tenant = {
  SECRET: secret,
  PLATFORM_URL: 'https://tenant.example',
  PLATFORM_CLIENT_ID: 'client',
  PLATFORM_CLIENT_SECRET: 'client-secret',
};
const production = {
  PUBLIC_URL: 'https://preferences.example.org',
  CENTERS_FILE: 'centers.json',
  SECRET: secret,
};
/** What else only a real installation has. */
const alsoProduction: readonly (readonly [string, string])[] = [
  ['PUBLIC_URL', 'http://preferences.internal:8080'],
  ['HOST', 'all'],
  ['HOST', '0.0.0.0'],
  ['NODE_ENV', 'production'],
  ['TRUST_PROXY', '10.0.0.0/8'],
  ['SMTP_URL', 'smtps://mail.example.org'],
  ['PLATFORM_URL', ''],
  ['PLATFORM_CLIENT_SECRET', ' '],
  ['PLATFORM_TOKEN_STYLE', 'basic'],
  ['PLATFORM_URL_FILE', 'secret'],
  ['PLATFORM_CLIENT_ID_FILE', ''],
];
const staff = { STAFF_OIDC_ISSUER: 'https://id.example.org', STAFF_OIDC_CLIENT_ID: 'staff' };
const files: Readonly<Record<string, string>> = {
  'centers.json': JSON.stringify([{ address: 'shop', center: books }]),
  secret,
  empty: ' \n',
};

/** `sandbox`, `tenant`, or the faults. */
function becomes(env: Readonly<Record<string, string>>): string {
  try {
    const config = readConfig(env, (path) => {
      const text = files[path];
      if (text === undefined) throw new Error(path);
      return text;
    });
    return config.platform === undefined ? 'sandbox' : 'tenant';
  } catch (fault) {
    return String(fault);
  }
}

suite('What the product becomes', () => {
  const table: readonly (readonly [what: string, env: Readonly<Record<string, string>>, expected: RegExp])[] =
    [
      ['nothing set, as on a fresh machine', {}, /^sandbox$/],
      ['a public address on this machine', { PUBLIC_URL: 'http://localhost:8080' }, /^sandbox$/],
      ['a folder and ports', { DATA_DIR: '/data', PORT: '80', SANDBOX_PORT: '4010' }, /^sandbox$/],
      ['a tenant', tenant, /^tenant$/],
      ['a tenant, and the sandbox off', { ...tenant, SANDBOX: 'off' }, /^tenant$/],
      ['a tenant, and the sandbox on', { ...tenant, SANDBOX: 'on' }, /SANDBOX is on beside PLATFORM_URL/],
      ['the sandbox off, and nothing else', { SANDBOX: 'off' }, /SANDBOX is off.*PLATFORM_URL/],
      ['a word that is none', { SANDBOX: 'maybe' }, /SANDBOX must be one of/],
      ['a secret in a file', { SECRET_FILE: 'secret' }, /PLATFORM_URL is missing beside SECRET.*SANDBOX=on/],
      ['an empty file for the secret', { SECRET_FILE: 'empty' }, /SECRET_FILE names a file that is empty/],
      ['a tenant without its address', { ...tenant, PLATFORM_URL: '' }, /PLATFORM_URL is missing/],
      ...(['PLATFORM_URL', 'PLATFORM_CLIENT_ID', 'PLATFORM_CLIENT_SECRET'] as const).map(
        (name) =>
          [`a tenant without ${name}`, { ...tenant, [name]: ' ' }, new RegExp(`${name} is missing`)] as const,
      ),
      ['staff of an organization', staff, /beside STAFF_OIDC_ISSUER, STAFF_OIDC_CLIENT_ID.*SANDBOX=on/],
      ['staff and the sandbox asked for', { ...staff, SANDBOX: 'on' }, /^sandbox$/],
      ['an address of this machine', { HOST: '127.0.0.1', NODE_ENV: 'development' }, /^sandbox$/],
      ...[...Object.entries(production), ...alsoProduction].flatMap(
        ([name, value]) =>
          [
            [
              `${name} alone`,
              { [name]: value },
              new RegExp(`PLATFORM_URL is missing beside ${name}.*SANDBOX=on`),
            ],
            [`${name} with the sandbox asked for`, { [name]: value, SANDBOX: 'on' }, /^sandbox$/],
          ] as const,
      ),
      ['all of them without a tenant', production, /beside PUBLIC_URL, CENTERS_FILE, SECRET/],
    ];
  for (const [what, env, expected] of table) {
    test(`with ${what}: ${expected.source}`, () => {
      const became = becomes(env);
      assert.match(became, expected);
      assert.doesNotMatch(became, /tenant\.example|client-secret|sealing-secret/);
    });
  }
});

async function writesOf(platform: Product): Promise<number> {
  const calls = await platform.sandbox.calls();
  return calls.filter(({ method }) => method === 'DELETE' || method === 'PUT').length;
}

suite('A journal is of one platform', () => {
  test('A pending withdrawal is carried out on no other one, and lost on none.', async () => {
    await using before = await startProduct();
    await using after = await startProduct();
    const env: Record<string, string> = tenantAt(before.sandboxUrl);
    await using product = await startProduct({ env });
    const settings = product.env as Record<string, string>;
    await before.sandbox.addFault({ kind: '500', operation: '*' });
    await oneClick(product, anna);
    await product.stop();
    await before.sandbox.clearFaults();
    const writes = await writesOf(after);

    settings['PLATFORM_URL'] = after.sandboxUrl;
    await assert.rejects(product.start(), (fault: Error) => {
      assert.match(fault.message, new RegExp(`is of ${before.sandboxUrl}, not of ${after.sandboxUrl}`));
      assert.match(fault.message, new RegExp(`1 unfinished.*PLATFORM_MOVED_FROM=${before.sandboxUrl}`));
      return true;
    });
    const { code, stderr } = await runCommand([], settings);
    assert.deepEqual([code, stderr.match(/\n\s+at /)], [1, null], 'no stack helps');
    settings['PLATFORM_MOVED_FROM'] = 'http://127.0.0.1:9';
    await assert.rejects(product.start(), /is of http/);
    assert.equal(await writesOf(after), writes, 'nothing was called there');

    for (const name of [
      'PLATFORM_URL',
      'PLATFORM_CLIENT_ID',
      'PLATFORM_CLIENT_SECRET',
      'PLATFORM_MOVED_FROM',
    ]) {
      delete settings[name];
    }
    settings['SANDBOX'] = 'on';
    await assert.rejects(product.start(), /is of http.*not of the sandbox/);
    delete settings['SANDBOX'];

    Object.assign(settings, tenantAt(after.sandboxUrl), { PLATFORM_MOVED_FROM: `${before.sandboxUrl}/` });
    assert.ok((await onRecord(after.sandbox, books, anna)).size > 0);
    await product.start();
    await until(
      async () => (await onRecord(after.sandbox, books, anna)).size === 0,
      'carried out at the new address',
    );
    await product.stop();
    delete settings['PLATFORM_MOVED_FROM'];
    await product.start();
    await product.stop();
    settings['PLATFORM_URL'] = before.sandboxUrl;
    await assert.rejects(product.start(), /0 unfinished/);
  });

  test('One of a version that was bound to none is bound to the platform of its first start.', async () => {
    await using platform = await startProduct();
    await using product = await startProduct();
    const settings = product.env as Record<string, string>;
    await product.stop();
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(`${product.home}/data/journal.sqlite`);
    database.exec('DELETE FROM platform');
    database.close();
    delete settings['SANDBOX'];
    Object.assign(settings, tenantAt(platform.sandboxUrl));
    await product.start();
    await product.stop();
    for (const name of ['PLATFORM_URL', 'PLATFORM_CLIENT_ID', 'PLATFORM_CLIENT_SECRET'])
      delete settings[name];
    settings['SANDBOX'] = 'on';
    await assert.rejects(product.start(), /not of the sandbox.*DATA_DIR of its own/);
  });
});
