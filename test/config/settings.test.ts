import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import express from 'express';
import fc from 'fast-check';
import type { Environment } from '../../src/config/reading.ts';
import { times } from '../chaos/dice.ts';
import { books } from '../kit/sandbox-ids.ts';
import { faultsOf, read, secret, tenant } from './fixture.ts';

const weakSecret = 'changeme-changeme-changeme-changeme';
const sandbox = { SANDBOX: 'on' };
const shop = { address: 'shop', center: books };

const warningsOf = (env: Environment) => read(env).warnings.join('\n');

suite('A bad setting is named without its value', () => {
  const canaryDatabase = 'postgres://user:canary@db.example/sayso';
  /** Refused values of each kind; `canary` stands for text that must not be printed. */
  const bad: readonly (readonly [name: string, values: readonly string[], beside?: Environment])[] = [
    ['PORT', ['eighty-canary', '65536', '80.5']],
    ['SANDBOX_REQUESTS_PER_MINUTE', ['0', 'many-canary']],
    ['DRAIN_SECONDS', ['a-canary-while', '11']],
    ['LOG_LEVEL', ['chatty-canary']],
    ['SANDBOX_SCOPES', ['CONSENT,canary-EVERYTHING', ',']],
    ['PUBLIC_URL', ['preferences.canary', 'ftp://canary', 'https://canary/a/path', 'https://canary/?query']],
    ['PUBLIC_URL', ['https://user:canary@preferences.example']],
    ['PUBLIC_URL', ['http://canary.example'], tenant],
    ['PLATFORM_URL', ['', 'http://canary.example', 'canary.example', 'file:///canary'], tenant],
    ['PLATFORM_CLIENT_ID', ['', ' '], tenant],
    ['PLATFORM_CLIENT_SECRET', ['', ' '], tenant],
    ['PLATFORM_CLIENT_SECRET_FILE', ['/no/such/canary-file'], { ...tenant, PLATFORM_CLIENT_SECRET: '' }],
    ['SECRET', ['too-short-canary', `too-short-canary,${secret}`]],
    ['SECRET', ['', ' , ', `canary-${weakSecret}`], tenant],
    ['SECRET_FILE', ['/no/such/canary-file']],
    ['METRICS_TOKEN', [`canary-${weakSecret}`]],
    ['CENTERS_FILE', ['/no/such/canary-file']],
    ['HOST', ['everywhere-canary']],
    ['TRUST_PROXY', ['everybody-canary', '10.0.0.0/8, proxy.canary.example', '300.1.1.1', 'fe80::1%eth0']],
    ['TRUST_PROXY', ['10.0.0.0/33', 'fd00::/129', '10.0.0.0/']],
    ['TRUST_PROXY', ['0.0.0.0/0', '0.0.0.0/1, 128.0.0.0/1', '8000::/1', '::ffff:0:0/96', '::/64']],
    ['SMTP_URL', ['http://user:canary@mail.example', 'smtp://u:canary@mail.example?ignoreTLS=true']],
    ['SMTP_URL', ['smtps://u:canary@mail.example?tls.rejectUnauthorized=false']],
    ['MAIL_FROM', ['canary']],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', ['collector-canary', 'grpc://canary.example:4317']],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', ['canary']],
    ['OTEL_TRACES_SAMPLER_ARG', ['2canary']],
    ['OTEL_RESOURCE_ATTRIBUTES', ['a=canary,b', 'a=canary%']],
    ['STAFF_OIDC_ISSUER', ['http://canary.example'], { STAFF_OIDC_CLIENT_ID: 'client' }],
    ['DATABASE_URL', ['mysql://user:canary@db.example', `${canaryDatabase}?sslmode=prefer`], tenant],
    ['DATABASE_POOL', ['1'], { ...tenant, DATABASE_URL: canaryDatabase }],
    ['DATABASE_TIMEOUT_SECONDS', ['99'], { ...tenant, DATABASE_URL: canaryDatabase }],
    ['DATABASE_URL_FILE', ['/no/such/canary-file'], tenant],
  ];
  for (const [name, values, beside = sandbox] of bad) {
    test(`${name}${beside === sandbox ? '' : ` beside ${Object.keys(beside)[0]}`}: ${values.map((each) => JSON.stringify(each)).join(' ')}`, () => {
      for (const value of values) {
        const faults = faultsOf({ ...beside, [name]: value });
        assert.match(faults, new RegExp(`\\b${name}\\b`), value);
        assert.doesNotMatch(faults, /canary/, value);
      }
    });
  }

  test('STAFF_OIDC_CLIENT_ID needs an issuer', () => {
    assert.match(faultsOf({ ...sandbox, STAFF_OIDC_CLIENT_ID: 'canary' }), /^STAFF_OIDC_ISSUER is missing/m);
  });

  test('a weak secret of the product is refused with the way to make one', () => {
    const rule = /must be 32 random bytes in base64 or hex, as `openssl rand -base64 32` makes them/;
    const weak = { ...shop, linkKeys: [{ issuer: 'shop', secret: weakSecret }] };
    const inFile = { 'centers.json': JSON.stringify([weak]) };
    for (const [env, named] of [
      [{ SECRET: weakSecret }, /^SECRET /],
      [{ METRICS_TOKEN: weakSecret }, /^METRICS_TOKEN /],
      [{ CENTERS_FILE: 'centers.json' }, /^CENTERS_FILE: 0\.linkKeys\.0\.secret /],
    ] as const) {
      const faults = faultsOf({ ...tenant, ...env }, inFile);
      assert.match(faults, named);
      assert.match(faults, rule);
      assert.doesNotMatch(faults, /changeme/);
    }
  });

  test('a secret is refused if it is given twice or its file is empty', () => {
    assert.match(faultsOf({ ...tenant, SECRET_FILE: 's' }, { s: secret }), /SECRET and SECRET_FILE/);
    assert.match(faultsOf({ SECRET_FILE: 's' }, { s: ' \n' }), /SECRET_FILE names a file that is empty/);
  });
});

