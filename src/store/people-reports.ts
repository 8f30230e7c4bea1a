import { journalEntryOf } from '../core/consent/submission-view.ts';
import type { JournalEntry } from '../core/model/submission/journal-entry.ts';
import type {
  DayCount,
  JournalFilter,
  JournalReports,
  Reason,
  ReasonCount,
  StateCount,
  Waiting,
} from '../ports/journal.ts';
import type { Seal } from '../ports/seal.ts';
import { endTurn } from '../turn.ts';
import { isIn, part } from './dialect.ts';
import { hashesOf, sealedReason } from './journal-seal.ts';
import type { SubmissionRow } from './people-schema.ts';
import type { PeopleParts } from './people-write.ts';
import { type Columns, reading } from './sql.ts';

/** A time after every day. Milliseconds. */
const endOfTime = Number.MAX_SAFE_INTEGER;
/** Submissions that are read at a time, each of which may be long. */
const mostInPart = 100;

type ReasonRow = Reason & Columns<'sequence', number>;

/** Conditions as fixed text: no value of a filter stands in a statement. */
const states: Readonly<Record<JournalEntry['state'], string>> = {
  pending: `state = 'pending'`,
  done: `state = 'done'`,
  failed: `state = 'failed'`,
};

/**
 * Selects only the numbers of submissions, since rows are long. Each set of filters has a statement of its
 * own, which is planned for it. The state is a part of its text, so that the small index of this state is
 * used. A column in an expression cannot use its index: the index of times is the best for a filter by time,
 * and failed submissions are few.
 */
function numbersOf({ state, center, subject, from, to, withdraws }: JournalFilter) {
  const isOfFailed = state === 'failed';
  // The index of pending submissions is in the order of time.
  const isByTime = state === 'pending' || from !== undefined || to !== undefined;
  const time = isOfFailed ? '+submitted_at' : 'submitted_at';
  const chosen = [
    state && states[state],
    center !== undefined && (isByTime || isOfFailed ? "center || '' = :center" : 'center = :center'),
    from !== undefined && `${time} >= :from`,
    to !== undefined && `${time} < :to`,
    withdraws && 'withdraws = 1',
    // An erased submission has nothing to show.
    `subject <> ''`,
  ];
  const ofPerson = subject === undefined ? '' : part`AND ${isIn('subject', 'subjects')}`;
  const order = isByTime ? 'submitted_at DESC, sequence DESC' : 'sequence DESC';
  return reading<Pick<SubmissionRow, 'sequence'>>`
    SELECT sequence FROM submission WHERE ${chosen.filter(Boolean).join(' AND ')} ${ofPerson}
    ORDER BY ${isOfFailed ? order.replaceAll(/\b(?=s)/g, '+') : order} LIMIT :limit OFFSET :offset`;
}

const waiting = reading<Waiting>`SELECT count(*) AS count, min(submitted_at) AS "oldestAt" FROM (
  SELECT submitted_at FROM submission WHERE state = 'pending' AND withdraws = 1 AND done_at IS NULL
  ORDER BY submitted_at LIMIT :most) AS first`;
const failed = reading<{ readonly count: number }>`SELECT count(*) AS count FROM (
  SELECT 1 AS one FROM submission WHERE state = 'failed' AND done_at >= :since LIMIT :most) AS first`;
const counts = reading<StateCount>`SELECT state, sum(count) AS count,
    CASE WHEN state = 'pending' THEN (
      SELECT submitted_at FROM submission WHERE state = 'pending' AND done_at IS NULL
      ORDER BY submitted_at LIMIT 1) END AS "oldestAt"
  FROM submission_count GROUP BY state HAVING sum(count) > 0 ORDER BY state`;
const days = reading<DayCount>`
  SELECT day, sum(submissions) AS submissions, sum(leavings) AS leavings FROM submission_day
  WHERE day >= :from AND day < :to GROUP BY day HAVING sum(submissions) > 0 ORDER BY day`;
