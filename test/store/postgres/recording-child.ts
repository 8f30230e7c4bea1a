/**
 * A process that records for one person: `node recording-child.ts <database url> <name> <count> [hold]`; prints a line for
 * each. With `hold` the last one takes the lease, and the process goes on until it is killed.
 */
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../../src/store/drivers/postgres/database.ts';
import { postgresDialect } from '../../../src/store/drivers/postgres/dialect.ts';
import { peopleTables } from '../../../src/store/people-schema.ts';
import { aRequest, intentOf, off } from '../../delivery/fixture.ts';
import { aPeopleStore, saying } from '../contract/people-fixture.ts';
import { aClock, secret } from '../contract/test-store.ts';

const [url = '', name = '', count = '0', hold] = process.argv.slice(2);
const layout = peopleTables(postgresDialect);
const sql = await openDatabase({ url, layout, poolSize: 3, deadlineMs: 5_000 });
const store = aPeopleStore({ sql, secrets: [secret], clock: aClock() });
for (let index = 0; index < Number(count); index += 1) {
  const reference = `${name}-${index}`;
  const request = { ...aRequest({ intent: intentOf(off(reference)) }), nonce: reference };
  const isLast = index + 1 === Number(count);
  const lease = hold !== undefined && isLast ? { owner: name, now: 1_000, until: 61_000 } : undefined;
  const { claimed } = await store.record(
    { request, reference, now: 1_000 },
    saying(request, reference, 1_000),
    lease,
  );
  process.stdout.write(`${reference}${claimed === undefined ? '' : ' claimed'}\n`);
}
if (hold !== undefined) await pause(600_000);
await store.close();
await sql.close();
