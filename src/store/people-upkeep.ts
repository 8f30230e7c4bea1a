import type { JournalUpkeep } from '../ports/journal.ts';
import { isAmong, part, skipLocked } from './dialect.ts';
import { dayMs } from './people-schema.ts';
import type { PeopleParts } from './people-write.ts';
import { batchRows, deleteSome, writing } from './sql.ts';

const bind = writing<{ readonly address: string }>`INSERT INTO platform (one, address) VALUES (1, :platform)
  ON CONFLICT (one) DO UPDATE SET address =
    CASE WHEN platform.address = :movedFrom THEN :platform ELSE platform.address END
  RETURNING address`;
const write = writing`
  INSERT INTO written (one, at) VALUES (1, :now) ON CONFLICT (one) DO UPDATE SET at = :now`;

// A row may hold a megabyte, and a statement has a deadline: so few rows at a time.
const overWork = writing`
  UPDATE submission SET request = NULL, progress = NULL, nonce = NULL, digest = NULL, receipts = '[]'
  WHERE ${isAmong(
    'sequence',
    part`SELECT sequence FROM submission
      WHERE request IS NOT NULL AND done_at < :before AND state <> 'pending'
      ORDER BY done_at LIMIT ${batchRows} ${skipLocked}`,
  )}`;
const overEvidence = deleteSome('submission', 'done_at', {
  where: `done_at IS NOT NULL AND done_at < :before AND state <> 'pending'`,
});
const overReasons = deleteSome('reason', 'day');
const overPeople = deleteSome('person', 'touched_at', {
  where: 'due_at IS NULL AND touched_at < :before AND lease_until <= :now',
});
// Deletes counters whose sum is 0; a single row of a counter may be below 0.
const overDays = writing`DELETE FROM submission_day WHERE day IN (
  SELECT day FROM submission_day WHERE day < :before GROUP BY day HAVING sum(submissions) <= 0
  LIMIT ${batchRows})`;
const overCounts = writing`DELETE FROM reason_count WHERE (day, center, id) IN (
  SELECT day, center, id FROM reason_count WHERE day < :before
  GROUP BY day, center, id HAVING sum(count) <= 0 LIMIT ${batchRows})`;

/** The upkeep of people and submissions. */
export function peopleUpkeep({ sql, board }: PeopleParts): JournalUpkeep {
  return {
    async bindTo(platform, movedFrom) {
      return (await sql.get(bind, { platform, movedFrom }))?.address ?? '';
    },
    async sweep({ now, workBefore, evidenceBefore, reasonsBefore }) {
      const reduced = await sql.run(overWork, { before: workBefore });
      const gone = await sql.run(overEvidence, { before: evidenceBefore });
      const day = reasonsBefore - (reasonsBefore % dayMs);
      const forgotten = await sql.run(overReasons, { before: day });
      const left = await sql.run(overPeople, { before: workBefore, now });
      if (gone > 0) await sql.run(overDays, { before: evidenceBefore });
      if (forgotten > 0) await sql.run(overCounts, { before: reasonsBefore });
      return reduced + gone + forgotten + left;
    },
    check: () => sql.proveWrite(write, { now: sql.clock.now() }),
    async close() {
      board.close();
    },
  };
}
