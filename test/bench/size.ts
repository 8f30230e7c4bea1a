/**
 * `node test/bench/size.ts [--people 400]` measures the bytes that a one-click and a save add to PostgreSQL,
 * rows and indexes, once they are applied: with and without the dead rows that autovacuum frees.
 */
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import {
  books,
  click,
  openForm,
  pendingOf,
  send,
  settingsFor,
  startPlatform,
  switches,
} from '../chaos/rig.ts';
import { manyCalls, startProcess } from '../kit/product.ts';
import { makeAllKnown } from './mailing.ts';

const { values } = parseArgs({ options: { people: { type: 'string', default: '400' } } });
const count = Number(values.people);
/** People before the measured ones, so that the tables and their pages are there. */
const warmUp = 50;

await using platform = await startPlatform({
  SANDBOX_REQUESTS_PER_MINUTE: '1000000',
  SANDBOX_REQUESTS_PER_HOUR: '100000000',
});
const env = { ...settingsFor(platform.port), ...manyCalls, LOG_LEVEL: 'error' };
await using product = await startProcess({ store: 'postgres', env });
const database = new Client({ connectionString: product.env['DATABASE_URL'] });
await database.connect();

const acts: Readonly<Record<string, (who: string) => Promise<unknown>>> = {
  'one-click': (who) => click(product, who),
  async save(who) {
    const open = await openForm(product, books, who);
    open.form.untick('purpose', switches(open.form).on[0] ?? '');
    return send(open);
  },
};

for (const [name, act] of Object.entries(acts)) {
  await actAll('first', warmUp);
  const before = await sizeVacuumed();
  await actAll('then', count);
  const [all, living] = [await size(), await sizeVacuumed()];
  const each = (bytes: number) => `${((bytes - before) / count / 1024).toFixed(1)} KB`;
  process.stdout.write(`${name}: ${each(all)}, ${each(living)} without dead rows\n`);

  async function actAll(when: string, most: number): Promise<void> {
    const people = Array.from({ length: most }, (_, index) => `${name}.${when}.${index}@example.org`);
    await makeAllKnown(platform.sandbox, people);
    for (const who of people) await act(who);
    do await pause(1_000);
    while ((await pendingOf(product.metricsUrl)) > 0);
  }
}
await database.end();

async function size(): Promise<number> {
  const { rows } = await database.query(
    'SELECT sum(pg_total_relation_size(relid)) AS bytes FROM pg_stat_user_tables',
  );
  return Number(rows[0]?.bytes);
}

async function sizeVacuumed(): Promise<number> {
  await database.query('VACUUM FULL');
  return size();
}
