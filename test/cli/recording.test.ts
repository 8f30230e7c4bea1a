import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { shadowTenant } from '../../src/cli/shadow.ts';
import { readConfig } from '../../src/config/environment.ts';
import { textsIn, withoutPerson } from '../../src/upstream/anonymous.ts';
import { runCommand } from '../kit/command.ts';
import { newFolder } from '../kit/folder.ts';
import { at, centerOf, listAt, ofEach, openTenant, type Tenant } from '../sandbox/tenant.ts';
import { anna, center as books, settingsOf } from './checked-tenant.ts';

const configOf = (tenant: Tenant) => readConfig(settingsOf(tenant, '/nowhere'), () => '');

/** The statuses and choices of a record, without texts: texts that no schema has are not recorded. */
const standingOf = (record: unknown) =>
  listAt(record, 'Purposes').map((purpose) => [
    ...[at(purpose, 'Id'), at(purpose, 'TransactionStatus'), ofEach(purpose, 'Topics', 'Id')],
    ...listAt(purpose, 'CustomPreferences').map((each) => [at(each, 'Id'), ofEach(each, 'Options', 'Id')]),
  ]);

async function* listOf(...people: readonly string[]) {
  yield Buffer.from(`identifier\n${people.join('\n')}\n`);
}

/** Runs the command and returns its printed lines. */
async function capture(tenant: Tenant, { folder, people }: { folder: string; people: string }) {
  const args = ['capture', folder, '--people', people];
  const { code, stdout, stderr } = await runCommand(args, settingsOf(tenant, '/nowhere'));
  assert.equal(code, 0, stderr);
  return stdout.split('\n');
}

function fileOf(folder: string, people: readonly string[]): string {
  const file = join(folder, 'people.csv');
  writeFileSync(file, `identifier\n${people.join('\n')}\n`);
  return file;
}

/** Runs a shadow over a tenant and returns its report of the centers. */
async function shadowOf(
  tenant: Tenant,
  out: string,
  { people, print }: { readonly people: readonly string[]; readonly print: (line: string) => void },
) {
  const options = { out, share: 100, personal: false, print, stop: new AbortController().signal };
  const quick = { ...configOf(tenant), quota: { perMinute: 6_000, perHour: 360_000 } };
  assert.equal(await shadowTenant(quick, { ...options, people: listOf(...people) }), true);
  return at(JSON.parse(readFileSync(join(out, 'shadow.json'), 'utf8')), 'centers');
}

suite('A recording of a tenant', () => {
  test('a recording has no personal data, and the sandbox plays all consents from it', async (t) => {
    await using tenant = await openTenant({ demo: true });
    const folder = newFolder(t);
    const DsDataElements = { 'First Name': 'Annabelle', 'Date of birth': '03/28/1981' };
    await centerOf(tenant, books).ask('PUT', anna, { body: { Purposes: [], DsDataElements } });
    const people = fileOf(newFolder(t), [anna, 'jonas@example.org', 'nobody@example.org']);
    await capture(tenant, { folder, people });
    const recorded = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      (each) => each.isFile() && each.parentPath.endsWith('subjects'),
    );
    assert.ok(recorded.length > 0);
    for (const { parentPath, name } of recorded) {
      const text = `${name} ${readFileSync(join(parentPath, name), 'utf8')}`;
      assert.doesNotMatch(text, /anna|jonas|nobody@|Annabelle|1981|03\/28/i, name);
    }
    await using played = await openTenant({ options: { seedDir: folder } });
    const elements = (record: unknown) => Object(at(record, 'DsDataElements'));
    for (const [identifier, alias] of [
      [anna, 'person-1@example.org'],
      ['jonas@example.org', 'person-2@example.org'],
    ] as const) {
      const before = (await centerOf(tenant, books).read(identifier)).body;
      const after = (await centerOf(played, books).read(alias)).body;
      assert.equal(at(after, 'DataSubjectId'), alias);
      assert.ok(listAt(before, 'Purposes').length > 0);
      assert.deepEqual(standingOf(after), standingOf(before));
      assert.deepEqual(Object.keys(elements(after)), Object.keys(elements(before)));
      if (identifier === anna) assert.equal(elements(after)['Date of birth'], '00/00/0000');
    }
  });

  test('a recording leaves out a draft, and a shadow run over it has the same result as over the tenant', async (t) => {
    const draft = 'd4af7000-0000-4000-8000-000000000001';
    const news = 'b00c5000-0000-4001-8000-000000000001';
    const schema = {
      Status: 200,
      Language: 'en-us',
      Languages: ['en-us'],
      Template: 'ENHANCED',
      Purposes: [{ Id: news, Label: 'News', Status: 'ACTIVE', PurposeType: 'STANDARD' }],
    };
    await using tenant = await openTenant({
      files: {
        [`centers/${books}/preferences.json`]: schema,
        [`centers/${draft}/preferences.json`]: schema,
        [`centers/${draft}/center.json`]: { status: 'DRAFT' },
      },
    });
    await centerOf(tenant, books).put(anna, news);
    const home = newFolder(t);
    const folder = join(home, 'recording');
    const people = [anna, 'eva@example.org'];
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const original = await shadowOf(tenant, join(home, 'shadow'), { people, print });
    assert.deepEqual(Object.keys(Object(original)), [books]);
    assert.equal(at(original, books, 'people'), 2);
    printed.push(...(await capture(tenant, { folder, people: fileOf(home, people) })));
    const leftOut = printed.filter((line) => /is left out: it has no schema that is published$/.test(line));
    assert.equal(leftOut.length, 2, 'the shadow run and the recording each report it');
    await using played = await openTenant({ options: { seedDir: folder } });
    const aliases = ['person-1@example.org', 'person-2@example.org'];
    const replayed = await shadowOf(played, join(home, 'again'), { people: aliases, print });
    assert.deepEqual(replayed, original);
  });

  test('a recording keeps only texts of a schema or of the interface', () => {
    const schema = { Label: 'News', Options: [{ Label: 'Daily' }] };
    const recorded = { Status: 200, Language: 'en-us' };
    const news = { Label: 'News', TransactionStatus: 'ACTIVE' };
    const record = {
      ...recorded,
      DataSubjectId: anna,
      'Said by ann@x.org': true,
      Purposes: [{ ...news, Note: 'Call Ann after 5', Rank: 7, Who: anna }],
      DsDataElements: { City: 'Daily', 'Ann’s': 'Ü5' },
    };
    const given = { identifier: anna, alias: 'person-1', texts: textsIn(schema) };
    assert.deepEqual(withoutPerson(record, given), {
      ...recorded,
      DataSubjectId: 'person-1',
      'Xxxx xx xxx@x.xxx': true,
      Purposes: [{ ...news, Note: 'Xxxx Xxx xxxxx 0', Rank: 0, Who: 'person-1' }],
      DsDataElements: { City: 'Xxxxx', 'Xxx’x': 'X0' },
    });
  });
});
