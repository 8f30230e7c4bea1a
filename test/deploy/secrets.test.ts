import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { newFolder } from '../kit/folder.ts';
import { byDigest, makeSecrets } from './processes.ts';

const made = () => randomBytes(32).toString('base64');

suite('The secrets of compose.yaml', () => {
  const home = newFolder();
  const certificate = join(home, 'certificate.pem');
  const pem = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;
  writeFileSync(certificate, pem('CERTIFICATE') + pem('EC PRIVATE KEY'));

  const given = (more: Readonly<Record<string, string>> = {}) => ({
    PLATFORM_CLIENT_SECRET: 'of-the-platform',
    CERTIFICATE: certificate,
    ...byDigest,
    ...more,
  });

  test('the secrets are random, and stay the same in later runs', async () => {
    const folder = join(home, 'twice');
    const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
    await makeSecrets(folder, given());
    const [secret, url] = [read('node/secret'), read('node/database-url')];
    assert.equal(Buffer.from(secret, 'base64').length, 32);
    assert.equal(url, `postgres://sayso:${read('postgres/database-password')}@postgres/sayso`);
    assert.equal(read('balancer/certificate.pem'), readFileSync(certificate, 'utf8').trim());
    await makeSecrets(folder, given({ PLATFORM_CLIENT_SECRET: 'another' }));
    assert.equal(read('node/secret'), secret);
    assert.equal(read('node/database-url'), url);
    assert.equal(read('node/platform-client-secret'), 'another');
    assert.equal(statSync(join(folder, 'node/secret')).mode & 0o222, 0);
  });

  test('the SECRET of an existing installation is accepted, and a different one is refused later', async () => {
    const folder = join(home, 'brought');
    const [secret, another] = [made(), made()];
    const read = () => readFileSync(join(folder, 'node/secret'), 'utf8').trim();
    await makeSecrets(folder, given({ SECRET: `${secret},the-one-before-that` }));
    assert.equal(read(), `${secret},the-one-before-that`);
    await makeSecrets(folder, given({ SECRET: secret }));
    await assert.rejects(() => makeSecrets(folder, given({ SECRET: another })), /not the one that is kept/);
    assert.equal(read(), `${secret},the-one-before-that`);
  });

  test('a SECRET that nodes refuse and an image without digest are refused', async () => {
    const folder = join(home, 'refused');
    await assert.rejects(
      () => makeSecrets(folder, given({ SECRET: 'correct-horse' })),
      /SECRET must be 32 random/,
    );
    const images = [
      ['HAPROXY_IMAGE', 'haproxy:3.2'],
      ['POSTGRES_IMAGE', 'postgres@sha256:abc'],
      ['POSTGRES_IMAGE', 'postgres:latest@sha256:'],
    ] as const;
    for (const [name, image] of images)
      await assert.rejects(
        () => makeSecrets(folder, given({ [name]: image })),
        new RegExp(`${name} must name`),
      );
    assert.ok(!existsSync(folder), 'no folder is made');
  });

  test('the SECRET is replaced in two steps, and neither loses a secret', async () => {
    const folder = join(home, 'replaced');
    const read = () => readFileSync(join(folder, 'node/secret'), 'utf8').trim().split(',');
    await makeSecrets(folder, given());
    const [first] = read();
    await makeSecrets(folder, given(), '--add-secret');
    const [kept, added] = read();
    assert.equal(kept, first);
    await makeSecrets(folder, given(), '--turn-secret');
    assert.deepEqual(read(), [added, first]);
    await assert.rejects(() => makeSecrets(folder, given(), '--turn'), /is not known/);
  });

  test('a missing client secret and a certificate without key are refused', async () => {
    const folder = join(home, 'missing');
    await assert.rejects(
      () => makeSecrets(folder, given({ PLATFORM_CLIENT_SECRET: '' })),
      /PLATFORM_CLIENT_SECRET is/,
    );
    const half = join(home, 'half.pem');
    writeFileSync(half, readFileSync(certificate, 'utf8').split('-----BEGIN EC')[0] ?? '');
    await assert.rejects(() => makeSecrets(folder, given({ CERTIFICATE: half })), /holds no private key/);
  });
});