suite('The mode of the product', () => {
  const production = {
    PUBLIC_URL: 'https://preferences.example.org',
    CENTERS_FILE: 'centers.json',
    SECRET: secret,
  };
  /** Further settings of a real installation only. */
  const alsoProduction = Object.entries({
    HOST: 'all',
    NODE_ENV: 'production',
    TRUST_PROXY: '10.0.0.0/8',
    SMTP_URL: 'smtps://mail.example.org',
    PLATFORM_URL: '',
    PLATFORM_CLIENT_SECRET: ' ',
    PLATFORM_TOKEN_STYLE: 'basic',
    PLATFORM_URL_FILE: 'secret',
    PLATFORM_CLIENT_ID_FILE: '',
  });
  alsoProduction.push(['HOST', '0.0.0.0'], ['PUBLIC_URL', 'http://preferences.internal:8080']);
  const staff = { STAFF_OIDC_ISSUER: 'https://id.example.org', STAFF_OIDC_CLIENT_ID: 'staff' };
  const files = { 'centers.json': JSON.stringify([shop]), secret };
  const modeOf = (env: Environment) => {
    const faults = faultsOf(env, files);
    if (faults !== '') return faults;
    return read(env, files).platform === undefined ? 'sandbox' : 'tenant';
  };

  test('the product is a sandbox if no setting belongs to production', () => {
    const settings = { PUBLIC_URL: 'http://localhost:8080', DATA_DIR: '/data', PORT: '80' };
    const more = { SANDBOX_PORT: '4010', HOST: '127.0.0.1', NODE_ENV: 'development' };
    for (const env of [{}, { ...settings, ...more }])
      assert.equal(modeOf(env), 'sandbox', JSON.stringify(env));
  });

  test('a setting of production without a tenant stops the start, unless SANDBOX=on', () => {
    for (const [name, value] of [...Object.entries(production), ...alsoProduction]) {
      const without = new RegExp(`PLATFORM_URL is missing beside ${name}.*SANDBOX=on`);
      assert.match(modeOf({ [name]: value }), without);
      assert.equal(modeOf({ [name]: value, SANDBOX: 'on' }), 'sandbox', name);
    }
    assert.match(modeOf({ SECRET_FILE: 'secret' }), /PLATFORM_URL is missing beside SECRET.*SANDBOX=on/);
    assert.match(modeOf(production), /beside PUBLIC_URL, CENTERS_FILE, SECRET/);
    assert.match(modeOf(staff), /beside STAFF_OIDC_ISSUER, STAFF_OIDC_CLIENT_ID.*SANDBOX=on/);
    assert.equal(modeOf({ ...staff, SANDBOX: 'on' }), 'sandbox');
  });

  test('three settings make a tenant, never beside the sandbox', () => {
    assert.equal(modeOf(tenant), 'tenant');
    assert.equal(modeOf({ ...tenant, SANDBOX: 'off' }), 'tenant');
    assert.match(modeOf({ ...tenant, SANDBOX: 'on' }), /SANDBOX is on beside PLATFORM_URL/);
    assert.match(modeOf({ SANDBOX: 'off' }), /SANDBOX is off.*PLATFORM_URL/);
    assert.match(modeOf({ SANDBOX: 'maybe' }), /SANDBOX must be one of/);
  });

  test('the product listens at port 3000 of this machine by default, a tenant at all addresses', () => {
    const { publicUrl, ...config } = read({});
    assert.equal(publicUrl.href, 'http://localhost:3000/');
    const unset = { platform: undefined, secrets: undefined };
    assert.partialDeepStrictEqual(config, { ...unset, port: 3000, host: '127.0.0.1', dataDir: './data' });
    assert.equal(read(tenant).host, undefined);
    assert.equal(read({ ...tenant, HOST: '::1' }).host, '::1');
  });
});

