import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { type Form, readForm, readForms, save, switches } from '../../kit/form.ts';
import { readHtml, textOf } from '../../kit/html.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { type Answer, cookieOf, createVisitor } from '../../kit/visitor.ts';
import { enter, oneTimeAddress, saidOn } from './fixture.ts';

const university = '0ca11000-0000-4000-8000-000000000001';
const refused = 'emil@example.org';
const words = '=1+1 letters a day, and "offers"';

const product = productOf({
  // Traces wrap each stream of a download; the run fails if they leak a listener.
  env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
  centers: [
    { address: 'books', center: books, brand: { name: 'Harbour & Sons', accent: '#0f5c4d' } },
    { address: 'bank', center: bank },
    { address: 'university', center: university },
  ],
});
const staff = forSuite(async () => {
  await seed();
  return enter(product);
});

/** Four people unsubscribe, of whom the platform refuses one; the fifth turns a purpose off. */
async function seed(): Promise<void> {
  for (const operation of ['withdraw-subject', 'update-subject'])
    await product.sandbox.addFault({ kind: '500', status: 400, operation, identifier: refused });
  const visit = async (
    center: string,
    name: string,
    fill: (form: Form) => unknown,
    path = '/unsubscribe',
  ) => {
    const person = createVisitor(product.url, { 'accept-language': 'en' });
    await person.open(await product.link({ center, identifier: `${name}@example.org` }));
    const page = await person.open(`/centers/${center}${path}?lang=en`);
    assert.equal((await person.submit(page, fill, path === '' ? save : undefined)).status, 200);
  };
  const reason = (form: Form, at: number) =>
    form.tick('reason', form.controls.filter(({ name }) => name === 'reason')[at]?.value);
  await visit('books', 'anna', (form) => reason(form, 0));
  await visit('books', 'jonas', (form) => reason(form, 0).tick('reason', 'other').type('reason-text', words));
  await visit('university', 'lena', (form) => reason(form, 1));
  await visit('books', 'salma', (form) => form.untick('purpose', switches(form).on[0]), '');
  await visit('bank', 'emil', () => undefined);
}

const main = (page: Answer) => textOf(page.text, 'main') ?? '';
const rows = ({ text }: Answer) => /<tbody\b[\s\S]*?<\/tbody>/.exec(text)?.[0].match(/<tr\b/g)?.length ?? 0;

function hrefOf({ text }: Answer, label: string): string {
  const links = text.matchAll(/<a\b[^>]*?href="([^"]*)"[^>]*>\s*([^<]*?)\s*<\/a>/g);
  const found = [...links].find(([, , shown]) => shown === label)?.[1] ?? assert.fail(`no link ${label}`);
  return found.replaceAll('&amp;', '&');
}

/** The addresses of the chips that name the filters. */
const chipsOf = ({ text }: Answer) =>
  [...text.matchAll(/class="chip set" href="([^"]*)"/g)].map(([, href = '']) => href);

const follow = (page: Answer, label: string) => staff.open(new URL(hrefOf(page, label), page.url).href);

/** Counts the switches that are not disabled. */
function countSwitches({ text }: Answer, state: 'on' | 'off'): number {
  const boxes = readHtml(text).flatMap((piece) => (piece.kind === 'open' ? [piece.attributes] : []));
  const free = boxes.filter(
    (each) => each['class'] === 'switch' && !('disabled' in each) && each['value'] !== 'keep',
  );
  return free.filter((each) => 'checked' in each === (state === 'on')).length;
}

/** Fills in and sends the filter of a list. */
async function filter(page: Answer, fill: (form: Form) => unknown): Promise<Answer> {
  const form = readForms(page.text).find(({ method, controls }) => method === 'get' && controls.length > 1);
  fill(form ?? assert.fail('no filter'));
  const { action, fields } = (form as Form).press();
  return staff.open(`${new URL(action, page.url).href}?${new URLSearchParams(fields)}`);
}

/** The lines of a downloaded file, without the byte order mark that spreadsheets need. */
async function download(page: Answer, name: string): Promise<readonly string[]> {
  const headers = { cookie: cookieOf(staff) };
  const file = await fetch(new URL(hrefOf(page, 'Download CSV'), page.url), { headers });
  assert.match(file.headers.get('content-disposition') ?? '', new RegExp(`filename="${name}"`));
  const text = Buffer.from(await file.arrayBuffer()).toString();
  assert.ok(text.startsWith('\ufeff'));
  return text.slice(1).trimEnd().split('\r\n');
}

