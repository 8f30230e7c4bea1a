import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { suite, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { ConfigFaults, readConfig } from '../../src/config/environment.ts';
import { startProduct } from '../kit/product.ts';
import { createVisitor } from '../kit/visitor.ts';
import { CLIENT, openTenant } from '../sandbox/tenant.ts';

const books = 'b00c5000-0000-4000-8000-000000000001';

function read(env: Readonly<Record<string, string>>, files: Readonly<Record<string, string>> = {}) {
  return readConfig(env, (path) => {
    const text = files[path];
    if (text === undefined) throw new Error(path);
    return text;
  });
}

function faultsOf(env: Readonly<Record<string, string>>, files?: Readonly<Record<string, string>>): string {
  try {
    read(env, files);
  } catch (fault) {
    assert.ok(fault instanceof ConfigFaults);
    return fault.message;
  }
  return '';
}

suite('The settings of mail', () => {
  test('are none without SMTP_URL, and a sender is made from the public address.', () => {
    assert.equal(read({}).mail, undefined);
    const { mail } = read({
      SMTP_URL: 'smtp://mail.example:587',
      PUBLIC_URL: 'https://choices.example.org',
      SANDBOX: 'on',
    });
    assert.equal(mail?.from, 'no-reply@choices.example.org');
    assert.equal(mail?.url.reveal(), 'smtp://mail.example:587');
  });

  test('are named when they are wrong, and never printed.', () => {
    const url = 'https://user:hidden-password@mail.example';
    const message = faultsOf({ SMTP_URL: url, MAIL_FROM: 'hidden nobody' });
    assert.match(message, /SMTP_URL must be/);
    assert.match(message, /MAIL_FROM must be/);
    assert.doesNotMatch(message, /hidden/);
    assert.doesNotMatch(
      JSON.stringify(read({ SANDBOX: 'on', SMTP_URL: 'smtps://u:hidden@mail.example' })),
      /hidden/,
    );
  });
});

suite('The keys and issuers of a center', () => {
  const center = { address: 'shop', center: books };
  const faults = (more: object, files: Readonly<Record<string, string>> = {}) =>
    faultsOf(
      { CENTERS_FILE: 'centers', SANDBOX: 'on' },
      { centers: JSON.stringify([{ ...center, ...more }]), ...files },
    );

  test('are taken by https or from this machine or a file, and refused by name otherwise.', () => {
    const key = (more: object) => ({ linkKeys: [{ issuer: 'i', ...more }] });
    const files = { bad: '{"keys":[]}', good: '{"keys":[{"kty":"OKP"}]}' };
    for (const taken of [
      key({ jwksUrl: 'https://shop.example/keys' }),
      key({ jwksUrl: 'http://127.0.0.1:9/keys' }),
      key({ jwksFile: 'good' }),
    ])
      assert.equal(faults(taken, files), '');
    const singleSignOn = { issuer: 'http://login.example', clientId: 'c' };
    for (const [refused, fault] of [
      [key({ jwksUrl: 'http://shop.example/keys' }), /linkKeys\.0\.jwksUrl must be https/],
      [key({ jwksFile: 'bad' }), /linkKeys\.0\.jwksFile is no JSON Web Key Set/],
      [key({ secret: 'short' }), /CENTERS_FILE: 0\.linkKeys\.0/],
      [{ signIn: { singleSignOn } }, /singleSignOn\.issuer must be https/],
    ] as const)
      assert.match(faults(refused, files), fault);
  });
});

suite('A tenant', () => {
  test('offers sign-in by mail only when mail can be sent, and then sends it.', async () => {
    await using platform = await openTenant({ demo: true });
    const tenant = {
      PLATFORM_URL: platform.url,
      PLATFORM_CLIENT_ID: CLIENT.clientId,
      PLATFORM_CLIENT_SECRET: CLIENT.clientSecret,
    };
    await using silent = await startProduct({ env: tenant });
    const nobody = createVisitor(silent.url);
    assert.equal((await nobody.get(`/centers/${books}/sign-in`)).status, 401);
    assert.equal((await nobody.get(`/centers/${books}`)).status, 401);
    assert.equal((await nobody.get('/sandbox/mailbox')).status, 404);

    const received: string[] = [];
    const arrived = Promise.withResolvers<void>();
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onData(stream, session, done) {
        received.push(...session.envelope.rcptTo.map(({ address }) => address));
        stream.resume();
        stream.on('end', () => {
          done();
          arrived.resolve();
        });
      },
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    try {
      const { port } = server.server.address() as AddressInfo;
      await using sending = await startProduct({ env: { ...tenant, SMTP_URL: `smtp://127.0.0.1:${port}` } });
      const visitor = createVisitor(sending.url);
      const signIn = await visitor.open(`/centers/${books}/sign-in`);
      const page = await visitor.submit(signIn, (form) => form.type('email', 'anna@example.org'));
      assert.equal(page.status, 200);
      await arrived.promise;
      assert.deepEqual(received, ['anna@example.org']);
      assert.equal((await visitor.get('/sandbox/mailbox')).status, 404);
    } finally {
      await new Promise<void>((closed) => server.close(closed));
    }
  });
});
