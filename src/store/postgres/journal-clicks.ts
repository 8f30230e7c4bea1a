import { isStillToCome, repeatsAtOnce, repeatsWithin, repeatWait } from '../../core/consent/one-click.ts';
import type { JournalEntry } from '../../core/model/journal-entry.ts';
import type { SubmissionRequest } from '../../core/model/submission-request.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import { digestsOf, hashesOf } from '../journal-seal.ts';
import { type Queries, type Row, statement } from '../sql.ts';
import { entryOf, own, queueing } from './journal-row.ts';

const hour = 60 * 60 * 1000;

/** Where a new bounded submission goes. */
export interface ClickPlace {
  readonly dueAt: number;
  /** The done one that it may turn out to say once more. */
  readonly repeats: string | undefined;
  /** Repeats, with this one, within the hour that ends then. */
  readonly times: number;
  readonly until: number;
  /** Of the person's row as it was read; -1 without one. */
  readonly version: number;
}

export interface Looked {
  /** Of the same nonce. */
  readonly known: Row | undefined;
  /** The open one that does what this asks for, too: it has yet to look at the record. */
  readonly open: JournalEntry | undefined;
  readonly place: ClickPlace;
}

/** What of a person's bounded submissions, since any other of theirs, withdraws the same. */
const same = `center = :center AND ${own} AND bounded
  AND sequence > (SELECT sequence FROM other) AND (everything OR digest = ANY (:digests))`;

/**
 * All that must be known, in one round trip: a row for each that may be the same, or one with nothing but the person's.
 * In any center, whose purposes may be the same: what came in by another way may have granted again.
 */
const look = statement(
  `WITH other AS (
     SELECT coalesce(max(sequence), 0) AS sequence FROM submission WHERE ${own} AND NOT bounded)
   SELECT found.*,
     done.reference AS repeats_done, done.state AS repeats_state,
     coalesce(p.version, -1) AS version, coalesce(p.clicks, 0) AS clicks, coalesce(p.clicks_until, 0) AS clicks_until
   FROM (SELECT) AS one
   LEFT JOIN journal_person p ON p.subject = ${queueing}
   LEFT JOIN LATERAL (
     SELECT reference, state FROM submission WHERE ${same} AND done_at > :doneSince
     ORDER BY sequence DESC LIMIT 1) AS done ON true
   LEFT JOIN LATERAL (
     (SELECT *, true AS known, false AS leased FROM submission WHERE nonce = :nonce)
     UNION ALL
     (SELECT *, false, lease_until > :now FROM submission
      WHERE ${same} AND state = 'pending' AND done_at IS NULL AND nonce <> :nonce ORDER BY sequence DESC LIMIT 10)
   ) AS found ON true`,
);

/** The person's row first, as whoever writes of the person. */
const sayAgain = statement(
  `WITH person AS (
     UPDATE journal_person p SET version = p.version + 1 WHERE p.subject = ${queueing} RETURNING p.subject)
   UPDATE submission SET said_again_at = greatest(said_again_at, :now) FROM person WHERE reference = :reference`,
);

/** Keeps what comes twice, from programs, or from anybody who has a leaked address, from filling the journal. */
export function journalClicks(seal: Seal & KeyedHash) {
  return {
    async look(queries: Queries, request: SubmissionRequest, now: number): Promise<Looked> {
      const { channel } = request;
      const subjects = hashesOf(seal, request.subject);
      const rows = await queries.all(look, {
        ...{ center: request.center, nonce: request.nonce, subject: subjects[0] ?? '', subjects, now },
        digests: digestsOf(seal, request),
        doneSince: now - repeatsWithin,
      });
      const open = rows
        .filter((row) => row['known'] === false)
        .map((row) => ({ entry: entryOf(seal, row), isBeingWorkedOn: row['leased'] === true }))
        .find(({ entry, isBeingWorkedOn }) =>
          isStillToCome({ ...entry, isBeingWorkedOn }, { channel, now }),
        )?.entry;
      return {
        known: rows.find((row) => row['known'] === true),
        open,
        place: placeOf(rows[0] ?? {}, now),
      };
    },
    /** What is not written leaves when it was said, for forms that were drawn before. */
    async sayAgain(
      queries: Queries,
      request: SubmissionRequest,
      open: JournalEntry,
      now: number,
    ): Promise<void> {
      const subjects = hashesOf(seal, request.subject);
      await queries.run(sayAgain, { reference: open.reference, subject: subjects[0] ?? '', subjects, now });
    },
  };
}

/** One that was carried out so often within the hour goes on later, and stands for all until then. */
function placeOf(row: Row, now: number): ClickPlace {
  const version = Number(row['version'] ?? -1);
  const done = row['repeats_done'];
  const [clicks, clicksUntil] = [Number(row['clicks'] ?? 0), Number(row['clicks_until'] ?? 0)];
  if (typeof done !== 'string')
    return { dueAt: now, repeats: undefined, times: clicks, until: clicksUntil, version };
  const isNewHour = clicksUntil <= now || clicksUntil > now + hour;
  const times = isNewHour ? 1 : clicks + 1;
  return {
    dueAt: times > repeatsAtOnce ? now + repeatWait : now,
    // One that failed says nothing of what is on record: this one is kept.
    repeats: row['repeats_state'] === 'failed' ? undefined : done,
    times,
    until: isNewHour ? now + hour : clicksUntil,
    version,
  };
}
