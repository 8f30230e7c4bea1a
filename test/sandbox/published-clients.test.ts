import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { at, listAt, openTenant } from './tenant.ts';

/** Whole sessions of clients that others have published, call by call as they make them. */
const books = 'b00c5000-0000-4000-8000-000000000001';
const anna = 'anna@example.org';
const home = '/api/consentmanager';

const tenant = forSuite(() => openTenant({ demo: true }));

async function ask(path: string, init: RequestInit = {}): Promise<unknown> {
  const answer = await fetch(tenant.url + path, init);
  assert.equal(answer.status, 200, `${init.method ?? 'GET'} ${path}`);
  return answer.json();
}

async function tokenBy(init: RequestInit, query = ''): Promise<Record<string, string>> {
  const body = await ask(`/api/access/v1/oauth/token${query}`, { method: 'POST', ...init });
  assert.ok(Number(at(body, 'expires_in')) > 60);
  return { authorization: `Bearer ${at(body, 'access_token')}` };
}

const client = { grant_type: 'client_credentials', client_id: 'sandbox', client_secret: 'sandbox-secret' };

describe('A client that others have published gets through its session:', () => {
  test('a shell script signs in by Basic, takes a link token, sends a receipt', async () => {
    const basic = Buffer.from('sandbox:sandbox-secret').toString('base64');
    const token = await tokenBy({
      headers: {
        accept: 'application/json',
        authorization: `Basic ${basic}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    const headers = { ...token, accept: 'application/json', identifier: anna };
    const links = await ask(`${home}/v1/linktokens`, { headers });
    assert.ok(String(at(links, 'content', 0, 'LinkToken')).length > 20);
    const points = await ask(`${home}/v1/collectionpoints`, { headers: token });
    const point = listAt(points, 'content').find((each) => at(each, 'DoubleOptIn') === false);
    const issued = await ask(`${home}/v1/collectionpoints/${at(point, 'Id')}/token`, { headers: token });
    const Id = at(point, 'Purposes', 0, 'Id');
    const receipt = await ask('/request/v1/consentreceipts', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({
        requestInformation: at(issued, 'token'),
        identifier: 'shell@example.org',
        dsDataElements: { Zip: '12345' },
        purposes: [{ Id, TransactionType: 'CONFIRMED' }],
      }),
    });
    assert.ok(at(receipt, 'receipt'));
    const mine = { headers: { ...token, identifier: 'shell@example.org' } };
    assert.equal(at(await ask(`${home}/v1/receipts`, mine), 'totalElements'), 1);
    const profile = at(await ask(`${home}/v1/datasubjects/profiles`, mine), 'content', 0, 'Purposes', 0);
    assert.deepEqual([at(profile, 'Id'), at(profile, 'Status')], [Id, 'ACTIVE']);
  });

  test('a service of members signs in by multipart and asks how one purpose stands', async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries(client)) body.append(name, value);
    const token = await tokenBy({ body });
    const purposes = await ask(`${home}/v1/preferencecenters/${books}/datasubjects/preferences`, {
      headers: { ...token, identifier: anna },
    });
    const { Id, TransactionStatus } = Object(at(purposes, 'Purposes', 0));
    const path = `${home}/v1/datasubjects/profiles?purposeGuid=${Id}`;
    const headers = { ...token, 'content-type': 'application/json', identifier: anna };
    assert.equal(at(await ask(path, { headers }), 'content', 0, 'Purposes', 0, 'Status'), TransactionStatus);
    const nobody = await ask(path, { headers: { ...headers, identifier: 'nobody@example.org' } });
    assert.deepEqual(at(nobody, 'content'), []);
  });

  test('a backend of a site signs in by form and looks at one person without counting all', async () => {
    const token = await tokenBy({ body: new URLSearchParams(client) });
    const found = await ask(`${home}/v1/datasubjects/profiles?size=1&properties=ignoreCount`, {
      headers: { ...token, accept: 'application/json', Identifier: anna },
    });
    assert.equal(at(found, 'content', 0, 'Identifier'), anna);
    const named = listAt(found, 'content', 0, 'Purposes').map((purpose) => at(purpose, 'Name'));
    assert.ok(named.length > 0 && named.every((name) => name !== ''));
  });

  test('an audit script signs in by query and reads every list to its end', async () => {
    const token = await tokenBy({}, `?${new URLSearchParams(client)}`);
    const read = async (path: string) => {
      const all: unknown[] = [];
      for (let page = 0; ; page += 1) {
        const part = await ask(`${home}${path}?page=${page}&size=4`, { headers: token });
        all.push(...listAt(part, 'content'));
        if (at(part, 'last') === true) return { all, total: at(part, 'totalElements') };
        assert.ok(page < 100, path);
      }
    };
    for (const path of [
      '/v1/datasubjects/profiles',
      '/v1/purposes',
      '/v2/purposes/',
      '/v1/collectionpoints',
      '/v1/receipts',
      '/v1/linktokens',
      '/v1/custompreferences',
    ]) {
      const { all, total } = await read(path);
      assert.equal(all.length, total, path);
      if (path !== '/v1/receipts') assert.ok(all.length > 2, path);
    }
    const { all: centers } = await read('/v2/preferencecenters');
    for (const center of centers) {
      const path = `${home}/v1/preferencecenters/${at(center, 'id')}/preferences?state=PUBLISHED`;
      assert.equal(at(await ask(path, { headers: token }), 'Status'), 200);
    }
  });
});
