import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { at, listAt, openTenant, subjectPath } from './tenant.ts';

/** Transactions that other programs of the customer send in. */
const HOME = '/api/consentmanager';
const BOOKS = 'b00c5000-0000-4000-8000-000000000001';
const ANNA = 'anna@example.org';

let time = Date.parse('2026-03-01T10:00:00.000Z');

const tenant = forSuite(() =>
  openTenant({ demo: true, options: { now: () => new Date(time), tokenLife: 10_000_000 } }),
);

const read = async (path: string, ask = {}) => (await tenant.call('GET', `${HOME}${path}`, ask)).body;

async function onRecord(identifier = ANNA): Promise<Map<string, string>> {
  const { body } = await tenant.call('GET', subjectPath(BOOKS), { identifier });
  return new Map(
    listAt(body, 'Purposes').map((purpose) => [
      String(at(purpose, 'Id')),
      String(at(purpose, 'TransactionStatus')),
    ]),
  );
}

async function pointToken(doubleOptIn = false): Promise<string> {
  const points = listAt(await read('/v1/collectionpoints?size=100'), 'content');
  const books = points.find(
    (point) =>
      at(point, 'DoubleOptIn') === doubleOptIn &&
      listAt(point, 'Purposes').some((purpose) => String(at(purpose, 'Id')).startsWith('b00c5')),
  );
  const { body } = await tenant.call('GET', `${HOME}/v1/collectionpoints/${at(books, 'Id')}/token`);
  return String(at(body, 'token'));
}

const post = (body: unknown) => tenant.call('POST', '/request/v1/consentreceipts', { body, token: '' });

describe('a receipt', () => {
  test('grants and withdraws without a bearer token, and leaves what it does not name', async () => {
    const identifier = 'receipt@example.org';
    const requestInformation = await pointToken();
    const schema = await read(`/v1/preferencecenters/${BOOKS}/preferences`);
    const [first = '', second = ''] = listAt(schema, 'Purposes')
      .filter((purpose) => at(purpose, 'Status') === 'ACTIVE')
      .map((purpose) => String(at(purpose, 'Id')));
    const granted = await post({
      requestInformation,
      identifier,
      purposes: [
        { Id: first, TransactionType: 'CONFIRMED' },
        { Id: second, TransactionType: 'CONFIRMED' },
      ],
      dsDataElements: { City: 'Oslo' },
    });
    assert.equal(granted.status, 200);
    assert.match(String(at(granted.body, 'receipt')), /^[\w-]+\.[\w-]+\.[\w-]+$/);
    await post({ requestInformation, identifier, purposes: [{ Id: first, TransactionType: 'WITHDRAWN' }] });
    const record = await onRecord(identifier);
    assert.equal(record.get(first), 'WITHDRAWN');
    assert.equal(record.get(second), 'ACTIVE');
    const receipts = await read('/v1/receipts', { identifier });
    assert.equal(at(receipts, 'totalElements'), 2);
    assert.equal(at(await read('/v1/receipts', { identifier: ANNA }), 'totalElements'), 0);
  });

  test('changes nothing for an unknown token, a type or a purpose that is not known', async () => {
    const requestInformation = await pointToken();
    const [Id = ''] = (await onRecord()).keys();
    const purposes = [{ Id, TransactionType: 'CONFIRMED' }];
    const before = await onRecord();
    const [head = '', claims = '', sign = ''] = requestInformation.split('.');
    const forged = [head, Buffer.from('{"processId":"x"}').toString('base64url'), sign].join('.');
    for (const body of [
      { identifier: ANNA, purposes },
      { requestInformation: forged, identifier: ANNA, purposes },
      { requestInformation: `${head}.${claims}.`, identifier: ANNA, purposes },
      { requestInformation, purposes },
      { requestInformation, identifier: ANNA, purposes: [{ Id, TransactionType: 'MAYBE' }] },
      {
        requestInformation,
        identifier: ANNA,
        purposes: [...purposes, { Id: BOOKS, TransactionType: 'CONFIRMED' }],
      },
      { requestInformation, identifier: ANNA, purposes: [] },
    ])
      assert.equal((await post(body)).status, 400, JSON.stringify(body));
    assert.deepEqual(await onRecord(), before);
  });
});

describe('double opt-in', () => {
  const confirm = async (link: unknown) =>
    (await tenant.call('GET', new URL(String(link)).pathname, { token: '' })).status;
  const mailTo = async (identifier: string) =>
    listAt((await tenant.call('GET', '/_sandbox/mails')).body).filter(
      (mail) => at(mail, 'to') === identifier,
    );
  const ask = async (identifier: string, TransactionType = 'CONFIRMED') => {
    const requestInformation = await pointToken(true);
    const schema = await read(`/v1/preferencecenters/${BOOKS}/preferences`);
    const Id = at(schema, 'Purposes', 0, 'Id');
    await post({ requestInformation, identifier, purposes: [{ Id, TransactionType }] });
    return { Id: String(Id), requestInformation };
  };

  test('lets a consent wait until the link of its mail is followed, once and again', async () => {
    const identifier = 'waits@example.org';
    const { Id } = await ask(identifier);
    assert.equal((await onRecord(identifier)).get(Id), 'PENDING');
    const [mail, ...others] = await mailTo(identifier);
    assert.deepEqual(others, []);
    const link = String(at(mail, 'link'));
    assert.equal(await confirm(`${link.slice(0, -3)}AAA`), 404);
    assert.equal((await onRecord(identifier)).get(Id), 'PENDING');
    assert.equal(await confirm(link), 200);
    assert.equal((await onRecord(identifier)).get(Id), 'ACTIVE');
    assert.equal(await confirm(link), 200);
    await ask(identifier);
    assert.equal((await mailTo(identifier)).length, 1, 'what is on asks for nothing');
  });

  test('brings nothing back that was withdrawn meanwhile, nor after a week', async () => {
    for (const [identifier, days, type] of [
      ['left@example.org', 0, 'WITHDRAWN'],
      ['late@example.org', 8, undefined],
    ] as const) {
      const { Id } = await ask(identifier);
      if (type !== undefined) await ask(identifier, type);
      const before = (await onRecord(identifier)).get(Id);
      time += days * 86_400_000;
      const [mail] = await mailTo(identifier);
      assert.equal(await confirm(at(mail, 'link')), days === 0 ? 200 : 404);
      assert.equal((await onRecord(identifier)).get(Id), before);
    }
  });
});
