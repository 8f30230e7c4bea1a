import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { readSubjectId, type SubjectId } from '../../../src/core/model/subject.ts';
import { newWork } from '../../../src/delivery/work.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { openJournal } from '../../../src/store/sqlite/journal.ts';
import { journalMigrations } from '../../../src/store/sqlite/journal-row.ts';
import { openPasscodes } from '../../../src/store/sqlite/passcodes.ts';
import { openSessionStore } from '../../../src/store/sqlite/sessions.ts';
import { anna, aRequest, ben, intentOf, off } from '../../delivery/fixture.ts';

const seal = createSeal(['a secret of at least thirty-two bytes']);
const center = 'center';
const clock = { now: () => 1_000_000 };
const idleMs = 900_000;

let home: string;
before(() => {
  home = mkdtempSync(join(tmpdir(), 'sayso-rows-'));
});
after(() => {
  rmSync(home, { recursive: true, force: true });
});

interface Kept {
  readonly table: string;
  readonly id: string;
  readonly column: string;
  readonly purpose: string;
  /** What it is bound to beside its id: a column. */
  readonly beside?: string;
  /** The tables of the first version that was released. */
  readonly first: readonly string[];
  /** Writes a row of each of the two. */
  write(file: string): Promise<void>;
  /** Who is found in the first's row, then in the second's; undefined where nothing opens. */
  read(file: string): Promise<readonly (string | undefined)[]>;
}

function journal(file: string) {
  return openJournal({ file, seal });
}

function passcodes(file: string) {
  return openPasscodes({ file, seal, clock });
}

function sessions(file: string) {
  const times = { idleMs, absoluteMs: 8 * 3_600_000, longestIssuedMs: 8 * 3_600_000 };
  return openSessionStore({ file, seal, clock, ...times });
}

const people: readonly SubjectId[] = [anna, ben];

const stores: Readonly<Record<string, Kept>> = {
  journal: {
    table: 'submission',
    id: 'reference',
    column: 'payload',
    purpose: 'journal',
    first: journalMigrations(seal)
      .slice(0, 2)
      .map((step) => String(step)),
    async write(file) {
      const store = journal(file);
      for (const subject of people) {
        const request = aRequest({ subject, intent: intentOf(off('a')) });
        await store.record(request, {
          reference: subject,
          now: 1,
          work: newWork(request),
          expiresAt: undefined,
        });
      }
      await store.close();
    },
    async read(file) {
      const store = journal(file);
      const found = await Promise.all(people.map((subject) => store.findOwn(subject, subject)));
      await store.close();
      return found.map((entry) => entry?.work?.request.subject);
    },
  },
  passcodes: {
    table: 'passcode',
    id: 'id',
    column: 'subject',
    purpose: 'passcode subject',
    beside: 'link',
    first: [
      `CREATE TABLE passcode (id TEXT PRIMARY KEY, link TEXT NOT NULL UNIQUE, code TEXT NOT NULL, center TEXT NOT NULL,
         subject TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, ends_at INTEGER NOT NULL, spent_at INTEGER) STRICT;
       CREATE INDEX passcode_end ON passcode (ends_at)`,
    ],
    async write(file) {
      const store = passcodes(file);
      for (const subject of people) {
        await store.open({
          id: subject,
          center,
          subject,
          link: subject,
          code: '123456',
          endsAt: clock.now() + 1,
          isShared: false,
        });
      }
      await store.close();
    },
    async read(file) {
      const store = passcodes(file);
      const found = await Promise.all(
        people.map(async (subject) => {
          const answer = await store.findLink(subject, center);
          return answer.kind === 'right' ? answer.subject : undefined;
        }),
      );
      await store.close();
      return found;
    },
  },
  sessions: {
    table: 'session',
    id: 'id',
    column: 'payload',
    purpose: 'session',
    first: [
      `CREATE TABLE session (id TEXT PRIMARY KEY, payload TEXT, made_at INTEGER NOT NULL, touched_at INTEGER NOT NULL,
         ends_at INTEGER NOT NULL) STRICT;
       CREATE INDEX session_end ON session (ends_at)`,
      `CREATE TABLE session_subject (subject TEXT NOT NULL, session TEXT NOT NULL, PRIMARY KEY (subject, session))
         STRICT, WITHOUT ROWID;
       CREATE INDEX session_subject_session ON session_subject (session)`,
      'CREATE TABLE farewell (subject TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
    ],
    async write(file) {
      const store = sessions(file);
      for (const subject of people) {
        const visit = { center, subject, scope: 'manage', channel: 'link', since: 1 } as const;
        await store.save(subject, { cookie: { originalMaxAge: idleMs }, visits: [visit] });
      }
      await store.close();
    },
    async read(file) {
      const store = sessions(file);
      const found = await Promise.all(
        people.map(async (subject) => readSubjectId((await store.find(subject))?.visits?.[0]?.subject)),
      );
      await store.close();
      return found;
    },
  },
};

