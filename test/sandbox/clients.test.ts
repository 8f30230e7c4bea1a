import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { books as BOOKS } from '../kit/sandbox-ids.ts';
import { at, centerOf, listAt, NOTICES, ofEach, openTenant } from './tenant.ts';

/** Path of the calls that other programs of the customer make, beside the preference centers. */
const HOME = '/api/consentmanager';

const ANNA = 'anna@example.org';

let time = Date.parse('2026-03-01T10:00:00.000Z');

const tenant = forSuite(() =>
  openTenant({ demo: true, options: { now: () => new Date(time), tokenLife: 10_000_000 } }),
);

const read = async (path: string, ask = {}) => (await tenant.call('GET', `${HOME}${path}`, ask)).body;
const statusOf = async (path: string, ask = {}) => (await tenant.call('GET', `${HOME}${path}`, ask)).status;

const books = centerOf(tenant, BOOKS);

const PROFILES = '/v1/datasubjects/profiles';

describe('profiles', () => {
  test('a header or a query selects one person, whose profile has the purposes of all centers', async () => {
    const byHeader = await read(PROFILES, { identifier: ANNA });
    const byQuery = await read(`${PROFILES}?identifier=${encodeURIComponent(ANNA)}`);
    assert.deepEqual(byHeader, byQuery);
    assert.partialDeepStrictEqual(byHeader, { totalElements: 1, content: [{ Identifier: ANNA }] });
    const purposes = listAt(byHeader, 'content', 0, 'Purposes');
    assert.ok(purposes.length > 0 && purposes.every((purpose) => at(purpose, 'Name') !== ''));
    const statuses = Object.fromEntries(purposes.map((each) => [at(each, 'Id'), at(each, 'Status')]));
    assert.partialDeepStrictEqual(statuses, await books.statuses(ANNA));
  });

  test('a list of profiles can be narrowed to a purpose and a date; a published client can read one', async () => {
    const [purpose = ''] = Object.keys(await books.statuses(ANNA));
    const narrow = `${PROFILES}?purposeGuid=${purpose.toUpperCase()}`;
    // These are the headers of a published client.
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const narrowed = await read(narrow, { identifier: ANNA, headers });
    assert.deepEqual(ofEach(narrowed, 'content', 0, 'Purposes', 'Id'), [purpose]);
    assert.deepEqual(at(await read(narrow, { identifier: 'nobody@example.org' }), 'content'), []);
    const alone = await read(`${PROFILES}?size=1&properties=ignoreCount`, { identifier: ANNA });
    assert.equal(at(alone, 'content', 0, 'Identifier'), ANNA);
    const later = await read(`${PROFILES}?updatedSince=2026-03-02`, { identifier: ANNA });
    assert.equal(at(later, 'totalElements'), 0);
    time = Date.parse('2026-03-02T12:00:00.000Z');
    await books.withdraw(ANNA);
    const now = await read(`${PROFILES}?updatedSince=2026-03-02T11:00:00`);
    assert.deepEqual(ofEach(now, 'content', 'Identifier'), [ANNA]);
  });

  test('a malformed query and a token without the scope are refused', async () => {
    for (const query of ['purposeGuid=x', 'updatedSince=yesterday', 'size=0'])
      assert.equal(await statusOf(`${PROFILES}?${query}`), 400, query);
    const token = await tenant.scoped('POLICY');
    assert.equal(await statusOf(PROFILES, { token }), 403);
  });
});

test('Each person has one constant link token with an expiry date, and the list is narrowed by date', async () => {
  const one = await read('/v1/linktokens', { identifier: ANNA });
  assert.equal(at(one, 'totalElements'), 1);
  const row = at(one, 'content', 0);
  assert.equal(at(row, 'DataSubjectId'), ANNA);
  assert.equal(at(row, 'UrlEncodedLinkToken'), encodeURIComponent(String(at(row, 'LinkToken'))));
  assert.match(String(at(row, 'ExpiryDate')), /^2027-03-\d\dT[\d:]+\.\d{3}$/);
  const all = listAt(await read('/v1/linktokens?size=2000'), 'content');
  const again = all.find((each) => at(each, 'DataSubjectId') === ANNA);
  assert.deepEqual(again, row);
  assert.equal(new Set(ofEach({ all }, 'all', 'LinkToken')).size, all.length);
  assert.equal(at(await read('/v1/linktokens?until=2020-01-01'), 'totalElements'), 0);
  assert.ok(Number(at(await read('/v1/linktokens?since=2020-01-01'), 'totalElements')) > 3);
});

