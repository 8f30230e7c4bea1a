import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import express from 'express';
import fc from 'fast-check';
import { ConfigFaults, readConfig } from '../../../src/config/environment.ts';
import type { Environment } from '../../../src/config/reading.ts';
import { times } from '../../chaos/dice.ts';
import { canaries } from '../../kit/canaries.ts';
import { runCommand } from '../../kit/command.ts';
import { newFolder } from '../../kit/folder.ts';
import { freePorts, startProduct } from '../../kit/product.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { createVisitor } from '../../kit/visitor.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const secret = 'gLMUoUTGmeyNEuxP8mxpAt0LIitxLUUIZdiaRudK35c';
const asked = { SANDBOX: 'on' };
const tenant = {
  SECRET: secret,
  PLATFORM_URL: 'https://tenant.example',
  PLATFORM_CLIENT_ID: 'client',
  PLATFORM_CLIENT_SECRET: 'client-secret',
};

function faultsOf(env: Environment, files: Readonly<Record<string, string>> = {}): readonly string[] {
  try {
    readConfig(env, (path) => {
      const text = files[path];
      if (text === undefined) throw new Error(`ENOENT: ${path}`);
      return text;
    });
    return [];
  } catch (fault) {
    assert.ok(fault instanceof ConfigFaults, String(fault));
    return fault.faults;
  }
}

/** Runs the product's process until it ends. */
function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: root, env: { PATH: process.env['PATH'] ?? '', ...env }, timeout: 120_000 };
    execFile(process.execPath, [join(root, 'src', 'main.mjs'), ...args], options, (fault, stdout, stderr) => {
      resolve({
        code: typeof fault?.code === 'number' ? fault.code : fault === null ? 0 : -1,
        stdout,
        stderr,
      });
    });
  });
}

