import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { openDatabase } from '../../src/store/drivers/postgres/database.ts';
import { postgresDialect } from '../../src/store/drivers/postgres/dialect.ts';
import { sqliteDialect } from '../../src/store/drivers/sqlite/dialect.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { eventTables } from '../../src/store/event-tables.ts';
import { reading, type Sql } from '../../src/store/sql.ts';
import { postgres } from '../kit/postgres.ts';
import { grant, openNode, routes, withdrawal } from './contract/event-fixture.ts';
import { aClock, anna, secret } from './contract/test-store.ts';
import { noted } from './noted.ts';

const name = 'A group of clicks, a word and a question for many people take few statements';

test(`${name}, in a file`, async (t) => {
  const sql = openSqlite({ file: ':memory:', layout: eventTables(sqliteDialect), clock: aClock() });
  t.after(() => sql.close());
  await assertFew(t, sql);
});

test(`${name}, in PostgreSQL`, { skip: postgres.skip }, async (t) => {
  const { url, end } = await postgres.database();
  t.after(end);
  const sql = await openDatabase({
    url,
    layout: eventTables(postgresDialect),
    poolSize: 3,
    deadlineMs: 5_000,
  });
  t.after(() => sql.close());
  await assertFew(t, sql);
});

const words = reading('SELECT count(*) AS count FROM last_word');

async function assertFew(t: TestContext, real: Sql): Promise<void> {
  const { sql, count } = noted(real);
  const node = await openNode({ sql, clock: aClock(), secrets: [secret], routes });
  const countOf = async (act: () => Promise<unknown>) => {
    const earlier = count();
    await act();
    return count() - earlier;
  };
  await node.write(grant({ on: 'a' }));
  assert.equal(
    Number((await real.get(words))?.['count']),
    0,
    'a grant leaves a word only where one was there',
  );
  const people = Array.from({ length: 1_000 }, (_, index) => `p${index}@example.org` as SubjectId);
  const clicks = (center: string) => people.slice(0, 50).map((subject) => withdrawal({ subject, center }));
  const counts = {
    click: await countOf(() => node.write(withdrawal())),
    clicks: await countOf(() => node.write(...clicks('center'))),
    pulled: await countOf(() => node.write(...clicks('pulled'))),
    words: await countOf(() => node.write(...clicks('silent'))),
    nothing: await countOf(() => node.write({ subject: anna, news: [] })),
    mayUse: await countOf(() => node.events.mayUse('center', 'a', people)),
  };
  await node.close();
  t.diagnostic(
    `statements: ${Object.entries(counts)
      .map((each) => each.join(' '))
      .join(', ')}`,
  );
  assert.deepEqual(counts, { click: 1, clicks: 1, pulled: 1, words: 1, nothing: 0, mayUse: 1 });
}