suite('An accepted setting', () => {
  test('settings of a tenant choose the protocol details', () => {
    const { platform, identifierEncoding } = read({
      ...tenant,
      PLATFORM_TOKEN_STYLE: 'basic',
      PLATFORM_TOKEN_PER_SCOPE: 'on',
      PLATFORM_RATE_LIMIT_PREFIX: 'svc',
      PLATFORM_DATA_ELEMENTS_KEY: 'DsDataElements',
      PLATFORM_IDENTIFIER_ENCODING: 'percent',
    });
    const expected = { tokenStyle: 'basic', tokenPerScope: true, rateLimitPrefix: 'svc' };
    assert.partialDeepStrictEqual(platform, { ...expected, dataElementsKey: 'DsDataElements' });
    assert.equal(identifierEncoding, 'percent');
    assert.equal(read(tenant).platform?.tokenPerScope, false);
  });

  test('a secret may come from a file with a line end, and is never printed', () => {
    const unset = { SECRET: '', PLATFORM_CLIENT_SECRET: '' };
    const inFiles = { ...tenant, ...unset, SECRET_FILE: 's', PLATFORM_CLIENT_SECRET_FILE: 'c' };
    const config = read(inFiles, { s: `${secret}\n`, c: 'client-secret\n' });
    assert.equal(config.secrets?.[0]?.reveal(), secret);
    assert.equal(config.platform?.clientSecret.reveal(), 'client-secret');
    assert.ok(!(JSON.stringify(config) + String(config.secrets)).includes(secret));
    assert.doesNotMatch(JSON.stringify(config), /client-secret/);
  });

  test('a database address may come from a file, and is never printed', () => {
    const address = 'postgres://user:hidden@db.example/sayso?sslmode=verify-full';
    for (const env of [{ DATABASE_URL: address }, { DATABASE_URL_FILE: 'd' }]) {
      const config = read({ ...tenant, ...env }, { d: `${address}\n` });
      const { url, poolSize, deadlineMs } = config.database ?? assert.fail('no database');
      const known = [url.reveal(), poolSize, deadlineMs, config.warnings.join()];
      assert.deepEqual(known, [address, 10, 1_000, '']);
      assert.doesNotMatch(JSON.stringify(config), /hidden/);
    }
    assert.equal(read(tenant).database, undefined);
    const nodes = { ...sandbox, DATABASE_URL: 'postgres://localhost/sayso' };
    assert.match(faultsOf(nodes), /SECRET is missing beside DATABASE_URL/);
  });

  test('a database connection without verified encryption causes a warning', () => {
    const warned = (url: string) => warningsOf({ ...tenant, DATABASE_URL: url });
    const url = 'postgres://user@db.example/sayso';
    assert.match(warned(url), /without encryption/);
    assert.match(warned(`${url}?sslmode=require`), /trusts any server that answers/);
    for (const here of ['postgres://user@127.0.0.1/sayso', 'postgres:///sayso?host=/run/postgresql'])
      assert.equal(warned(here), '');
  });

  test('the sender of mails comes from the public address', () => {
    const set = { SMTP_URL: 'smtps://u:hidden@mail', PUBLIC_URL: 'https://choices.example' };
    const { mail } = read({ ...sandbox, ...set });
    assert.equal(mail?.from, 'no-reply@choices.example');
    assert.doesNotMatch(JSON.stringify(mail), /hidden/);
    assert.equal(read({}).mail, undefined);
  });

  test('a collector gets traces unless they are switched off', () => {
    const tracesOf = (env: Environment) =>
      read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', ...env }).traces;
    assert.equal(read({}).traces, undefined);
    assert.equal(tracesOf({})?.url.href, 'http://127.0.0.1:9/v1/traces');
    for (const [env, share] of [
      [{}, 1],
      [{ OTEL_SDK_DISABLED: 'true' }, undefined],
      [{ OTEL_TRACES_EXPORTER: 'none' }, undefined],
      [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, 0],
      [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, 0],
    ] as const)
      assert.equal(tracesOf(env)?.share, share, JSON.stringify(env));
  });

  test('an older secret may be weak, with a warning', () => {
    const { secrets = [], warnings } = read({ ...tenant, SECRET: `${secret},${weakSecret}` });
    const revealed = secrets.map((each) => each.reveal());
    assert.deepEqual(revealed, [secret, weakSecret]);
    assert.match(warnings.join(), /an older one is not of 32 random bytes/);
    assert.doesNotMatch(warnings.join(), /changeme/);
    assert.equal(warningsOf(tenant), '');
  });

  test('TRUST_PROXY is accepted only if express accepts it', () => {
    const entry = fc.oneof(
      fc.tuple(fc.ipV4(), fc.option(fc.integer({ min: 1, max: 32 }))),
      fc.tuple(fc.ipV6(), fc.option(fc.integer({ min: 1, max: 128 }))),
      fc.tuple(fc.stringMatching(/^[0-9a-f.:%]{0,12}$/), fc.option(fc.nat(200))),
    );
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 3 }), (entries) => {
        const parts = entries.map(([address, bits]) => (bits === null ? address : `${address}/${bits}`));
        const env = { ...sandbox, TRUST_PROXY: parts.join(', ') };
        if (faultsOf(env) === '') express().set('trust proxy', [...read(env).trustProxy]);
      }),
      { numRuns: times(300, 2_000) },
    );
    assert.equal(faultsOf({ ...sandbox, TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,::1, fc00::/7' }), '');
  });

  test('plaintext beyond this machine needs ALLOW_PLAINTEXT, and causes a warning', () => {
    const insideOnly = { ...tenant, PUBLIC_URL: 'http://intranet:8080' };
    assert.match(faultsOf(insideOnly), /ALLOW_PLAINTEXT=on/);
    assert.match(warningsOf({ ...insideOnly, ALLOW_PLAINTEXT: 'on' }), /PUBLIC_URL is http/);
    // A server may offer STARTTLS; without it no mail is sent.
    assert.equal(read({ ...sandbox, SMTP_URL: 'smtp://mail:25' }).mail?.requiresTls, true);
    const loosened = 'smtps://mail?tls.rejectUnauthorized=false';
    assert.match(faultsOf({ ...sandbox, SMTP_URL: loosened }), /ALLOW_PLAINTEXT=on/);
    for (const SMTP_URL of ['smtp://mail:25', loosened]) {
      const { mail, warnings } = read({ ...sandbox, SMTP_URL, ALLOW_PLAINTEXT: 'on' });
      assert.equal(mail?.requiresTls, false);
      assert.match(warnings.join(), /SMTP_URL is no smtps/);
    }
    const here = { PUBLIC_URL: 'http://127.0.0.1:3000', SMTP_URL: 'smtp://localhost:25' };
    const { warnings, mail } = read({ ...tenant, ...here });
    assert.deepEqual([warnings, mail?.requiresTls], [[], false]);
  });

  test('a sandbox in a local network, or with an unknown port, causes a warning', () => {
    assert.match(warningsOf({ ...sandbox, PUBLIC_URL: 'http://192.0.2.7:3000' }), /PUBLIC_URL is http/);
    assert.match(warningsOf({ PORT: '0' }), /PUBLIC_URL is missing beside PORT=0/);
    assert.equal(warningsOf({ PORT: '0', PUBLIC_URL: 'http://localhost:8080' }), '');
  });
});
