import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { createSandboxClock } from '../kit/sandbox-clock.ts';
import { books as CENTER, newBooks as LETTER } from '../kit/sandbox-ids.ts';
import { until } from '../kit/until.ts';
import { addFault, at, centerOf, itemsOf, listAt, ofEach, openTenant, PAGES, V1, V2 } from './tenant.ts';

const OFFERS = 'b00c5000-0000-4001-8000-000000000002';
const ANNA = 'anna.late@example.org';

const clock = createSandboxClock();
const tenant = forSuite(() => openTenant({ demo: true, options: { now: clock.now, wait: clock.wait } }));
const center = centerOf(tenant, CENTER);
afterEach(async () => {
  await tenant.call('DELETE', '/_sandbox/faults');
  await tenant.call('POST', '/_sandbox/late');
  await tenant.call('DELETE', `/_sandbox/subjects?center=${CENTER}&identifier=${ANNA}`);
  await tenant.call('DELETE', '/_sandbox/calls');
});

const fault = (description: unknown) => addFault(tenant, description);
const put = (...ids: string[]) => center.put(ANNA, ...ids);
const withdraw = () => center.withdraw(ANNA);
const read = (identifier = ANNA) => center.read(identifier, { unchecked: true });
const statusOf = async (id: string) => (await center.statuses(ANNA, { unchecked: true }))[id];
const bothStatuses = async () => [await statusOf(LETTER), await statusOf(OFFERS)];

/** Waits until this number of calls is delayed in the sandbox. */
async function untilWaiting(count: number, of = tenant): Promise<void> {
  await until(async () => at((await of.call('GET', '/_sandbox/late')).body, 'waiting') === count);
}

describe('a late call', () => {
  test('a late grant takes effect after a later withdrawal, and is answered, cut off or never answered', async () => {
    for (const answer of [undefined, 'drop', 'never']) {
      await fault({ kind: 'late', operation: 'update-subject', milliseconds: 10_000, answer, count: 1 });
      const ended = put(LETTER).then(
        ({ status }) => status,
        () => 'cut off',
      );
      await untilWaiting(1);
      if (answer === 'drop') assert.equal(await ended, 'cut off');
      assert.equal((await withdraw()).status, 200);
      await clock.advance(9_999);
      assert.equal(await statusOf(LETTER), 'WITHDRAWN');
      await clock.advance(1);
      if (answer === undefined) assert.equal(await ended, 200);
      assert.equal(await statusOf(LETTER), 'ACTIVE');
      const { body } = await tenant.call('GET', '/_sandbox/calls?operation=update-subject');
      if (answer === 'drop') assert.equal(at(listAt(body).at(-1), 'status'), 0);
      if (answer === 'never')
        assert.equal(await Promise.race([ended, Promise.resolve('nothing')]), 'nothing');
    }
  });

  test('a withdrawal can be late, too, and all late calls can be released in their order', async () => {
    await put(LETTER);
    const late = { kind: 'late', answer: 'drop', count: 1 };
    await fault([
      { ...late, operation: 'withdraw-subject', milliseconds: 3_600_000 },
      { ...late, operation: 'update-subject', milliseconds: 60_000 },
    ]);
    await assert.rejects(withdraw());
    await assert.rejects(put(OFFERS));
    assert.equal(await statusOf(LETTER), 'ACTIVE');
    assert.equal((await tenant.call('POST', '/_sandbox/late')).status, 204);
    assert.deepEqual(await bothStatuses(), ['WITHDRAWN', 'ACTIVE']);
  });

  test('a call without a token is refused at once, and a late call does not delay the closing', async () => {
    const other = await openTenant({ demo: true, options: { now: clock.now, wait: clock.wait } });
    const there = centerOf(other, CENTER);
    await addFault(other, { kind: 'late', answer: 'never' });
    assert.equal((await there.ask('PUT', ANNA, { token: '' })).status, 401);
    const hanging = assert.rejects(there.withdraw(ANNA));
    await untilWaiting(1, other);
    await other.close();
    await hanging;
  });
});

