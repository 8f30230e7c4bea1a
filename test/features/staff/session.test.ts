import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { productOf } from '../../kit/for-suite.ts';
import { readForm, save } from '../../kit/form.ts';
import { freePorts, startProduct, tenantAt } from '../../kit/product.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { setClockHere } from '../../kit/shifted-here.ts';
import { createVisitor, type Visitor } from '../../kit/visitor.ts';
import { enter, findPerson, oneTimeAddress, pressAbout, saidOn } from './fixture.ts';

const minute = 60_000;
const hour = 60 * minute;

after(() => setClockHere(0));
const product = productOf();
/** Milliseconds by which the product's clock is ahead. */
let ahead = 0;

function pass(milliseconds: number): void {
  ahead += milliseconds;
  setClockHere(ahead);
}

/** Restarts the product, which prints a new address, and enters by it. */
async function enterAnew(): Promise<Visitor> {
  await product.stop();
  await product.start();
  return enter(product);
}

const look = async (staff: Visitor) => (await staff.get('/staff/tasks')).status;

describe('A session of the staff', () => {
  test('a session ends 8 hours after signing in, however many steps there were, and 15 minutes after the last', async () => {
    const staff = await enter(product);
    for (let passed = 0; passed < 8 * hour - 2 * minute; passed += 14 * minute) {
      const step = Math.min(14 * minute, 8 * hour - minute - passed);
      pass(step);
      assert.equal(await look(staff), 200, `after ${(passed + step) / minute} minutes`);
    }
    pass(minute);
    assert.equal(await look(staff), 401);

    const other = await enterAnew();
    pass(15 * minute);
    const ended = await other.get('/staff/tasks');
    assert.equal(ended.status, 401);
    assert.match(saidOn(ended.text).join(' '), /ends after 15 minutes without a step, and after 8 hours/);
    assert.equal(await look(other), 401, 'the session came back');
  });

  test('a post after the session’s end does nothing, keeps what was typed, and works after signing in', async () => {
    const staff = await enterAnew();
    const center = books;
    const found = await findPerson(staff, 'jonas@example.org', center);
    const chosen = await pressAbout(staff, found, { action: 'choose', center });
    const reason = 'Asked,\nas “Jo”: <b>&amp;';
    const { fields } = readForm(chosen.text).choose('what', 'everything').type('reason', reason).press();
    pass(20 * hour);
    const held = await staff.post('/staff/people/withdraw', fields);
    assert.equal(held.status, 401);
    assert.match(saidOn(held.text).join(' '), /nothing that you typed is lost/);
    assert.deepEqual(readForm(held.text).press().fields, fields);
    const onRecord = async () =>
      (await product.sandbox.subject(center, 'jonas@example.org')).Purposes.filter(
        ({ TransactionStatus }) => TransactionStatus === 'ACTIVE',
      ).length;
    assert.ok((await onRecord()) > 0, 'the withdrawal was made without a session');

    await product.stop();
    await product.start();
    await staff.open(oneTimeAddress(product));
    const done = await staff.submit(held, () => undefined);
    assert.match(new URL(done.url).pathname, /^\/staff\/submissions\//);
    assert.ok(done.text.includes('Asked,\nas “Jo”: &lt;b&gt;&amp;amp;'));
    assert.equal(await onRecord(), 0);
  });

  test('a form of a session that ended a day ago cannot be sent', async () => {
    const staff = await enterAnew();
    const { fields } = readForm((await staff.open('/staff/tasks/new')).text).press(save);
    pass(24 * hour + minute);
    await product.stop();
    await product.start();
    await staff.open(oneTimeAddress(product));
    assert.equal((await staff.post('/staff/tasks/new', fields)).status, 400);
  });
});

test('staff of a tenant sign in at their organization, and by no address that is printed', async () => {
  const [port] = await freePorts(1);
  const settings = { STAFF_OIDC_ISSUER: `http://127.0.0.1:${port}`, STAFF_OIDC_CLIENT_ID: 'staff' };
  await using signedIn = await startProduct({ env: { ...tenantAt(product.sandboxUrl), ...settings } });
  const visitor = createVisitor(signedIn.url);
  const page = await visitor.get('/staff');
  assert.equal(page.status, 401);
  assert.match(page.text, /href="\/staff\/sign-in"/);
  assert.doesNotMatch(page.text, /prints an address/);
  assert.doesNotMatch(signedIn.output(), /^Staff:/m);
  assert.equal((await visitor.get('/staff?key=made-up')).status, 410);
  const away = await visitor.get('/staff/sign-in');
  assert.equal(away.status, 503);
  assert.match(away.text, /does not answer/);
});