test('A client can read every list to its end, page by page', async () => {
  for (const path of [
    ...[PROFILES, '/v1/purposes', '/v2/purposes/', '/v1/collectionpoints', '/v1/linktokens'],
    ...['/v1/custompreferences', '/v2/preferencecenters', '/v1/receipts'],
  ]) {
    let seen = 0;
    for (let page = 0, isLast = false; !isLast; page += 1) {
      assert.ok(page < 100, path);
      const part = await read(`${path}?page=${page}&size=4`);
      seen += listAt(part, 'content').length;
      isLast = at(part, 'last') === true;
      if (isLast) assert.equal(at(part, 'totalElements'), seen, path);
    }
    if (path !== '/v1/receipts') assert.ok(seen > 2, path);
  }
});

describe('purposes', () => {
  const made = { Name: 'Zebra', Description: 'Stripes', ConsentLifeSpan: 0 };
  const path = (id: unknown, step = '') => `${HOME}/v1/purposes/${id}${step}`;
  const versionOf = (purpose: unknown) => `${at(purpose, 'Version')} ${at(purpose, 'Status')}`;

  test('a purpose can be granted only while it is active, between draft and retired', async () => {
    const { body } = await tenant.call('POST', `${HOME}/v1/purposes`, { body: made });
    const id = at(body, 'Id');
    await tenant.restart();
    const grant = async () =>
      at((await books.put('zebra@example.org', String(id))).body, 'Purposes', 0, 'Status');
    assert.equal(await grant(), false);
    const change = (method: string, step = '', body?: object) =>
      tenant.call(method, path(id, step), { body });
    const edited = await change('PUT', '', { ...made, Name: 'Zebras' });
    assert.partialDeepStrictEqual(edited.body, { Label: 'Zebras', Status: 'DRAFT' });
    assert.equal(versionOf((await change('PUT', '/publish?version=1')).body), '1 ACTIVE');
    assert.equal(await grant(), true);
    assert.equal((await change('PUT', '', made)).status, 400, 'no draft');
    assert.equal(versionOf((await change('POST')).body), '2 DRAFT');
    assert.equal((await change('POST')).status, 400, 'a draft already');
    assert.equal((await change('PUT', '/publish?version=7')).status, 400);
    const ofZebra = async (query: string) =>
      listAt(await read(`/v1/purposes?size=200${query}`), 'content')
        .filter((purpose) => at(purpose, 'Id') === id)
        .map(versionOf);
    assert.deepEqual(await ofZebra('&latestVersion=true'), ['2 DRAFT']);
    await change('PUT', '/publish?version=2');
    assert.deepEqual(await ofZebra(''), ['2 ACTIVE', '1 RETIRED']);
    assert.deepEqual(await ofZebra('&latestVersion=true'), ['2 ACTIVE']);
    await change('PUT', '/retire?date=2026-04-01');
    assert.equal(await grant(), true);
    time = Date.parse('2026-04-01T00:00:00.000Z');
    assert.equal(versionOf((await change('GET')).body), '2 RETIRED');
    assert.equal(await grant(), false);
  });

  test('both versions of the interface list the purposes of all centers', async () => {
    const first = await read('/v1/purposes?size=200&latestVersion=true');
    const second = await read('/v2/purposes/?size=200&latestVersion=true');
    const ids = ofEach(first, 'content', 'Id');
    assert.deepEqual(ofEach(second, 'content', 'id'), ids);
    const schema = await read(`/v1/preferencecenters/${BOOKS}/preferences`);
    for (const id of ofEach(schema, 'Purposes', 'Id')) assert.ok(ids.includes(id));
    assert.equal(at(await read(`/v2/purposes/${ids[0]}`), 'label'), at(first, 'content', 0, 'Label'));
    assert.equal(await statusOf(`/v2/purposes/${BOOKS}`), 404);
    assert.equal(await statusOf('/v1/purposes/x'), 400);
  });
});

test('The text of a notice is read from its published version', async () => {
  const notices = listAt((await tenant.call('GET', `${NOTICES}?size=50`)).body, 'content');
  const isActive = (version: unknown) => at(version, 'status') === 'ACTIVE';
  const notice = notices.find((each) => listAt(each, 'versions').some(isActive));
  const path = `/api/enterprise-policy/v1/privacynotices/${at(notice, 'id')}/published-version`;
  const { status, body } = await tenant.call('GET', path);
  assert.deepEqual([status, at(body, 'status')], [200, 'ACTIVE']);
  assert.match(String(at(body, 'content')), /^<h1>.+<\/h1>$/);
});

async function pointToken(doubleOptIn = false): Promise<string> {
  const points = listAt(await read('/v1/collectionpoints?size=100'), 'content');
  const point = points.find(
    (each) => at(each, 'DoubleOptIn') === doubleOptIn && /b00c5/.test(ofEach(each, 'Purposes', 'Id').join()),
  );
  return String(at(await read(`/v1/collectionpoints/${at(point, 'Id')}/token`), 'token'));
}

