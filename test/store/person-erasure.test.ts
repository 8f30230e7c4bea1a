import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, type TestContext, test } from 'node:test';
import { systemClock } from '../../src/clock.ts';
import { openStores, type Stores } from '../../src/compose/stores.ts';
import { readConfig } from '../../src/config/environment.ts';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import type { PersonExport } from '../../src/ports/person-data.ts';
import { openDatabase } from '../../src/store/drivers/postgres/database.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { embeddedFiles, postgresLayout } from '../../src/store/layouts.ts';
import { personErasure } from '../../src/store/person-erasure.ts';
import { createSeal } from '../../src/store/seal.ts';
import { type Sql, type Values, writing } from '../../src/store/sql.ts';
import { whatStays } from '../../src/store/what-stays.ts';
import { times } from '../chaos/dice.ts';
import { anna, aRequest, ben, intentOf, off } from '../delivery/fixture.ts';
import { canaries } from '../kit/canaries.ts';
import { runCommand } from '../kit/command.ts';
import { newFolder } from '../kit/folder.ts';
import { databaseOf, postgres } from '../kit/postgres.ts';
import { mountSmallDisk, noSmallDisk } from '../kit/small-disk.ts';
import { rowsInDatabase, rowsInFiles, tablesOf } from './all-rows.ts';
import { finish, newsOf, put, unchanged } from './contract/people-fixture.ts';
import { followErasure } from './erasure-statements.ts';
import { bytesIn } from './on-both.ts';
import { personTables } from './person-tables.ts';

const { secret } = canaries;
const center = aRequest({}).center;

test('Every table of every store is in the list of what becomes of it when a person is erased', () => {
  const known = Object.keys(personTables).toSorted();
  assert.deepEqual(tablesOf(embeddedFiles('.').flatMap(({ layout }) => layout)).toSorted(), known);
  assert.deepEqual(tablesOf(postgresLayout).toSorted(), known);
  const named = new Set(
    Object.values(personTables).flatMap((each) => (typeof each === 'object' ? each.stays : [])),
  );
  assert.deepEqual(
    [...named],
    whatStays.slice(0, -1),
    'each sentence is about a table; the last one about those that end',
  );
});

/** An export without the due times of submissions: that of a person at rest is the time of the export. */
function atRest({ submissions, ...rest }: PersonExport) {
  return { ...rest, submissions: submissions.map((entry) => ({ ...entry, dueAt: 0 })) };
}

const root = join(import.meta.dirname, '../..');
const kill = `--import=${join(import.meta.dirname, 'kill-at.ts')}`;

/** `npm run person -- --erase`. */
const command = ['person', '--identifier', anna, '--erase', '--reason', 'letter 7'];
const settings = (env: Readonly<Record<string, string>>) => ({ SECRET: secret, SANDBOX: 'on', ...env });

