import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '../../src/clock.ts';
import type { Journal } from '../../src/ports/journal.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { openEvents } from '../../src/store/events.ts';
import { embeddedFiles } from '../../src/store/layouts.ts';
import { openPeople } from '../../src/store/people.ts';
import { createSeal } from '../../src/store/seal.ts';

/** Opens the journal of a data folder, beside its product or while the product is stopped. */
export async function openJournalIn(
  folder: string,
  secret: string,
): Promise<{ readonly journal: Journal; close(): Promise<void> }> {
  const [{ layout }] = embeddedFiles(folder);
  const sql = openSqlite({ file: join(folder, 'journal.sqlite'), layout, clock: systemClock });
  const seal = createSeal([secret]);
  const { newsWrites } = await openEvents({ sql, seal, routes: () => undefined });
  const journal = openPeople({ sql, seal, random: { id: randomUUID }, newsWrites });
  return {
    journal,
    async close() {
      await journal.close();
      await sql.close();
    },
  };
}
