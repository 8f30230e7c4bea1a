import { isStillToCome, repeatsAtOnce, repeatsWithin, repeatWait } from '../../core/consent/one-click.ts';
import type { JournalEntry } from '../../core/model/journal-entry.ts';
import type { Channel } from '../../core/model/submission.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import { bite, type Database } from '../drivers/sqlite/file.ts';
import { text } from '../journal-entry.ts';
import { entryOf, ownSubjects } from './journal-row.ts';

const hour = 60 * 60 * 1000;

/** What of a person's bounded submissions, since any other of theirs, withdraws the same. */
const same = `center = :center AND ${ownSubjects} AND bounded = 1
  AND sequence > :after AND (everything = 1 OR digest IN (SELECT value FROM json_each(:digests)))`;

/** Where a new bounded submission goes: `repeats` is the done one that it may turn out to say once more. */
export interface ClickPlace {
  readonly dueAt: number;
  readonly repeats: string | undefined;
}

/** By whom something is submitted, and what for: hashed once, under every key, the newest first. */
export interface Submitted {
  readonly channel: Channel;
  readonly center: string;
  readonly hash: string;
  /** As `ownSubjects` takes them. */
  readonly subjects: string;
  readonly digests: readonly string[];
}

type SameClicks = Readonly<Record<'center' | 'subjects' | 'digests', string> & { after: number }>;

/**
 * Keeps what comes twice, from programs, or from anybody who has a leaked address, from filling the journal.
 * All inside of the transaction that writes them, so that two processes do not both write.
 */
export function journalClicks({ prepare }: Database, seal: Seal & KeyedHash) {
  // In any center, whose purposes may be the same: what came in by another way may have granted again.
  const lastOther = prepare(
    `SELECT max(sequence) AS sequence FROM submission
     WHERE ${ownSubjects} AND bounded = 0`,
  );
  const open = prepare(
    `SELECT *, lease_until > :now AS leased FROM submission
     WHERE ${same} AND state = 'pending' AND done_at IS NULL ORDER BY sequence DESC LIMIT 10`,
  );
  const done = prepare(
    `SELECT reference, state FROM submission WHERE ${same} AND done_at > :doneSince ORDER BY sequence DESC LIMIT 1`,
  );
  const sayAgain = prepare(
    `UPDATE submission SET said_again_at = max(coalesce(said_again_at, 0), :at) WHERE reference = :reference`,
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

  /** One that was carried out so often within the hour goes on later, and stands for all until then. */
  function place(own: SameClicks, hash: string, now: number): ClickPlace {
    const row = done.get({ ...own, doneSince: now - repeatsWithin });
    if (row === undefined) return { dueAt: now, repeats: undefined };
    const times = Number(count.get({ subject: hash, now, endsAt: now + hour })?.['count']);
    return {
      dueAt: times > repeatsAtOnce ? now + repeatWait : now,
      // One that failed says nothing of what is on record: this one is kept.
      repeats: row['state'] === 'failed' ? undefined : text(row, 'reference'),
    };
  }

  return {
    /** The open one that does what this asks for, too, for it has yet to look at the record; else its place. */
    look(
      { channel, center, hash, subjects, digests }: Submitted,
      now: number,
    ): { readonly open: JournalEntry } | { readonly open: undefined; readonly place: ClickPlace } {
      const after = Number(lastOther.get({ subjects })?.['sequence'] ?? 0);
      const own = { center, subjects, digests: JSON.stringify(digests), after };
      const found = open
        .all({ ...own, now })
        .map((row) => ({ entry: entryOf(seal, row), isBeingWorkedOn: row['leased'] === 1 }))
        .find(({ entry, isBeingWorkedOn }) => isStillToCome({ ...entry, isBeingWorkedOn }, { channel, now }));
      if (found !== undefined) return { open: found.entry };
      return { open: undefined, place: place(own, hash, now) };
    },
    /** What is not written leaves when it was said, for forms that were drawn before. */
    sayAgain(reference: string, at: number): void {
      sayAgain.run({ reference, at });
    },
    /** Deletes some counts that are over; returns how many. */
    sweep: (now: number) => sweep.run({ now }),
  };
}
