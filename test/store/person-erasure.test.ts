import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, type TestContext, test } from 'node:test';
import { systemClock } from '../../src/clock.ts';
import { random } from '../../src/compose/random.ts';
import { openStores, type Stores } from '../../src/compose/stores.ts';
import { readConfig } from '../../src/config/environment.ts';
import type { PersonExport } from '../../src/ports/person-data.ts';
import { openDatabase } from '../../src/store/drivers/postgres/database.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { personErasure } from '../../src/store/person-erasure.ts';
import { personTables } from '../../src/store/person-tables.ts';
import { postgresLayout } from '../../src/store/postgres/stores.ts';
import { createSeal } from '../../src/store/seal.ts';
import type { Sql } from '../../src/store/sql.ts';
import { embeddedFiles } from '../../src/store/sqlite/files.ts';
import { anna, aRequest, ben, intentOf, off } from '../delivery/fixture.ts';
import { canaries } from '../kit/canaries.ts';
import { postgres, type TestDatabase } from '../kit/postgres.ts';
import { finish, newsOf, put, unchanged } from './contract/people-fixture.ts';

const { secret } = canaries;
const center = aRequest({}).center;

function tablesOf(layout: readonly string[]): readonly string[] {
  return [...layout.join(';').matchAll(/CREATE TABLE (\w+)/g)].map(([, name = '']) => name).toSorted();
}

test('every table of every store is in the list of what becomes of it when a person is erased', () => {
  const known = Object.keys(personTables).toSorted();
  assert.deepEqual(tablesOf(embeddedFiles('.').flatMap(({ layout }) => layout)), known);
  assert.deepEqual(tablesOf(postgresLayout), known);
});

/** Who is at rest is due whenever it is looked at. */
function atRest({ submissions, ...rest }: PersonExport) {
  return { ...rest, submissions: submissions.map((entry) => ({ ...entry, dueAt: 0 })) };
}

interface Place {
  /** All rows of all tables. */
  rows(): Promise<readonly string[]>;
  readonly env: Readonly<Record<string, string>>;
  /** Of the journal, of sessions, of hosted links: as another process has them. */
  sqls(t: TestContext): Promise<readonly [Sql, Sql, Sql]>;
}

