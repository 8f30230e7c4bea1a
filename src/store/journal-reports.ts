import type { SubjectId } from '../core/subject.ts';
import type { Submission } from '../core/submission-result.ts';
import type { Journal, KeyedHash, Seal } from '../ports.ts';
import type { Database } from './database.ts';
import type { journalReasons } from './journal-reasons.ts';
import { readEntry, text } from './journal-row.ts';

type Reports = Pick<Journal, 'list' | 'counts' | 'reasons' | 'sweep' | 'check'>;

/** What staff, metrics and readiness ask. `hashes`: a subject's hashes as a JSON array. */
export function journalReports(
  { prepare }: Database,
  {
    seal,
    hashes,
    reasons,
  }: {
    readonly seal: Seal & KeyedHash;
    readonly hashes: (subject: SubjectId) => string;
    readonly reasons: ReturnType<typeof journalReasons>;
  },
): Reports {
  const list = prepare(
    `SELECT * FROM submission
     WHERE (:state IS NULL OR state = :state) AND (:center IS NULL OR center = :center)
       AND (:subjects IS NULL OR subject IN (SELECT value FROM json_each(:subjects)))
       AND (:from IS NULL OR submitted_at >= :from) AND (:to IS NULL OR submitted_at < :to)
     ORDER BY sequence DESC LIMIT :limit OFFSET :offset`,
  );
  const counts = prepare(
    `SELECT state, count,
       iif(state = 'pending', (SELECT min(submitted_at) FROM submission WHERE state = 'pending'), NULL) AS oldest
     FROM submission_count WHERE count > 0 ORDER BY state`,
  );
  const sweep = prepare(
    'UPDATE submission SET payload = NULL WHERE payload IS NOT NULL AND done_at < :before',
  );
  return {
    list(filter) {
      const rows = list.all({
        state: filter.state ?? null,
        center: filter.center ?? null,
        subjects: filter.subject === undefined ? null : hashes(filter.subject),
        from: filter.from ?? null,
        to: filter.to ?? null,
        limit: filter.limit,
        offset: filter.offset ?? 0,
      });
      return rows.map((row) => readEntry(seal, row));
    },
    counts() {
      return counts.all().map((row) => ({
        state: text(row, 'state') as Submission['state'],
        count: Number(row['count']),
        oldestAt: row['oldest'] === null ? undefined : Number(row['oldest']),
      }));
    },
    reasons: reasons.reasons,
    sweep: (before) => sweep.run({ before }),
    check: reasons.check,
  };
}
