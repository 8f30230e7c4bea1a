import type { Submission } from '../../core/model/submission.ts';
import type { JournalFilter, JournalReports } from '../../ports/journal-reports.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import type { Database } from '../drivers/postgres/database.ts';
import { asOwn, text } from '../journal-entry.ts';
import { hashesOf } from '../journal-seal.ts';
import { endOfTime, readReason } from '../reason-row.ts';
import { type Statement, statement, type Values } from '../sql.ts';
import { journalCounters } from './journal-counters.ts';
import { openInTurns, own } from './journal-row.ts';

/** One statement for each set of filters: each is planned for what it asks. */
function listing(given: readonly string[], columns: '*' | 'sequence'): Statement {
  const conditions: Readonly<Record<string, string>> = {
    state: 'state = :state',
    center: 'center = :center',
    subjects: own,
    from: 'submitted_at >= :from',
    to: 'submitted_at < :to',
    withdraws: 'withdraws = :withdraws',
  };
  const chosen = given.map((name) => conditions[name]).join(' AND ');
  const isOfTime = given.includes('from') || given.includes('to');
  const order = isOfTime ? 'submitted_at DESC, sequence DESC' : 'sequence DESC';
  return statement(
    `SELECT ${columns} FROM submission WHERE ${chosen || 'true'} ORDER BY ${order} LIMIT :limit OFFSET :offset`,
  );
}

// Of each state the shards are added up, and the numbers of one may be below 0.
const counts = statement(
  `SELECT state, sum(count)::bigint AS count,
     CASE WHEN state = 'pending' THEN
       (SELECT min(submitted_at) FROM submission WHERE state = 'pending' AND done_at IS NULL) END AS oldest
   FROM submission_count GROUP BY state HAVING sum(count) > 0 ORDER BY state COLLATE "C"`,
);
/** So many are read, whatever of them is asked for. */
const reasons = statement(
  `SELECT sequence, center, day, id, CASE WHEN chosen THEN text END AS text, chosen FROM (
     SELECT *, (:center::text IS NULL OR center = :center) AND day >= :from AND day < :to AS chosen
     FROM reason WHERE sequence > :after ORDER BY sequence LIMIT :limit) AS part
   ORDER BY sequence`,
);
const ownWords = statement(
  `SELECT found.* FROM unnest(:centers::text[]) AS c (center), LATERAL (
     SELECT sequence, center, day, id, text FROM reason r
     WHERE r.center = c.center AND r.id IS NULL AND r.day >= :from AND r.day < :to
     ORDER BY r.day DESC, r.sequence DESC LIMIT :limit) AS found
   ORDER BY day DESC, sequence DESC LIMIT :limit`,
);

/** Submissions that are read at a time, each of which may be long. */
const mostInPart = 100;
const numbered = statement(
  `SELECT s.* FROM unnest(:numbers::bigint[]) WITH ORDINALITY AS n (sequence, place)
   JOIN submission s USING (sequence) ORDER BY n.place`,
);

/** What staff and metrics ask. */
export function journalReports(database: Database, seal: Seal & KeyedHash): JournalReports {
  return {
    async list(filter) {
      const given = filterOf(filter, seal);
      const { limit, offset = 0 } = filter;
      const rows = await database.all(listing(Object.keys(given), '*'), { ...given, limit, offset });
      return asOwn(filter.subject, await openInTurns(seal, rows));
    },
    async *parts(filter) {
      const given = filterOf(filter, seal);
      const { limit, offset = 0 } = filter;
      const rows = await database.all(listing(Object.keys(given), 'sequence'), { ...given, limit, offset });
      const found = rows.map(({ sequence }) => Number(sequence));
      for (let at = 0; at < found.length; at += mostInPart) {
        const part = found.slice(at, at + mostInPart);
        const entries = await openInTurns(seal, await database.all(numbered, { numbers: part }));
        yield asOwn(filter.subject, entries);
      }
    },
    async counts() {
      const rows = await database.all(counts);
      return rows.map((row) => ({
        state: text(row, 'state') as Submission['state'],
        count: Number(row['count']),
        oldestAt: row['oldest'] === null ? undefined : Number(row['oldest']),
      }));
    },
    ...journalCounters(database),
    async ownWords({ from = 0, to = endOfTime }, { centers, limit }) {
      const rows = await database.all(ownWords, { centers, from, to, limit });
      return rows.map((row) => readReason(seal, row));
    },
    async reasons({ center = null, from = 0, to = endOfTime }, { limit, after = 0 }) {
      const rows = await database.all(reasons, { center, from, to, after, limit });
      return {
        reasons: rows.filter(({ chosen }) => chosen === true).map((row) => readReason(seal, row)),
        next: rows.length < limit ? undefined : Number(rows.at(-1)?.['sequence']),
      };
    },
  };
}

function filterOf({ state, center, subject, from, to, withdraws }: JournalFilter, hash: KeyedHash): Values {
  return {
    ...(state === undefined ? {} : { state }),
    ...(center === undefined ? {} : { center }),
    ...(subject === undefined ? {} : { subjects: hashesOf(hash, subject) }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(withdraws === undefined ? {} : { withdraws }),
  };
}