function contract(place: (t: TestContext) => Promise<Place>): void {
  const seal = createSeal([secret]);

  async function begin(t: TestContext) {
    const { env, rows, sqls } = await place(t);
    const config = readConfig({ ...env, SECRET: secret, SANDBOX: 'on' }, () => '');
    const open = async () => {
      const stores = await openStores({ config, seal, random });
      t.after(() => stores.close());
      return stores;
    };
    return { stores: await open(), open, rows, sqls };
  }

  /** Anna withdraws, which is carried out, and leaves a trace in every table there is. */
  async function withAll({ journal, hostedLinks, sessions, passcodes, clock }: Stores, subject = anna) {
    const request = aRequest({
      subject,
      channel: 'staff',
      intent: intentOf(off('a')),
      nonce: `n-${subject}`,
    });
    const news = [newsOf(request, `ref-${subject}`)];
    await put(journal, request, { reference: `ref-${subject}`, now: 1_000, news });
    await finish(journal, 2_000);
    const endsAt = clock.now() + 3_600_000;
    await hostedLinks.add([{ token: `token-${subject}`, subject, madeAt: 1, endsAt }]);
    const made = { id: `id-${subject}`, center, subject, link: `l-${subject}`, code: '123456', endsAt };
    await passcodes.open({ ...made, isShared: false });
    return sessions;
  }

  test('an erased person is in no row, another one in all of theirs, and may-send says no to both', async (t) => {
    const { stores, rows } = await begin(t);
    await withAll(stores);
    await withAll(stores, ben);
    const before = await stores.personData.exported(anna);
    assert.equal(before.submissions.length, 1);
    assert.equal(before.hostedLinks.length, 1);
    assert.equal(before.passcodes.length, 1);
    assert.deepEqual(before.withdrawn, [{ center, purpose: 'a' }]);
    const ofBen = await stores.personData.exported(ben);
    const was = new Set(await rows());
    assert.deepEqual(await stores.personData.erase(anna, { forgets: false }), {
      kind: 'erased',
      submissions: 1,
      events: 0,
      words: 1,
    });
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
  });

  test('what was withdrawn is forgotten where that is asked for', async (t) => {
    const { stores } = await begin(t);
    await withAll(stores);
    await stores.personData.erase(anna, { forgets: true });
    assert.deepEqual((await stores.events.mayUse(center, 'a', [anna])).answers, [true]);
  });

  test('nothing is erased while a withdrawal is on its way', async (t) => {
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

  test('two processes that erase one person at once, while others withdraw, leave nothing and lose nothing', async (t) => {
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

  test('an erasure that ended with its process is finished by the next sweep', async (t) => {
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

  test('an erasure is done again over a store that does not know it, with what was withdrawn until then', async (t) => {
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
    const folder = mkdtempSync(join(tmpdir(), 'sayso-erase-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const { DatabaseSync } = await import('node:sqlite');
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
      async rows() {
        return readdirSync(folder)
          .filter((name) => name.endsWith('.sqlite'))
          .flatMap((name) => {
            const database = new DatabaseSync(join(folder, name), { readOnly: true });
            const tables = database
              .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
              .all();
            const found = tables.flatMap((table) =>
              database
                .prepare(`SELECT * FROM "${table['name']}"`)
                .all()
                .map((row) => `${table['name']} ${JSON.stringify(row)}`),
            );
            database.close();
            return found;
          });
      },
    };
  };
  contract(inFiles);

  test('no sealed byte of an erased person lies in a file or its log', async (t) => {
    const { folder, env, rows } = await inFiles(t);
    const config = readConfig({ ...env, SECRET: secret, SANDBOX: 'on' }, () => '');
    const stores = await openStores({ config, seal: createSeal([secret]), random });
    t.after(() => stores.close());
    const bytes = () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join('');
    // Many, so that pages are freed and reused.
    for (let index = 0; index < 30; index += 1) {
      const reference = `reference-of-anna-${index}`;
      const nonce = `nonce-${index}`;
      await put(stores.journal, aRequest({ intent: intentOf(off(`p${index}`)), nonce }), { reference });
      await finish(stores.journal, 2_000);
    }
    const sealed = (await rows()).flatMap((row) =>
      row.startsWith('submission ') || row.startsWith('person ')
        ? [...row.matchAll(/row\.[\w-]{40,}/g)].map(([token]) => token.slice(0, 60))
        : [],
    );
    assert.ok(sealed.length > 30);
    assert.ok(sealed.every((token) => bytes().includes(token)));
    await stores.personData.erase(anna, { forgets: false });
    const left = bytes();
    assert.deepEqual(
      sealed.filter((token) => left.includes(token)),
      [],
    );
    assert.doesNotMatch(left, /reference-of-anna/);
  });
});

let database: TestDatabase;
suite('Erasing a person in PostgreSQL', { skip: postgres.skip, concurrency: false }, () => {
  before(async () => {
    database = await postgres.database();
  });
  after(() => database.end());
  contract(async () => ({
    env: { DATABASE_URL: await database.emptied(), DATABASE_TIMEOUT_SECONDS: '5' },
    async sqls(test) {
      const options = { url: database.url, layout: postgresLayout, poolSize: 2, deadlineMs: 5_000 };
      const sql = await openDatabase(options);
      test.after(() => sql.close());
      return [sql, sql, sql];
    },
    async rows() {
      const tables = await database.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
      const found: string[] = [];
      for (const { tablename } of tables)
        for (const row of await database.query(`SELECT * FROM "${tablename}"`))
          found.push(`${tablename} ${JSON.stringify(row)}`);
      return found;
    },
  }));
});
