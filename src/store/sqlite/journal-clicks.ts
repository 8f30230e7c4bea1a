import { isStillToCome, repeatsAtOnce, repeatWait } from '../../core/consent/one-click.ts';
import type { JournalEntry } from '../../core/model/journal-entry.ts';
import type { SubmissionRequest } from '../../core/model/submission-request.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import { text } from '../journal-entry.ts';
import { digestsOf, hashesOf } from '../journal-seal.ts';
import { bite, type Database } from './database.ts';
import { entryOf, ownSubjects, subjectsOf } from './journal-row.ts';

const hour = 60 * 60 * 1000;

/** What of a person's one-clicks, since anything else of theirs, withdraws the same. */
const same = `center = :center AND ${ownSubjects} AND door = 'one-click'
  AND sequence > :after AND (everything = 1 OR digest IN (SELECT value FROM json_each(:digests)))`;

/** Where a new one-click goes: `repeats` is the done one that it may turn out to say once more. */
export interface ClickPlace {
  readonly dueAt: number;
  readonly repeats: string | undefined;
}

/**
 * One-clicks come twice, from programs, and from whoever finds the address: what keeps them from filling the journal.
 * All inside of the transaction that writes them, so that two processes do not both write.
 */
export function journalClicks({ prepare }: Database, seal: Seal & KeyedHash) {
  // In any center, whose purposes may be the same: what came in by another way may have granted again.
  const lastOther = prepare(
    `SELECT max(sequence) AS sequence FROM submission
     WHERE ${ownSubjects} AND door <> 'one-click'`,
  );
  const open = prepare(
    `SELECT *, lease_until > :now AS leased FROM submission
     WHERE ${same} AND state = 'pending' AND done_at IS NULL ORDER BY sequence DESC LIMIT 10`,
  );
  const done = prepare(
    `SELECT reference FROM submission WHERE ${same} AND done_at IS NOT NULL AND state <> 'failed' ORDER BY sequence DESC LIMIT 1`,
  );
  const count = prepare(
    `INSERT INTO click (subject, count, ends_at) VALUES (:subject, 1, :endsAt)
     ON CONFLICT (subject) DO UPDATE SET
       count = iif(ends_at <= :now OR ends_at > :endsAt, 1, count + 1),
       ends_at = iif(ends_at <= :now OR ends_at > :endsAt, :endsAt, ends_at)
     RETURNING count`,
  );
  const sweep = prepare(
    `DELETE FROM click WHERE subject IN
       (SELECT subject FROM click WHERE ends_at <= :now ORDER BY ends_at LIMIT ${bite})`,
  );

  function of(request: SubmissionRequest) {
    const subjects = subjectsOf(seal, request.subject);
    return {
      center: request.center,
      subjects,
      digests: JSON.stringify(digestsOf(seal, request)),
      after: Number(lastOther.get({ subjects })?.['sequence'] ?? 0),
    };
  }

  /** Counts it. One that was carried out so often within the hour goes on later, and stands for all until then. */
  function place(request: SubmissionRequest, own: ReturnType<typeof of>, now: number): ClickPlace {
    const row = done.get(own);
    const repeats = row === undefined ? undefined : text(row, 'reference');
    const subject = hashesOf(seal, request.subject)[0] ?? '';
    const times = Number(count.get({ subject, now, endsAt: now + hour })?.['count']);
    const isTooOften = repeats !== undefined && times > repeatsAtOnce;
    return { dueAt: isTooOften ? now + repeatWait : now, repeats };
  }

  return {
    /** The open one that does what this asks for, too, for it has yet to look at the record; else its place. */
    look(
      request: SubmissionRequest,
      now: number,
    ): { readonly open: JournalEntry } | { readonly open: undefined; readonly place: ClickPlace } {
      const own = of(request);
      const found = open
        .all({ ...own, now })
        .map((row) => ({ entry: entryOf(seal, row), isBeingWorkedOn: row['leased'] === 1 }))
        .find(({ entry, isBeingWorkedOn }) => isStillToCome({ ...entry, isBeingWorkedOn }, now));
      if (found !== undefined) return { open: found.entry };
      return { open: undefined, place: place(request, own, now) };
    },
    /** Deletes some counts that are over; returns how many. */
    sweep: (now: number) => sweep.run({ now }),
  };
}
