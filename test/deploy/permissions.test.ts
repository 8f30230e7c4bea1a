import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Setting, settings } from '../../src/config/settings.ts';
import { newFolder } from '../kit/folder.ts';
import { freePorts, startProcess } from '../kit/product.ts';
import { books } from '../kit/sandbox-ids.ts';
import { until } from '../kit/until.ts';
import { createVisitor } from '../kit/visitor.ts';
import { readText, root } from './files.ts';
import { refusedOf } from './permitted.ts';

const start = join(root, 'scripts', 'start.mjs');
const isLinux = process.platform === 'linux';

interface Scripts {
  permissionsOf(given: {
    env: Readonly<Record<string, string>>;
    root: string;
    platform: NodeJS.Platform;
  }): readonly string[];
}
const scripts: Scripts = await import(pathToFileURL(join(root, 'scripts', 'permissions.mjs')).href);

const home = realpathSync(newFolder());

function flags(env: Readonly<Record<string, string>>, platform: NodeJS.Platform = 'linux') {
  return scripts.permissionsOf({ env: { DATA_DIR: join(home, 'data'), ...env }, root, platform });
}

suite('The permissions of `npm start`', () => {
  const tenant = { PLATFORM_URL: 'https://tenant.example' };

  test('the permission model is not used on untried systems, when turned off, or for odd paths', () => {
    for (const platform of ['darwin', 'win32', 'freebsd'] as const) assert.deepEqual(flags({}, platform), []);
    assert.deepEqual(flags({ NODE_PERMISSION: 'off' }), []);
    for (const name of ['a,b', 'a*']) assert.deepEqual(flags({ DATA_DIR: join(home, name) }), []);
    writeFileSync(join(home, 'a-file'), '');
    assert.deepEqual(flags({ DATA_DIR: join(home, 'a-file') }), [], 'the product says why it cannot start');
  });

  test('the product may read each file that a setting can name', () => {
    const all: readonly (readonly [string, Setting])[] = Object.entries(settings);
    const secrets = all.flatMap(([name, { isSecret }]) => (isSecret ? [`${name}_FILE`] : []));
    assert.ok(secrets.length > 4);
    for (const name of [...secrets, 'CENTERS_FILE', 'SANDBOX_DATA']) {
      const path = join(home, name.toLowerCase());
      assert.ok(flags({ [name]: path }).includes(`--allow-fs-read=${path}`), name);
    }
  });

  test('the product may start a process only for the demo of the sandbox', () => {
    const processes = '--allow-child-process';
    assert.ok(flags({}).includes(processes));
    for (const env of [tenant, { DEMO_PORT: 'off' }, { CENTERS_FILE: join(home, 'none.json') }]) {
      assert.ok(!flags(env).includes(processes), JSON.stringify(env));
      assert.ok(flags(env).includes('--permission'));
    }
  });

  test('the product may read itself, its data and the files of its settings, write its data, and no more', {
    skip: isLinux ? false : 'the permission model is used on Linux alone',
  }, () => {
    const named = ['secret', 'links', 'keys.json', 'single-sign-on', 'elsewhere'];
    for (const name of named) writeFileSync(join(home, name), name);
    mkdirSync(join(home, 'behind'), { recursive: true });
    symlinkSync(join(home, 'behind'), join(home, 'linked'));
    const centers = [
      {
        linkKeys: [{ secretFile: join(home, 'links') }, { jwksFile: join(home, 'keys.json') }],
        signIn: { singleSignOn: { clientSecretFile: join(home, 'single-sign-on') } },
      },
    ];
    writeFileSync(join(home, 'centers.json'), JSON.stringify(centers));
    const permissions = flags({
      ...tenant,
      DATA_DIR: join(home, 'linked', 'data'),
      SECRET_FILE: join(home, 'secret'),
      CENTERS_FILE: join(home, 'centers.json'),
    });
    const read = (path: string) => `require('fs').readFileSync(${JSON.stringify(path)})`;
    const write = (path: string) => `require('fs').writeFileSync(${JSON.stringify(path)}, '')`;
    const allowed = [
      read(join(root, 'src', 'main.mjs')),
      write(join(home, 'linked', 'data', 'a')),
      write(join(home, 'behind', 'data', 'b')),
      ...['secret', 'links', 'keys.json', 'single-sign-on', 'centers.json'].map((name) =>
        read(join(home, name)),
      ),
    ];
    assert.deepEqual(refusedOf(permissions, allowed), []);
    const refused = [
      read('/etc/passwd'),
      read(join(home, 'elsewhere')),
      write(join(home, 'secret')),
      write(join(root, 'src', 'planted.ts')),
      write(join(root, 'planted')),
      `require('child_process').execSync('id')`,
      `new (require('worker_threads').Worker)('', { eval: true })`,
    ];
    assert.deepEqual(refusedOf(permissions, refused), refused);
  });

  test('the product works under the permission model, and receives signals', async () => {
    const { scripts: commands } = JSON.parse(readText('package.json'));
    assert.equal(commands.start, 'node scripts/start.mjs');
    // The kit appends its own command; this launcher runs the command of npm start instead.
    const launcher = ['sh', '-c', `exec "$0" ${start}`];
    const [demoPort = 0] = await freePorts(1);
    await using product = await startProcess({ launcher, env: { DEMO_PORT: String(demoPort) } });
    const visitor = createVisitor(product.url);
    const link = await product.link({ center: books, identifier: 'anna@example.org' });
    const page = await visitor.open(link);
    assert.equal(page.status, 200);
    const leaving = await visitor.open(`/centers/${books}/unsubscribe`);
    assert.equal((await visitor.submit(leaving, () => undefined)).status, 200);
    await until(
      async () => (await fetch(`http://localhost:${demoPort}/`).catch(() => undefined))?.ok,
      'the demo',
    );
    await product.stop();
    assert.doesNotMatch(product.output(), /ERR_ACCESS_DENIED|Warning/);
  });
});
