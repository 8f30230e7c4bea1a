import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { request } from 'undici';
import { systemClock } from '../../src/clock.ts';
import { openDataFolder } from '../../src/store/data-folder.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { embeddedFiles } from '../../src/store/layouts.ts';
import { runCommand } from '../kit/command.ts';
import { newFolder } from '../kit/folder.ts';
import { startProduct } from '../kit/product.ts';
import { books } from '../kit/sandbox-ids.ts';

function rights(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8);
}

/** Every file and folder below, with its rights. */
function rightsBelow(path: string): Record<string, string> {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(names.map((name) => [name, rights(join(path, name))]));
}

test('The product keeps all its data to its owner, -wal and -shm too, whatever umask it is started under', async (t) => {
  await using product = await startProduct({ store: 'files', env: { SECRET: '' } });
  const data = join(product.home, 'data');
  const usual = process.umask();
  t.after(() => process.umask(usual));
  for (const umask of ['000', '277']) {
    await product.stop();
    rmSync(data, { recursive: true });
    process.umask(umask);
    await product.start();
    // Every store has been written to.
    const link = await product.link({ center: books, identifier: 'anna@example.org' });
    await (await request(link)).body.dump();
    assert.equal(rights(data), '700', umask);
    const found = rightsBelow(data);
    for (const name of ['journal', 'sessions', 'quota', 'sandbox'])
      for (const end of ['', '-wal', '-shm']) assert.ok(found[`${name}.sqlite${end}`], name + end);
    assert.ok(found['secret']);
    const open = Object.entries(found).filter(([, mode]) => !mode.endsWith('00'));
    assert.deepEqual(open, [], umask);
    process.umask(usual);
  }
});

const [, { layout }] = embeddedFiles('');
/** Files that the product must refuse in place of its own. */
const others: Readonly<Record<string, (file: string) => unknown>> = {
  'another version of ours': (file) =>
    openSqlite({ file, layout: [...layout, 'CREATE TABLE b (n integer)'], clock: systemClock }).close(),
  'an earlier one, by numbered steps': (file) =>
    make(
      file,
      'PRAGMA journal_mode = WAL; CREATE TABLE session (id TEXT PRIMARY KEY); PRAGMA user_version = 5',
    ),
  'another program': (file) => make(file, 'CREATE TABLE theirs (n INTEGER)'),
  'no database': (file) => writeFileSync(file, 'a letter, and no database at all. '.repeat(40)),
};

function make(file: string, sql: string): void {
  using made = new DatabaseSync(file);
  made.exec(sql);
}

for (const [kind, write] of Object.entries(others))
  test(`A data folder of ${kind} stops a start or a command with one sentence, and stays as it is`, async (t) => {
    const data = newFolder(t);
    await write(join(data, 'sessions.sqlite'));
    const secret = 'the secret of a folder with at least thirty-two bytes\n';
    writeFileSync(join(data, 'secret'), secret, { mode: 0o600 });
    const bytes = () => readdirSync(data).map((name) => [name, readFileSync(join(data, name), 'base64')]);
    const before = bytes();
    const env = { PORT: '0', SANDBOX: 'on', DEMO_PORT: 'off', DATA_DIR: data };
    // A product that starts is not ended here; a command ends by itself.
    const isStart = kind === 'an earlier one, by numbered steps';
    const args = isStart ? [] : ['person', '--identifier', 'anna@example.org', '--erase', '--reason', 'x'];
    const { code, stderr } = await runCommand(args, env);
    assert.equal(code, 1, stderr);
    assert.match(
      stderr.trim().split('\n').at(-1) ?? '',
      /^DATA_DIR \(sessions.sqlite\) holds data of another version, .*: give an empty one. Nothing was changed$/,
    );
    assert.doesNotMatch(stderr, /\n\s+at /);
    assert.deepEqual(bytes(), before);
  });

test('A start closes files that are open to others, and logs them', async () => {
  await using product = await startProduct({ store: 'files' });
  const data = join(product.home, 'data');
  await product.stop();
  const opened = ['journal.sqlite', 'sessions.sqlite'].map((name) => join(data, name));
  chmodSync(data, 0o755);
  for (const file of opened) chmodSync(file, 0o644);
  await product.start();
  const [journal, sessions] = opened;
  const found = [data, journal, `${journal}-wal`, sessions].map((path = '') => rights(path));
  assert.deepEqual(found, ['700', '600', '600', '600']);
  const lines = product.output().split('\n');
  const line = lines.find((each) => each.includes('the data folder was open to others')) ?? '';
  const { tightened } = JSON.parse(line) as { tightened: string[] };
  assert.deepEqual(tightened.toSorted(), [data, ...opened]);
});

suite('A data folder', () => {
  test('A data folder that is tightened keeps the rights of other files in it', (t) => {
    const data = newFolder(t);
    writeFileSync(join(data, 'notes.txt'), '', { mode: 0o644 });
    writeFileSync(join(data, 'used.sqlite'), '', { mode: 0o640 });
    mkdirSync(join(data, 'other.sqlite'), { mode: 0o755 });
    assert.deepEqual(openDataFolder(data), { tightened: [join(data, 'used.sqlite')], left: [] });
    const kept = { 'notes.txt': '644', 'other.sqlite': '755', 'used.sqlite': '600' };
    assert.deepEqual(rightsBelow(data), kept);
  });

  test('A data folder that many share on purpose stays as it is, and is reported', (t) => {
    const data = newFolder(t);
    chmodSync(data, 0o1777);
    assert.deepEqual(openDataFolder(data), { tightened: [], left: [data] });
    assert.equal(rights(data), '1777');
  });
});
