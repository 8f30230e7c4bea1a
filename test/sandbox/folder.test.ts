import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import {
  at,
  CLIENT,
  connect,
  listAt,
  NOTICES,
  openTenant,
  PAGES,
  send,
  subjectPath,
  TASKS,
  V1,
  V2,
} from './tenant.ts';

const SANDBOX = pathToFileURL(join(import.meta.dirname, '../../src/sandbox/sandbox.ts')).href;

const CENTER = 'abcdef00-0000-4000-8000-000000000001';
const PURPOSE = 'abcdef00-0000-4001-8000-000000000001';
const minimal = { Status: 200, Language: 'en', Purposes: [{ Id: PURPOSE, Label: 'News' }] };

describe('a data folder', () => {
  test('keeps what was answered even when the process is killed at once', async () => {
    const home = await mkdtemp(join(tmpdir(), 'sandbox-killed-'));
    const script = `
      const { startSandbox } = await import(${JSON.stringify(SANDBOX)});
      const { url } = await startSandbox({ port: 0, dataDir: ${JSON.stringify(home)}, clientId: 'sandbox', clientSecret: 'sandbox-secret' });
      process.stdout.write(url);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const url = String((await once(child.stdout, 'data'))[0]);
      const first = await connect(url);
      const path = subjectPath('b00c5000-0000-4000-8000-000000000001');
      const put = await send(url, 'PUT', path, {
        token: first,
        identifier: 'killed@example.org',
        body: { Purposes: [{ Id: 'b00c5000-0000-4001-8000-000000000001' }] },
      });
      assert.equal(put.status, 200);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const again = await startSandbox({ port: 0, dataDir: home, ...CLIENT });
      const { body } = await send(again.url, 'GET', path, { token: first, identifier: 'killed@example.org' });
      await again.close();
      assert.equal(at(body, 'Purposes', 0, 'TransactionStatus'), 'ACTIVE');
    } finally {
      child.kill('SIGKILL');
      await rm(home, { recursive: true, force: true });
    }
  });

  test('keeps what was written across restarts, and plants each person once', async () => {
    await using tenant = await openTenant({
      files: {
        [`centers/${CENTER}/preferences.json`]: minimal,
        [`centers/${CENTER}/subjects/a%40b.json`]: {
          Purposes: [{ Id: PURPOSE, TransactionStatus: 'ACTIVE' }],
        },
      },
    });
    const read = async () => (await tenant.call('GET', subjectPath(CENTER), { identifier: 'a@b' })).body;
    await tenant.call('PUT', subjectPath(CENTER), {
      identifier: 'a@b',
      body: { Purposes: [], Language: 'de' },
    });
    const before = await read();
    assert.equal(at(before, 'Purposes', 0, 'TransactionStatus'), 'WITHDRAWN');
    await tenant.write(`centers/${CENTER}/subjects/a%40b.json`, {
      Purposes: [{ Id: PURPOSE, TransactionStatus: 'OPT_IN' }],
    });
    await tenant.restart();
    assert.deepEqual(await read(), before);
  });

  test('is read again when a file changes, and takes new centers, pages and people', async () => {
    await using tenant = await openTenant({ files: { [`centers/${CENTER}/preferences.json`]: minimal } });
    const label = async () =>
      at((await tenant.call('GET', `${V1}/${CENTER}/preferences`)).body, 'Purposes', 0, 'Label');
    assert.equal(await label(), 'News');
    await tenant.write(`centers/${CENTER}/preferences.json`, {
      ...minimal,
      Purposes: [{ Id: PURPOSE, Label: 'More' }],
    });
    assert.equal(await label(), 'More');

    const other = CENTER.replace(/1$/, '2');
    assert.equal((await tenant.call('GET', `${V2}/${other}/schema`)).status, 404);
    await tenant.write(`centers/${other}/schema.json`, { defaultLanguage: 'en' });
    assert.equal((await tenant.call('GET', `${V2}/${other}/schema`)).status, 200);
    assert.equal((await tenant.call('GET', `${PAGES}/${PURPOSE}/schema`)).status, 404);
    await tenant.write(`centers/${other}/pages/${PURPOSE}.json`, { id: PURPOSE, sections: [] });
    assert.equal((await tenant.call('GET', `${PAGES}/${PURPOSE}/schema`)).status, 200);
    await tenant.write(`centers/${other}/subjects/new.json`, {
      Language: 'fr',
      Purposes: [{ Id: PURPOSE }],
    });
    const person = await tenant.call('GET', subjectPath(other), { identifier: 'new' });
    assert.equal(at(person.body, 'Language'), 'fr');
  });

  test('knows the purposes of every page that it serves, whatever the page’s file is called', async () => {
    const page = 'abcdef00-0000-4003-8000-000000000001';
    await using tenant = await openTenant({
      files: {
        [`centers/${CENTER}/schema.json`]: { defaultLanguage: 'en', pages: [{ id: page.toUpperCase() }] },
        [`centers/${CENTER}/pages/news.json`]: { id: page, sections: [{ purposes: [{ id: PURPOSE }] }] },
      },
    });
    assert.equal((await tenant.call('GET', `${PAGES}/${page}/schema`)).status, 200);
    const schema = await tenant.call('GET', `${V1}/${CENTER}/preferences`);
    assert.equal(at(schema.body, 'Purposes', 0, 'Id'), PURPOSE);
    const body = { Purposes: [{ Id: PURPOSE }] };
    const put = await tenant.call('PUT', subjectPath(CENTER), { identifier: 'a', body });
    assert.equal(at(put.body, 'Purposes', 0, 'Status'), true);
  });

  test('fills a person up with the names of the schema and keeps what only the file knows', async () => {
    await using tenant = await openTenant({
      files: {
        [`centers/${CENTER}/preferences.json`]: minimal,
        [`centers/${CENTER}/subjects/x.json`]: {
          DataSubjectId: 'Inside Wins@example.org',
          unsubscribeAll: false,
          segment: 'gold',
          Purposes: [
            { Id: PURPOSE.toUpperCase(), TransactionStatus: 'NOVEL_STATUS', Topics: null, mood: 7 },
            { Id: 'x', TransactionStatus: null },
            'not an object',
            null,
            { Label: 'no id' },
          ],
        },
      },
    });
    const path = subjectPath(CENTER);
    const { body } = await tenant.call('GET', path, {
      identifier: 'Inside Wins@example.org',
      lawless: true,
    });
    assert.equal(at(body, 'segment'), 'gold');
    assert.deepEqual(at(body, 'Purposes', 0), {
      Id: PURPOSE.toUpperCase(),
      Label: 'News',
      Description: '',
      Status: 'ACTIVE',
      TransactionStatus: 'NOVEL_STATUS',
      Topics: null,
      mood: 7,
      CustomPreferences: [],
    });
    assert.equal(at(body, 'Purposes', 1, 'TransactionStatus'), null);
    assert.deepEqual(listAt(body, 'Purposes').slice(2, 4), ['not an object', null]);
  });

  test('knows a person by the name of the file, and by the DataSubjectId in it unless a file has that name', async () => {
    const person = (id: string | null, tag: string) => ({
      DataSubjectId: id,
      Language: tag,
      Purposes: [{ Id: PURPOSE, TransactionStatus: 'ACTIVE' }],
    });
    await using tenant = await openTenant({
      files: {
        [`centers/${CENTER}/preferences.json`]: minimal,
        [`centers/${CENTER}/subjects/anna.json`]: person('ben', 'fr'),
        [`centers/${CENTER}/subjects/ben.json`]: person(null, 'de'),
        [`centers/${CENTER}/subjects/card-17.json`]: person('cleo@example.org', 'ar'),
      },
    });
    for (const [identifier, language] of [
      ['anna', 'fr'],
      ['ben', 'de'],
      ['card-17', 'ar'],
      ['cleo@example.org', 'ar'],
    ] as const) {
      const { body } = await tenant.call('GET', subjectPath(CENTER), { identifier });
      assert.equal(at(body, 'DataSubjectId'), identifier);
      assert.equal(at(body, 'Language'), language);
      assert.equal(at(body, 'Purposes', 0, 'TransactionStatus'), 'ACTIVE');
    }
    const ready = listAt((await tenant.call('GET', '/_sandbox/subjects')).body);
    assert.deepEqual(
      ready.map((each) => at(each, 'identifier')),
      ['anna', 'ben', 'card-17'],
    );
  });

  test('takes a file whose name ends in .JSON for what it is', async () => {
    const task = 'abcdef00-0000-4002-8000-000000000002';
    const notice = 'abcdef00-0000-4004-8000-000000000001';
    const page = 'ABCDEF00-0000-4003-8000-000000000002';
    await using tenant = await openTenant({
      files: {
        [`centers/${CENTER}/schema.json`]: { defaultLanguage: 'en' },
        [`centers/${CENTER}/pages/${page}.JSON`]: { sections: [] },
        [`centers/${CENTER}/subjects/a@b.JSON`]: { Language: 'fr' },
        'tasks/A.JSON': { id: task },
        'notices/A.Json': { id: notice },
      },
    });
    assert.equal((await tenant.call('GET', `${PAGES}/${page}/schema`, { lawless: true })).status, 200);
    const person = await tenant.call('GET', subjectPath(CENTER), { identifier: 'a@b' });
    assert.equal(at(person.body, 'Language'), 'fr');
    assert.deepEqual(
      listAt((await tenant.call('GET', '/_sandbox/subjects')).body).map((each) => at(each, 'identifier')),
      ['a@b'],
    );
    const asked = await tenant.call('GET', `${TASKS}/${task}?taskTypeNameKey=Issue`, { lawless: true });
    assert.equal(asked.status, 200);
    assert.equal(at((await tenant.call('GET', NOTICES)).body, 'content', 0, 'id'), notice);
  });

  test('with a person and a task that could not be read takes them once they can', async () => {
    const task = 'abcdef00-0000-4002-8000-000000000001';
    await using tenant = await openTenant({
      files: {
        [`centers/${CENTER}/preferences.json`]: minimal,
        [`centers/${CENTER}/subjects/late.json`]: '{"Language":',
        'tasks/late.json': '',
      },
    });
    const language = async () =>
      at((await tenant.call('GET', subjectPath(CENTER), { identifier: 'late' })).body, 'Language');
    const ask = () => tenant.call('GET', `${TASKS}/${task}?taskTypeNameKey=Issue`, { lawless: true });
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.equal(await language(), 'en');
    assert.equal((await ask()).status, 404);
    await tenant.write(`centers/${CENTER}/subjects/late.json`, { Language: 'fr' });
    await tenant.write('tasks/late.json', { id: task });
    assert.equal(await language(), 'fr');
    assert.equal((await ask()).status, 200);
  });

  test('with odd centers serves each as it is, and people can be written', async () => {
    const odd: readonly unknown[] = [
      {},
      { Purposes: null, Languages: null, ProfileSettings: null, PreferenceCenterSettings: null },
      { Purposes: 'x', Languages: {}, ProfileSettings: [], PortalSettings: 7 },
      { Purposes: [null, 7, {}, { Id: 7 }] },
      { Purposes: [{ Id: PURPOSE, Topics: {}, CustomPreferences: [null, { Id: 'x', Options: null }] }] },
      { novel: { deep: [1] }, Purposes: [{ Id: PURPOSE, novel: true }] },
      { Purposes: [{ Id: 'my purpose' }] },
      '{"__proto__":{"x":1},"Purposes":[]}',
      `\uFEFF${JSON.stringify(minimal)}`,
    ];
    const centerOf = (index: number) => `${CENTER.slice(0, -2)}${index + 10}`;
    const files = odd.map((content, index) => [`centers/${centerOf(index)}/preferences.json`, content]);
    await using tenant = await openTenant({ files: Object.fromEntries(files) });
    assert.equal((await tenant.call('GET', V2)).status, 200);
    for (const [index, content] of odd.entries()) {
      const center = centerOf(index);
      const { text } = await tenant.call('GET', `${V1}/${center}/preferences`, { lawless: true });
      assert.equal(
        text,
        typeof content === 'string' ? content.replace('\uFEFF', '') : JSON.stringify(content),
      );
      for (const [method, body] of [
        ['DELETE', undefined],
        ['PUT', { Purposes: [{ Id: PURPOSE }] }],
        ['GET', undefined],
      ] as const) {
        const asked = { identifier: 'odd', body, lawless: true };
        const { status } = await tenant.call(method, subjectPath(center), asked);
        assert.equal(status, 200, `${method} of ${text}`);
      }
    }
  });

  test('with odd people serves and writes each', async () => {
    const odd = {
      empty: {},
      wrong: { Purposes: {}, DsDataElements: [], Language: 7, messages: null },
      nothing: { Purposes: null, DsDataElements: null, Status: null, Language: null },
    };
    const files = Object.entries(odd).map(([name, content]) => [
      `centers/${CENTER}/subjects/${name}.json`,
      content,
    ]);
    await using tenant = await openTenant({
      files: { [`centers/${CENTER}/preferences.json`]: minimal, ...Object.fromEntries(files) },
    });
    for (const identifier of Object.keys(odd)) {
      const ask = (method: string, body?: unknown) =>
        tenant.call(method, subjectPath(CENTER), { identifier, body, lawless: true });
      assert.equal((await ask('GET')).status, 200);
      assert.equal((await ask('PUT', { Purposes: [{ Id: PURPOSE }] })).status, 200);
      assert.equal(at((await ask('GET')).body, 'Purposes', 0, 'TransactionStatus'), 'ACTIVE', identifier);
    }
  });

  test('with files that cannot be read warns of each once, by name, and serves the rest', async () => {
    const good = CENTER.replace(/1$/, '9');
    await using tenant = await openTenant({
      files: {
        [`centers/${CENTER}/preferences.json`]: '{ not json',
        [`centers/${good}/preferences.json`]: minimal,
        [`centers/${good}/subjects/broken.json`]: '',
        [`centers/${good}/subjects/%E0%A4%A.json`]: { Language: 'fr' },
        [`centers/${good}/notes.txt`]: 'x',
        'notices/list.json': '[]',
        'tasks/half.json': '{"id":',
        'centers/readme.md': 'x',
      },
    });
    assert.equal((await tenant.call('GET', `${V1}/${CENTER}/preferences`)).status, 404);
    assert.equal((await tenant.call('GET', `${V1}/${good}/preferences`)).status, 200);
    assert.equal(listAt((await tenant.call('GET', V2)).body, 'content').length, 1);
    await tenant.call('GET', '/api/privacynotice/v2/privacynotices');
    await tenant.call('GET', '/api/privacynotice/v2/privacynotices');
    for (const name of [
      `${CENTER}/preferences.json`,
      'subjects/broken.json',
      'notices/list.json',
      'tasks/half.json',
    ]) {
      assert.equal(tenant.lines.filter((line) => line.includes(name)).length, 1, name);
    }
    assert.equal(tenant.lines.length, 4);
    const odd = await tenant.call('GET', subjectPath(good), { identifier: '%E0%A4%A' });
    assert.equal(at(odd.body, 'Language'), 'fr');
  });

  test('that is not there at all is an empty platform', async () => {
    await using tenant = await openTenant({ options: { seedDir: '/nonexistent/folder' } });
    assert.equal(at((await tenant.call('GET', V2)).body, 'totalElements'), 0);
    assert.equal(at((await tenant.call('GET', '/api/privacynotice/v2/privacynotices')).body, 'empty'), true);
  });
});
