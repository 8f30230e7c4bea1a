import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { request } from 'undici';
import { exportEvidence } from '../../../src/cli/evidence.ts';
import { openSigner, readSecrets } from '../../../src/compose/secret.ts';
import { readConfig } from '../../../src/config/environment.ts';
import type { DayRoot } from '../../../src/core/model/evidence/day-root.ts';
import type { RecordCopy, SignedRecord } from '../../../src/core/model/evidence/record-copy.ts';
import { runCommand } from '../../kit/command.ts';
import { cpuMilliseconds } from '../../kit/cpu.ts';
import { readForm, readForms, save } from '../../kit/form.ts';
import { carryOut, planMoves } from '../../kit/moves.ts';
import { type Product, startProduct } from '../../kit/product.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { setClockHere } from '../../kit/shifted-here.ts';
import { storedRows } from '../../kit/stored-rows.ts';
import { until } from '../../kit/until.ts';
import { createVisitor, type Visitor } from '../../kit/visitor.ts';
import { receiverSecret, startReceiver, type TestReceiver } from '../../webhooks/receiver.ts';

const identifier = 'anna@example.org';
const minute = 60_000;
const day = 24 * 60 * minute;
const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

let product: Product;
let folder: string;
let receiver: TestReceiver;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sayso-verify-'));
  receiver = await startReceiver();
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, `whsec_${receiverSecret}`);
  const events = [{ url: receiver.url, secretFile, types: ['root.signed'] }];
  product = await startProduct({
    store: 'files',
    centers: [{ address: books, center: books, events }],
  });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
