import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Dialect } from '../../src/store/dialect.ts';
import type { Layout } from '../../src/store/drivers/layout.ts';
import { postgresDialect } from '../../src/store/drivers/postgres/dialect.ts';
import { sqliteDialect } from '../../src/store/drivers/sqlite/dialect.ts';
import { type Prepared, preparer, type Statement } from '../../src/store/sql.ts';
import { databaseOf, postgres } from '../kit/postgres.ts';
import { byHand } from './contract/exchanged.ts';
import { noted } from './noted.ts';
import { inFile, inPostgres, type StoreOf } from './on-both.ts';
import { indexesInPostgres, planInPostgres, plansInFile } from './plan.ts';
import { isTakenOnce, smallNumbers } from './postgres/statement-types.ts';

interface Judged {
  readonly layoutOf: (dialect: Dialect) => Layout;
  readonly contract: (storeOf: StoreOf) => void;
  /** Statements of other stores that use an index of these tables. */
  readonly others?: readonly Statement[];
  /** Tables that grow with the number of people, as plans name them. */
  readonly grows?: string;
  /**
   * Each index that is no key, and a pattern of a statement that uses it; a pattern that begins with `^` must
   * match all statements that use it.
   */
  readonly indexes?: Readonly<Record<string, RegExp>>;
  /** Rows that make PostgreSQL use indexes. */
  readonly fill?: string;
}

/** Notes each statement that the stores ask. */
const noting =
  (storeOf: StoreOf, asked: Map<string, Prepared>): StoreOf =>
  (open) =>
    storeOf(({ sql, seal }) => open({ seal, sql: noted(sql, asked).sql }));

/**
 * Contracts over both databases. Each statement finds its rows by an index, and each index serves a
 * statement.
 */
export function onBoth(name: string, judged: Judged): void {
  const { layoutOf, contract, indexes = {}, grows, fill, others = [] } = judged;
  const names = Object.keys(indexes).toSorted();

  suite(`${name} in a file`, () => {
    const layout = layoutOf(sqliteDialect);
    const asked = new Map<string, Prepared>();
    contract(noting(inFile(layout), asked));

    if (grows === undefined) return;
    test('Each statement finds its rows by a key or an index, and each index serves one', () => {
      const planOf = plansInFile(layout);
      // A scan of all sessions of one store is as long as a scan of all rows.
      const scan = new RegExp(`^SCAN (${grows})\\b|\\(store=\\?\\)$`);
      const used = new Set<string>();
      for (const { sql: text } of [...asked.values(), ...others.map(preparer(sqliteDialect))]) {
        if (text.includes(byHand)) continue;
        const plan = planOf(text);
        // A statement that stops after some rows, in the order of an index, reads only these rows.
        const isBounded = /ORDER BY \+?\w+( DESC)?(, \w+( DESC)?)* LIMIT|min\(/.test(text);
        const isByKey = /ORDER BY sequence DESC LIMIT/.test(text);
        const scans = plan.filter(
          (step) => scan.test(step) && !(isBounded && (isByKey || /INDEX/.test(step))),
        );
        assert.deepEqual(scans, [], text);
        // An INSERT joins two short lists; an UPDATE of long rows would read its list once for each.
        if (/^\s*UPDATE/.test(text)) assert.doesNotMatch(plan.join('\n'), /^INNER /m, text);
        for (const [index, users] of Object.entries(indexes)) {
          if (!plan.some((step) => step.includes(`INDEX ${index} `) || step.endsWith(`INDEX ${index}`)))
            continue;
          if (users.source.startsWith('^')) assert.match(text, users, index);
          if (users.test(text)) used.add(index);
        }
      }
      assert.deepEqual([...used].toSorted(), names);
    });
  });

  suite(`${name} in PostgreSQL`, { skip: postgres.skip, concurrency: false }, () => {
    const database = databaseOf();
    const layout = layoutOf(postgresDialect);
    const asked = new Map<string, Prepared>();
    contract(noting(inPostgres(database, layout), asked));

    test('Every number of a statement has 64 bits, and rows are taken once', async () => {
      assert.deepEqual(await smallNumbers(database, asked.values()), []);
      assert.deepEqual(
        [...asked.values()].filter(({ text }) => !isTakenOnce(text)),
        [],
      );
    });

    if (fill === undefined) return;
    for (const statistics of ['without statistics', 'with statistics'])
      test(`Each statement finds its rows by a key or an index, and each index serves one, ${statistics}`, async (t) => {
        const filled = await postgres.database();
        t.after(() => filled.end());
        for (const part of [...layout, withoutVacuum, fill]) await filled.query(part);
        if (statistics === 'with statistics') await filled.query('VACUUM ANALYZE');
        assert.deepEqual(await indexesInPostgres(filled), names);
        const used = new Set<string>();
        for (const statement of [...asked.values(), ...others.map(preparer(postgresDialect))]) {
          if (statement.text.includes(byHand)) continue;
          const plan = await planInPostgres(filled, statement);
          assert.doesNotMatch(plan, new RegExp(`Seq Scan on (${grows})\\b`), `${statement.text}\n${plan}`);
          for (const [index, users] of Object.entries(indexes))
            if (users.test(statement.text) && plan.includes(` ${index} `)) used.add(index);
        }
        assert.deepEqual([...used].toSorted(), names);
      });
  });
}

/** Turns off automatic statistics, so that only a test takes them, however long it runs. */
const withoutVacuum = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = off)', name);
  END LOOP; END $$`;
