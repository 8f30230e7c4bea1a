import type { JournalReports } from '../../ports/journal-reports.ts';
import type { Database } from '../drivers/postgres/database.ts';
import { text } from '../journal-entry.ts';
import { endOfTime } from '../reason-row.ts';
import { statement } from '../sql.ts';

const waiting = statement(
  `SELECT count(*) AS count, min(submitted_at) AS oldest FROM (
     SELECT submitted_at FROM submission WHERE state = 'pending' AND withdraws AND done_at IS NULL
     ORDER BY submitted_at LIMIT :most) AS first`,
);
const failed = statement(
  `SELECT count(*) AS count FROM (
     SELECT 1 FROM submission WHERE state = 'failed' AND done_at >= :since LIMIT :most) AS first`,
);
// The shards are added up, and the numbers of one may be below 0.
const days = statement(
  `SELECT day, sum(submissions)::bigint AS submissions, sum(leavings)::bigint AS leavings
   FROM submission_day WHERE day >= :from AND day < :to
   GROUP BY day HAVING sum(submissions) > 0 ORDER BY day`,
);
const reasons = statement(
  `SELECT most.*, (SELECT text FROM reason WHERE sequence = most.latest) AS text FROM (
     SELECT center, id, sum(count)::bigint AS count, max(latest) AS latest
     FROM reason_count
     WHERE (:center::text IS NULL OR center = :center) AND day >= :from AND day < :to
     GROUP BY center, id HAVING sum(count) > 0
     ORDER BY count DESC, center COLLATE "C", id = '', id COLLATE "C" LIMIT :limit) AS most
   ORDER BY count DESC, center COLLATE "C", id = '', id COLLATE "C"`,
);

type Counters = Pick<JournalReports, 'waitingWithdrawals' | 'failedSince' | 'days' | 'topReasons'>;

/** What the staff's first page says: from counters, which triggers keep, and from small indexes. */
export function journalCounters(database: Database): Counters {
  return {
    async waitingWithdrawals(most) {
      const [row] = await database.all(waiting, { most });
      const oldest = row?.['oldest'] ?? undefined;
      return {
        count: Number(row?.['count'] ?? 0),
        oldestAt: oldest === undefined ? undefined : Number(oldest),
      };
    },
    async failedSince(since, most) {
      const [row] = await database.all(failed, { since, most });
      return Number(row?.['count'] ?? 0);
    },
    async days(period) {
      const rows = await database.all(days, { ...period });
      return rows.map((row) => ({
        day: Number(row['day']),
        submissions: Number(row['submissions']),
        leavings: Number(row['leavings']),
      }));
    },
    async topReasons({ center = null, from = 0, to = endOfTime, limit }) {
      const rows = await database.all(reasons, { center, from, to, limit });
      return rows.map((row) => {
        const id = text(row, 'id');
        return {
          center: text(row, 'center'),
          id: id === '' ? undefined : id,
          text: id === '' ? '' : String(row['text'] ?? ''),
          count: Number(row['count']),
        };
      });
    },
  };
}
