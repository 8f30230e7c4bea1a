import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, suite, type TestContext, test } from 'node:test';
import { openDatabase } from '../../../src/store/drivers/postgres/database.ts';
import { postgresDialect } from '../../../src/store/drivers/postgres/dialect.ts';
import { peopleTables } from '../../../src/store/people-schema.ts';
import { anna } from '../../delivery/fixture.ts';
import { postgres, type TestDatabase } from '../../kit/postgres.ts';
import { aPeopleStore, ended, lease } from '../contract/people-fixture.ts';
import { aClock, secret } from '../contract/test-store.ts';

const layout = peopleTables(postgresDialect);
const script = join(import.meta.dirname, 'recording-child.ts');

suite('Several processes on one PostgreSQL', { skip: postgres.skip }, () => {
  let database: TestDatabase;
  before(async () => {
    database = await postgres.database();
  });
  after(() => database?.end());

  async function opened(t: TestContext) {
    const sql = await openDatabase({ url: database.url, layout, poolSize: 3, deadlineMs: 5_000 });
    const store = aPeopleStore({ sql, secrets: [secret], clock: aClock() });
    t.after(async () => {
      await store.close();
      await sql.close();
    });
    return store;
  }

  function started(t: TestContext, ...args: readonly string[]) {
    const child = spawn(process.execPath, [script, database.url, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    return child;
  }

  test('lose no word that they record for one person at the same time', async (t) => {
    const store = await opened(t);
    const count = 40;
    const codes = ['one', 'other', 'third'].map(async (name) => once(started(t, name, `${count}`), 'exit'));
    assert.deepEqual(
      (await Promise.all(codes)).map(([code]) => code),
      [0, 0, 0],
    );
    const person = await store.personOf(anna);
    const keys = person?.desired.centers.flatMap(({ items }) => items.map(({ key }) => key)) ?? [];
    assert.equal(new Set(keys).size, 3 * count);
    assert.equal(person?.open.length, 3 * count);
    assert.equal(await store.historySize('center', anna), 3 * count);
  });

  test('work for a person whose lease a killed process held, once it has run out', async (t) => {
    await database.emptied();
    const store = await opened(t);
    const child = started(t, 'killed', '2', 'hold');
    for await (const line of createInterface({ input: child.stdout })) if (line.endsWith('claimed')) break;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    assert.equal(await store.claim(lease(60_999)), undefined);
    const held = await store.claim(lease(61_000));
    assert.equal(held?.person?.open.length, 2);
    assert.ok(held?.person);
    const late = { ...held, owner: 'killed', version: held.version };
    assert.equal((await store.keep(late, ended(held.person, 61_001), 'released')).kind, 'lost');
    assert.equal((await store.keep(held, ended(held.person, 61_001), 'released')).kind, 'kept');
  });
});
