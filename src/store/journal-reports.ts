import type { SubjectId } from '../core/subject.ts';
import type { Submission } from '../core/submission-result.ts';
import type { Journal, KeyedHash, Seal } from '../ports.ts';
import type { Database } from './database.ts';
import { readEntry, text } from './journal-row.ts';

type Reports = Pick<Journal, 'list' | 'counts' | 'reasons' | 'sweep' | 'check'>;

/** What staff, metrics and readiness ask. `hashes`: a subject's hashes as a JSON array. */
export function journalReports(
  { prepare, together }: Database,
  seal: Seal & KeyedHash,
  hashes: (subject: SubjectId) => string,
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
  const reasons = prepare(
    `SELECT center, day, id, text FROM reason
     WHERE (:center IS NULL OR center = :center) AND (:from IS NULL OR day >= :from) AND (:to IS NULL OR day < :to)
     ORDER BY sequence`,
  );
  const sweep = prepare(
    'UPDATE submission SET payload = NULL WHERE payload IS NOT NULL AND done_at < :before',
  );
  const room = prepare(`INSERT INTO reason (center, day, text) VALUES ('', 0, '')`);
  const noRoom = prepare(`DELETE FROM reason WHERE center = ''`);

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
    reasons({ center, from, to }) {
      const rows = reasons.all({ center: center ?? null, from: from ?? null, to: to ?? null });
      return rows.map((row) => ({
        center: text(row, 'center'),
        day: Number(row['day']),
        id: row['id'] === null ? undefined : text(row, 'id'),
        text: text(row, 'text'),
      }));
    },
    sweep: (before) => sweep.run({ before }),
    check() {
      together(() => {
        room.run();
        noRoom.run();
      });
    },
  };
}