const post = (body: unknown) => tenant.call('POST', '/request/v1/consentreceipts', { body, token: '' });

describe('a receipt', () => {
  test('a receipt without a bearer token grants and withdraws the purposes that it names, and no other', async () => {
    const identifier = 'receipt@example.org';
    const requestInformation = await pointToken();
    const schema = await read(`/v1/preferencecenters/${BOOKS}/preferences`);
    const [first = '', second = ''] = listAt(schema, 'Purposes')
      .filter((purpose) => at(purpose, 'Status') === 'ACTIVE')
      .map((purpose) => String(at(purpose, 'Id')));
    const say = (TransactionType: string, ...ids: string[]) =>
      post({ requestInformation, identifier, purposes: ids.map((Id) => ({ Id, TransactionType })) });
    const granted = await say('CONFIRMED', first, second);
    assert.equal(granted.status, 200);
    assert.match(String(at(granted.body, 'receipt')), /^[\w-]+\.[\w-]+\.[\w-]+$/);
    await say('WITHDRAWN', first);
    const left = { [first]: 'WITHDRAWN', [second]: 'ACTIVE' };
    assert.partialDeepStrictEqual(await books.statuses(identifier), left);
    assert.equal(at(await read('/v1/receipts', { identifier }), 'totalElements'), 2);
    assert.equal(at(await read('/v1/receipts', { identifier: ANNA }), 'totalElements'), 0);
  });

  test('a receipt with a forged token, an unknown type or an unknown purpose changes nothing', async () => {
    const requestInformation = await pointToken();
    const before = await books.statuses(ANNA);
    const [Id = ''] = Object.keys(before);
    const purposes = [{ Id, TransactionType: 'CONFIRMED' }];
    const [head = '', claims = '', sign = ''] = requestInformation.split('.');
    const forged = [head, Buffer.from('{"processId":"x"}').toString('base64url'), sign].join('.');
    const unknown = { Id: BOOKS, TransactionType: 'CONFIRMED' };
    for (const wrong of [
      { requestInformation: undefined },
      { requestInformation: forged },
      { requestInformation: `${head}.${claims}.` },
      { identifier: undefined },
      { purposes: [{ Id, TransactionType: 'MAYBE' }] },
      { purposes: [...purposes, unknown] },
      { purposes: [] },
    ]) {
      const body = { requestInformation, identifier: ANNA, purposes, ...wrong };
      assert.equal((await post(body)).status, 400, JSON.stringify(wrong));
    }
    assert.deepEqual(await books.statuses(ANNA), before);
  });
});

describe('double opt-in', () => {
  const confirm = async (link: unknown) =>
    (await tenant.call('GET', new URL(String(link)).pathname, { token: '' })).status;
  const mailTo = async (identifier: string) => {
    const { body } = await tenant.call('GET', '/_sandbox/mails');
    return listAt(body).filter((mail) => at(mail, 'to') === identifier);
  };
  const ask = async (identifier: string, TransactionType = 'CONFIRMED') => {
    const requestInformation = await pointToken(true);
    const schema = await read(`/v1/preferencecenters/${BOOKS}/preferences`);
    const Id = at(schema, 'Purposes', 0, 'Id');
    await post({ requestInformation, identifier, purposes: [{ Id, TransactionType }] });
    return { Id: String(Id), requestInformation };
  };

  test('a consent waits until the link of its mail is followed, which may be followed again', async () => {
    const identifier = 'waits@example.org';
    const { Id } = await ask(identifier);
    assert.equal((await books.statuses(identifier))[Id], 'PENDING');
    const [mail, ...others] = await mailTo(identifier);
    assert.deepEqual(others, []);
    const link = String(at(mail, 'link'));
    assert.equal(await confirm(`${link.slice(0, -3)}AAA`), 404);
    assert.equal((await books.statuses(identifier))[Id], 'PENDING');
    assert.equal(await confirm(link), 200);
    assert.equal((await books.statuses(identifier))[Id], 'ACTIVE');
    assert.equal(await confirm(link), 200);
    await ask(identifier);
    assert.equal((await mailTo(identifier)).length, 1, 'an active consent asks for nothing');
  });

  test('a link activates no consent that was withdrawn meanwhile, and none after a week', async () => {
    for (const [identifier, days, type] of [
      ['left@example.org', 0, 'WITHDRAWN'],
      ['late@example.org', 8, undefined],
    ] as const) {
      const { Id } = await ask(identifier);
      if (type !== undefined) await ask(identifier, type);
      const before = (await books.statuses(identifier))[Id];
      time += days * 86_400_000;
      const [mail] = await mailTo(identifier);
      assert.equal(await confirm(at(mail, 'link')), days === 0 ? 200 : 404);
      assert.equal((await books.statuses(identifier))[Id], before);
    }
  });
});