describe('a lagging reading', () => {
  test('a lagging reading shows the state of some seconds ago', async () => {
    await put(LETTER);
    await fault({ kind: 'lag', identifier: ANNA, milliseconds: 4_000 });
    await put(OFFERS);
    assert.deepEqual(await bothStatuses(), ['ACTIVE', undefined]);
    await clock.advance(3_000);
    await put(LETTER, OFFERS);
    await clock.advance(999);
    assert.deepEqual(await bothStatuses(), ['ACTIVE', undefined]);
    await clock.advance(1);
    assert.deepEqual(await bothStatuses(), ['WITHDRAWN', 'ACTIVE']);
    await clock.advance(3_000);
    assert.deepEqual(await bothStatuses(), ['ACTIVE', 'ACTIVE']);
    await withdraw();
    assert.equal(await statusOf(LETTER), 'ACTIVE');
    await tenant.call('DELETE', '/_sandbox/faults');
    assert.equal(await statusOf(LETTER), 'WITHDRAWN');
  });

  test('a lagging reading shows no state from before the lag was set, even if another lag is older', async () => {
    await fault({ kind: 'lag', identifier: 'somebody.else@example.org', milliseconds: 60_000 });
    await put(LETTER);
    await clock.advance(1_000);
    await put(OFFERS);
    await fault({ kind: 'lag', identifier: ANNA, milliseconds: 4_000 });
    assert.deepEqual(await bothStatuses(), ['WITHDRAWN', 'ACTIVE']);
    await put(LETTER, OFFERS);
    assert.deepEqual(await bothStatuses(), ['WITHDRAWN', 'ACTIVE']);
    await clock.advance(4_000);
    assert.deepEqual(await bothStatuses(), ['ACTIVE', 'ACTIVE']);
  });

  test('a lag with a count affects only the next readings, and a write uses the true state', async () => {
    await put(LETTER);
    await fault({ kind: 'lag', milliseconds: 4_000, count: 1 });
    const items = { [OFFERS]: [true, 'Purpose updated'], [LETTER]: [true, 'Purpose withdrawn'] };
    assert.deepEqual(itemsOf(await put(OFFERS)), items);
    assert.equal(await statusOf(LETTER), 'ACTIVE');
    assert.equal(await statusOf(LETTER), 'WITHDRAWN');
  });
});

test('A reading can say once, for one person, that nothing is on record', async () => {
  for (const [answer, ...shown] of [
    ['404', 404, undefined, undefined],
    ['400', 400, undefined, undefined],
    ['status-400', 200, 400, []],
    ['purposes-null', 200, 200, null],
    ['purposes-absent', 200, 200, undefined],
    ['purposes-empty', 200, 200, []],
  ] as const) {
    await put(LETTER);
    await fault({ kind: 'unknown-subject', answer, identifier: ANNA, count: 1 });
    assert.equal((await read('somebody.else@example.org')).status, 200);
    const { status, body } = await read();
    assert.deepEqual([status, at(body, 'Status'), at(body, 'Purposes')], shown, answer);
    assert.equal(await statusOf(LETTER), 'ACTIVE');
  }
});