const reasonCounts = reading<ReasonCount>`SELECT most.center, nullif(most.id, '') AS id, most.count,
    CASE WHEN most.id = '' THEN '' ELSE coalesce((SELECT text FROM reason
      WHERE sequence = most.latest), '') END AS text FROM (
    SELECT center, id, sum(count) AS count, max(latest) AS latest FROM reason_count
    WHERE center = coalesce(:center, center) AND day >= :from AND day < :to
    GROUP BY center, id HAVING sum(count) > 0
    ORDER BY sum(count) DESC, center, CASE WHEN id = '' THEN 1 ELSE 0 END, id LIMIT :limit) AS most
  ORDER BY most.count DESC, most.center, CASE WHEN most.id = '' THEN 1 ELSE 0 END, most.id`;
/** Reads `:limit` reasons; `chosen` tells which of them match the filter. */
const reasons = reading<ReasonRow & { readonly chosen: number }>`
  SELECT sequence, center, day, id, CASE WHEN chosen = 1 THEN text END AS text, chosen FROM (
    SELECT sequence, center, day, id, text,
      CASE WHEN center = coalesce(:center, center) AND day >= :from AND day < :to THEN 1 ELSE 0 END AS chosen
    FROM reason WHERE sequence > :after ORDER BY sequence LIMIT :limit) AS part
  ORDER BY sequence`;
const ownWords = reading<ReasonRow>`SELECT sequence, center, day, id, text FROM reason
  WHERE center = :center AND id IS NULL AND day >= :from AND day < :to
  ORDER BY day DESC, sequence DESC LIMIT :limit`;

const numbered = reading<SubmissionRow>`
  SELECT * FROM submission WHERE ${isIn('sequence', 'numbers')} AND subject <> '' ORDER BY sequence`;

/** The reports for staff and metrics. */
export function peopleReports({ sql, seal, reader }: PeopleParts): JournalReports {
  async function* parts(filter: JournalFilter) {
    const { limit, offset = 0, center, subject, from, to } = filter;
    const values = { center, subjects: subject && hashesOf(seal, subject), from, to, limit, offset };
    const found = (await sql.all(numbersOf(filter), values)).map(({ sequence }) => sequence);
    for (let at = 0; at < found.length; at += mostInPart) {
      const numbers = found.slice(at, at + mostInPart);
      const rows = new Map((await sql.all(numbered, { numbers })).map((row) => [row.sequence, row]));
      const sorted = numbers.flatMap((number) => rows.get(number) ?? []);
      const entries = await reader.all(sql, sorted);
      yield entries.map((entry) => journalEntryOf(entry, sql.clock.now()));
      await endTurn();
    }
  }

  return {
    async list(filter) {
      const all: JournalEntry[] = [];
      for await (const part of parts(filter)) all.push(...part);
      return all;
    },
    parts,
    counts: () => sql.all(counts),
    waitingWithdrawals: async (most) =>
      (await sql.get(waiting, { most })) ?? { count: 0, oldestAt: undefined },
    failedSince: async (since, most) => (await sql.get(failed, { since, most }))?.count ?? 0,
    days: (period) => sql.all(days, { ...period }),
    topReasons: ({ center, from = 0, to = endOfTime, limit }) =>
      sql.all(reasonCounts, { center, from, to, limit }),
    async ownWords({ from = 0, to = endOfTime }, { centers, limit }) {
      const found: ReasonRow[] = [];
      for (const center of centers) found.push(...(await sql.all(ownWords, { center, from, to, limit })));
      return found
        .toSorted((one, other) => other.day - one.day || other.sequence - one.sequence)
        .slice(0, limit)
        .map((row) => readReason(seal, row));
    },
    async reasons({ center, from = 0, to = endOfTime }, { limit, after = 0 }) {
      const rows = await sql.all(reasons, { center, from, to, after, limit });
      return {
        reasons: rows.filter(({ chosen }) => chosen === 1).map((row) => readReason(seal, row)),
        next: rows.length < limit ? undefined : rows.at(-1)?.sequence,
      };
    },
  };
}

function readReason(seal: Seal, { sequence, center, day, id, text }: ReasonRow): Reason {
  const shown = id === undefined ? (sealedReason.open(seal, `${sequence}`, text) ?? '') : text;
  return { center, day, id, text: shown };
}
