import type { Evidence, Work } from '../../core/model/journal-entry.ts';
import type { JournalUpkeep } from '../../ports/journal-upkeep.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import type { Database } from '../drivers/postgres/database.ts';
import { isSlow } from '../drivers/postgres/fault.ts';
import { sealEvidence } from '../journal-seal.ts';
import { statement } from '../sql.ts';
import { createBatch } from './batch.ts';
import type { News } from './journal-news.ts';
import { openInTurns } from './journal-row.ts';
import { bite, deleteBatch } from './maintained.ts';

const dayMs = 24 * 60 * 60 * 1000;

const bind = statement(
  `INSERT INTO platform AS p (one, address) VALUES (1, :platform)
   ON CONFLICT (one) DO UPDATE SET address = CASE WHEN p.address = :movedFrom THEN :platform ELSE p.address END
   RETURNING address`,
);
const overWork = statement(
  `SELECT * FROM submission WHERE payload IS NOT NULL AND done_at < :before AND state <> 'pending'
   ORDER BY done_at LIMIT :limit FOR UPDATE SKIP LOCKED`,
);
const reduce = statement(
  `UPDATE submission s SET payload = NULL, superseded = '{}', evidence = nullif(t.evidence, '')
   FROM unnest(:references::text[], :evidence::text[]) AS t (reference, evidence) WHERE s.reference = t.reference`,
);
const overEvidence = deleteBatch('submission', 'done_at', `done_at IS NOT NULL AND state <> 'pending'`);
const overReasons = deleteBatch('reason', 'day');
// A person who has been written of meanwhile has been touched, and stays. Gives the last one that was looked at.
const overPeople = statement(
  `WITH part AS MATERIALIZED (
     SELECT subject, touched_at FROM journal_person
     WHERE touched_at < :before AND (touched_at, subject) > (:touchedAt::bigint, :after::text)
     ORDER BY touched_at, subject LIMIT :limit),
   gone AS (
     DELETE FROM journal_person p
     WHERE p.subject = ANY (ARRAY(SELECT subject FROM part)) AND p.touched_at < :before AND p.lease_until <= :before AND p.clicks_until <= :before
       AND NOT EXISTS (SELECT 1 FROM submission s WHERE s.subject = p.subject AND s.state = 'pending'))
   SELECT subject, touched_at FROM part ORDER BY touched_at DESC, subject DESC LIMIT 1`,
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

/** So long what was written proves that more can be. Milliseconds. */
const provenForMs = 2_000;
/** So long a database that answers too late counts as slow: then all nodes see the same, and none is better. */
const slowForMs = 10_000;

/** Of a sweep over all people the one to go on after. */
const firstPerson = { touchedAt: 0, after: '' };

/** What keeps the journal itself. */
export function journalUpkeep(
  database: Database,
  { seal, news }: { readonly seal: Seal & KeyedHash; readonly news: News },
): JournalUpkeep {
  const [work, evidence, reasons, people] = [createBatch(500), createBatch(), createBatch(), createBatch()];
  let person = firstPerson;

  /** Of work that no key opens nothing can remain. */
  function reduceWork(before: number, limit: number): Promise<number> {
    return database.transaction(async (queries) => {
      const rows = await queries.all(overWork, { before, limit });
      if (rows.length === 0) return 0;
      const entries = await openInTurns(seal, rows);
      const evidence = entries.map(({ work }, index) =>
        work === undefined ? '' : sealEvidence(seal, rows[index] ?? {}, evidenceOf(work)),
      );
      await queries.run(reduce, { references: entries.map(({ reference }) => reference), evidence });
      return rows.length;
    });
  }

  /** Those who stay, because something of theirs is pending, are looked at once in each sweep of all. */
  async function sweepPeople(before: number): Promise<number> {
    const last = await people.run((limit) => database.get(overPeople, { before, limit, ...person }));
    person = last ? { touchedAt: Number(last['touched_at']), after: String(last['subject']) } : firstPerson;
    return Number(last !== undefined);
  }

  return {
    async bindTo(platform, movedFrom) {
      const row = await database.get(bind, { platform, movedFrom: movedFrom ?? null });
      return String(row?.['address']);
    },
    async sweep({ now, workBefore, evidenceBefore, reasonsBefore }) {
      const reduced = await work.run((limit) => reduceWork(workBefore, limit));
      const before = evidenceBefore;
      const gone = await evidence.run((limit) => database.run(overEvidence, { before, limit }));
      const day = reasonsBefore - (reasonsBefore % dayMs);
      const forgotten = await reasons.run((limit) => database.run(overReasons, { before: day, limit }));
      if (gone > 0) await database.run(overDays, { before });
      if (forgotten > 0) await database.run(overCounts, { before: reasonsBefore });
      // A day is longer than any submission takes from being read to being written.
      return reduced + gone + forgotten + (await sweepPeople(now - dayMs));
    },
    async emptyLog() {},
    async check() {
      if (database.hasWritten(provenForMs)) return;
      try {
        await database.forWithdrawals.run(write, { now: database.clock.now() });
      } catch (fault) {
        if (!isSlow(fault) || !database.hasWritten(slowForMs)) throw fault;
      }
    },
    async close() {
      news.close();
    },
  };
}

function evidenceOf({ items, request: { linkMadeBy } }: Work): Evidence {
  return linkMadeBy === undefined ? { items } : { items, linkMadeBy };
}
