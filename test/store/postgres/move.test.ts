import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, type TestContext, test } from 'node:test';
import { moveToDatabase } from '../../../src/compose/move.ts';
import { random } from '../../../src/compose/random.ts';
import { openStores, type Stores } from '../../../src/compose/stores.ts';
import { type Config, readConfig } from '../../../src/config/environment.ts';
import { everyEventType } from '../../../src/core/model/center-event.ts';
import { tellAccepted } from '../../../src/delivery/telling.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { openEvents } from '../../../src/store/sqlite/events.ts';
import { openJournal } from '../../../src/store/sqlite/journal.ts';
import { anna, aRequest, leaveAll } from '../../delivery/fixture.ts';
import { canaries } from '../../kit/canaries.ts';
import { postgres, type TestDatabase } from '../../kit/postgres.ts';
import told from '../../samples/release-1.0/told.json' with { type: 'json' };
import { submissionMade } from '../contract/journal-fixture.ts';

const sample = join(import.meta.dirname, '../../samples/release-1.0');

interface Move {
  readonly database: TestDatabase;
  readonly config: Config;
  readonly folder: string;
  run(): Promise<readonly string[]>;
}

/** A folder that version 1.0 wrote, and an empty database. */
async function prepare(t: TestContext, env: Readonly<Record<string, string>> = {}): Promise<Move> {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-move-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of readdirSync(sample)) {
    if (name === 'record-keys.json') copyFileSync(join(sample, name), join(folder, name));
    if (!name.endsWith('.sql')) continue;
    const file = new DatabaseSync(join(folder, name.replace('.sql', '.sqlite')));
    file.exec(readFileSync(join(sample, name), 'utf8'));
    file.close();
  }
  const database = await postgres.database();
  t.after(() => database.end());
  const settings = {
    SANDBOX: 'on',
    SECRET: `${canaries.secret},${told.secret}`,
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    ...env,
  };
  const config = readConfig(settings, () => '');
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

async function open(t: TestContext, config: Config): Promise<Stores> {
  const seal = createSeal((config.secrets ?? []).map((secret) => secret.reveal()));
  const stores = await openStores({ config, seal, random });
  t.after(() => stores.close());
  return stores;
}

async function everything({ journal, recordKeys, staff }: Stores) {
  return {
    entries: await journal.list({ limit: 1_000 }),
    counts: await journal.counts(),
    due: await journal.nextDueAt(),
    reasons: await journal.reasons({}, { limit: 1_000, after: undefined }),
    keys: await recordKeys.all(),
    audit: await staff?.log.list({ limit: 1_000 }),
    platform: await journal.bindTo('elsewhere', undefined),
  };
}