after(async () => {
  setClockHere(0);
  await product?.[Symbol.asyncDispose]();
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function signedIn(): Promise<Visitor> {
  const visitor = createVisitor(product.url, { 'accept-language': 'en' });
  await visitor.open(await product.link({ center: books, identifier }));
  return visitor;
}

async function copyOf(visitor: Visitor): Promise<string> {
  return (await visitor.get(`/centers/${books}/record.json?lang=en`)).text;
}

const payloadOf = ({ payload }: SignedRecord) =>
  JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;

/** Uploads a file like a browser without script. */
async function upload(file: string | undefined, { lang = 'en', ip = '192.0.2.1' } = {}) {
  const stranger = createVisitor(product.url, { 'accept-language': lang });
  const page = await stranger.get('/verify');
  const [form] = readForms(page.text);
  assert.match(page.text, /<form [^>]*enctype="multipart\/form-data"/);
  const name = file === undefined ? '' : 'my-record.json';
  const answer = await request(new URL(form?.press().action ?? '', product.url), {
    method: 'POST',
    headers: {
      accept: 'text/html',
      'sec-fetch-site': 'same-origin',
      origin: product.url,
      'content-type': 'multipart/form-data; boundary=----geckoform1',
      'x-forwarded-for': ip,
    },
    body: `------geckoform1\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/json\r\n\r\n${file ?? ''}\r\n------geckoform1--\r\n`,
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}

/** Row counts of all tables except the counts of requests. */
function rows(): readonly string[] {
  const all = [...storedRows(join(product.home, 'data'))];
  return all
    .filter(([table]) => !/ (rate_counter|written)$/.test(table))
    .map(([table, { count }]) => `${table} ${count}`);
}

async function later(milliseconds: number): Promise<void> {
  await product.stop();
  setClockHere(milliseconds);
  await product.start();
}

async function roots(query = `center=${books}`) {
  const answer = await request(`${product.url}/.well-known/sayso/roots?${query}`);
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text };
}

const listedRoots = async () => {
  const { text } = await roots();
  const listed = (JSON.parse(text) as { roots: SignedRecord[] }).roots;
  return listed.length > 0 && listed;
};

/** Runs `npm run evidence` beside the running product. */
const evidence = (...args: string[]) => runCommand(['evidence', ...args], product.env);

/** The signer of an operator, who holds all keys. */
function ownSigner() {
  const config = readConfig(product.env, (path) => readFileSync(path, 'utf8'));
  const keys = { publish: async () => undefined, all: async () => [] };
  return openSigner(readSecrets(config), { recordKeys: keys });
}

let first: string;

suite('A signed copy that anyone can check', () => {
  test('a genuine copy shows its content and is in no root on its first day, and the check stores nothing', async () => {
    const visitor = await signedIn();
    const page = await visitor.get(`/centers/${books}`);
    const form = readForm(page.text, 'purpose');
    carryOut(planMoves(form), form);
    await visitor.post(new URL(form.press(save).action, page.url).href, form.press(save).fields);
    first = await until(async () => {
      const copy = await copyOf(visitor);
      return (
        !copy.includes('"pending"') &&
        (payloadOf(JSON.parse(copy)) as RecordCopy).records.every((each) => each['sayso:state'] === 'done') &&
        copy
      );
    });
    assert.match((await visitor.get(`/centers/${books}/record?lang=en`)).text, /href="\/verify\?lang=en-us"/);
    const before = rows();
    const { status, text } = await upload(first);
    assert.equal(status, 200);
    assert.match(text, /This copy is genuine/);
    assert.match(text, /It’s about anna@example\.org, at “Harbour Books/);
    assert.match(text, /<span class="name"[^>]*>The Harbour Letter<\/span>: Turned off\./);
    assert.match(text, /Not yet in the sealed list of its day/);
    assert.deepEqual(rows(), before);
    assert.match((await upload(first, { lang: 'de' })).text, /Diese Kopie ist echt/);
  });

  test('a changed copy and other files are not genuine', async () => {
    const signed = JSON.parse(first) as SignedRecord;
    const forged = Buffer.from(JSON.stringify({ ...payloadOf(signed), sub: 'ben@example.org' })).toString(
      'base64url',
    );
    const files = [
      JSON.stringify({ ...signed, payload: forged }),
      first.slice(0, -20),
      ...['{}', 'null', '[]', '"text"', '\0\0', '{"payload":"e30","protected":"e30","signature":""}'],
    ];
    for (const file of files) {
      const { status, text } = await upload(file);
      assert.equal(status, 200);
      assert.match(text, /This copy isn’t genuine/);
      assert.doesNotMatch(text, /ben@example|Harbour Letter/);
    }
    assert.match((await upload(undefined)).text, /Choose a file\./);
  });

  test('a file of 2 MiB of brackets is refused without being parsed', async () => {
    const signed = JSON.parse(first) as SignedRecord;
    const [open, close] = ['['.repeat(1_000_000), ']'.repeat(1_000_000)];
    const head = Buffer.from(open.slice(400_000) + close.slice(400_000)).toString('base64url');
    const files = {
      nested: open + close,
      'nested in a copy': `{"payload":${open}${close}}`,
      'many members': `{${Array.from({ length: 100_000 }, (_, index) => `"a${index}":""`).join()}}`,
      'nested in its head': JSON.stringify({ ...signed, protected: head }),
    };
    const parsed = await cpuMilliseconds(() => JSON.parse(files.nested), 60_000);
    for (const [name, file] of Object.entries(files)) {
      const ms = await cpuMilliseconds(async () => {
        const { text } = await upload(file, { ip: `192.0.2.${name.length}` });
        assert.match(text, /This copy isn’t genuine/);
      }, parsed / 4);
      assert.ok(ms < parsed / 4, `${name}: ${ms} ms, and ${parsed} ms to parse it`);
    }
  });

  test('a copy has its path to the root of its day, and the code of the documentation follows it', async () => {
    await later(2 * day);
    // A day is closed first; its pending submissions then have five minutes.
    await until(() => rows().find((row) => / day_root [1-9]/.test(row)));
    await later(2 * day + 20 * minute);
    const [listed] = await until(listedRoots);
    assert.ok(listed);
    const { headers } = await roots();
    assert.equal(headers['cache-control'], 'no-store');
    const dayRoot = payloadOf(listed) as DayRoot;
    assert.deepEqual([dayRoot.center, dayRoot.size, dayRoot.iss], [books, 1, product.url]);
    const sent = await until(() => receiver.taken.length > 0 && receiver.taken);
    assert.deepEqual(
      sent.map(({ body: { type, data } }) => ({ type, day: data['day'], root: data['root'] })),
      [{ type: 'root.signed', day: dayRoot.day, root: listed }],
    );
    assert.equal((await roots('center=nobody')).text, '{"roots":[]}');
    for (const query of [
      '',
      'center=a&center=b',
      'center=a&before=2026-01-01&before=2026-01-02',
      `center=${books}&before=yesterday`,
    ])
      assert.equal((await roots(query)).status, 400, query);
    assert.equal((await roots(`center=${books}&before=${dayRoot.day}`)).text, '{"roots":[]}');

    const copy = await copyOf(await signedIn());
    const { 'sayso:roots': own, records } = payloadOf(JSON.parse(copy)) as RecordCopy;
    assert.deepEqual(own, [listed]);
    assert.equal(records[0]?.['sayso:path']?.day, dayRoot.day);
    // The copy made before the root finds its path, too.
    for (const file of [copy, first])
      assert.match((await upload(file)).text, /In the sealed list of its day\./);
    assert.match((await upload(JSON.stringify(listed))).text, /This copy isn’t genuine/, 'a root is no copy');

    const docs = readFileSync(join(root, 'docs/record.md'), 'utf8');
    writeFileSync(join(folder, 'my-record.json'), copy);
    writeFileSync(join(folder, 'first.json'), first);
    for (const [language, command, file] of [
      ['js', process.execPath, 'verify.mjs'],
      ['python', 'python3', 'verify.py'],
    ] as const) {
      const [, code = ''] = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(docs) ?? [];
      assert.ok(code.split('\n').length <= 30, language);
      writeFileSync(join(folder, file), code);
      const env = { PATH: process.env['PATH'], no_proxy: '*' };
      const verified = async (name: string) =>
        (await run(command, [join(folder, file), join(folder, name), product.url], { cwd: folder, env }))
          .stdout;
      const reference: string = records[0]?.record_id ?? '';
      assert.equal(await verified('my-record.json'), `${reference} in ${dayRoot.day}\n`, language);
      assert.equal(await verified('first.json'), `${reference} in no root\n`, language);
    }
  });

  test('a copy with changed words or another person around its leaves does not match its root', async () => {
    const copy = payloadOf(JSON.parse(await copyOf(await signedIn()))) as RecordCopy;
    const signer = await ownSigner();
    const renamed = JSON.stringify(copy).replaceAll('The Harbour Letter', 'Letters of 214 partners');
    for (const forged of [renamed, JSON.stringify({ ...copy, sub: 'ben@example.org' })]) {
      const { text } = await upload(JSON.stringify(await signer.sign(forged)));
      assert.match(text, /<p class="about mistake">Doesn’t match the sealed list of its day\./);
    }
    const { text } = await upload(JSON.stringify(await signer.sign(JSON.stringify(copy))));
    assert.match(text, /In the sealed list of its day\./);
  });

  test('`npm run evidence -- --verify` finds that all submissions and roots match', async () => {
    const { code, stdout, stderr } = await evidence('--verify');
    const report = 'Erased submissions: 0.\nAll submissions, words and roots fit.\n';
    assert.deepEqual([code, stdout], [0, report], stderr);
  });

  test('the evidence table counts consents by wording, and names no person', async () => {
    const { records } = payloadOf(JSON.parse(first)) as RecordCopy;
    const purposes = records.flatMap((record) => record.purposes);
    const accepted = records[0]?.events.find(({ event_type: type }) => type === 'sayso:accepted');
    const which = {
      day: accepted?.event_time.slice(0, 10) ?? '',
      format: 'jsonl',
    } as const;
    const config = readConfig(product.env, (path) => readFileSync(path, 'utf8'));
    let table = '';
    for (const [change, counts] of [
      ['off', { agreed: 0, saved: 0, withdrew: 1 }],
      ['on', { agreed: 1, saved: 1, withdrew: 0 }],
    ] as const) {
      const answered = purposes.find((each) => each['sayso:change'] === change);
      const asked = { ...which, purpose: answered?.['sayso:id'] ?? '' };
      const line = await exportEvidence(config, asked);
      const { name, version, digest, center, language, agreed, saved, withdrew } = JSON.parse(line);
      assert.deepEqual(
        [name, version, digest, center, language],
        [answered?.purpose, answered?.['sayso:version'], answered?.['sayso:text'], books, 'en-us'],
      );
      assert.deepEqual({ agreed, saved, withdrew }, counts);
      assert.doesNotMatch(line, /anna@/);
      table = await exportEvidence(config, { ...asked, format: 'csv' });
    }
    assert.match(
      table,
      /^\ufeffday,center,purpose,language,version,digest,name,.*,agreed,saved,withdrew\r\n/,
    );
    assert.match(table, /,1,1,0\r\n$/);
    assert.equal(await exportEvidence(config, { ...which, purpose: 'none' }), '');
    assert.throws(() => exportEvidence(config, { ...which, purpose: 'none', day: '3 March' }), /--day/);
  });

  test('a replaced root of the day is found, even if it has the same key', async () => {
    const copy = await copyOf(await signedIn());
    const [listed] = await until(listedRoots);
    assert.ok(listed);
    await product.stop();
    const signer = await ownSigner();
    const other = Buffer.alloc(32, 5).toString('base64url');
    const forged = await signer.sign(JSON.stringify({ ...payloadOf(listed), root: other }));
    const database = new DatabaseSync(join(product.home, 'data', 'journal.sqlite'));
    database.prepare('UPDATE day_root SET signed = ?').run(JSON.stringify(forged));
    database.close();
    await product.start();
    const { text } = await upload(copy);
    assert.match(
      text,
      /<div class="note warning" role="alert">\s*<p class="note-title">This copy is genuine/,
    );
    assert.match(text, /<p class="about mistake">Doesn’t match the sealed list of its day\./);
    const { code, stdout, stderr } = await evidence('--verify');
    const { day: of } = payloadOf(listed) as DayRoot;
    const found = `center ${books}, ${of}: submissions of this day are not those that were there\n`;
    assert.equal(stdout, `${found}Erased submissions: 0.\n`);
    assert.equal(code, 1);
    assert.match(stderr, /^Does not fit: 1\./);
  });

  test('a sender of too many files is refused', async () => {
    let status = 200;
    for (let number = 0; number < 60 && status === 200; number += 1) ({ status } = await upload('{}'));
    assert.equal(status, 429);
  });
});
