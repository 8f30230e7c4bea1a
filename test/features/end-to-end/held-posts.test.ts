import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { productOf } from '../../kit/for-suite.ts';
import { readForm, readForms, save } from '../../kit/form.ts';
import { shop, signed } from '../../kit/shop.ts';
import { createVisitor, type Visitor } from '../../kit/visitor.ts';
import { routes } from '../../routes.ts';
import { enter } from '../staff/fixture.ts';

const letters = 'b00c5000-0000-4001-8000-000000000007';
const offers = 'b00c5000-0000-4001-8000-000000000002';

const product = productOf({
  centers: [shop],
});

async function signedIn(identifier: string): Promise<Visitor> {
  const visitor = createVisitor(product.url);
  const { status } = await visitor.open(await product.link({ center: 'shop', identifier }));
  assert.equal(status, 200);
  return visitor;
}

async function framed(identifier: string) {
  return createVisitor(product.url).open(`/embed/shop?ticket=${await signed(identifier)}`);
}

interface Held {
  /** Sends the rest of the body; resolves with the status and the whole answer. */
  finish(): Promise<{ readonly status: number; readonly text: string }>;
}

/** Sends the head and the first byte of a post, and holds the rest back. */
async function hold(path: string, visitor: Visitor | undefined, body: string): Promise<Held> {
  const { port, host: name } = new URL(product.url);
  const cookie = [...(visitor?.cookies ?? [])].map((pair) => pair.join('=')).join('; ');
  const socket = connect(Number(port), 'localhost');
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${name}`,
    ...(cookie === '' ? [] : [`Cookie: ${cookie}`]),
    'Sec-Fetch-Site: same-origin',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    // The answer to this header says that the head was read.
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  assert.match(text, /^HTTP\/1\.1 100 /);
  text = '';
  socket.write(body.slice(0, 1));
  // Time for the product to read the size of the form.
  await pause(100);
  return {
    async finish() {
      socket.write(body.slice(1));
      await once(socket, 'close');
      return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text };
    },
  };
}

const bodyOf = (fields: readonly (readonly [string, string])[]) =>
  new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();

/** Presses the only button of the form whose action matches. */
async function press(visitor: Visitor, page: string, action: RegExp): Promise<void> {
  const { text } = await visitor.open(page);
  const form = readForms(text).find((each) => action.test(each.action)) ?? assert.fail(`no ${action}`);
  const { status } = await visitor.post(form.action, form.press().fields);
  assert.equal(status, 303);
}

const signOutEverywhere = async (person: string) =>
  press(await signedIn(person), '/centers/shop/devices', /devices/);

const bodies = routes.filter(
  ({ method, who }) => method === 'POST' && ['person', 'manager', 'staff'].includes(who),
);

function exampleOf(path: string, visit: string): string {
  const plain = path
    .replace(':center', 'shop')
    .replace('{/:page}', '')
    .replace(/:\w+/g, 'b00c5000-0000-4000-8000-0000000000ff');
  return plain.startsWith('/embed') ? `${plain}${visit}` : plain;
}

/** Answers of all posts that need a session, when `meanwhile` runs before their bodies. */
async function answersOf(
  visitors: { readonly top: Visitor; readonly staff: Visitor; readonly visit: string },
  meanwhile: () => Promise<unknown>,
): Promise<ReadonlyMap<string, { readonly status: number; readonly text: string }>> {
  const held = await Promise.all(
    bodies.map(async ({ path, who }) => {
      const top = path.startsWith('/centers') ? visitors.top : undefined;
      const visitor = who === 'staff' ? visitors.staff : top;
      return [path, await hold(exampleOf(path, visitors.visit), visitor, 'token=made+up')] as const;
    }),
  );
  await meanwhile();
  return new Map(await Promise.all(held.map(async ([path, post]) => [path, await post.finish()] as const)));
}

suite('A post whose body arrives after the sign-out', () => {
  test('the post is refused on every route of people and staff', async () => {
    const staff = await enter(product);
    const person = 'table@example.org';
    const top = await signedIn(person);
    const { search: visit } = new URL((await framed(person)).url);
    const before = await answersOf({ top, staff, visit }, async () => undefined);
    for (const [path, { status }] of before) {
      assert.notEqual(status, 401, path);
      assert.ok(status > 0, path);
    }
    // One of these posts signed out; the kept cookies replace those that it removed.
    assert.ok(bodies.length >= 15, String(bodies.length));
    const late = await answersOf({ top, staff, visit }, async () => {
      await signOutEverywhere(person);
      const cookies = new Map(staff.cookies);
      await press(staff, '/staff', /staff\/sign-out/);
      for (const [name, value] of cookies) staff.cookies.set(name, value);
    });
    for (const [path, { status, text }] of late) {
      assert.equal(status, 401, path);
      assert.doesNotMatch(text, /table@example\.org/, path);
      assert.doesNotMatch(text, /^set-cookie: [^=]+=[^;]/im, path);
    }
  });

  test('the post changes nothing', async () => {
    const person = 'held@example.org';
    const visitor = await signedIn(person);
    const form = readForm((await visitor.open('/centers/shop')).text, 'purpose').tick('purpose', offers);
    const { action, fields } = form.press(save);
    const copy = createVisitor(product.url);
    for (const [name, value] of visitor.cookies) copy.cookies.set(name, value);
    const post = await hold(action, copy, bodyOf(fields));
    await press(visitor, '/centers/shop', /shop\/sign-out/);
    const { status, text } = await post.finish();
    assert.equal(status, 401);
    assert.doesNotMatch(text, /^set-cookie/im);
    await assertUntouched(person);
  });

  test('the post in a frame changes nothing, and continues no visit', async () => {
    const person = 'held-in-a-frame@example.org';
    const page = await framed(person);
    const form = readForm(page.text, 'purpose').tick('purpose', letters);
    const { action, fields } = form.press(save);
    const post = await hold(action, undefined, bodyOf(fields));
    await signOutEverywhere(person);
    const { status, text } = await post.finish();
    assert.equal(status, 401);
    assert.doesNotMatch(text, /^location/im);
    await assertUntouched(person);
  });
});

async function assertUntouched(person: string): Promise<void> {
  await pause(500);
  const writes = (await product.sandbox.calls()).filter(
    ({ identifier, method }) => identifier === person && method !== 'GET',
  );
  assert.deepEqual(writes, []);
}