suite('Moving a folder to PostgreSQL', { skip: postgres.skip }, () => {
  test('has everything there as it was, sealed as it was, and says so.', async (t) => {
    const { config, run, database } = await prepare(t);
    const lines = await run();
    assert.match(lines.join('\n'), /journal \/ submission: [1-9]\d* rows/);
    assert.match(lines.at(-1) ?? '', /^Everything is there, and the same/);
    const before = await everything(await open(t, { ...config, database: undefined }));
    const after = await everything(await open(t, config));
    assert.ok(before.entries.length > 3 && before.keys.length > 0 && (before.audit?.length ?? 0) > 0);
    assert.ok(before.entries.some(({ work }) => work !== undefined));
    assert.deepEqual(after, before);
    const [{ count } = {}] = await database.query('SELECT count(*)::integer AS count FROM session');
    assert.ok(Number(count) > 0);
  });

  test('takes events, their queues, who has stopped and what was last said along.', async (t) => {
    const { config, run } = await prepare(t);
    const secrets = (config.secrets ?? []).map((secret) => secret.reveal());
    const [file, clock] = [join(config.dataDir, 'journal.sqlite'), { now: () => Date.now() }];
    const routes = () => ({ receivers: [{ id: 'crm', types: everyEventType }] });
    const seal = createSeal(secrets);
    const journal = openJournal({ file, seal, routes, clock });
    const events = openEvents({ file, seal, clock });
    const request = aRequest({ intent: leaveAll });
    const made = submissionMade(request, Date.now());
    await journal.record(request, { ...made, ...tellAccepted(made.work, made.reference, made.now) });
    const id = `${made.reference}-0`;
    await events.stopped('center', id, { name: 'CRM', at: 5 });
    await events.close();
    await journal.close();
    await run();
    const { events: moved } = await open(t, config);
    const page = await moved.page('center', { after: 0, limit: 9 });
    assert.deepEqual(
      page.events.map(({ position, event }) => [position, event?.id]),
      [[1, id]],
    );
    assert.deepEqual(await moved.stopsOf(made.reference), [{ name: 'CRM', at: 5 }]);
    assert.deepEqual((await moved.mayUse('center', 'any', [request.subject])).answers, [false]);
    const queued = await moved.claim('crm', { owner: 'me', now: Date.now(), until: Date.now() + 1_000 });
    assert.equal(queued?.event?.id, id);
  });

  test('gives no number that was given before: what is withdrawn there is the last word.', async (t) => {
    const { config, run, folder } = await prepare(t);
    const seal = createSeal((config.secrets ?? []).map((secret) => secret.reveal()));
    const file = join(folder, 'journal.sqlite');
    const say = (journal: Journal, isOff: boolean) => {
      const request = aRequest();
      const words = [{ purpose: 'letters', isOff }];
      return journal.record(request, { ...submissionMade(request, Date.now()), words });
    };
    const journal = openJournal({ file, seal });
    for (const isOff of [true, true, true, false]) await say(journal, isOff);
    await journal.close();
    const rows = new DatabaseSync(file);
    rows.exec('DELETE FROM submission WHERE sequence > 6');
    rows.close();
    await run();
    const moved = await open(t, config);
    await say(moved.journal, true);
    assert.deepEqual((await moved.events.mayUse('center', 'letters', [anna])).answers, [false]);
  });

  test('may be repeated until a product was started there, and then only says that it is done.', async (t) => {
    const { run, config, database } = await prepare(t);
    await run();
    await database.query(`DELETE FROM submission; UPDATE moved SET state = 'moving'`);
    await assert.rejects(open(t, config), /did not end: run it again/);
    await run();
    await open(t, config);
    assert.match((await run())[0] ?? '', /there already/);
  });

  test('takes nothing away that the database has of its own.', async (t) => {
    const { run, config } = await prepare(t);
    await run();
    const { journal } = await open(t, config);
    const request = aRequest({ intent: leaveAll });
    await journal.record(request, submissionMade(request, Date.now()));
    const { length } = await journal.list({ limit: 1_000 });
    await assert.rejects(run(), /holds data of its own.*Nothing was changed/);
    assert.equal((await journal.list({ limit: 1_000 })).length, length);
    const next = await journal.claim({ owner: 'me', now: Date.now(), until: Date.now() + 1_000 });
    assert.ok(next !== undefined, 'and goes on with what was moved');
  });

  test('wants the secret of the folder, and a folder.', async (t) => {
    const { run, folder, config } = await prepare(t);
    writeFileSync(join(folder, 'secret'), 'another-secret-that-the-folder-made-for-itself\n');
    await assert.rejects(run(), /SECRET lacks the one in/);
    const nowhere = { ...config, dataDir: join(folder, 'nowhere') };
    await assert.rejects(
      moveToDatabase(nowhere, () => undefined),
      /DATA_DIR holds no journal.sqlite/,
    );
  });

  test('waits for no product that still writes to the folder, and loses nothing of it.', async (t) => {
    const { run, folder } = await prepare(t);
    await run();
    const file = new DatabaseSync(join(folder, 'spent.sqlite'));
    t.after(() => file.close());
    file.exec('BEGIN IMMEDIATE');
    await assert.rejects(run(), /stop the product that runs on/);
  });
});
