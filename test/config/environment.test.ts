import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ConfigFaults, readConfig } from '../../src/config/environment.ts';

const secret = '5UL7kQZsTixYUDT5fVbvi8r1z0d6ZKSemjSjNXVGuYo';
const tenant = {
  SECRET: secret,
  PLATFORM_URL: 'https://platform.example',
  PLATFORM_CLIENT_ID: 'id',
  PLATFORM_CLIENT_SECRET: 'hidden-secret',
  PUBLIC_URL: 'https://preferences.example',
};

function read(env: Readonly<Record<string, string>>) {
  return readConfig({ ...tenant, ...env }, (path) => {
    if (path === '/url') return 'postgres://user:hidden@db.example/sayso?sslmode=verify-full\n';
    if (path === '/empty') return '\n';
    throw new Error('no such file');
  });
}

function faultsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    read(env);
  } catch (fault) {
    assert.ok(fault instanceof ConfigFaults);
    assert.doesNotMatch(fault.message, /hidden/);
    return fault.faults;
  }
  return [];
}

suite('The settings of a database', () => {
  test('are none by default: files in the data folder.', () => {
    assert.equal(read({}).database, undefined);
  });

  test('may be an address or a file that holds it, which never prints.', () => {
    for (const env of [
      { DATABASE_URL: 'postgres://user:hidden@db.example/sayso?sslmode=verify-full' },
      { DATABASE_URL_FILE: '/url' },
    ]) {
      const config = read(env);
      assert.equal(new URL(config.database?.url.reveal() ?? '').password, 'hidden');
      assert.equal(config.database?.poolSize, 10);
      assert.equal(config.database?.deadlineMs, 1_000);
      assert.deepEqual(config.warnings, []);
      assert.doesNotMatch(JSON.stringify(config), /hidden/);
    }
  });

  test('are refused where they are wrong, by their names alone.', () => {
    const url = 'postgres://user:hidden@db.example/sayso';
    for (const [env, fault] of [
      [{ DATABASE_URL: 'mysql://user:hidden@db.example' }, /^DATABASE_URL must be an address such as/],
      [{ DATABASE_URL: `${url}?sslmode=prefer` }, /^DATABASE_URL: sslmode must be one of/],
      [{ DATABASE_URL: url, DATABASE_POOL: '1' }, /^DATABASE_POOL must be/],
      [{ DATABASE_URL: url, DATABASE_TIMEOUT_SECONDS: '99' }, /^DATABASE_TIMEOUT_SECONDS must be/],
      [{ DATABASE_URL_FILE: '/empty' }, /^DATABASE_URL_FILE names a file that is empty/],
      [{ DATABASE_URL_FILE: '/nowhere' }, /^DATABASE_URL_FILE names a file that cannot be read/],
    ] as const) {
      const faults = faultsOf(env);
      assert.equal(faults.length, 1);
      assert.match(faults[0] ?? '', fault);
    }
  });

  test('need a secret that every node has, in the sandbox, too.', () => {
    assert.throws(
      () => readConfig({ SANDBOX: 'on', DATABASE_URL: 'postgres://localhost/sayso' }, () => ''),
      /SECRET is missing beside DATABASE_URL/,
    );
  });

  test('are warned of where what goes to it can be read on the way.', () => {
    const warnings = (url: string) => read({ DATABASE_URL: url }).warnings.join();
    assert.match(warnings('postgres://user@db.example/sayso'), /without encryption/);
    assert.match(
      warnings('postgres://user@db.example/sayso?sslmode=require'),
      /trusts any server that answers/,
    );
    for (const url of ['postgres://user@127.0.0.1/sayso', 'postgres:///sayso?host=/run/postgresql'])
      assert.equal(warnings(url), '');
  });
});

test('Traces are sent where a collector is named, unless they are switched off.', () => {
  const tracesOf = (env: Readonly<Record<string, string>>) =>
    read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', ...env }).traces;
  assert.equal(tracesOf({})?.url.href, 'http://127.0.0.1:9/v1/traces');
  assert.equal(tracesOf({})?.share, 1);
  assert.equal(read({}).traces, undefined);
  assert.equal(tracesOf({ OTEL_SDK_DISABLED: 'true' }), undefined);
  assert.equal(tracesOf({ OTEL_TRACES_EXPORTER: 'none' }), undefined);
  assert.equal(tracesOf({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' })?.share, 0);
  assert.equal(tracesOf({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' })?.share, 0);
});
