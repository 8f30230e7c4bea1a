import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, type TestContext, test } from 'node:test';
import { moveToDatabase } from '../../../src/cli/move.ts';
import { openStores, type Stores } from '../../../src/compose/stores.ts';
import { type Config, readConfig } from '../../../src/config/environment.ts';
import { makeLayout } from '../../../src/store/drivers/postgres/layout.ts';
import { readTarget } from '../../../src/store/drivers/postgres/target.ts';
import { openSqlite } from '../../../src/store/drivers/sqlite/sqlite.ts';
import { embeddedFiles, postgresLayout } from '../../../src/store/layouts.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { anna, aRequest, ben, intentOf, leaveAll, off } from '../../delivery/fixture.ts';
import { newFolder } from '../../kit/folder.ts';
import { postgres } from '../../kit/postgres.ts';
import { rowsInDatabase, rowsInFiles, tablesOf } from '../all-rows.ts';
import { openNode, routes, withdrawal } from '../contract/event-fixture.ts';
import { put } from '../contract/people-fixture.ts';

const secret = 'y5xb2vIq0GqZbQbG0m6cP3nUuVQ7mJ5h4o2K8kTt1sE=';

/** A folder in which every store has something, and an empty database. */
async function prepare(t: TestContext) {
  const folder = newFolder(t);
  const database = await postgres.database();
  t.after(() => database.end());
  const settings = { SANDBOX: 'on', SECRET: secret, DATA_DIR: folder, DATABASE_URL: database.url };
  const config = readConfig(settings, () => '');
  const stores = await openStores({
    config: { ...config, database: undefined },
    seal: createSeal([secret]),
  });
  await fill(stores);
  await stores.close();
  return {
    database,
    config,
    folder,
    async run() {
      const lines: string[] = [];
      await moveToDatabase(config, (line) => lines.push(line));
      return lines;
    },
  };
}

async function fill({ journal, sessions, staff, passcodes, replayGuard, rateCounters, recordKeys }: Stores) {
  assert.ok(staff !== undefined);
  const now = Date.now();
  const visit = { center: 'c', subject: anna, scope: 'manage', channel: 'link', since: now } as const;
  for (let index = 0; index < 5; index += 1) {
    const request = aRequest({
      subject: anna,
      intent: index === 0 ? leaveAll : intentOf(off(`p${index}`)),
      channel: index > 2 ? 'one-click' : 'link',
      reasons: [{ id: undefined, text: `own words ${index}` }],
    });
    await put(journal, request, { now: now + index });
    await sessions.save(`id-${index}`, { visits: [visit] });
  }
  await journal.bindTo('https://platform.example', undefined);
  await sessions.end('id-0');
  await staff.sessions.save('staff-id', {});
  const work = { staff: 'kim', name: 'Kim', does: 'a\0b', about: undefined, outcome: 'begun' } as const;
  await staff.log.begin({ at: now, ...work });
  await staff.log.rememberTask('kim', { id: 'task', name: 'a task' });
  await staff.log.claimForm('form');
  const stranger = { staff: undefined, name: 'none', does: 'tried', about: 'failed', from: '203.0.113.0/24' };
  await staff.log.addFailedSignIn({ kind: 'stranger', ...stranger }, 1);
  const made = { id: 'id', center: 'c', subject: anna, link: 'link', code: '123456' };
  await passcodes.open({ ...made, endsAt: now + 600_000, isShared: true });
  await replayGuard.spend('ticket', 'one', now + 600_000);
  await rateCounters.count('tries', 'one', { most: 3, withinMs: 600_000 });
  await recordKeys.publish([{ kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'kid', alg: 'EdDSA', use: 'sig' }]);
}

async function open(t: TestContext, config: Config): Promise<Stores> {
  const seal = createSeal([secret]);
  const stores = await openStores({ config, seal });
  t.after(() => stores.close());
  return stores;
}

/** Rows of the tables that are moved; `empty`: tables without a row. */
function moved(rows: readonly string[]) {
  const [journal, sessions] = embeddedFiles('');
  const all = [journal, sessions].flatMap(({ layout }) => tablesOf(layout));
  const tables = all.filter((table) => !/_count$|_day$|^written$/.test(table));
  const of = (table: string) => rows.filter((row) => row.startsWith(`${table} `));
  return { rows: tables.flatMap(of).toSorted(), empty: tables.filter((table) => of(table).length === 0) };
}

