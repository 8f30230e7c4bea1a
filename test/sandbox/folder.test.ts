import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { books, newBooks } from '../kit/sandbox-ids.ts';
import {
  at,
  CLIENT,
  centerOf,
  connect,
  listAt,
  NOTICES,
  ofEach,
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
const minimal = {
  Status: 200,
  Language: 'en',
  Purposes: [{ Id: PURPOSE, Label: 'News' }],
  PortalSettings: { Title: 'Shop' },
};

/** Builds the files of one center with a purpose, and of its people by the name of their file. */
const filesOf = (people: Record<string, unknown>) => ({
  [`centers/${CENTER}/preferences.json`]: minimal,
  ...Object.fromEntries(
    Object.entries(people).map(([name, content]) => [`centers/${CENTER}/subjects/${name}.JSON`, content]),
  ),
});

describe('a data folder', () => {
  test('the store keeps an answered write when the process is killed at once', async () => {
    const home = await mkdtemp(join(tmpdir(), 'sandbox-killed-'));
    const script = `
      const { startSandbox } = await import(${JSON.stringify(SANDBOX)});
      const { url } = await startSandbox({ port: 0, dataDir: ${JSON.stringify(home)}, clientId: 'sandbox', clientSecret: 'sandbox-secret' });
      process.stdout.write(url);
    `;
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: [...stdio] });
    try {
      const url = String((await once(child.stdout, 'data'))[0]);
      const first = await connect(url);
      const path = subjectPath(books);
      const asked = { token: first, identifier: 'killed@example.org' };
      const body = { Purposes: [{ Id: newBooks }] };
      assert.equal((await send(url, 'PUT', path, { ...asked, body })).status, 200);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const again = await startSandbox({ port: 0, dataDir: home, ...CLIENT });
      const found = await send(again.url, 'GET', path, asked);
      await again.close();
      assert.equal(at(found.body, 'Purposes', 0, 'TransactionStatus'), 'ACTIVE');
    } finally {
      child.kill('SIGKILL');
      await rm(home, { recursive: true, force: true });
    }
  });

  test('the store keeps a write over a restart, and copies each person once', async () => {
    const person = (TransactionStatus: string) => ({ Purposes: [{ Id: PURPOSE, TransactionStatus }] });
    await using tenant = await openTenant({ files: filesOf({ 'a%40b': person('ACTIVE') }) });
    const { ask, read } = centerOf(tenant, CENTER);
    await ask('PUT', 'a@b', { body: { Purposes: [], Language: 'de' } });
    const before = (await read('a@b')).body;
    assert.equal(at(before, 'Purposes', 0, 'TransactionStatus'), 'WITHDRAWN');
    await tenant.write(`centers/${CENTER}/subjects/a%40b.JSON`, person('OPT_IN'));
    await tenant.restart();
    assert.deepEqual((await read('a@b')).body, before);
  });

  test('a changed file is read again, and new centers, pages and people are found', async () => {
    await using tenant = await openTenant({ files: filesOf({}) });
    const label = async () =>
      at((await tenant.call('GET', `${V1}/${CENTER}/preferences`)).body, 'Purposes', 0, 'Label');
    assert.equal(await label(), 'News');
    const more = { ...minimal, Purposes: [{ Id: PURPOSE, Label: 'More' }] };
    await tenant.write(`centers/${CENTER}/preferences.json`, more);
    assert.equal(await label(), 'More');

    const other = CENTER.replace(/1$/, '2');
    for (const [file, content, path] of [
      ['schema', { defaultLanguage: 'en' }, `${V2}/${other}/schema`],
      [`pages/${PURPOSE}`, { id: PURPOSE, sections: [] }, `${PAGES}/${PURPOSE}/schema`],
    ] as const) {
      assert.equal((await tenant.call('GET', path)).status, 404, path);
      await tenant.write(`centers/${other}/${file}.json`, content);
      assert.equal((await tenant.call('GET', path)).status, 200, path);
    }
    await tenant.write(`centers/${other}/subjects/new.json`, { Language: 'fr', Purposes: [{ Id: PURPOSE }] });
    assert.equal(at((await centerOf(tenant, other).read('new')).body, 'Language'), 'fr');
  });

  test('a page is found by the id inside its file, and so are its purposes', async () => {
    const page = 'abcdef00-0000-4003-8000-000000000001';
    await using tenant = await openTenant({
      files: {
        [`centers/${CENTER}/schema.json`]: { defaultLanguage: 'en', pages: [{ id: page.toUpperCase() }] },
        [`centers/${CENTER}/pages/news.JSON`]: { id: page, sections: [{ purposes: [{ id: PURPOSE }] }] },
      },
    });
    assert.equal((await tenant.call('GET', `${PAGES}/${page}/schema`)).status, 200);
    const schema = await tenant.call('GET', `${V1}/${CENTER}/preferences`);
    assert.equal(at(schema.body, 'Purposes', 0, 'Id'), PURPOSE);
    const put = await centerOf(tenant, CENTER).put('a', PURPOSE);
    assert.equal(at(put.body, 'Purposes', 0, 'Status'), true);
  });

  test('a person is found by the name of the file or the DataSubjectId inside; odd files are served', async () => {
    const person = (DataSubjectId: string | null, Language: string) => ({
      DataSubjectId,
      Language,
      Purposes: [{ Id: PURPOSE, TransactionStatus: 'ACTIVE' }],
    });
    const odd = {
      empty: {},
      wrong: { Purposes: {}, DsDataElements: [], Language: 7, messages: null },
      nothing: { Purposes: null, DsDataElements: null, Status: null, Language: null },
    };
    const purpose = { Id: PURPOSE.toUpperCase(), TransactionStatus: 'NOVEL_STATUS', Topics: null, mood: 7 };
    const presented = [{ identifier: 'card-17', description: 'First' }, { language: 'fr' }, 7];
    const strays = [{ Id: 'x', TransactionStatus: null }, 'not an object', null, { Label: 'no id' }];
    await using tenant = await openTenant({
      files: {
        ...filesOf({
          'an%2Bna': person('ben', 'fr'),
          ben: person(null, 'de'),
          'card-17': person('cleo@example.org', 'ar'),
          ...odd,
          x: {
            DataSubjectId: 'Inside Wins@example.org',
            unsubscribeAll: false,
            segment: 'gold',
            Purposes: [purpose, ...strays],
          },
        }),
        [`centers/${CENTER}/people.json`]: { people: presented },
      },
    });
    const center = centerOf(tenant, CENTER);
    const languages = { 'an+na': 'fr', ben: 'de', 'card-17': 'ar', 'cleo@example.org': 'ar' };
    for (const [DataSubjectId, Language] of Object.entries(languages)) {
      const expected = { DataSubjectId, Language, Purposes: [{ TransactionStatus: 'ACTIVE' }] };
      assert.partialDeepStrictEqual((await center.read(DataSubjectId)).body, expected);
    }
    const { body: people } = await tenant.call('GET', '/_sandbox/subjects');
    const ready = ['card-17', 'an+na', 'ben', 'empty', 'nothing', 'wrong', 'x'];
    assert.deepEqual(ofEach({ people }, 'people', 'identifier'), ready);
    const about = { center: CENTER, centerName: 'Shop', template: 'ORIGINAL' };
    assert.deepEqual(listAt(people).slice(0, 2), [
      { ...about, identifier: 'card-17', language: 'en', description: 'First' },
      { ...about, identifier: 'an+na', language: 'fr', description: '1 purpose on record' },
    ]);
    const unchecked = true;
    const { body } = await center.read('Inside Wins@example.org', { unchecked });
    assert.equal(at(body, 'segment'), 'gold');
    const names = { Label: 'News', Description: '', Status: 'ACTIVE', CustomPreferences: [] };
    assert.deepEqual(at(body, 'Purposes', 0), { ...purpose, ...names });
    assert.equal(at(body, 'Purposes', 1, 'TransactionStatus'), null);
    assert.deepEqual(listAt(body, 'Purposes').slice(2, 4), ['not an object', null]);
    for (const identifier of Object.keys(odd)) {
      assert.equal((await center.read(identifier, { unchecked })).status, 200);
      await center.ask('PUT', identifier, { unchecked, body: { Purposes: [{ Id: PURPOSE }] } });
      assert.equal((await center.statuses(identifier, { unchecked }))[PURPOSE], 'ACTIVE', identifier);
    }
  });

  test('an odd center is served unchanged, and people can be written in it', async () => {
    const odd = [
      {},
      { Purposes: null, Languages: null, ProfileSettings: null, PreferenceCenterSettings: null },
      { Purposes: 'x', Languages: {}, ProfileSettings: [], PortalSettings: 7 },
      { Purposes: [null, 7, {}, { Id: 7 }] },
      { Purposes: [{ Id: PURPOSE, Topics: {}, CustomPreferences: [null, { Id: 'x', Options: null }] }] },
      { novel: { deep: [1] }, Purposes: [{ Id: PURPOSE, novel: true }] },
      { Purposes: [{ Id: 'my purpose' }] },
    ].map((content) => JSON.stringify(content));
    odd.push('{"__proto__":{"x":1},"Purposes":[]}', `\uFEFF${JSON.stringify(minimal)}`);
    const idOf = (index: number) => `${CENTER.slice(0, -2)}${index + 10}`;
    const files = odd.map((content, index) => [`centers/${idOf(index)}/preferences.json`, content]);
    await using tenant = await openTenant({ files: Object.fromEntries(files) });
    assert.equal((await tenant.call('GET', V2)).status, 200);
    for (const [index, content] of odd.entries()) {
      const center = idOf(index);
      const { text } = await tenant.call('GET', `${V1}/${center}/preferences`, { unchecked: true });
      assert.equal(text, content.replace('\uFEFF', ''));
      for (const method of ['DELETE', 'PUT', 'GET']) {
        const body = method === 'PUT' ? { Purposes: [{ Id: PURPOSE }] } : undefined;
        const { status } = await centerOf(tenant, center).ask(method, 'odd', { body, unchecked: true });
        assert.equal(status, 200, `${method} of ${text}`);
      }
    }
  });

  test('an unreadable file causes one warning with its name, and is read once it is repaired', async () => {
    const good = CENTER.replace(/1$/, '9');
    const task = 'abcdef00-0000-4002-8000-000000000001';
    const broken = {
      [`centers/${CENTER}/preferences.json`]: '{ not json',
      [`centers/${good}/subjects/broken.json`]: '{"Language":',
      'notices/list.json': '[]',
      'tasks/half.json': '',
    };
    await using tenant = await openTenant({
      files: {
        ...broken,
        [`centers/${good}/preferences.json`]: minimal,
        [`centers/${good}/subjects/%E0%A4%A.json`]: { Language: 'fr' },
        [`centers/${good}/notes.txt`]: 'x',
        'centers/readme.md': 'x',
      },
    });
    const status = async (path: string) => (await tenant.call('GET', path, { unchecked: true })).status;
    const language = async (identifier: string) =>
      at((await centerOf(tenant, good).read(identifier)).body, 'Language');
    assert.equal(await status(`${V1}/${CENTER}/preferences`), 404);
    assert.equal(await status(`${V1}/${good}/preferences`), 200);
    assert.equal(listAt((await tenant.call('GET', V2)).body, 'content').length, 1);
    for (const _time of [1, 2]) await tenant.call('GET', NOTICES);
    for (const name of Object.keys(broken))
      assert.equal(tenant.lines.filter((line) => line.includes(name)).length, 1, name);
    assert.equal(tenant.lines.length, 4);
    assert.equal(await language('%E0%A4%A'), 'fr');
    // A file that changed this recently would be read again anyway.
    await new Promise((resolve) => setTimeout(resolve, 150));
    const half = `${TASKS}/${task}?taskTypeNameKey=Issue`;
    assert.deepEqual([await language('broken'), await status(half)], ['en', 404]);
    await tenant.write(`centers/${good}/subjects/broken.json`, { Language: 'fr' });
    await tenant.write('tasks/half.json', { id: task });
    assert.deepEqual([await language('broken'), await status(half)], ['fr', 200]);
  });

  test('a missing data folder is an empty platform', async () => {
    await using tenant = await openTenant({ options: { seedDir: '/nonexistent/folder' } });
    assert.equal(at((await tenant.call('GET', V2)).body, 'totalElements'), 0);
    assert.equal(at((await tenant.call('GET', NOTICES)).body, 'empty'), true);
  });
});
