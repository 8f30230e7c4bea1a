import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { productOf } from '../../kit/for-suite.ts';
import { readForm, save, switches } from '../../kit/form.ts';
import { oneClick } from '../../kit/one-click.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { setClockHere } from '../../kit/shifted-here.ts';
import { storedRows } from '../../kit/stored-rows.ts';
import { eventually } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { ask, letterTo, tryCode } from '../identity/mailbox.ts';
import { enter } from '../staff/fixture.ts';

const home = `/centers/${books}`;
const identifier = 'anna@example.org';
const day = 24 * 3_600_000;

/** Tables with a fixed number of rows: one for each state, for the platform and for each secret. */
const standing = [
  'journal.sqlite submission_count',
  'journal.sqlite platform',
  // A withdrawal is kept without limit, by a hash that names no person (docs/decisions/0066).
  'journal.sqlite person_key',
  'journal.sqlite last_word',
  'journal.sqlite record_key',
  // A row for each day and center with an ended submission: hashes of digests.
  'journal.sqlite day_root',
];

after(() => setClockHere(0));
const product = productOf();

const rowsOfAll = () =>
  [...storedRows(join(product.home, 'data'))].flatMap(([table, { count }]) => (count > 0 ? table : []));

/** Waits until the sweep has left only these tables. */
const onlyKeeps = (kept: readonly string[]) =>
  eventually(() =>
    assert.deepEqual(
      rowsOfAll().filter((table) => !kept.includes(table)),
      [],
    ),
  );

/** Restarts the product at a later time; the sweep has begun when this resolves. */
async function daysLater(days: number): Promise<void> {
  await product.stop();
  setClockHere(days * day);
  await product.start();
  await pause(1_500);
}

async function record(): Promise<{
  page: string;
  records: readonly { record_id: string; purposes: readonly object[] }[];
}> {
  const visitor = createVisitor(product.url, { 'accept-language': 'en' });
  await visitor.open(await product.link({ center: books, identifier }));
  const page = await visitor.get(`${home}/record`);
  const copy = JSON.parse((await visitor.get(`${home}/record.json`)).text) as { payload: string };
  return { page: page.text, ...JSON.parse(Buffer.from(copy.payload, 'base64url').toString()) };
}

suite('Data is deleted at the end of its time, not before', () => {
  test('a person, a guest and staff leave rows', async () => {
    const visitor = createVisitor(product.url, { 'accept-language': 'en' });
    const choices = await visitor.open(await product.link({ center: books, identifier }));
    const form = readForm(choices.text, 'purpose');
    await visitor.send(form.untick('purpose', switches(form).on[0]), save);
    const page = await visitor.open(`${home}/unsubscribe`);
    await visitor.submit(page, (form) => form.type('reason-text', 'in my own words'));
    await oneClick(product, identifier);

    const guest = createVisitor(product.url, { 'accept-language': 'en' });
    const asked = await ask(guest, identifier, home);
    const { code } = await letterTo(guest, identifier);
    assert.equal((await tryCode(guest, asked, code)).status, 303);
    const devices = await guest.open(`${home}/devices`);
    await guest.submit(devices, () => undefined);

    const staff = await enter(product);
    await staff.open('/staff/submissions');
    await product.stop();
    const filled = rowsOfAll();
    await product.start();
    for (const table of [
      ...['journal.sqlite submission', 'journal.sqlite reason', 'journal.sqlite audit'],
      ...['sessions.sqlite session', 'sessions.sqlite rate_counter', 'sessions.sqlite passcode'],
      ...['sessions.sqlite session_subject', 'sessions.sqlite sign_out'],
    ])
      assert.ok(filled.includes(table), table);
  });

  test('after 31 days only changes, reasons and the audit are left, and My record is complete', async () => {
    // A link carries its time in whole seconds: a link of the second of the sign-out would count as older.
    setClockHere(1_100);
    const now = await record();
    await daysLater(31);
    const then = await record();
    // The one-click repeated what was already withdrawn.
    assert.equal(then.records.length, 2);
    const withoutNames = ({ records }: typeof now) => JSON.parse(JSON.stringify(records)) as unknown;
    assert.deepEqual(withoutNames(then), withoutNames(now));
    assert.match(then.page, /<span class="name">[^<]+<\/span> <span class="move">On .*→.* Off<\/span>/);
    const [reference = ''] = then.records.map((entry) => entry.record_id);
    const staff = await enter(product);
    const shown = await staff.open(`/staff/submissions/${reference}`);
    assert.match(shown.text, /What is personal is no longer kept/);
    assert.match(shown.text, /Each change with its outcome/);
    assert.match((await staff.open('/staff/reasons')).text, /in my own words/);
    await daysLater(32);
    // The sessions that read the record are a day old, and end after half an hour.
    await onlyKeeps([
      // The later reading after a one-click was due at the start a day ago.
      'journal.sqlite person',
      'journal.sqlite submission',
      'journal.sqlite submission_day',
      'journal.sqlite wording',
      'journal.sqlite wording_text',
      'journal.sqlite reason',
      'journal.sqlite reason_count',
      'journal.sqlite audit',
      'sessions.sqlite sign_out',
      ...standing,
    ]);
    const database = new DatabaseSync(join(product.home, 'data', 'journal.sqlite'), { readOnly: true });
    const work = database.prepare('SELECT count(*) AS count FROM submission WHERE request IS NOT NULL').get();
    database.close();
    assert.equal(work?.['count'], 0);
  });

  test('after 1,094 days My record is still complete', async () => {
    await daysLater(1_094);
    assert.equal((await record()).records.length, 2);
  });

  test('after 1,096 days My record is empty, and after ten years no table holds personal data', async () => {
    await daysLater(1_096);
    await eventually(async () => assert.equal((await record()).records.length, 0));
    // A sign-out on all devices is kept as long as the oldest link can live.
    await daysLater(3_660);
    await onlyKeeps(standing);
  });
});