suite('Staff', () => {
  test('staff enter once by the printed address, and are no person in a center', async () => {
    assert.equal((await createVisitor(product.url).open(oneTimeAddress(product))).status, 410);
    assert.notEqual((await staff.get(`/centers/${books}`)).status, 200);
  });

  test('the first page shows waiting and new submissions, reasons, findings and the state of the platform', async () => {
    const shown = await until(async () => {
      const page = saidOn((await staff.open('/staff')).text).join(' | ');
      // The page does not wait for a center that is read slowly.
      return !page.includes('centers were looked at. |') && page;
    }, 'all centers are looked at');
    assert.match(shown, /Withdrawals waiting \| 1 \| the oldest for \d+ seconds?/);
    assert.match(shown, /Failed in 24 hours \| 0/);
    assert.match(shown, /Submissions today \(UTC\) \| 5 \| 4 unsubscribed from all/);
    assert.match(shown, /5 in the last 30 days \(UTC\), 4 unsubscribed from all/);
    assert.match(shown, /Why people unsubscribed \| [^|]+ \| 2 \|/);
    assert.match(shown, /Lindgren University \| 0 \| \d+ \| \d+/);
    assert.match(shown, /Platform \| Connected \| last answer/);
    assert.doesNotMatch(shown, /example\.org/);
  });

  test('staff filter submissions by state, center and time, and download what is shown', async () => {
    const all = await staff.open('/staff/submissions');
    assert.match(main(all), /All \(5\)\s+Pending \(1\).*Done \(4\)/);
    const pending = await follow(all, 'Pending (1)');
    assert.equal(rows(pending), 1);
    assert.match(pending.text, /aria-current="true">Pending \(1\)/);
    assert.deepEqual([all, pending].flatMap(chipsOf), [], 'a usual view has no chips');
    assert.equal(rows(await follow(all, 'Last 7 days')), 5);
    const done = await filter(all, (form) => form.choose('state', 'done').choose('center', books));
    const { searchParams } = new URL(done.url);
    assert.deepEqual([searchParams.get('state'), searchParams.get('center'), rows(done)], ['done', books, 3]);
    assert.match(main(done), /State: Done.*Center: Harbour Books/);
    const without = ['center', 'state'].map((kept) => `/staff/submissions?${kept}=${searchParams.get(kept)}`);
    assert.deepEqual(chipsOf(done), without, 'each chip leads to the list without its filter');
    assert.equal(rows(await follow(done, 'Clear all')), 5);
    const ofCenter = await staff.open(without[0] ?? '');
    assert.deepEqual(chipsOf(ofCenter), ['/staff/submissions']);
    assert.doesNotMatch(main(ofCenter), /Clear all/);
    const [head, ...lines] = await download(done, 'submissions.csv');
    assert.match(head ?? '', /^reference,submitted,/);
    assert.equal(lines.length, 3);
    for (const line of lines) assert.match(line, /,done,.*,Harbour Books,b00c5000-/);
    assert.doesNotMatch(lines.join(), /example\.org/);

    const early = await filter(done, (form) => form.type('from', '2020-01-01').type('to', '2020-12-31'));
    assert.match(main(early), /No submission is like that/);
    const today = new Date().toISOString().slice(0, 10);
    assert.equal(rows(await staff.open(`/staff/submissions?from=2020-01-01&to=${today}`)), 5);
  });

  test('staff find a withdrawal that is stuck, and have it tried again at once', async () => {
    const pending = await staff.open('/staff/submissions?state=pending');
    const [path = ''] = /\/staff\/submissions\/[\w-]{16,}(?=")/.exec(pending.text) ?? [];
    const stuck = await staff.open(path);
    assert.match(main(stuck), /the platform refused the request/);
    await product.sandbox.clearFaults();
    const again = readForms(stuck.text).find(({ action }) => action.endsWith('/retry'));
    const retried = await staff.send(again ?? assert.fail('it cannot be tried again'));
    assert.match(retried.url, /was=retried/);
    assert.match(main(retried), /It is tried again now/);
    const done = await until(async () => {
      const page = await staff.open(path);
      return !page.text.includes('/retry') && page;
    });
    assert.match(main(done), /Done/);
  });

  test('staff read why people left, by center and month, in their words and as a file', async () => {
    const reasons = await staff.open('/staff/reasons');
    assert.equal(rows(reasons), 3);
    assert.ok(main(reasons).includes(words));
    const lines = await download(reasons, 'reasons.csv');
    assert.equal(lines.length, 5);
    assert.ok(
      lines.some((line) => line.endsWith(`,other,"'=1+1 letters a day, and ""offers"""`)),
      lines.join(),
    );
    const ofOne = await filter(reasons, (form) => form.choose('center', university));
    assert.equal((await download(ofOne, 'reasons.csv')).length, 2);
  });

  test('staff check a center, and preview it in another language, brand and consent state', async () => {
    const centers = await filter(await staff.open('/staff/centers'), (form) => form.type('text', 'lindgren'));
    assert.match(centers.url, /text=lindgren/);
    assert.equal(rows(centers), 1);
    const center = await staff.open(`/staff/centers/${university}`);
    const [href = ''] = /[^"]*(?=">\s*All \d+ of them)/.exec(center.text) ?? [];
    const findings = await staff.open(new URL(href.replaceAll('&amp;', '&'), center.url).href);
    assert.match(main(findings), /Missing translation Italiano/);
    const [, ...lines] = await download(findings, `findings-${university}.csv`);
    assert.ok(lines.length > 10);
    for (const line of lines) assert.match(line, /^warning,translation,it,/);

    await product.sandbox.clearCalls();
    const preview = await filter(await follow(center, 'Preview'), (form) =>
      form.choose('lang', 'ar').choose('state', 'active').choose('brand', 'books'),
    );
    const shown = await follow(preview, 'Open in new tab');
    assert.match(shown.text, /<html[^>]*dir="rtl"/);
    assert.match(textOf(shown.text, 'header') ?? '', /Harbour & Sons/);
    const [theme = ''] = /\/assets\/theme\/brand[^"]*\.css/.exec(shown.text) ?? [];
    assert.match((await staff.get(theme)).text, /--brand-accent:#0f5c4d/);
    assert.match(main(shown), /All on/);
    assert.ok(countSwitches(shown, 'on') > 2);
    assert.equal(countSwitches(shown, 'off'), 0);
    const french = await staff.open(
      shown.url.replace('lang=ar', 'lang=fr').replace('state=active', 'state=off'),
    );
    assert.match(french.text, /<html lang="fr"/);
    assert.equal(countSwitches(french, 'on'), 0);
    for (const { text } of [shown, french])
      assert.doesNotMatch(text, /<form|type="submit"/, 'nothing can be sent');
    assert.equal((await staff.get(`${new URL(shown.url).pathname}?page=none`)).status, 404);
    const back = await follow(french, 'Back to the staff pages');
    assert.match(back.url, new RegExp(`/staff/centers/${university}/preview`));
    assert.deepEqual(await product.sandbox.calls({ operation: 'read-subject' }), []);
  });

  test('a fault of the platform is shown among the staff pages, and staff can try again', async () => {
    await product.sandbox.addFault({ kind: '500', status: 400, operation: 'list-notices', count: 1 });
    const fault = await staff.open('/staff/notices');
    assert.equal(fault.status, 502);
    assert.match(textOf(fault.text, 'h1') ?? '', /The platform refused this/);
    assert.match(fault.text, /href="\/staff\/tasks"/);
    assert.equal(textOf((await follow(fault, 'Try again')).text, 'h1'), 'Privacy notices');
  });

  test('the audit log and its file say who signed in', async () => {
    const log = await filter(await staff.open('/staff/audit'), (form) =>
      form.type('text', 'by the one-time address'),
    );
    assert.equal(rows(log), 1);
    assert.match(main(log), /Sandbox staff/);
    const lines = await download(log, 'audit.csv');
    assert.match(
      lines[1] ?? '',
      /,one-time-address,Sandbox staff,signed in,by the one-time address \(127\.0\.0\.0\/24\),done$/,
    );
    assert.doesNotMatch(main(await staff.open('/staff/audit')), /@|emil/);
  });

  test('the first page opens while the platform is away, and says so', async () => {
    await product.sandbox.addFault({ kind: '500' });
    await staff.open('/staff/notices');
    const page = await staff.open('/staff');
    await product.sandbox.clearFaults();
    assert.equal(page.status, 200);
    assert.match(main(page), /Platform\s+Errors/);
  });

  test('staff without a session, after signing out and after the session’s end see different pages', async () => {
    const titleAt = async (path: string, cookie = '') =>
      saidOn((await createVisitor(product.url, { cookie }).open(path)).text)[0];
    assert.equal(await titleAt('/staff/notices'), 'Sign in to see this');
    assert.equal(await titleAt('/staff/notices', 'sayso-staff=s%3Aover.and-over'), 'Sign in to see this');
    const [wrong, own] = await Promise.all(
      [createVisitor(product.url), staff].map((visitor) => visitor.open('/staff/no-such-page')),
    );
    assert.deepEqual([wrong?.status, own?.status], [404, 404]);
    assert.match(main(wrong ?? assert.fail()), /You are not signed in.*Sign in as staff/);
    assert.doesNotMatch(main(wrong ?? assert.fail()), /platform|Back to the staff pages/);
    assert.match(main(own ?? assert.fail()), /Back to the staff pages/);
    const cookie = cookieOf(staff);
    const { text } = await staff.open('/staff');
    const out = await staff.send(readForm(text, /^\/staff\/sign-out$/));
    assert.equal(saidOn(out.text)[0], 'You are signed out');
    assert.equal(await titleAt('/staff/notices', cookie), 'Your session has ended');
  });
});
