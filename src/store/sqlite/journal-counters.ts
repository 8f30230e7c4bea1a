import type { JournalReports } from '../../ports/journal-reports.ts';
import type { Database } from '../drivers/sqlite/file.ts';
import { endOfTime } from '../reason-row.ts';

const day = 24 * 60 * 60 * 1000;

/**
 * What the staff's first page says is kept in counters by day, which go along with every row that comes
 * and goes, whichever process writes it; what it counts by itself is found by an index of its own. These are of a
 * state, or an expression, that only the reports name: an index of every state or center would be taken by what claims
 * and carries out.
 */
export const reportCounters = `
  CREATE INDEX submission_failed ON submission (done_at) WHERE state = 'failed';
  CREATE INDEX submission_withdrawal ON submission (submitted_at)
    WHERE state = 'pending' AND withdraws = 1 AND done_at IS NULL;
  CREATE INDEX submission_of_center ON submission (lower(center), sequence);
  CREATE TABLE submission_day (
    day INTEGER PRIMARY KEY,
    submissions INTEGER NOT NULL,
    leavings INTEGER NOT NULL
  ) STRICT;
  INSERT INTO submission_day
    SELECT submitted_at - submitted_at % ${day}, count(*), sum(everything) FROM submission GROUP BY 1;
  CREATE TRIGGER submission_dated AFTER INSERT ON submission BEGIN
    INSERT INTO submission_day VALUES (new.submitted_at - new.submitted_at % ${day}, 1, new.everything)
      ON CONFLICT (day) DO UPDATE SET submissions = submissions + 1, leavings = leavings + new.everything;
  END;
  CREATE TRIGGER submission_undated AFTER DELETE ON submission BEGIN
    UPDATE submission_day SET submissions = submissions - 1, leavings = leavings - old.everything
      WHERE day = old.submitted_at - old.submitted_at % ${day};
    DELETE FROM submission_day WHERE day = old.submitted_at - old.submitted_at % ${day} AND submissions <= 0;
  END;
  CREATE TABLE reason_count (
    day INTEGER NOT NULL,
    center TEXT NOT NULL,
    id TEXT NOT NULL,
    count INTEGER NOT NULL,
    latest INTEGER NOT NULL,
    PRIMARY KEY (day, center, id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO reason_count
    SELECT day, center, ifnull(id, ''), count(*), max(sequence) FROM reason GROUP BY 1, 2, 3;
  CREATE TRIGGER reason_made AFTER INSERT ON reason BEGIN
    INSERT INTO reason_count VALUES (new.day, new.center, ifnull(new.id, ''), 1, new.sequence)
      ON CONFLICT (day, center, id) DO UPDATE SET count = count + 1, latest = new.sequence;
  END;
  CREATE TRIGGER reason_gone AFTER DELETE ON reason BEGIN
    UPDATE reason_count SET count = count - 1
      WHERE day = old.day AND center = old.center AND id = ifnull(old.id, '');
    DELETE FROM reason_count
      WHERE day = old.day AND center = old.center AND id = ifnull(old.id, '') AND count <= 0;
  END`;

type Counters = Pick<JournalReports, 'waitingWithdrawals' | 'failedSince' | 'days' | 'topReasons'>;

export function journalCounters({ prepare }: Database): Counters {
  const waiting = prepare(
    `SELECT count(*) AS count, min(submitted_at) AS oldest FROM (
       SELECT submitted_at FROM submission INDEXED BY submission_withdrawal
       WHERE state = 'pending' AND withdraws = 1 AND done_at IS NULL ORDER BY submitted_at LIMIT :most)`,
  );
  const failed = prepare(
    `SELECT count(*) AS count FROM (
       SELECT 1 FROM submission INDEXED BY submission_failed WHERE state = 'failed' AND done_at >= :since LIMIT :most)`,
  );
  const days = prepare('SELECT * FROM submission_day WHERE day >= :from AND day < :to ORDER BY day');
  const reasons = prepare(
    `SELECT most.*, (SELECT text FROM reason WHERE sequence = most.latest) AS text FROM (
       SELECT center, id, sum(count) AS count, max(latest) AS latest
       FROM reason_count
       WHERE (:center IS NULL OR center = :center) AND day >= :from AND day < :to GROUP BY center, id
       ORDER BY count DESC, center, id = '', id LIMIT :limit) AS most
     ORDER BY count DESC, center, id = '', id`,
  );

  return {
    async waitingWithdrawals(most) {
      const row = waiting.get({ most });
      const oldest = row?.['oldest'];
      return {
        count: Number(row?.['count'] ?? 0),
        oldestAt: typeof oldest === 'number' ? oldest : undefined,
      };
    },
    async failedSince(since, most) {
      return Number(failed.get({ since, most })?.['count'] ?? 0);
    },
    async days({ from, to }) {
      return days.all({ from, to }).map((row) => ({
        day: Number(row['day']),
        submissions: Number(row['submissions']),
        leavings: Number(row['leavings']),
      }));
    },
    async topReasons({ center = null, from = 0, to = endOfTime, limit }) {
      return reasons.all({ center, from, to, limit }).map((row) => {
        const isOwn = row['id'] === '';
        return {
          center: String(row['center']),
          id: isOwn ? undefined : String(row['id']),
          text: isOwn ? '' : String(row['text'] ?? ''),
          count: Number(row['count']),
        };
      });
    },
  };
}