/** The sealed values by row, in the order in which they were written. */
function sealedOf(database: DatabaseSync, { table, id, column }: Kept) {
  return database
    .prepare(`SELECT ${id} AS id, ${column} AS sealed FROM ${table} ORDER BY rowid`)
    .all()
    .map((row) => ({ id: String(row['id']), sealed: String(row['sealed']) }));
}

function boundTo(row: Readonly<Record<string, unknown>>, { id, beside }: Kept): string {
  return beside === undefined ? String(row[id]) : `${row[id]} ${row[beside]}`;
}

function put(database: DatabaseSync, { table, id, column }: Kept, row: { id: string; sealed: string }) {
  database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${id} = ?`).run(row.sealed, row.id);
}

for (const [name, kept] of Object.entries(stores)) {
  suite(`What is sealed in a row of ${name}`, () => {
    test('opens there, and in no other row.', async () => {
      const file = join(home, `${name}-moved.sqlite`);
      await kept.write(file);
      assert.deepEqual(await kept.read(file), people);
      const database = new DatabaseSync(file);
      const [one, other] = sealedOf(database, kept);
      assert.ok(one !== undefined && other !== undefined);
      put(database, kept, { id: one.id, sealed: other.sealed });
      put(database, kept, { id: other.id, sealed: one.sealed });
      database.close();
      assert.deepEqual(await kept.read(file), [undefined, undefined]);
    });

    test('by an earlier version, for no row, is bound to its own when the file is opened.', async () => {
      const made = join(home, `${name}-made.sqlite`);
      await kept.write(made);
      const source = new DatabaseSync(made);
      const rows = source.prepare(`SELECT * FROM ${kept.table} ORDER BY rowid`).all();
      source.close();
      const file = join(home, `${name}-old.sqlite`);
      const old = new DatabaseSync(file);
      for (const step of kept.first) old.exec(step);
      const columns = old
        .prepare(`SELECT name FROM pragma_table_info('${kept.table}')`)
        .all()
        .map((row) => String(row['name']));
      const insert = old.prepare(
        `INSERT INTO ${kept.table} (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`,
      );
      for (const row of rows) {
        const bound = { purpose: kept.purpose, row: boundTo(row, kept) };
        const value = seal.open(bound, String(row[kept.column]).replace(/^row\./, ''));
        const columnsOfOld = columns.map((column) => [column, row[column] ?? null] as const);
        insert.run({ ...Object.fromEntries(columnsOfOld), [kept.column]: seal.seal(kept.purpose, value) });
      }
      old.exec(`PRAGMA user_version = ${kept.first.length}`);
      old.close();

      assert.deepEqual(await kept.read(file), people);
      const database = new DatabaseSync(file);
      for (const { sealed } of sealedOf(database, kept)) {
        assert.equal(seal.open(kept.purpose, sealed), undefined, 'it no longer opens by itself');
        assert.match(sealed, /^row\./);
      }
      // What somebody kept from before, and puts into a row of today, says nothing of another person.
      const [one] = sealedOf(database, kept);
      const other = rows[1];
      assert.ok(one !== undefined && other !== undefined);
      const bound = { purpose: kept.purpose, row: boundTo(other, kept) };
      const value = seal.open(bound, String(other[kept.column]).replace(/^row\./, ''));
      put(database, kept, { id: one.id, sealed: seal.seal(kept.purpose, value) });
      database.close();
      assert.deepEqual(await kept.read(file), [undefined, ben]);
    });
  });
}

suite('A row that is given the hash by which another is found', () => {
  function exchange(file: string, table: string, column: string): void {
    const database = new DatabaseSync(file);
    const rows = database
      .prepare(`SELECT rowid AS number, ${column} AS value FROM ${table} ORDER BY rowid`)
      .all();
    const [one, other] = rows;
    assert.ok(one !== undefined && other !== undefined);
    const set = database.prepare(`UPDATE ${table} SET ${column} = :value WHERE rowid = :number`);
    set.run({ number: one['number'] ?? 0, value: 'meanwhile' });
    set.run({ number: other['number'] ?? 0, value: one['value'] ?? '' });
    set.run({ number: one['number'] ?? 0, value: other['value'] ?? '' });
    database.close();
  }

  test('signs nobody in as another person.', async () => {
    const file = join(home, 'passcodes-found.sqlite');
    await stores['passcodes']?.write(file);
    exchange(file, 'passcode', 'link');
    assert.deepEqual(await stores['passcodes']?.read(file), [undefined, undefined]);
  });

  for (const what of ['a submission', 'what is left of a submission']) {
    test(`shows nobody ${what} of another person.`, async () => {
      const file = join(home, `${what}.sqlite`);
      await stores['journal']?.write(file);
      const database = new DatabaseSync(file);
      database.exec(`UPDATE submission SET state = 'done', done_at = 2`);
      database.close();
      const before = journal(file);
      const times = {
        now: 3,
        workBefore: what === 'a submission' ? 0 : 3,
        evidenceBefore: 0,
        reasonsBefore: 0,
      };
      await before.sweep(times);
      await before.close();
      const read = async (references: readonly SubjectId[]) => {
        const store = journal(file);
        const found = await Promise.all(
          people.map(async (subject, index) => {
            const own = await store.findOwn(references[index] ?? '', subject);
            assert.ok(own);
            const entries = [
              own,
              ...(await store.recentOf(subject, 0)),
              ...(await store.historyOf(own.center, subject, { limit: 9, offset: 0 })),
              ...(await store.list({ subject, limit: 9 })),
            ];
            assert.equal(entries.length, 4);
            return new Set(entries.map(({ work, evidence }) => work?.items.length ?? evidence?.items.length));
          }),
        );
        await store.close();
        return found;
      };
      assert.deepEqual(await read([anna, ben]), [new Set([1]), new Set([1])]);
      exchange(file, 'submission', 'subject');
      assert.deepEqual(await read([ben, anna]), [new Set([undefined]), new Set([undefined])]);
    });
  }
});

test('A submission that a process of the version before wrote meanwhile is carried out all the same.', async () => {
  const file = join(home, 'meanwhile.sqlite');
  await stores['journal']?.write(file);
  const database = new DatabaseSync(file);
  const request = aRequest({ subject: anna, intent: intentOf(off('a')) });
  const row = { id: anna, sealed: seal.seal('journal', newWork(request)) };
  database.prepare('UPDATE submission SET payload = ? WHERE reference = ?').run(row.sealed, row.id);
  database.close();
  const store = journal(file);
  const claimed = await store.claim({ owner: 'me', now: 1_000, until: 2_000 });
  assert.equal(claimed?.entry.work?.request.subject, anna);
  await store.close();
});