suite('Moving a folder to PostgreSQL', { skip: postgres.skip }, () => {
  test('A move writes all or nothing, may be repeated, has all rows as they were, and says so', async (t) => {
    const { config, run, database, folder } = await prepare(t);
    const { reference, id } = await stopAnEvent(folder);
    const rows = async () =>
      (await database.query('SELECT count(*)::integer AS n FROM submission'))[0]?.['n'];
    await makeLayout(readTarget(database.url), { longestWaitMs: 0, layout: postgresLayout });
    // By then rows of earlier tables are written.
    await database.query(`ALTER TABLE failed_sign_in ADD CONSTRAINT none CHECK (kind = 'none')`);
    await assert.rejects(run());
    assert.equal(await rows(), 0);
    await database.query('ALTER TABLE failed_sign_in DROP CONSTRAINT none');
    const lines = await run();
    assert.match(lines.join('\n'), /journal \/ submission: [1-9]\d* rows/);
    assert.match(lines.at(-1) ?? '', /^Everything is there, and the same/);
    const inFiles = moved(rowsInFiles(folder));
    const without = ['day_root', 'wording', 'wording_text', 'event_center', 'event_receiver'];
    assert.deepEqual(inFiles.empty, [...without, 'stuck_task', 'message', 'erased', 'sign_out']);
    assert.deepEqual(moved(await rowsInDatabase(database)), inFiles);
    const [days] = await database.query('SELECT sum(submissions)::integer AS n FROM submission_day');
    assert.equal(days?.['n'], 5);
    const triggers = `SELECT 1 FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'D'`;
    assert.deepEqual(await database.query(triggers), []);

    const stores = await open(t, config);
    const page = await stores.events.page('center', { after: 0, limit: 9 });
    assert.deepEqual(
      page.events.map(({ position, event }) => [position, event?.id]),
      [[1, id]],
    );
    assert.deepEqual(await stores.events.stopsOf(reference), [{ name: 'CRM', at: 5 }]);
    assert.deepEqual((await stores.events.mayUse('center', 'any', [anna])).answers, [false]);
    const lease = () => ({ owner: 'me', now: Date.now(), until: Date.now() + 1_000 });
    assert.equal((await stores.events.claim('crm', lease()))?.event?.id, id);

    await put(stores.journal, aRequest({ intent: leaveAll, subject: ben }), { now: Date.now() });
    await assert.rejects(run(), /holds data already.*Nothing was changed/);
    assert.equal(await rows(), 6);
    assert.ok((await stores.journal.claim(lease())) !== undefined, 'moved people can be claimed');
  });

  test('A moved database gives no number twice, and finds the newest submission first', async (t) => {
    const { config, run, folder, database } = await prepare(t);
    const rows = new DatabaseSync(join(folder, 'journal.sqlite'));
    rows.exec('DELETE FROM submission WHERE sequence > 3');
    rows.close();
    await run();
    const { journal } = await open(t, config);
    const { entry } = await put(journal, aRequest({ intent: leaveAll, subject: ben }), { now: Date.now() });
    const numbers = await database.query('SELECT sequence::integer AS n FROM submission ORDER BY sequence');
    assert.deepEqual(
      numbers.map(({ n }) => n),
      [1, 2, 3, 6],
    );
    assert.equal((await journal.list({ limit: 1 }))[0]?.reference, entry.reference);
  });

  test('A move refuses what it may not take, and leaves it as it is', async (t) => {
    const { run, folder, config } = await prepare(t);
    const nowhere = { ...config, dataDir: join(folder, 'nowhere') };
    await assert.rejects(
      moveToDatabase(nowhere, () => undefined),
      /DATA_DIR holds no journal.sqlite/,
    );
    const secrets = join(folder, 'secret');
    writeFileSync(secrets, 'another-secret-that-the-folder-made-for-itself\n');
    await assert.rejects(run(), /SECRET lacks the one in/);
    rmSync(secrets);
    const sessions = new DatabaseSync(join(folder, 'sessions.sqlite'));
    sessions.exec('BEGIN IMMEDIATE');
    await assert.rejects(run(), /stop the product that runs on/);
    sessions.exec('ROLLBACK; PRAGMA user_version = 3');
    sessions.close();
    const bytes = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'base64'));
    const before = bytes();
    await assert.rejects(run(), /sessions.sqlite.* holds data of another version/);
    assert.deepEqual(bytes(), before);
  });
});

/** Adds to the folder a withdrawal that one receiver has acknowledged. */
async function stopAnEvent(folder: string) {
  const [{ file, layout }] = embeddedFiles(folder);
  const clock = { now: () => Date.now() };
  const sql = openSqlite({ file, layout, clock });
  const node = await openNode({ sql, seal: createSeal([secret]), routes });
  const { reference, ...item } = withdrawal({ subject: anna });
  await node.write(item);
  const id = `${reference}-0`;
  await node.events.stopped('center', id, { name: 'CRM', at: 5 });
  await sql.close();
  return { reference, id };
}
