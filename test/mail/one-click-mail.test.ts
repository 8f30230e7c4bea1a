import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { readOneClickMail } from '../../src/mail/one-click-mail.ts';
import { type Authority, makeAuthority } from '../kit/authority.ts';
import { newFolder } from '../kit/folder.ts';
import { freePorts } from '../kit/product.ts';

const address = 'https://preferences.example.org/u/KU-6b-QyJ0URvHfkeqoDjx2y75f8rZCevaDWp6cdCLASxl4TsjEE';
const signature =
  'DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=k;\r\n h=From:To:List-Unsubscribe:\r\n  List-Unsubscribe-Post; bh=x; b=y';
const whole = {
  unsubscribe: `List-Unsubscribe: <${address}>`,
  post: 'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  signature,
  results: 'Authentication-Results: mx.example.net;\r\n dkim=pass header.d=example.org',
};

function mailOf(change: Partial<typeof whole> = {}): Buffer {
  const lines = Object.values({ ...whole, ...change }).filter((line) => line !== '');
  lines.push('From: a@example.org', '', 'List-Unsubscribe: <https://no.example>', '');
  return Buffer.from(lines.join('\r\n'));
}

suite('A mail', () => {
  test('a mail with both headers and a valid signature supports one click', () => {
    const { findings, address: found } = readOneClickMail(mailOf());
    assert.equal(found, address);
    assert.equal(findings.map(({ kind }) => kind).join(), 'ok,ok,ok,ok');
  });

  test('a mail may fold before the address, add a mailto, end lines with LF, and use any case in names', () => {
    const folded = mailOf({
      unsubscribe: `LIST-unsubscribe:\r\n <mailto:a@example.org>,\r\n <${address}>`,
      signature: signature.replace('List-Unsubscribe-Post', 'list-unsubscribe-post'),
    });
    for (const mail of [folded, Buffer.from(folded.toString().replaceAll('\r\n', '\n'))]) {
      const { findings, address: found } = readOneClickMail(mail);
      assert.equal(found, address);
      for (const { kind, text } of findings) assert.equal(kind, 'ok', text);
    }
  });

  const at = (value: string) => ({ unsubscribe: `List-Unsubscribe: ${value}` });
  const encoded = '=?utf-8?q?=3Chttps=3A//a?=\r\n =?utf-8?q?=2Eexample=3E?=';
  const folded = `<${address.slice(0, 60)}\r\n ${address.slice(60)}>`;
  const twice = (line: string) => `${line}\r\n${line}`;
  const faults: Readonly<Record<string, readonly [Partial<typeof whole>, RegExp]>> = {
    'without the address': [{ unsubscribe: '' }, /^List-Unsubscribe: it is not there/],
    'with two headers': [{ unsubscribe: twice(whole.unsubscribe) }, /^List-Unsubscribe: it is there twice/],
    'with encoded words': [at(encoded), /encoded words/],
    'without brackets': [at(address), /angle brackets/],
    'with a mailto alone': [at('<mailto:a@example.org>'), /no https address/],
    'with http': [at('<http://a.example/u/x>'), /is http/],
    'folded within the address': [at(folded), /folded in the middle/],
    'with a line that is too long': [at(`<${address.padEnd(1_000, 'x')}>`), /998 characters/],
    'without the second header': [{ post: '' }, /^List-Unsubscribe-Post: it is not there/],
    'with something else in it': [{ post: 'List-Unsubscribe-Post: One-Click' }, /says something else/],
    'with it twice': [{ post: twice(whole.post) }, /Post: it is there twice/],
    'not signed': [{ signature: '' }, /DKIM: no signature/],
    'signed without one of them': [
      { signature: signature.replace(/List-Unsubscribe:\s*/, '') },
      /no signature covers list-unsubscribe \(h=\)/,
    ],
    'signed without the other': [
      { signature: signature.replace(/:\s*List-Unsubscribe-Post/, '') },
      /no signature covers list-unsubscribe-post \(h=\)/,
    ],
    'changed on its way': [{ results: 'Authentication-Results: mx; dkim=fail; spf=pass' }, /says fail/],
  };
  test('a mail with one fault has one finding', () => {
    for (const [title, [change, message]] of Object.entries(faults)) {
      const wrong = readOneClickMail(mailOf(change)).findings.filter(({ kind }) => kind !== 'ok');
      assert.equal(wrong.map(({ kind }) => kind).join(), 'fault', `${title}: ${JSON.stringify(wrong)}`);
      assert.match(wrong[0]?.text ?? '', message);
    }
  });

  test('the signature of a mail that was not received yet is not called valid', () => {
    const unsure = readOneClickMail(mailOf({ results: '' })).findings.filter(({ kind }) => kind === 'unsure');
    assert.match(unsure[0]?.text ?? '', /whether the signature is valid/);
  });
});

suite('npm run check-mail', () => {
  let authority: Authority;
  const home = newFolder();
  let origin: string;
  const requests: string[] = [];
  let server: Server;

  before(async () => {
    authority = makeAuthority();
    server = createServer(authority.issue(['localhost']), async (request, response) => {
      requests.push(`${request.method} ${request.url} ${await text(request)}`.trim());
      const status = Number(request.url?.slice(1, 4));
      response.writeHead(request.method === 'POST' ? 200 : status, { location: '/200' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.close();
    authority.close();
  });

  async function check(href: string, flags: readonly string[] = [], { trusted = true } = {}) {
    writeFileSync(join(home, 'mail.eml'), mailOf({ unsubscribe: `List-Unsubscribe: <${href}>` }));
    requests.length = 0;
    const path = process.env['PATH'] ?? '';
    const env = { PATH: path, ...(trusted ? { NODE_EXTRA_CA_CERTS: authority.file } : {}) };
    const main = join(import.meta.dirname, '../../src/main.mjs');
    const args = [main, 'check-mail', '--file', 'mail.eml', ...flags];
    return new Promise<{ code: unknown; text: string }>((resolve) => {
      execFile(process.execPath, args, { env, cwd: home }, (fault, stdout, stderr) =>
        resolve({ code: fault?.code ?? 0, text: stdout + stderr }),
      );
    });
  }

  test('the command opens the address, and posts to it only with --post', async () => {
    const looked = await check(`${origin}/200`);
    assert.equal(looked.code, 0, looked.text);
    assert.match(looked.text, /ok {5}GET: 200\n {2}unsure POST: not tried/);
    assert.deepEqual(requests, ['GET /200']);
    const pressed = await check(`${origin}/200`, ['--post']);
    assert.equal(pressed.code, 0, pressed.text);
    assert.match(pressed.text, /POST: 200/);
    assert.deepEqual(requests, ['GET /200', 'POST /200 List-Unsubscribe=One-Click']);
  });

  test('a redirect or a missing page makes the exit code 1, and stops the post', async () => {
    for (const [path, message] of [
      ['/302', /FAULT {2}GET: 302, a redirect/],
      ['/404', /FAULT {2}GET: 404, nothing is there/],
    ] as const) {
      const { code, text } = await check(`${origin}${path}`, ['--post']);
      assert.equal(code, 1);
      assert.match(text, message);
      assert.deepEqual(requests, [`GET ${path}`]);
    }
  });

  test('the command says why there is no answer', async () => {
    const [port] = await freePorts(1);
    const { text } = await check(`https://localhost:${port}/200`);
    assert.match(text, /FAULT {2}GET: no answer \(ECONNREFUSED\)/);
    const untrusted = await check(`${origin}/200`, [], { trusted: false });
    assert.equal(untrusted.code, 1);
    assert.match(untrusted.text, /GET: no answer \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/);
  });
});
