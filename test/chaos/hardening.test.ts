import assert from 'node:assert/strict';
import { readFileSync, realpathSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { refusedOf } from '../deploy/permitted.ts';
import { forSuite } from '../kit/for-suite.ts';
import { type ProductProcess, startProcess } from '../kit/product.ts';
import { createVisitor } from '../kit/visitor.ts';
import { books, openForm, send, someone, within } from './rig.ts';

const root = join(import.meta.dirname, '..', '..');

/** The permission flags of the Dockerfile, with the folders of this machine. */
function permissions(home: string): string[] {
  const [, list = '[]'] = /^CMD (\[.*\])$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
  const command: string[] = JSON.parse(list);
  const flags = command.filter((part) => part.startsWith('--'));
  assert.ok(flags.includes('--permission'));
  return flags.flatMap((flag) => {
    if (flag === '--allow-fs-read=/app')
      return [root, realpathSync(join(root, 'node_modules'))].map((path) => `--allow-fs-read=${path}`);
    return [flag.replace('=/data', `=${join(home, 'data')}`).replace('=/app/', `=${root}/`)];
  });
}

suite('The product as it is shipped', () => {
  const product = forSuite(() =>
    startProcess({
      // The sandbox refuses other hosts; with this setting they reach the product behind it.
      env: { NODE_OPTIONS: permissions('{home}').join(' '), SANDBOX_HOSTS: 'evil.example,a' },
      // A folder that is not there yet would be one file to the permission model.
      files: { 'data/.keep': '' },
    }),
  );

  test('the product works with no more permissions than the image gives it', async () => {
    const rig = { front: product, sandbox: product.sandbox };
    const person = await someone({ rig, who: 'shipped@example.org' });
    person.form.untick('purpose', person.leaving);
    const answer = await send(person);
    assert.equal(answer.status, 303);
    assert.equal((await person.visitor.open(answer.location ?? '')).status, 200);
    assert.ok(await within(15_000, person.hasLeft));
    assert.doesNotMatch(product.output(), /ERR_ACCESS_DENIED/);
  });

  test('these permissions allow no other file, no process and no worker', () => {
    const attempts = [
      `require('fs').readFileSync('/etc/passwd')`,
      `require('fs').writeFileSync('${join(root, 'planted')}', '')`,
      `require('child_process').execSync('id')`,
      `new (require('worker_threads').Worker)('', { eval: true })`,
    ];
    assert.deepEqual(refusedOf(permissions(product.home), attempts), attempts);
  });

  test('the product takes its address from its settings, never from a Host or a forwarding header', async () => {
    const visitor = createVisitor(product.url);
    const evil = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    const page = await visitor.get('/', evil);
    const missing = await visitor.get('/nowhere', evil);
    for (const { text, headers } of [page, missing]) {
      assert.doesNotMatch(text + JSON.stringify(headers), /evil\.example/);
    }
    const answer = await raw(product, 'GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 200/);
    assert.doesNotMatch(answer, /evil\.example/);
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400/],
    ['a head of 20 KB', `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1\.1 431/],
    ['an address of 20 KB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, /^HTTP\/1\.1 431/],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na',
      /^HTTP\/1\.1 400/,
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1\.1 400/,
    ],
    ['a bare line feed in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: b\n c: d\r\n\r\n', /^HTTP\/1\.1 400/],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', /^HTTP\/1\.1 400/],
    ['TRACE', 'TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 (403|404|405)/],
    [
      'half an escape',
      'GET /centers/%E0%A4%A HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 400/,
    ],
  ];
  for (const [name, request, expected] of refused) {
    test(`the product refuses ${name}`, async () => {
      assert.match(await raw(product, request), expected);
    });
  }

  test('the metrics name no person', async () => {
    await openForm(product, books, 'anna@example.org');
    const here = await fetch(product.metricsUrl);
    assert.equal(here.status, 200);
    const text = await here.text();
    assert.match(text, /^sayso_request_seconds_count\{class="read",route="\/:center/m);
    assert.match(text, /^sayso_platform_call_seconds_count\{operation="read-subject",outcome="ok"\} [1-9]/m);
    assert.match(text, /^sayso_journal_submissions\{state="done"\} [1-9]/m);
    assert.match(text, /^sayso_event_loop_delay_seconds /m);
    assert.doesNotMatch(text, /@|anna|%40/i);
    assert.equal(here.headers.get('cache-control'), 'no-store');
  });
});

function raw(product: ProductProcess, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(product.url).port), host: '127.0.0.1' });
    let answer = '';
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', (fault) => (answer === '' ? reject(fault) : resolve(answer)));
    socket.write(text);
  });
}
