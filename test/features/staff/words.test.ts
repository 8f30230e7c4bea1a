import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { enter, saidOn } from './fixture.ts';

const product = productOf();
const staff = forSuite(() => enter(product));

describe('Who is not signed in', () => {
  test('is told so where a page is for staff, and not that a session has ended', async () => {
    const page = await createVisitor(product.url).open('/staff/notices');
    assert.equal(page.status, 401);
    const [title, ...lines] = saidOn(page.text);
    assert.equal(title, 'Sign in to see this');
    assert.match(lines.join(' '), /you are not signed in/);
    assert.match(page.text, /class="column centred"/);
  });

  test('is not told that a session has ended for a cookie that was never signed here', async () => {
    const visitor = createVisitor(product.url, { cookie: 'sayso-staff=s%3Aover.and-over' });
    const page = await visitor.open('/staff/notices');
    assert.equal(saidOn(page.text)[0], 'Sign in to see this');
  });

  test('learns nothing of the platform from an address that is wrong, and is led to the sign-in', async () => {
    const page = await createVisitor(product.url).open('/staff/no-such-page');
    assert.equal(page.status, 404);
    const said = saidOn(page.text).join(' ');
    assert.match(said, /You are not signed in.*Sign in as staff/);
    assert.doesNotMatch(said, /platform|Back to the staff pages/);
  });
});

describe('Who is signed in', () => {
  test('is led back among the staff pages from an address that is wrong', async () => {
    const page = await staff.open('/staff/no-such-page');
    assert.equal(page.status, 404);
    assert.match(saidOn(page.text).join(' '), /Back to the staff pages/);
  });

  test('and signs out is told so', async () => {
    const cookie = [...staff.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const home = await staff.open('/staff');
    const form = readForm(home.text, /^\/staff\/sign-out$/);
    const fields = form.press().fields;
    const out = await staff.post('/staff/sign-out', fields);
    const page = await staff.open(out.location ?? '');
    assert.equal(saidOn(page.text)[0], 'You are signed out');
    const late = await createVisitor(product.url, { cookie }).open('/staff/notices');
    assert.equal(saidOn(late.text)[0], 'Your session has ended');
  });
});
