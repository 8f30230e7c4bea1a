import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openSqlite } from '../../../src/store/drivers/sqlite/sqlite.ts';
import { embeddedFiles } from '../../../src/store/layouts.ts';
import { reading, type Sql, type Transaction, writing } from '../../../src/store/sql.ts';
import { newFolder } from '../../kit/folder.ts';
import { aClock } from '../contract/test-store.ts';

const add = writing`INSERT INTO word (text) VALUES (:text)`;
const all = reading`SELECT text FROM word ORDER BY rowid`;
const layout = ['CREATE TABLE word (text text PRIMARY KEY) STRICT'];

function open(t: TestContext, file = ':memory:'): Sql {
  const sql = openSqlite({ file, layout, clock: aClock() });
  t.after(() => sql.close());
  return sql;
}

async function turns(count: number): Promise<undefined> {
  for (let index = 0; index < count; index += 1) await turn();
}

const words = async (sql: Pick<Sql, 'all'>) => (await sql.all(all)).map(({ text }) => text);

test('Only commits of the quota do not wait for the disk', async (t) => {
  const waits: Record<string, unknown> = {};
  for (const each of embeddedFiles(newFolder(t))) {
    const sql = openSqlite({ ...each, clock: aClock() });
    t.after(() => sql.close());
    waits[basename(each.file)] = await sql.get(reading`PRAGMA synchronous`);
  }
  const [full, normal] = [{ synchronous: 2 }, { synchronous: 1 }];
  assert.deepEqual(waits, {
    'journal.sqlite': full,
    'sessions.sqlite': full,
    'quota.sqlite': normal,
    'hosted-links.sqlite': full,
  });
});

/** The number of writes to the file, as another process sees it. */
function commits(file: string): () => number {
  const other = new DatabaseSync(file);
  const changed = () => Number(other.prepare('PRAGMA data_version').get()?.['data_version']);
  let last = changed();
  return () => {
    const now = changed();
    const count = now - last;
    last = now;
    return count;
  };
}

suite('The SQLite driver', () => {
  test('The driver writes all of one turn of the event loop in one transaction, in order, and answers afterwards', async (t) => {
    const file = join(newFolder(t), 'words.sqlite');
    const sql = open(t, file);
    const outside = new DatabaseSync(file);
    t.after(() => outside.close());
    const seen = () => outside.prepare('SELECT count(*) AS n FROM word').get()?.['n'];
    const counts: unknown[] = [];
    const written = ['a', 'b', 'c'].map((text) => sql.run(add, { text }).then(() => counts.push(seen())));
    const longer = sql.transaction(async (queries) => {
      await queries.run(add, { text: 'd' });
      counts.push(seen());
    });
    await Promise.all([...written, longer]);
    assert.deepEqual(counts, [0, 4, 4, 4]);
    assert.deepEqual(await words(sql), ['a', 'b', 'c', 'd']);
  });

  test('A caller whose work fails does not make others fail, and nothing of it is kept', async (t) => {
    const sql = open(t);
    const twice = async (queries: Transaction) => {
      await queries.run(add, { text: 'half' });
      await queries.run(add, { text: 'a' });
    };
    const ended = await Promise.allSettled([
      sql.run(add, { text: 'a' }),
      sql.transaction(twice),
      sql.run(add, { text: 'b' }),
    ]);
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    await assert.rejects(sql.transaction(twice), { code: 'store-unavailable' });
    assert.deepEqual(await words(sql), ['a', 'b']);
  });

  test('The driver bounds a group, and writes the rest in the next one', async (t) => {
    const file = join(newFolder(t), 'words.sqlite');
    const sql = open(t, file);
    const count = commits(file);
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 250 }, (_, index) =>
        sql.run(add, { text: String(index) }).then(() => {
          if (count() > 0) order.push(index);
        }),
      ),
    );
    assert.equal((await words(sql)).length, 250);
    assert.ok(order.length >= 3, `${order.length} transactions`);
  });

  test('The driver begins one group at a time, also if a caller writes again as soon as it is answered', async (t) => {
    const sql = open(t);
    await sql.run(add, { text: 'a' });
    const long = sql.transaction(async (queries) => {
      await turn();
      await queries.run(add, { text: 'b' });
    });
    const next = sql.run(add, { text: 'c' });
    const ended = await Promise.race([Promise.allSettled([long, next]), turns(100)]);
    assert.deepEqual(
      ended?.map(({ status }) => status),
      ['fulfilled', 'fulfilled'],
    );
    assert.deepEqual(await words(sql), ['a', 'b', 'c']);
  });

  test('The driver shows no reader what a transaction has not committed', async (t) => {
    const sql = open(t);
    const read = Promise.withResolvers<unknown>();
    const fails = sql.transaction(async (queries) => {
      await queries.run(add, { text: 'never' });
      read.resolve(words(sql));
      await queries.run(add, { text: 'never' });
    });
    await assert.rejects(fails);
    assert.deepEqual(await read.promise, []);
  });

  test('The driver writes what waits before it closes, and nothing afterwards', async (t) => {
    const file = join(newFolder(t), 'words.sqlite');
    const sql = openSqlite({ file, layout, clock: aClock() });
    const written = sql.run(add, { text: 'a' });
    await sql.close();
    await written;
    const uses = [sql.run(add, { text: 'b' }), sql.check()];
    await Promise.all(uses.map((use) => assert.rejects(use, { code: 'store-unavailable' })));
    assert.deepEqual(await words(open(t, file)), ['a']);
  });

  test('The driver names a missing value, and replaces a zero character in a text as PostgreSQL does', async (t) => {
    const sql = open(t);
    await assert.rejects(sql.run(add, {}), /no value for :text/);
    await sql.run(add, { text: 'a\0b' });
    assert.deepEqual(await words(sql), ['a\uFFFDb']);
  });
});

test('A database writes no temporary files: a container on a read-only root has no folder for them', async (t) => {
  const sql = open(t);
  const memory = 2;
  assert.equal((await sql.get(reading`PRAGMA temp_store`))?.['temp_store'], memory);
});
