import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createLocalJWKSet, flattenedVerify, type JSONWebKeySet } from 'jose';
import { request } from 'undici';
import { canaries } from '../../kit/canaries.ts';
import { textOf } from '../../kit/html.ts';
import { standing } from '../../kit/moves.ts';
import { type ProductProcess, startProcess } from '../../kit/product.ts';
import { createVisitor } from '../../kit/visitor.ts';
import told from '../../samples/release-1.0/told.json' with { type: 'json' };

/*
 * A data folder that version 1.0 wrote, over its sandbox, until it was killed with work in it: its tables as SQL, and
 * in told.json what it answered meanwhile, and under which secret. Nobody in it exists.
 */
const sample = join(import.meta.dirname, '../../samples/release-1.0');
const books = 'b00c5000-0000-4000-8000-000000000001';
const newBooks = 'b00c5000-0000-4001-8000-000000000001';
const orders = 'b00c5000-0000-4001-8000-000000000006';
const home = '/centers/shop';

let product: ProductProcess;
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sayso-release-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  for (const name of readdirSync(sample)) {
    if (name === 'told.json') continue;
    if (name.endsWith('.json')) copyFileSync(join(sample, name), join(data, name));
    if (!name.endsWith('.sql')) continue;
    const database = new DatabaseSync(join(data, name.replace('.sql', '.sqlite')));
    database.exec(readFileSync(join(sample, name), 'utf8'));
    database.close();
  }
  const preload = pathToFileURL(join(import.meta.dirname, '../../chaos/shifted-clock.ts')).href;
  // A little more than the minute that a grant may wait.
  const shift = told.until + 61_000 - Date.now();
  product = await startProcess({
    env: {
      NODE_OPTIONS: `--import=${preload}`,
      SHIFTED_CLOCK: '{home}/shift',
      DATA_DIR: data,
      SECRET: `${canaries.secret},${told.secret}`,
    },
    centers: told.centersFile,
    files: { shift: String(shift) },
  });
});
after(async () => {
  await product?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

function withCookies(cookies: readonly (readonly string[])[]) {
  const visitor = createVisitor(product.url, { 'accept-language': 'en' });
  for (const [name = '', value = ''] of cookies) visitor.cookies.set(name, value);
  return visitor;
}

async function statusesOf(identifier: string): Promise<Readonly<Record<string, string>>> {
  const { purposes } = standing(await product.sandbox.subject(books, identifier));
  return Object.fromEntries(Object.entries(purposes).map(([id, { status }]) => [id, status]));
}

interface Entry {
  readonly channel: string;
  readonly items: readonly { readonly purpose?: string; readonly outcome: string }[];
}

async function recordOf(identifier: string): Promise<readonly Entry[]> {
  const visitor = createVisitor(product.url, { 'accept-language': 'en' });
  await visitor.open(await product.link({ center: 'shop', identifier }));
  const copy = JSON.parse((await visitor.get(`${home}/record.json`)).text) as { payload: string };
  return (JSON.parse(Buffer.from(copy.payload, 'base64url').toString()) as { entries: Entry[] }).entries;
}

async function until(what: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await what()) return;
    await pause(50);
  }
  throw new Error('it did not come to pass within 20 s');
}

suite('Over the data folder of version 1.0', () => {
  test('every withdrawal that waits is carried out, and no grant whose minute is over.', async () => {
    for (const identifier of ['warten@example.org', 'stueck@example.org', 'klick@example.org']) {
      await until(async () => (await statusesOf(identifier))[newBooks] === 'WITHDRAWN');
    }
    for (const identifier of ['warten@example.org', 'stueck@example.org', 'spaet@example.org'])
      assert.equal((await statusesOf(identifier))[orders], 'ON', identifier);
    assert.notEqual((await statusesOf('spaet@example.org'))[told.spaet.on], 'ON');
    assert.notEqual((await statusesOf('stueck@example.org'))[told.stueck.on], 'ON');
  });

  test('My record shows what was done, what was finished since, and by which way it came in.', async () => {
    const said = async (identifier: string) => {
      const entries = await recordOf(identifier);
      return entries.map(({ channel, items }) => [channel, ...items.map(({ outcome }) => outcome)].join(' '));
    };
    await until(async () => !/being|progress/.test(String(await said('stueck@example.org'))));
    assert.deepEqual(await said('anna@example.org'), ['link saved saved']);
    assert.deepEqual(await said('jonas@example.org'), ['link saved saved saved saved saved']);
    assert.deepEqual(await said('warten@example.org'), ['link saved']);
    // Its call was answered with a fault, so that it may have arrived.
    assert.deepEqual(await said('stueck@example.org'), ['link saved in-doubt']);
    assert.deepEqual(await said('spaet@example.org'), ['link in-doubt']);
    assert.deepEqual(await said('klick@example.org'), ['one-click saved saved saved saved']);
  });

  test('a signed copy of then is verified by the keys of now.', async () => {
    const keys = await (await request(`${product.url}/.well-known/jwks.json`)).body.json();
    const { payload } = await flattenedVerify(told.anna.copy, createLocalJWKSet(keys as JSONWebKeySet));
    assert.match(Buffer.from(payload).toString(), /anna@example\.org/);
  });

  test('who was signed in still is, with the result of then.', async () => {
    const anna = withCookies(told.anna.cookies);
    const page = await anna.open(home);
    assert.equal(page.status, 200);
    assert.match(page.text, /a•••@example\.org/);
    const result = await anna.get(told.anna.result);
    assert.equal(result.status, 200);
    assert.match(String(textOf(result.text, 'h1')), /\w/);
  });

  test('a form that was drawn then is shown again, and what it switches off is carried out.', async () => {
    const visitor = withCookies(told.drawn.cookies);
    const fields = told.drawn.fields.map(([name = '', value = '']) => [name, value] as const);
    const answer = await visitor.post(told.drawn.action, fields);
    assert.equal(answer.status, 200);
    assert.match(answer.text, /This page has changed in the meantime/);
    await until(async () => (await statusesOf('oma@example.org'))[told.drawn.off] === 'WITHDRAWN');
  });

  test('links and one-click addresses open, a used ticket does not, a fresh one does once.', async () => {
    const visitor = createVisitor(product.url);
    assert.equal((await visitor.open(told.link)).status, 200);
    const clicked = await createVisitor(product.url).post(told.oneClick, [['List-Unsubscribe', 'One-Click']]);
    assert.equal(clicked.status, 200);
    const framed = (ticket: string) => {
      return createVisitor(product.url, { 'sec-fetch-dest': 'iframe' }).get(`/embed/shop?ticket=${ticket}`);
    };
    assert.equal((await framed(told.usedTicket)).status, 401);
    assert.equal((await framed(told.freshTicket)).status, 303);
    assert.equal((await framed(told.freshTicket)).status, 401);
  });

  test('staff are still signed in, and read submissions, reasons and the audit log of then.', async () => {
    const staff = withCookies(told.staff.cookies);
    const submissions = await staff.open('/staff/submissions');
    assert.equal(submissions.status, 200);
    assert.match((await staff.open('/staff/reasons')).text, /Too many letters\./);
    assert.match((await staff.open('/staff/audit')).text, /by the one-time address/);
  });
});