/** Runs the command in a process that is killed at this statement. */
async function killedAt(statement: number, env: Readonly<Record<string, string>>) {
  const { NODE_COMPILE_CACHE = '' } = process.env;
  const own = { ...settings(env), NODE_COMPILE_CACHE, NODE_OPTIONS: kill, KILL_AT: String(statement) };
  const child = spawn(process.execPath, [join(root, 'src/main.mjs'), ...command], {
    env: own,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGKILL');
}

interface Place {
  /** All rows of all tables. */
  rows(): Promise<readonly string[]>;
  readonly env: Readonly<Record<string, string>>;
  /** The databases of the journal, of sessions and of hosted links, as another process opens them. */
  sqls(t: TestContext): Promise<readonly [Sql, Sql, Sql]>;
}

const seal = createSeal([secret]);

async function opened(t: TestContext, env: Place['env']): Promise<Stores> {
  const stores = await openStores({ config: readConfig(settings(env), () => ''), seal });
  t.after(() => stores.close());
  return stores;
}

function contract(place: (t: TestContext) => Promise<Place>): void {
  async function begin(t: TestContext) {
    const { env, rows, sqls } = await place(t);
    const open = () => opened(t, env);
    return { stores: await open(), open, rows, sqls, env };
  }

  /** Writes rows about Anna to tables that the journal does not fill in this test. Gives the tables. */
  async function trace([journal, sessions]: readonly [Sql, Sql, Sql]): Promise<readonly string[]> {
    const [reference, person, receiver, at] = [`ref-${anna}`, 'person of anna', 'trace of anna', 1_000];
    const subject = seal.hash('journal subject', anna);
    const visitor = seal.hash('session subject', anna);
    const put = (sql: Sql, table: string, values: Values) => {
      const names = Object.keys(values);
      const given = names.map((name) => `:${name}`);
      return sql.run(writing`INSERT INTO ${table} (${names.join()}) VALUES (${given.join()})`, values);
    };
    const queue = { receiver, person, state: 'stopped', due_at: at, since: at, sent_up_to: 0, waiting: 1 };
    const task = { reference, center, submitted_at: at, state: 'closed', task: receiver, due_at: at };
    const mail = { subject, center: 'another', state: 'told', due_at: at, since: at, problem: receiver };
    const used = { made_at: at, touched_at: at, ends_at: 9e15 };
    const rows: readonly (readonly [Sql, string, Values])[] = [
      [journal, 'event', { id: 'e', center, reference, at, person, payload: receiver }],
      [journal, 'event_queue', queue],
      [journal, 'event_stop', { reference, name: receiver, at }],
      [journal, 'stuck_task', task],
      [journal, 'message', { ...mail, told_up_to: 0, last: 0 }],
      [sessions, 'session', { store: 'visitors', id: 's', payload: receiver, ...used }],
    ];
    for (const [sql, table, values] of rows) await put(sql, table, values);
    await put(sessions, 'session_subject', { store: 'visitors', subject: visitor, session: 's' });
    return rows.map(([, table]) => table);
  }

  /** The person withdraws, which is carried out, and has a hosted link and a passcode. */
  async function withAll({ journal, hostedLinks, sessions, passcodes, clock }: Stores, subject = anna) {
    const nonce = `n-${subject}`;
    const request = aRequest({ subject, channel: 'staff', intent: intentOf(off('a')), nonce });
    const news = [newsOf(request, `ref-${subject}`)];
    await put(journal, request, { reference: `ref-${subject}`, now: 1_000, news });
    await finish(journal, 2_000);
    const endsAt = clock.now() + 3_600_000;
    await hostedLinks.add([{ token: `token-${subject}`, subject, madeAt: 1, endsAt }]);
    const made = { id: `id-${subject}`, center, subject, link: `l-${subject}`, code: '123456', endsAt };
    await passcodes.open({ ...made, isShared: false });
    return sessions;
  }

  test('An erased person is in no row, another person keeps all rows, and may-send says no to both', async (t) => {
    const { stores, rows } = await begin(t);
    await withAll(stores);
    await withAll(stores, ben);
    const before = await stores.personData.exported(anna);
    const { submissions, hostedLinks, passcodes } = before;
    assert.deepEqual([submissions.length, hostedLinks.length, passcodes.length], [1, 1, 1]);
    assert.deepEqual(before.withdrawn, [{ center, purpose: 'a' }]);
    const ofBen = await stores.personData.exported(ben);
    const was = new Set(await rows());
    const erased = { kind: 'erased', submissions: 1, events: 0, words: 1 };
    assert.deepEqual(await stores.personData.erase(anna, { forgets: false }), erased);
    const gone = await stores.personData.exported(anna);
    assert.deepEqual(
      { ...gone, withdrawn: [] },
      { ...before, submissions: [], wants: undefined, hostedLinks: [], passcodes: [], withdrawn: [] },
    );
    assert.deepEqual(atRest(await stores.personData.exported(ben)), atRest(ofBen));
    const answers = await stores.events.mayUse(center, 'a', [anna, ben]);
    assert.deepEqual(answers.answers, [false, false]);
    const subjects = seal.hashes('journal subject', anna);
    for (const row of await rows())
      if (!row.startsWith('erased ') && subjects.some((hash) => row.includes(hash))) assert.fail(row);
    assert.ok(was.size > 0);
    assert.equal(await stores.journal.find(`ref-${anna}`), undefined);
    const list = await stores.journal.list({ limit: 10 });
    assert.deepEqual(
      list.map(({ reference }) => reference),
      [`ref-${ben}`],
    );
    const days = await stores.journal.days({ from: 0, to: 86_400_000 });
    assert.deepEqual(days, [{ day: 0, submissions: 2, leavings: 0 }]);
    // A second erasure keeps the list of withdrawals, and may forget them.
    assert.partialDeepStrictEqual(await stores.personData.erase(anna, { forgets: false }), { words: 1 });
    assert.deepEqual(
      (await stores.personData.erasures()).map(({ words }) => words.length),
      [1],
    );
    await stores.personData.erase(anna, { forgets: true });
    assert.deepEqual((await stores.events.mayUse(center, 'a', [anna])).answers, [true]);
  });

  test('A process that is killed at any statement erases all or nothing, and another process finishes it', async (t) => {
    async function prepared(of: TestContext) {
      const { stores, rows, sqls, env } = await begin(of);
      await withAll(stores);
      const tables = await trace(await sqls(of));
      return { stores, rows, env, tables, before: atRest(await stores.personData.exported(anna)) };
    }
    const first = await prepared(t);
    const erased = Object.keys(personTables).filter((table) => personTables[table] === 'erased');
    assert.deepEqual([...first.tables, 'person', 'passcode', 'hosted_link'].toSorted(), erased.toSorted());
    let statements = 0;
    const end = followErasure(() => (statements += 1));
    const whole = await runCommand(command, settings(first.env)).finally(end);
    assert.equal(whole.code, 0, whole.stderr);
    const isLeft = (row: string) => /trace of anna|ref-anna/.test(row);
    assert.deepEqual((await first.rows()).filter(isLeft), []);
    assert.ok(statements > 10, `${statements} statements`);
    const step = times(Math.ceil(statements / 3), 1);
    for (let killAt = times(step, 0); killAt < statements; killAt += step)
      await t.test(`The process is killed at statement ${killAt} of ${statements}`, async (each) => {
        const { stores, rows, env, before } = await prepared(each);
        await killedAt(killAt, env);
        const after = atRest(await stores.personData.exported(anna));
        if ((await stores.personData.erasures()).length === 0)
          assert.deepEqual({ ...after, staff: [] }, { ...before, staff: [] });
        else {
          const { submissions, wants, events, tasks } = after;
          assert.deepEqual([submissions, wants, events, tasks], [[], undefined, [], []]);
          await stores.personData.finish();
          assert.deepEqual((await rows()).filter(isLeft), []);
        }
        assert.deepEqual((await stores.events.mayUse(center, 'a', [anna])).answers, [false]);
      });
  });

  test('Nothing is erased while a withdrawal is on its way', async (t) => {
    const { stores } = await begin(t);
    await put(stores.journal, aRequest({ intent: intentOf(off('a')) }), { now: 1_000 });
    const before = await stores.personData.exported(anna);
    const refused = { kind: 'on-its-way', what: 'submission' } as const;
    assert.deepEqual(await stores.personData.erase(anna, { forgets: false }), refused);
    const claimed = await stores.journal.claim({ owner: 'me', now: 1_000, until: Date.now() + 60_000 });
    assert.ok(claimed?.person);
    assert.deepEqual(await stores.personData.erase(anna, { forgets: false }), refused);
    const held = await stores.journal.keep(claimed, unchanged(claimed.person, 5_000), 'released');
    assert.equal(held.kind, 'kept');
    assert.deepEqual(await stores.personData.erase(anna, { forgets: false }), refused);
    assert.deepEqual(
      (await stores.personData.exported(anna)).submissions.map(({ reference }) => reference),
      before.submissions.map(({ reference }) => reference),
    );
  });

  test('Two processes that erase one person at once, while others withdraw, leave nothing and lose nothing', async (t) => {
    const { stores, open } = await begin(t);
    await withAll(stores);
    const other = await open();
    const later = aRequest({ subject: ben, intent: intentOf(off('a')), nonce: 'later' });
    const outcomes = await Promise.all([
      stores.personData.erase(anna, { forgets: false }),
      other.personData.erase(anna, { forgets: false }),
      put(other.journal, later, { now: 3_000 }),
    ]);
    assert.ok(outcomes.every(({ kind }) => kind === 'erased' || kind === 'new'));
    assert.equal((await stores.personData.exported(anna)).submissions.length, 0);
    assert.equal((await stores.personData.exported(ben)).submissions.length, 1);
    assert.deepEqual((await stores.events.mayUse(center, 'a', [anna])).answers, [false]);
  });

  test('The next sweep finishes an erasure whose process has ended', async (t) => {
    const { stores, open, sqls } = await begin(t);
    await withAll(stores);
    const [journal, sessions, hostedLinks] = await sqls(t);
    const dies = { ...sessions, transaction: () => Promise.reject(new Error('killed')) };
    const killed = personErasure({ journal, sessions: dies, hostedLinks, seal, centers: [] });
    await assert.rejects(killed.erase(anna, { forgets: false }), /killed/);
    // The journal is the point of no return.
    const between = await stores.personData.exported(anna);
    assert.equal(between.submissions.length, 0);
    assert.equal(between.passcodes.length, 1);
    const next = await open();
    assert.equal(await next.personData.finish(), 1);
    assert.equal(await next.personData.finish(), 0);
    const after = await next.personData.exported(anna);
    assert.deepEqual([after.passcodes, after.hostedLinks], [[], []]);
  });

  test('An erasure is repeated on a store that does not know it, with the withdrawals known until then', async (t) => {
    const { stores } = await begin(t);
    await withAll(stores);
    await stores.personData.erase(anna, { forgets: false });
    const list = await stores.personData.erasures();
    assert.doesNotMatch(JSON.stringify(list), /anna/);
    const restored = await begin(t);
    const again = aRequest({ intent: intentOf(off('b')) });
    await put(restored.stores.journal, again, { now: 1_000 });
    assert.equal(await restored.stores.personData.apply(list), 1);
    assert.equal(await restored.stores.personData.apply(list), 0);
    assert.equal((await restored.stores.personData.exported(anna)).submissions.length, 0);
  });
}

suite('Erasing a person in files', () => {
  const inFiles = async (t: TestContext): Promise<Place & { folder: string }> => {
    const folder = newFolder(t);
    return {
      folder,
      env: { DATA_DIR: folder },
      async sqls(test) {
        const [journal, sessions, , links] = embeddedFiles(folder);
        const [one, two, three] = [journal, sessions, links].map((file) =>
          openSqlite({ ...file, clock: systemClock }),
        ) as [Sql, Sql, Sql];
        test.after(() => Promise.all([one.close(), two.close(), three.close()]));
        return [one, two, three];
      },
      rows: async () => rowsInFiles(folder),
    };
  };
  contract(inFiles);

  test('No sealed byte of an erased person is in a file or its log, once no other process reads', async (t) => {
    const { folder, rows } = await inFiles(t);
    const stores = await opened(t, { DATA_DIR: folder });
    const bytes = () => bytesIn(folder);
    // Many, so that pages are freed and reused.
    for (let index = 0; index < 30; index += 1) {
      const reference = `reference-of-anna-${index}`;
      const nonce = `nonce-${index}`;
      await put(stores.journal, aRequest({ intent: intentOf(off(`p${index}`)), nonce }), { reference });
      await finish(stores.journal, 2_000);
    }
    const reader = new DatabaseSync(join(folder, 'journal.sqlite'));
    t.after(() => reader.close());
    const evidence = reader.prepare('SELECT asked, ended, asked_leaf FROM submission').all();
    const blobs = evidence.flatMap(({ asked, ended }) => [asked, ended] as Uint8Array[]);
    const texts = (await rows()).flatMap((row) =>
      row.startsWith('submission ') || row.startsWith('person ')
        ? [...row.matchAll(/row\.[\w-]{40,}/g)].map(([token]) => token.slice(0, 60))
        : [],
    );
    const sealed = [...texts, ...blobs.map((blob) => Buffer.from(blob).toString('latin1').slice(0, 60))];
    assert.ok(texts.length > 30 && blobs.length === 60);
    const isThere = bytes();
    assert.ok(sealed.every((token) => isThere.includes(token)));
    const all = reader.prepare('SELECT reference FROM submission').iterate();
    all.next();
    await stores.personData.erase(anna, { forgets: false });
    assert.equal((await stores.personData.exported(anna)).submissions.length, 0);
    all.return?.();
    assert.equal(await stores.personData.finish(), 1, 'the log is emptied by a later run');
    assert.equal(await stores.personData.finish(), 0);
    const left = bytes();
    assert.deepEqual(
      sealed.filter((token) => left.includes(token)),
      [],
    );
    assert.doesNotMatch(left, /reference-of-anna/);
  });

  test('Nothing is erased on a full disk, and all of it once there is room', {
    skip: noSmallDisk,
  }, async (t) => {
    const disk = mountSmallDisk({ megabytes: 8 });
    t.after(() => disk.end());
    const stores = await opened(t, { DATA_DIR: disk.folder });
    for (let index = 0; index < 5; index += 1) {
      await put(stores.journal, aRequest({ intent: intentOf(off('a')), nonce: `${index}` }));
      await finish(stores.journal, 2_000);
    }
    const before = atRest(await stores.personData.exported(anna));
    assert.equal(before.submissions.length, 5);
    disk.fill();
    await assert.rejects(stores.personData.erase(anna, { forgets: false }), { code: 'store-unavailable' });
    const refused = await runCommand(command, settings({ DATA_DIR: disk.folder }));
    assert.equal(refused.code, 1, refused.stderr);
    assert.match(refused.stderr, /^The store does not answer, or its disk is full: try again \(.*\)\n/);
    assert.doesNotMatch(refused.stdout, /Erased/);
    assert.deepEqual(atRest(await stores.personData.exported(anna)), before);
    disk.free();
    const done = await runCommand(command, settings({ DATA_DIR: disk.folder }));
    assert.match(done.stdout, /Erased: 5 submissions/, done.stderr);
    assert.equal((await stores.personData.exported(anna)).submissions.length, 0);
  });
});

suite('Erasing a person in PostgreSQL', { skip: postgres.skip, concurrency: false }, () => {
  const database = databaseOf();
  contract(async (t) => ({
    env: {
      DATABASE_URL: await database.emptied(),
      DATABASE_TIMEOUT_SECONDS: '5',
      DATA_DIR: newFolder(t),
    },
    async sqls(test) {
      const options = { url: database.url, layout: postgresLayout, poolSize: 2, deadlineMs: 5_000 };
      const sql = await openDatabase(options);
      test.after(() => sql.close());
      return [sql, sql, sql];
    },
    rows: () => rowsInDatabase(database),
  }));

  test('All of it stays or all of it goes if the disk is full for any table', async (t) => {
    const stores = await opened(t, { DATABASE_URL: await database.emptied() });
    await database.query(`CREATE OR REPLACE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`);
    const [kept, begun] = [[] as string[], [] as string[]];
    for (const table of Object.keys(personTables)) {
      const subject = `${table}@example.org` as SubjectId;
      const request = aRequest({ subject, channel: 'staff', intent: intentOf(off('a')), nonce: table });
      await put(stores.journal, request, { reference: table, news: [newsOf(request, table)] });
      await finish(stores.journal, 2_000);
      const before = atRest(await stores.personData.exported(subject));
      await database.query(
        `CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE OR DELETE ON ${table} EXECUTE FUNCTION full_disk()`,
      );
      const isFull = await stores.personData.erase(subject, { forgets: false }).then(
        () => false,
        () => true,
      );
      await database.query(`DROP TRIGGER full_disk ON ${table}`);
      const after = atRest(await stores.personData.exported(subject));
      const isBegun = (await stores.personData.finish()) > 0;
      if (isFull) (isBegun ? begun : kept).push(table);
      if (isFull && !isBegun) assert.deepEqual(after, before, table);
      else assert.deepEqual([after.submissions, after.wants], [[], undefined], table);
    }
    assert.deepEqual(begun, ['session', 'sign_out', 'passcode', 'hosted_link']);
    const first = [
      ...['person', 'submission', 'event', 'event_queue', 'event_stop', 'last_word', 'stuck_task'],
      ...['message', 'erased'],
    ];
    assert.deepEqual(
      first.filter((table) => !kept.includes(table)),
      [],
    );
  });
});
