import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SMTPServerOptions } from 'smtp-server';
import { faultForLog } from '../../src/core/model/logged-fault.ts';
import type { Mail } from '../../src/core/model/mail.ts';
import { createMailbox } from '../../src/mail/mailbox.ts';
import { createSmtpMailer, readSender } from '../../src/mail/smtp.ts';
import { makeAuthority } from '../kit/authority.ts';
import { forSuite } from '../kit/for-suite.ts';
import { startMailServer } from '../kit/mail-server.ts';
import { startProduct, tenantAt } from '../kit/product.ts';
import { books } from '../kit/sandbox-ids.ts';
import { until } from '../kit/until.ts';
import { createVisitor } from '../kit/visitor.ts';
import { CLIENT, openTenant } from '../sandbox/tenant.ts';

const mail: Mail = {
  to: 'anna@example.org',
  from: 'Hafenbücher',
  subject: 'Ihr Link zu Ihrer Auswahl bei Hafenbücher – رابط',
  text: 'Guten Tag,\n\nhttps://preferences.example.org/centers/x/sign-in/link?k=abc\n\n042317\n',
  html: '<!doctype html><html lang="de"><body><h1>Grüße</h1></body></html>',
  language: 'de',
};

suite('A message by SMTP', () => {
  const server = forSuite(() =>
    startMailServer({
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username, password }, _session, done) =>
        username === 'sayso' && password === 'secret'
          ? done(null, { user: username })
          : done(new Error('no')),
    }),
  );
  const mailer = (from: string, options: { requiresTls?: boolean } = {}) =>
    createSmtpMailer({ url: server.url.replace('//', '//sayso:secret@'), from, ...options });

  test('a message is sent to another machine only with encryption', async () => {
    const strict = mailer('no-reply@example.org', { requiresTls: true });
    await assert.rejects(strict.check(), { code: 'ETLS' });
    await assert.rejects(strict.send(mail), { code: 'ETLS' });
    strict.close();
    assert.deepEqual(server.received, []);
    const here = mailer('no-reply@example.org');
    await here.check();
    here.close();
  });

  test('a message has a text and an HTML part, a language, and says that it is automatic', async () => {
    const sending = mailer('no-reply@example.org');
    await sending.send(mail);
    sending.close();
    const { from, to, source } = server.received.at(-1) ?? assert.fail('no mail arrived');
    assert.deepEqual([from, to], ['no-reply@example.org', 'anna@example.org']);
    for (const line of [
      /^Content-Type: multipart\/alternative/m,
      /^Content-Type: text\/plain; charset=utf-8/m,
      /^Content-Type: text\/html; charset=utf-8/m,
      /^Content-Language: de/m,
      /^Auto-Submitted: auto-generated/m,
      /^From: =\?UTF-8\?.*<no-reply@example\.org>/m,
      /042317/,
    ])
      assert.match(source, line);
  });

  test('a message goes to one address, whatever its text contains', async () => {
    const sending = mailer('Care <care@example.org>');
    const before = server.received.length;
    const [a, b] = ['a@example.org', 'b@example.org'];
    for (const to of [`${a}, ${b}`, `${a}\r\nBcc: ${b}`, `${b}>${a}`])
      await sending.send({ ...mail, to }).catch(() => undefined);
    sending.close();
    for (const { to, source } of server.received.slice(before)) {
      assert.doesNotMatch(to, /,|^b@example\.org$/);
      assert.doesNotMatch(source, /^Bcc:/im);
    }
  });

  test('an unreachable server fails the message soon', async () => {
    const lost = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: 'no-reply@example.org' });
    await assert.rejects(lost.send(mail));
    lost.close();
  });

  test('a refused message is logged with its reason, without the address or the words of the server', async () => {
    const reasons = async (options: SMTPServerOptions, user = '') => {
      await using refusing = await startMailServer({
        authOptional: false,
        disabledCommands: ['STARTTLS'],
        ...options,
      });
      const scheme = options.secure ? 'smtps' : 'smtp';
      const url = `${scheme}://${user}localhost:${new URL(refusing.url).port}`;
      const sending = createSmtpMailer({ url, from: 'a@example.org' });
      const fault = await sending.send(mail).catch((thrown: unknown) => thrown);
      sending.close();
      const logged = faultForLog(fault);
      assert.doesNotMatch(JSON.stringify(logged), /anna|wrong password|hunter2/);
      return logged?.reason;
    };
    const no = (words: string, responseCode: number) => Object.assign(new Error(words), { responseCode });
    const onRcptTo: SMTPServerOptions['onRcptTo'] = (_address, _session, done) =>
      done(no('5.1.1 anna@example.org is not here', 550));
    const refused = await reasons({ authOptional: true, onRcptTo });
    assert.equal(refused, 'the mail server says 550 5.1.1 to RCPT TO');
    const onAuth: SMTPServerOptions['onAuth'] = (_auth, _session, done) =>
      done(no('wrong password hunter2', 535));
    assert.match((await reasons({ onAuth }, 'sayso:hunter2@')) ?? '', /^the mail server says 535 to AUTH/);
    const authority = makeAuthority();
    const trusted = await reasons({ secure: true, ...authority.issue(['localhost']) });
    const expired = await reasons({ secure: true, ...authority.issueOver(['localhost']) });
    authority.close();
    assert.match(trusted ?? '', /name its file in NODE_EXTRA_CA_CERTS$/);
    assert.match(expired ?? '', /certificate/);
  });

  test('a sender is an address, or a name and an address', () => {
    const address = 'care@example.org';
    for (const [text, name] of [
      [address, undefined],
      [`Customer Care <${address}>`, 'Customer Care'],
      [`"Care, Ltd." <${address}>`, 'Care, Ltd.'],
      [`<${address}>`, undefined],
    ] as const)
      assert.deepEqual(readSender(text), { name, address });
  });
});

