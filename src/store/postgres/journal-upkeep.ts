import type { Evidence, Work } from '../../core/model/journal-entry.ts';
import type { JournalUpkeep } from '../../ports/journal-upkeep.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import type { Database } from '../drivers/postgres/database.ts';
import { sealEvidence } from '../journal-seal.ts';
import { statement } from '../sql.ts';
import type { News } from './journal-news.ts';
import { openInTurns } from './journal-row.ts';
import { bite, deleteSome } from './maintained.ts';

const day = 24 * 60 * 60 * 1000;

const bind = statement(
  `INSERT INTO platform AS p (one, address) VALUES (1, :platform)
   ON CONFLICT (one) DO UPDATE SET address = CASE WHEN p.address = :movedFrom THEN :platform ELSE p.address END
   RETURNING address`,
);
const overWork = statement(
  `SELECT * FROM submission WHERE payload IS NOT NULL AND done_at < :before AND state <> 'pending'
   ORDER BY done_at LIMIT ${bite} FOR UPDATE SKIP LOCKED`,
);
const reduce = statement(
  `UPDATE submission s SET payload = NULL, superseded = '{}', evidence = nullif(t.evidence, '')
   FROM unnest(:references::text[], :evidence::text[]) AS t (reference, evidence) WHERE s.reference = t.reference`,
);
const overEvidence = deleteSome('submission', 'done_at', `done_at IS NOT NULL AND state <> 'pending'`);
const overReasons = deleteSome('reason', 'day');
// One that something was recorded of meanwhile has been touched, and stays.
const overPeople = deleteSome(
  'journal_person',
  'touched_at',
  `lease_until <= :before AND clicks_until <= :before
   AND NOT EXISTS (SELECT 1 FROM submission s WHERE s.subject = journal_person.subject AND s.state = 'pending')`,
);
// Counters of which nothing is left; a shard alone may hold less than nothing.
const overDays = statement(
  `DELETE FROM submission_day WHERE day IN (
     SELECT day FROM submission_day WHERE day < :before GROUP BY day HAVING sum(submissions) <= 0 LIMIT ${bite})`,
);
const overCounts = statement(
  `DELETE FROM reason_count WHERE (day, center, id) IN (
     SELECT day, center, id FROM reason_count WHERE day < :before
     GROUP BY day, center, id HAVING sum(count) <= 0 LIMIT ${bite})`,
);
const write = statement(
  'INSERT INTO written (one, at) VALUES (1, :now) ON CONFLICT (one) DO UPDATE SET at = :now',
);

/** What keeps the journal itself. */
export function journalUpkeep(
  database: Database,
  { seal, news }: { readonly seal: Seal & KeyedHash; readonly news: News },
): JournalUpkeep {
  /** Of work that no key opens nothing can remain. */
  function reduceWork(before: number): Promise<number> {
    return database.transaction(async (queries) => {
      const rows = await queries.all(overWork, { before });
      if (rows.length === 0) return 0;
      const entries = await openInTurns(seal, rows);
      const evidence = entries.map(({ work }, index) =>
        work === undefined ? '' : sealEvidence(seal, rows[index] ?? {}, evidenceOf(work)),
      );
      await queries.run(reduce, { references: entries.map(({ reference }) => reference), evidence });
      return rows.length;
    });
  }

  return {
    async bindTo(platform, movedFrom) {
      const row = await database.get(bind, { platform, movedFrom: movedFrom ?? null });
      return String(row?.['address']);
    },
    async sweep({ now, workBefore, evidenceBefore, reasonsBefore }) {
      const reduced = await reduceWork(workBefore);
      const gone = await database.run(overEvidence, { before: evidenceBefore });
      const reasons = await database.run(overReasons, { before: reasonsBefore - (reasonsBefore % day) });
      if (gone > 0) await database.run(overDays, { before: evidenceBefore });
      if (reasons > 0) await database.run(overCounts, { before: reasonsBefore });
      // A day is longer than any submission takes from being read to being written.
      return reduced + gone + reasons + (await database.run(overPeople, { before: now - day }));
    },
    async emptyLog() {},
    async check() {
      await database.run(write, { now: database.clock.now() });
    },
    async close() {
      news.close();
    },
  };
}

function evidenceOf({ items, request: { linkMadeBy } }: Work): Evidence {
  return linkMadeBy === undefined ? { items } : { items, linkMadeBy };
}