suite('Settings', () => {
  const home = newFolder();

  const bad: readonly (readonly [name: string, value: string, beside?: Environment])[] = [
    ['PORT', 'eighty-secret'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['SANDBOX_PORT', 'none-secret'],
    ['SANDBOX_REQUESTS_PER_MINUTE', '0'],
    ['SANDBOX_REQUESTS_PER_HOUR', 'many-secret'],
    ['SANDBOX_RATE_LIMIT_PREFIX', 'x-secret'],
    ['SANDBOX_CONSENT', 'secret-mine'],
    ['SANDBOX_SCOPES', 'CONSENT,secret-EVERYTHING'],
    ['SANDBOX_SCOPES', ','],
    ['SANDBOX_TOKEN_SECONDS', '0'],
    ['SANDBOX_TOKEN_SECONDS', 'secret'],
    ['PUBLIC_URL', 'preferences.secret.example'],
    ['PUBLIC_URL', 'ftp://secret.example'],
    ['PUBLIC_URL', 'https://secret.example/a/path'],
    ['PUBLIC_URL', 'https://secret.example/?query'],
    ['PUBLIC_URL', 'https://user:secret@preferences.example'],
    ['SECRET', 'too-short-secret'],
    ['SECRET', `${secret},too-short-secret`],
    ['SECRET_FILE', '/no/such/secret-file'],
    ['LOG_LEVEL', 'chatty-secret'],
    ['CENTERS_FILE', '/no/such/secret-file'],
    ['DRAIN_SECONDS', 'a-secret-while'],
    ['DRAIN_SECONDS', '11'],
    ['TRUST_PROXY', 'everybody-secret'],
    ['TRUST_PROXY', '10.0.0.0/8, proxy.secret.example'],
    ['TRUST_PROXY', '300.1.1.1'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', 'fd00::/129'],
    ['TRUST_PROXY', '10.0.0.0/x'],
    ['TRUST_PROXY', '10.0.0.0/'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['TRUST_PROXY', '0.0.0.0/1, 128.0.0.0/1', asked],
    ['TRUST_PROXY', '::/1, 8000::/1', asked],
    ['TRUST_PROXY', '::ffff:0:0/96', asked],
    ['TRUST_PROXY', '::/64', asked],
    ['TRUST_PROXY', 'fe80::1%eth0'],
    ['TRUST_PROXY', '1:2:3'],
    ['ALLOW_PLAINTEXT', 'secret'],
    ['PUBLIC_URL', 'http://secret.example', tenant],
    ['SMTP_URL', 'smtp://u:secret@mail.example?ignoreTLS=true'],
    ['SMTP_URL', 'smtps://u:secret@mail.example?tls.rejectUnauthorized=false'],
    ['SECRET', 'secretsecretsecretsecretsecretsecret'],
    ['SECRET', 'changeme-changeme-changeme-changeme-2024', asked],
    ['SECRET', 'correct-horse-battery-staple-correct', asked],
    ['SECRET', 'qwertyuiopasdfghjklzxcvbnm123456', asked],
    ['SECRET', 'PLEASE CHANGE THIS SECRET BEFORE PRODUCTION', asked],
    ['SECRET', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['SECRET', 'abcdefghijklmnopqrstuvwxyz0123456789'],
    ['SECRET', '0123456789abcdef0123456789abcdef0123456789'],
    ['SECRET', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', tenant],
    ['METRICS_TOKEN', 'secret'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector-secret'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://secret.example:4317'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'secret.example:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'secret/protobuf'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', 'secret'],
    ['OTEL_TRACES_SAMPLER', 'secret'],
    ['OTEL_TRACES_SAMPLER_ARG', '2secret'],
    ['OTEL_TRACES_EXPORTER', 'secret'],
    ['OTEL_SDK_DISABLED', 'secret'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=secret,b'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=secret%'],
    ['MAIL_FROM', 'secret'],
    ['SMTP_URL', 'http://user:secret@mail.example'],
    ['PLATFORM_TOKEN_STYLE', 'by-secret'],
    ['PLATFORM_URL', 'http://secret.example', tenant],
    ['PLATFORM_URL', 'secret.example', tenant],
    ['PLATFORM_URL', 'file:///secret', tenant],
    ['PLATFORM_TOKEN_STYLE', 'by-secret', tenant],
    ['PLATFORM_RATE_LIMIT_PREFIX', 'secret', tenant],
    ['PLATFORM_TOKEN_PER_SCOPE', 'secret', tenant],
    ['PLATFORM_DATA_ELEMENTS_KEY', 'secret', tenant],
    ['PLATFORM_IDENTIFIER_ENCODING', 'secret', tenant],
    ['PLATFORM_CLIENT_SECRET_FILE', '/no/such/secret-file', { ...tenant, PLATFORM_CLIENT_SECRET: '' }],
    ['SECRET', '', tenant],
    ['PLATFORM_CLIENT_ID', '', tenant],
    ['PLATFORM_CLIENT_SECRET', '', tenant],
    ['PLATFORM_URL', '', tenant],
    ['STAFF_OIDC_ISSUER', 'http://secret.example', { STAFF_OIDC_CLIENT_ID: 'client' }],
    ['STAFF_OIDC_CLIENT_ID', 'secret'],
  ];
  for (const [name, value, beside = {}] of bad) {
    const shown = value === '' ? 'missing' : JSON.stringify(value.slice(0, 40));
    test(`${name} ${shown}${beside === tenant ? ' with a tenant' : ''} is a fault that is named, without its value.`, () => {
      const faults = faultsOf({ ...beside, [name]: value });
      assert.ok(faults.length > 0);
      assert.ok(
        faults.some((fault) => fault.includes(name.replace(/^STAFF_OIDC_CLIENT_ID$/, 'STAFF_OIDC_ISSUER'))),
        faults.join(),
      );
      const text = faults.join('\n');
      if (value.length > 3) assert.ok(!text.includes(value), text);
      assert.doesNotMatch(text, /secret\.example|user:secret|secret-file/);
    });
  }

  const center = { address: 'shop', center: books };
  const badFiles: readonly (readonly [what: string, content: unknown, named: RegExp])[] = [
    ['no JSON', '{', /not JSON/],
    ['no list', {}, /the list/],
    ['nothing', [], /the list/],
    ['an entry without a center', [{ address: 'shop' }], /0\.center/],
    ['one address twice', [center, { center: bank, address: 'SHOP' }], /same address/],
    ['one center twice', [center, { address: 'other', center: books.toUpperCase() }], /same center/],
  ];
  const brand = (more: object) => ({ brand: { name: 'Shop', ...more } });
  const events = (more: object) => ({ events: [{ url: 'https://crm.example', ...more }] });
  const apiKeys = (...more: object[]) => ({
    apiKeys: more.map((each) => ({ name: 'crm', sha256: 'a'.repeat(64), scopes: ['events'], ...each })),
  });
  const noOrigins = ['https://*.canary.example', 'http://canary.example', 'data:,canary', 'https://a,canary'];
  const badCenters: readonly (readonly [what: string, more: object, named: RegExp])[] = [
    ['a center that is no GUID', { center: 'canary' }, /0\.center/],
    ['an address that is none', { address: 'a/canary' }, /0\.address/],
    ['a member that nobody knows', { colour: 'canary' }, /CENTERS_FILE: 0/],
    ['a brand without a name', { brand: {} }, /0\.brand/],
    [
      'a font that is not there',
      brand({ fonts: [{ family: 'Canary', fontFile: '/nowhere/canary.woff2' }] }),
      /0\.brand\.fonts\.0\.fontFile names a file that cannot be read/,
    ],
    [
      'a link that runs a script',
      brand({ footerLinks: [{ label: 'Help', href: 'javascript:canary()' }] }),
      /0\.brand: headerLinks and footerLinks/,
    ],
    ['an accent that cannot be read', brand({ accent: 'canary' }), /0\.brand/],
    ['a key that is too short', { linkKeys: [{ issuer: 'shop', secret: 'canary' }] }, /0\.linkKeys/],
    [
      'a file that is not there',
      { linkKeys: [{ issuer: 'shop', secretFile: '/canary' }] },
      /0\.linkKeys\.0\.secretFile/,
    ],
    [
      'an empty file of keys',
      { linkKeys: [{ issuer: 'shop', jwksFile: 'empty' }] },
      /linkKeys\.0\.jwksFile names a file that is empty/,
    ],
    [
      'a receiver that is not https',
      events({ url: 'http://canary.example', secretFile: 'hook' }),
      /0\.events\.0\.url must be an https address/,
    ],
    [
      'an empty file for events',
      events({ secretFile: 'empty' }),
      /events\.0\.secretFile names a file that is/,
    ],
    [
      'a receiver with a secret that is none',
      events({ secretFile: 'centers.json' }),
      /0\.events\.0\.secretFile must hold one to 5 lines, each whsec_/,
    ],
    [
      'a receiver of what there is not',
      events({ secretFile: 'x', types: ['canary'] }),
      /0\.events\.0\.types\.0/,
    ],
    [
      'an API key in the clear',
      apiKeys({ sha256: 'canary' }),
      /0\.apiKeys\.0\.sha256: the SHA-256 of the key/,
    ],
    ['an API key for nothing', apiKeys({ scopes: [] }), /0\.apiKeys\.0\.scopes/],
    ['one API key twice', apiKeys({ name: 'a' }, { name: 'b' }), /two apiKeys have the same sha256/],
    ['images from anywhere', { imageHosts: ['a.example', '*.canary'] }, /0\.imageHosts\.1/],
    ['origins that are none', { embedOrigins: ['canary'] }, /0\.embedOrigins/],
    ...noOrigins.map(
      (origin) =>
        [
          `origins that nobody may be: ${origin}`,
          { embedOrigins: ['https://a.example', origin] },
          /0\.embedOrigins\.1 must be https/,
        ] as const,
    ),
  ];
  const badEntries = badCenters.map(
    ([what, more, named]) => [what, [{ ...center, ...more }], named] as const,
  );
  for (const [what, content, named] of [...badFiles, ...badEntries]) {
    test(`A centers file with ${what} is a fault that is named, without its value.`, () => {
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      const faults = faultsOf({ CENTERS_FILE: 'centers.json' }, { 'centers.json': text, empty: '\n' });
      assert.match(faults.join('\n'), named);
      assert.doesNotMatch(faults.join('\n'), /canary/);
    });
  }

  test('A center that wants messages about changes needs a mail server.', () => {
    const text = JSON.stringify([{ ...center, notify: true }]);
    const asked = (env: Readonly<Record<string, string>>) =>
      faultsOf({ ...tenant, ...env, CENTERS_FILE: 'centers.json' }, { 'centers.json': text }).join();
    assert.equal(asked({}), 'CENTERS_FILE: 0.notify needs SMTP_URL');
    assert.equal(asked({ SMTP_URL: 'smtps://mail.example' }), '');
  });

  test('How a tenant is spoken to may be set.', () => {
    const styles = {
      PLATFORM_TOKEN_STYLE: 'basic',
      PLATFORM_TOKEN_PER_SCOPE: 'on',
      PLATFORM_RATE_LIMIT_PREFIX: 'svc',
      PLATFORM_DATA_ELEMENTS_KEY: 'DsDataElements',
      PLATFORM_IDENTIFIER_ENCODING: 'percent',
    };
    const { platform, identifierEncoding } = readConfig({ ...tenant, ...styles }, () => '');
    assert.deepEqual(
      [
        platform?.tokenStyle,
        platform?.tokenPerScope,
        platform?.rateLimitPrefix,
        platform?.dataElementsKey,
        identifierEncoding,
      ],
      ['basic', true, 'svc', 'DsDataElements', 'percent'],
    );
    assert.equal(readConfig(tenant, () => '').platform?.tokenPerScope, false);
  });

  test('Secrets may come from files, with a line end; from a file and directly is a fault.', () => {
    const files = { s: `${secret}\n`, c: 'client-secret\n' };
    const config = readConfig(
      {
        ...tenant,
        SECRET: '',
        SECRET_FILE: 's',
        PLATFORM_CLIENT_SECRET: '',
        PLATFORM_CLIENT_SECRET_FILE: 'c',
      },
      (path) => files[path as keyof typeof files],
    );
    assert.deepEqual(
      config.secrets?.map((each) => each.reveal()),
      [secret],
    );
    assert.equal(config.platform?.clientSecret.reveal(), 'client-secret');
    assert.doesNotMatch(JSON.stringify(config) + String(config.secrets), /client-secret|kept-between/);
    assert.match(faultsOf({ ...tenant, SECRET_FILE: 's' }, files).join(), /SECRET and SECRET_FILE/);
  });

  test('What is accepted as TRUST_PROXY is accepted by what reads the forwarded addresses.', () => {
    const entry = fc.oneof(
      fc.tuple(fc.ipV4(), fc.option(fc.integer({ min: 1, max: 32 }))),
      fc.tuple(fc.ipV6(), fc.option(fc.integer({ min: 1, max: 128 }))),
      fc.tuple(fc.stringMatching(/^[0-9a-f.:%]{0,12}$/), fc.option(fc.nat(200))),
    );
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 3 }), (entries) => {
        const text = entries
          .map(([address, bits]) => (bits === null ? address : `${address}/${bits}`))
          .join(', ');
        if (faultsOf({ ...asked, TRUST_PROXY: text }).length > 0) return;
        const { trustProxy } = readConfig({ ...asked, TRUST_PROXY: text }, () => '');
        express().set('trust proxy', [...trustProxy]);
      }),
      { numRuns: times(300, 2_000) },
    );
    assert.deepEqual(faultsOf({ ...asked, TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,::1, fc00::/7' }), []);
  });

  test('A secret that is not random is a fault, wherever it is ours; behind a random one it opens, with a word.', () => {
    const typed = 'changeme-changeme-changeme-changeme';
    const command = /must be 32 random bytes in base64 or hex, as `openssl rand -base64 32` makes them/;
    const faults = (env: Environment) => faultsOf({ ...tenant, ...env }).join();
    assert.match(faults({ SECRET: typed }), /^SECRET must/);
    assert.match(faults({ SECRET: ' , ' }), /^SECRET must/);
    assert.match(faults({ SECRET: '' }), /^SECRET is missing: it must/);
    assert.match(faults({ METRICS_TOKEN: typed }), /^METRICS_TOKEN must/);
    for (const name of ['SECRET', 'METRICS_TOKEN']) assert.match(faults({ [name]: typed }), command);
    const shop = { address: 'shop', center: books, linkKeys: [{ issuer: 'shop', secret: typed }] };
    const centers = { 'centers.json': JSON.stringify([shop]) };
    const ofCenters = faultsOf({ ...tenant, CENTERS_FILE: 'centers.json' }, centers).join();
    assert.match(ofCenters, /^CENTERS_FILE: 0\.linkKeys\.0\.secret must/);
    assert.match(ofCenters, command);
    assert.doesNotMatch(`${faults({ SECRET: typed })}${ofCenters}`, /changeme/);
    const { secrets, warnings } = readConfig({ ...tenant, SECRET: `${secret},${typed}` }, () => '');
    assert.deepEqual(
      secrets?.map((each) => each.reveal()),
      [secret, typed],
    );
    assert.match(warnings.join(), /an older one is not of 32 random bytes/);
    assert.doesNotMatch(warnings.join(), /changeme/);
    assert.deepEqual(readConfig(tenant, () => '').warnings, []);
  });

  const plain: readonly (readonly [what: string, env: Environment, warned: RegExp])[] = [
    [
      'a public address by http in a closed network',
      { ...tenant, PUBLIC_URL: 'http://intranet:8080' },
      /PUBLIC_URL is http/,
    ],
    ['a mail server of it', { ...asked, SMTP_URL: 'smtp://mail:25' }, /SMTP_URL is no smtps/],
    [
      'one whose certificate is its own',
      { ...asked, SMTP_URL: 'smtps://mail?tls.rejectUnauthorized=false' },
      /SMTP_URL is no smtps/,
    ],
  ];
  for (const [what, env, warned] of plain) {
    test(`Plaintext that leaves this machine must be allowed, and is warned of: ${what}.`, () => {
      const allowed = readConfig({ ...env, ALLOW_PLAINTEXT: 'on' }, () => '');
      assert.match(allowed.warnings.join(), warned);
      if (env['SMTP_URL'] !== undefined) assert.equal(allowed.mail?.requiresTls, false);
      const faults = faultsOf(env);
      // A server may offer encryption by STARTTLS: only then it is given anything.
      if (faults.length === 0) assert.equal(readConfig(env, () => '').mail?.requiresTls, true);
      else assert.match(faults.join(), /ALLOW_PLAINTEXT=on/);
    });
  }

  test('A port that nobody knows makes no address that can be sent, which is warned of.', () => {
    assert.match(readConfig({ PORT: '0' }, () => '').warnings.join(), /PUBLIC_URL is missing beside PORT=0/);
    assert.deepEqual(readConfig({ PORT: '0', PUBLIC_URL: 'http://localhost:8080' }, () => '').warnings, []);
  });

  test('Made-up people may be shown in a local network, with a word; what stays on this machine needs none.', () => {
    assert.match(
      readConfig({ ...asked, PUBLIC_URL: 'http://192.0.2.7:3000' }, () => '').warnings.join(),
      /PUBLIC_URL is http/,
    );
    const here = { PUBLIC_URL: 'http://127.0.0.1:3000', SMTP_URL: 'smtp://localhost:25' };
    const { warnings, mail } = readConfig({ ...tenant, ...here }, () => '');
    assert.deepEqual([warnings, mail?.requiresTls], [[], false]);
  });

  test('Without any setting it is the sandbox, on port 3000.', () => {
    const { port, publicUrl, platform, secrets, dataDir } = readConfig({}, () => '');
    assert.deepEqual(
      [port, publicUrl.href, platform, secrets, dataDir],
      [3000, 'http://localhost:3000/', undefined, undefined, './data'],
    );
  });

  test('A bad setting stops the start, and every fault is named at once, never a value.', async () => {
    const env = {
      DATA_DIR: join(home, 'never'),
      PORT: 'canary-port',
      PUBLIC_URL: 'canary-url',
      SECRET: 'canary-short',
      LOG_LEVEL: 'canary-level',
      PLATFORM_URL: 'http://canary.example',
      CENTERS_FILE: join(home, 'canary-file'),
      SANDBOX_PORT: 'canary-sandbox',
    };
    const { code, stdout, stderr } = await run([], env);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    for (const name of Object.keys(env).filter((name) => name !== 'DATA_DIR'))
      assert.match(stderr, new RegExp(`\\b${name}\\b`));
    assert.match(stderr, /PLATFORM_CLIENT_ID/);
    assert.match(stderr, /PLATFORM_CLIENT_SECRET/);
    assert.doesNotMatch(stderr, /canary|at file:|node:internal/);
    assert.ok(!existsSync(join(env.DATA_DIR, 'journal.sqlite')), 'nothing was begun');
  });

  test('What the machine refuses is said in a line: a folder that is a file, a port in use, no folder of data.', async () => {
    const file = join(home, 'a-file');
    writeFileSync(file, '');
    const [port] = await freePorts(1);
    const busy = createServer().listen(port);
    await once(busy, 'listening');
    // What has begun when the port is found to be in use ends with its process.
    const ended = [
      await runCommand([], { DATA_DIR: file, PORT: '0' }),
      await run([], { LOG_LEVEL: 'silent', DATA_DIR: join(home, 'busy'), PORT: String(port) }),
      await runCommand([], {
        DATA_DIR: join(home, 'dataless'),
        PORT: '0',
        SANDBOX_DATA: join(home, 'nowhere'),
      }),
    ];
    busy.close();
    for (const [index, named] of [/a-file/, /EADDRINUSE/, /SANDBOX_DATA/].entries()) {
      assert.equal(ended[index]?.code, 1);
      assert.match(ended[index]?.stderr ?? '', named);
      assert.doesNotMatch(ended[index]?.stderr ?? '', /\n\s+at /);
    }
  });

  test('`link` prints one line on stdout, or none and why on stderr.', async () => {
    const env = { DATA_DIR: join(home, 'links'), PUBLIC_URL: 'https://preferences.example', SANDBOX: 'on' };
    const args = ['link', '--center', books, '--identifier', canaries.person];
    const { code, stdout, stderr } = await runCommand(args, env);
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      new RegExp(`^https://preferences\\.example/centers/${books}\\?t=[\\w-]+\\.[\\w-]+\\.[\\w-]+\n$`),
    );
    assert.equal(stderr, '');
    const kept = join(env.DATA_DIR, 'secret');
    assert.ok(readFileSync(kept, 'utf8').trim().length >= 43, 'a secret was made and kept');
    assert.equal(statSync(kept).mode & 0o077, 0, 'for its owner alone');
    const wrong: readonly (readonly string[])[] = [
      ['link'],
      ['link', '--center', 'nowhere', '--identifier', 'a'],
      ['link', '--center', books],
      ['link', '--center', books, '--identifier', '\u0007'],
      ['link', '--center', books, '--identifier', 'anna@example.org\u00a0'],
      ['one-click', '--center', books, '--identifier', '\u212aate@example.org'],
      [...args, '--scope', 'everything'],
      [...args, '--days', '0'],
      [...args, '--nonsense'],
      ['no-such-command'],
    ];
    for (const some of wrong) {
      const failed = await runCommand(some, env);
      assert.equal(failed.code, 2, some.join(' '));
      assert.doesNotMatch(failed.stderr, /\n\s+at /, `${some.join(' ')}: no stack for a typing mistake`);
    }
  });

  test('In sandbox mode a secret is made once and kept: links and sessions outlive a restart.', async () => {
    await using product = await startProduct({ env: { SECRET: '' } });
    const link = await product.link({ center: books, identifier: canaries.person });
    const visitor = createVisitor(product.url);
    assert.equal((await visitor.open(link)).status, 200);
    const file = join(product.home, 'data', 'secret');
    const made = readFileSync(file, 'utf8');
    await product.stop();
    await product.start();
    assert.equal(readFileSync(file, 'utf8'), made);
    assert.equal((await visitor.open(`/centers/${books}`)).status, 200, 'the session is still there');
    assert.equal((await createVisitor(product.url).open(link)).status, 200, 'the link still opens');
    assert.ok(!product.output().includes(made.trim()));
  });

  test('Links carry the public address, never the one asked by; listed centers are at their names, others nowhere.', async () => {
    const listed = [
      {
        address: 'Harbour-Books',
        center: books.toUpperCase(),
        brand: { name: 'The Harbour', accent: '#004488' },
      },
    ];
    await using product = await startProduct({
      centers: listed,
      files: { secret: `${canaries.secret}\n` },
      env: {
        SECRET: '',
        SECRET_FILE: '{home}/secret',
        TRUST_PROXY: '127.0.0.1',
      },
    });
    const link = await product.link({ center: 'harbour-books', identifier: canaries.person });
    assert.ok(link.startsWith(`${product.url}/centers/harbour-books?t=`));
    assert.equal(
      new URL(await product.link({ center: books, identifier: canaries.person })).pathname,
      '/centers/harbour-books',
    );
    const visitor = createVisitor(product.url);
    const forged = { 'x-forwarded-host': 'attacker.example', 'x-forwarded-proto': 'https' };
    const opened = await visitor.get(link, forged);
    assert.equal(opened.location, `${product.url}/centers/harbour-books`);
    const page = await visitor.open('/centers/harbour-books', forged);
    assert.equal(page.status, 200);
    assert.match(page.text, /The Harbour/);
    assert.doesNotMatch(page.text, /attacker\.example/);
    assert.equal((await visitor.get('/centers/HARBOUR-books')).status, 200);
    for (const path of [
      `/centers/${books}`,
      '/centers/ba4c0000-0000-4000-8000-000000000001',
      '/centers/nowhere',
    ])
      assert.equal((await visitor.get(path)).status, 404, path);
    assert.ok(!existsSync(join(product.home, 'data', 'secret')), 'no secret is made where one is given');
  });
});
