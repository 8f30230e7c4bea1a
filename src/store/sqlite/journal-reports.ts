import type { Evidence, Work } from '../../core/model/journal-entry.ts';
import type { Submission } from '../../core/model/submission.ts';
import type { JournalReports } from '../../ports/journal-reports.ts';
import type { JournalUpkeep } from '../../ports/journal-upkeep.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import { sealEvidence } from '../journal-seal.ts';
import { bite, type Database } from './database.ts';
import type { journalClicks } from './journal-clicks.ts';
import type { journalReasons } from './journal-reasons.ts';
import { ownSubjects, readEntry, subjectsOf, text } from './journal-row.ts';

function evidenceOf({ items, request: { linkMadeBy } }: Work): Evidence {
  return linkMadeBy === undefined ? { items } : { items, linkMadeBy };
}

type Reports = JournalReports & Pick<JournalUpkeep, 'sweep' | 'check'>;

/** What staff, metrics and readiness ask. */
export function journalReports(
  { prepare, together }: Database,
  {
    seal,
    reasons,
    clicks,
  }: {
    readonly seal: Seal & KeyedHash;
    readonly reasons: ReturnType<typeof journalReasons>;
    readonly clicks: ReturnType<typeof journalClicks>;
  },
): Reports {
  const list = prepare(
    `SELECT * FROM submission
     WHERE (:state IS NULL OR state = :state) AND (:center IS NULL OR center = :center)
       AND (:subjects IS NULL OR ${ownSubjects})
       AND (:from IS NULL OR submitted_at >= :from) AND (:to IS NULL OR submitted_at < :to)
     ORDER BY sequence DESC LIMIT :limit OFFSET :offset`,
  );
  const counts = prepare(
    `SELECT state, count,
       iif(state = 'pending', (SELECT min(submitted_at) FROM submission WHERE state = 'pending' AND done_at IS NULL), NULL) AS oldest
     FROM submission_count WHERE count > 0 ORDER BY state`,
  );
  const overWork = prepare(
    `SELECT * FROM submission WHERE payload IS NOT NULL AND done_at < :before AND state <> 'pending'
     ORDER BY done_at LIMIT ${bite}`,
  );
  const reduce = prepare(
    'UPDATE submission SET payload = NULL, evidence = :evidence WHERE reference = :reference',
  );
  const deleteOver = prepare(
    `DELETE FROM submission WHERE sequence IN
       (SELECT sequence FROM submission WHERE done_at IS NOT NULL AND done_at < :before AND state <> 'pending'
        ORDER BY done_at LIMIT ${bite})`,
  );
  /** Of work that no key opens nothing can remain. */
  function reduceWork(before: number): number {
    return together(() => {
      const rows = overWork.all({ before });
      for (const row of rows) {
        const { reference, work } = readEntry(seal, row);
        const evidence = work === undefined ? null : sealEvidence(seal, reference, evidenceOf(work));
        reduce.run({ reference, evidence });
      }
      return rows.length;
    });
  }

  return {
    async list(filter) {
      const rows = list.all({
        state: filter.state ?? null,
        center: filter.center ?? null,
        subjects: filter.subject === undefined ? null : subjectsOf(seal, filter.subject),
        from: filter.from ?? null,
        to: filter.to ?? null,
        limit: filter.limit,
        offset: filter.offset ?? 0,
      });
      return rows.map((row) => readEntry(seal, row));
    },
    async counts() {
      return counts.all().map((row) => ({
        state: text(row, 'state') as Submission['state'],
        count: Number(row['count']),
        oldestAt: row['oldest'] === null ? undefined : Number(row['oldest']),
      }));
    },
    reasons: reasons.reasons,
    async sweep({ now, workBefore, evidenceBefore, reasonsBefore }) {
      return (
        reduceWork(workBefore) +
        deleteOver.run({ before: evidenceBefore }) +
        reasons.sweep(reasonsBefore) +
        clicks.sweep(now)
      );
    },
    async check() {
      reasons.check();
    },
  };
}
