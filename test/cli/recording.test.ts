import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { captureTenant, recordPeople } from '../../src/cli/capture.ts';
import { readConfig } from '../../src/config/environment.ts';
import { textsIn, withoutPerson } from '../../src/upstream/anonymous.ts';
import { newFolder } from '../kit/folder.ts';
import { at, CLIENT, listAt, openTenant, subjectPath, type Tenant } from '../sandbox/tenant.ts';

const books = 'b00c5000-0000-4000-8000-000000000001';
const anna = 'anna@example.org';

const configOf = (tenant: Tenant) =>
  readConfig(
    {
      PLATFORM_URL: tenant.url,
      PLATFORM_CLIENT_ID: CLIENT.clientId,
      PLATFORM_CLIENT_SECRET: CLIENT.clientSecret,
      PUBLIC_URL: 'http://localhost:1',
      SECRET: Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7 + 3)).toString('base64'),
    },
    (path) => readFileSync(path, 'utf8'),
  );

/** What was chosen, without texts: those of a purpose that no schema has are not kept. */
const standingOf = (record: unknown) =>
  listAt(record, 'Purposes').map((purpose) => [
    at(purpose, 'Id'),
    at(purpose, 'TransactionStatus'),
    listAt(purpose, 'Topics').map((topic) => at(topic, 'Id')),
    listAt(purpose, 'CustomPreferences').map((preference) => [
      at(preference, 'Id'),
      listAt(preference, 'Options').map((option) => at(option, 'Id')),
    ]),
  ]);

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile());

suite('A recording of a tenant', () => {
  test('holds no personal data, and is played by the sandbox with everybody’s consents as they were.', async (t) => {
    const tenant = await openTenant({ demo: true });
    t.after(() => tenant.close());
    const folder = newFolder(t);
    const put = {
      identifier: anna,
      body: { Purposes: [], DsDataElements: { 'First Name': 'Annabelle', 'Date of birth': '03/28/1981' } },
    };
    await tenant.call('PUT', subjectPath(books), put);
    const silent = () => undefined;
    const config = configOf(tenant);
    await captureTenant(config, folder, silent);
    const people = (async function* () {
      yield Buffer.from(`identifier\n${anna}\njonas@example.org\nnobody@example.org\n`);
    })();
    await recordPeople(config, { folder, people, print: silent });
    for (const path of filesIn(folder).filter((each) => each.includes('subjects'))) {
      const text = `${path} ${readFileSync(path, 'utf8')}`;
      assert.doesNotMatch(text, /anna|jonas|nobody@|Annabelle|1981|03\/28/i, path);
    }
    const played = await openTenant({ options: { seedDir: folder } });
    t.after(() => played.close());
    for (const [identifier, alias] of [
      [anna, 'person-1@example.org'],
      ['jonas@example.org', 'person-2@example.org'],
    ] as const) {
      const before = (await tenant.call('GET', subjectPath(books), { identifier })).body;
      const after = (await played.call('GET', subjectPath(books), { identifier: alias })).body;
      assert.equal(at(after, 'DataSubjectId'), alias);
      assert.ok(listAt(before, 'Purposes').length > 0);
      assert.deepEqual(standingOf(after), standingOf(before));
      assert.deepEqual(
        Object.keys(Object(at(after, 'DsDataElements'))),
        Object.keys(Object(at(before, 'DsDataElements'))),
      );
    }
    const born = await played.call('GET', subjectPath(books), { identifier: 'person-1@example.org' });
    assert.equal(at(born.body, 'DsDataElements', 'Date of birth'), '00/00/0000');
  });

  test('keeps no text that is neither of a schema nor a word of the interface.', () => {
    const schema = { Label: 'News', Options: [{ Label: 'Daily' }] };
    const record = {
      DataSubjectId: anna,
      Status: 200,
      Language: 'en-us',
      Purposes: [
        { Label: 'News', TransactionStatus: 'ACTIVE', Note: 'Call Ann after 5', Rank: 7, Who: anna },
      ],
      DsDataElements: { City: 'Daily', 'Ann’s': 'Ü5' },
      'Said by ann@x.org': true,
    };
    const given = { identifier: anna, alias: 'person-1', texts: textsIn(schema) };
    assert.deepEqual(withoutPerson(record, given), {
      DataSubjectId: 'person-1',
      Status: 200,
      Language: 'en-us',
      Purposes: [
        { Label: 'News', TransactionStatus: 'ACTIVE', Note: 'Xxxx Xxx xxxxx 0', Rank: 0, Who: 'person-1' },
      ],
      DsDataElements: { City: 'Xxxxx', 'Xxx’x': 'X0' },
      'Xxxx xx xxx@x.xxx': true,
    });
  });
});
