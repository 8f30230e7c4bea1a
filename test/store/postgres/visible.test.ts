import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { within } from '../../chaos/rig.ts';
import { findInternalErrors } from '../../kit/internal-errors.ts';
import { postgres } from '../../kit/postgres.ts';
import { startProduct } from '../../kit/product.ts';

suite('A statement that the database refuses', { skip: postgres.skip }, () => {
  test('The statement is in the log with its SQLSTATE, and is counted, though no request asked for it', async () => {
    const database = await postgres.database();
    try {
      await using product = await startProduct({
        env: { DATABASE_URL: database.url, LOG_LEVEL: 'error' },
        broken: 'a column of its database',
      });
      const metrics = async () => (await fetch(product.metricsUrl)).text();
      assert.doesNotMatch(await metrics(), /sayso_internal_errors_total\{/);
      await database.query('ALTER TABLE person RENAME COLUMN due_at TO elsewhere');
      const told = () => findInternalErrors(product.output());
      const isTold = async () =>
        told().some((line) => line.includes('"statement":"')) &&
        told().some((line) => line.includes('the next due time'));
      assert.ok(await within(10_000, isTold), product.output().slice(-2_000));
      assert.ok(told().every((line) => line.includes('"internalError":"42703"')));
      assert.match(await metrics(), /sayso_internal_errors_total\{error="42703"\} \d/);
      await database.query('ALTER TABLE person RENAME COLUMN elsewhere TO due_at');
    } finally {
      await database.end();
    }
  });
});