describe('an outside change', () => {
  const change = (body: unknown) => tenant.call('PATCH', '/_sandbox/subjects', { body });

  test('an outside change keeps the chosen topics unless it names others', async () => {
    const schema = (await tenant.call('GET', `${V1}/${CENTER}/preferences`)).body;
    const withTopics = listAt(schema, 'Purposes').find((each) => listAt(each, 'Topics').length > 1);
    const [first, second] = ofEach(withTopics, 'Topics', 'Id');
    const Id = String(at(withTopics, 'Id'));
    const topics = async () => ofEach((await read()).body, 'Purposes', 0, 'Topics', 'Id');
    await center.put(ANNA, { Id, Topics: [{ Id: first }] });
    const about = { center: CENTER.toUpperCase(), identifier: ANNA };
    const status = { Id: Id.toUpperCase(), TransactionStatus: 'OPT_IN' };
    await change({ ...about, Purposes: [status] });
    assert.deepEqual(await topics(), [first]);
    await change({ ...about, Purposes: [{ ...status, Topics: [{ Id: second }] }] });
    assert.deepEqual(await topics(), [second]);
  });

  test('a malformed outside change is refused', async () => {
    const about = { center: CENTER, identifier: ANNA };
    for (const [body, word] of [
      [[], /JSON object/],
      [{ ...about, center: 'x', Purposes: [] }, /must be a UUID/],
      [{ ...about, center: LETTER, Purposes: [] }, /was not found/],
      [{ center: CENTER, Purposes: [] }, /identifier/],
      [{ ...about, Purposes: [LETTER] }, /array of objects/],
      [{ ...about, Purposes: [{ TransactionStatus: 'ACTIVE' }] }, /Id is required/],
      [{ ...about, Purposes: [{ Id: LETTER }] }, /TransactionStatus/],
    ] as const) {
      const { status, text } = await change(body);
      assert.match(`${status} ${text}`, new RegExp(`^40[04] .*${word.source}`));
    }
  });
});

describe('a replaced center', () => {
  test('a replaced center keeps its new schema over a restart, until the replacement is deleted', async () => {
    await using own = await openTenant({ demo: true });
    const path = `${V1}/${CENTER}/preferences`;
    const before = await own.call('GET', path);
    const schema = JSON.parse(before.text);
    schema.Purposes[0].Version = 2;
    schema.Purposes[0].Description = 'Sale of my data to partners';
    const target = `/_sandbox/centers/${CENTER.toUpperCase()}`;
    assert.equal((await own.call('PUT', `${target}/preferences`, { body: schema })).status, 204);
    assert.deepEqual((await own.call('GET', path)).body, schema);
    await own.restart();
    assert.deepEqual((await own.call('GET', path)).body, schema);
    assert.equal((await own.call('DELETE', target)).status, 204);
    assert.equal((await own.call('GET', path)).text, before.text);
  });

  test('the root and the pages of a Multi Page center can be replaced and added', async () => {
    const MULTI = '0ca11000-0000-4000-8000-000000000001';
    const PAGE = '0ca11000-0000-4008-8000-000000000001';
    await using own = await openTenant({ demo: true });
    const body = async (path: string) => Object((await own.call('GET', path)).body);
    const added = PAGE.replace(/1$/, '9');
    const [root, page] = [`${V2}/${MULTI}/schema`, `${PAGES}/${PAGE}/schema`];
    for (const [file, from, path, change] of [
      [`pages/${PAGE}`, page, page, { isHidden: true }],
      ['schema', root, root, { displayUnsubscribeAll: false }],
      [`pages/${added}`, page, `${PAGES}/${added}/schema`, { id: added }],
    ] as const) {
      const changed = { ...(await body(from)), ...change };
      await own.call('PUT', `/_sandbox/centers/${MULTI}/${file}`, { body: changed });
      assert.partialDeepStrictEqual(await body(path), change);
    }
  });

  test('a replacement may create a center, and may be longer than a call of the interface', async () => {
    await using own = await openTenant({ files: {} });
    const center = 'aaaaaaaa-0000-4000-8000-000000000001';
    const body = { Language: 'en-us', Purposes: [{ Id: LETTER, Description: 'x'.repeat(3_000_000) }] };
    await own.call('PUT', `/_sandbox/centers/${center}/preferences`, { body });
    const { text } = await own.call('GET', `${V1}/${center}/preferences`, { unchecked: true });
    assert.ok(text.length > 3_000_000);
    assert.equal(listAt((await own.call('GET', V2)).body, 'content').length, 1);
  });

  test('a replacement must be an object, and the id of its center a UUID', async () => {
    const replace = async (center: string, raw: string) =>
      (await tenant.call('PUT', `/_sandbox/centers/${center}/preferences`, { raw })).status;
    for (const raw of ['[]', '{']) assert.equal(await replace(CENTER, raw), 400);
    for (const center of ['..%2f..%2fx', 'x']) assert.equal(await replace(center, '{}'), 400);
  });
});