test('a tenant offers sign-in by mail only with a mail server, and then sends the mail', async () => {
  await using platform = await openTenant({ demo: true });
  const tenant = { ...tenantAt(platform.url), PLATFORM_CLIENT_SECRET: CLIENT.clientSecret };
  await using silent = await startProduct({ env: tenant });
  const stranger = createVisitor(silent.url);
  const paths = [`/centers/${books}/sign-in`, `/centers/${books}`, '/sandbox/mailbox'];
  const answers = await Promise.all(paths.map((path) => stranger.get(path)));
  assert.equal(answers.map(({ status }) => status).join(), '401,401,404');
  await using server = await startMailServer();
  await using sending = await startProduct({ env: { ...tenant, SMTP_URL: server.url } });
  const visitor = createVisitor(sending.url);
  const signIn = await visitor.open(`/centers/${books}/sign-in`);
  const page = await visitor.submit(signIn, (form) => form.type('email', 'anna@example.org'));
  assert.equal(page.status, 200);
  await until(() => server.received.length > 0);
  assert.equal(server.received[0]?.to, 'anna@example.org');
  assert.equal((await visitor.get('/sandbox/mailbox')).status, 404);
});

suite('The sandbox’s mailbox', () => {
  test('the mailbox keeps the last hundred messages, the newest first', async () => {
    const clock = { at: 0, now: () => clock.at };
    const mailbox = createMailbox(clock);
    for (let count = 1; count <= 105; count += 1) {
      clock.at = count;
      await mailbox.send({ ...mail, to: `${count}@example.org` });
    }
    const kept = mailbox.list();
    assert.equal(kept.length, 100);
    assert.partialDeepStrictEqual(kept[0], { to: '105@example.org', at: 105 });
    assert.equal(mailbox.find(kept[3]?.id ?? 0)?.to, '102@example.org');
    assert.equal(mailbox.find(1), undefined);
  });
});
