import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { readSubjectId, type SubjectId } from '../../../src/core/model/person/subject.ts';
import { openSqlite } from '../../../src/store/drivers/sqlite/sqlite.ts';
import { openPasscodes } from '../../../src/store/passcodes.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { openSessionStore } from '../../../src/store/sessions.ts';
import { anna, ben } from '../../delivery/fixture.ts';
import { wholeLayout } from '../on-both.ts';

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
  /** Writes a row of each of the two. */
  write(file: string): Promise<void>;
  /** Who is found in the first's row, then in the second's; undefined where nothing opens. */
  read(file: string): Promise<readonly (string | undefined)[]>;
}

const over = (file: string) => openSqlite({ file, layout: wholeLayout, clock });

function passcodes(file: string) {
  const sql = over(file);
  return { ...openPasscodes({ sql, seal }), close: () => sql.close() };
}

function sessions(file: string) {
  const times = { idleMs, absoluteMs: 8 * 3_600_000, longestIssuedMs: 8 * 3_600_000 };
  const sql = over(file);
  return { ...openSessionStore({ sql, store: 'visitors', seal, ...times }), close: () => sql.close() };
}

const people: readonly SubjectId[] = [anna, ben];

const stores: Readonly<Record<string, Kept>> = {
  passcodes: {
    table: 'passcode',
    id: 'id',
    column: 'subject',
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
});
