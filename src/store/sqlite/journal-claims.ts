import { changedNothing } from '../../core/consent/one-click.ts';
import { withdraws } from '../../core/model/intent.ts';
import type { Journal } from '../../ports/journal.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import type { Database } from './database.ts';
import { readEntry, sealWork } from './journal-row.ts';

type Claims = Pick<Journal, 'claim' | 'renew' | 'save' | 'makeDue' | 'resume' | 'nextDueAt'>;

/**
 * Not leased, no one else at work on the same subject, be it in another center, whose purposes may be the same, and
 * nothing earlier of the subject in this one that it must wait for, unless its time has run out and only that is to
 * be noted.
 */
const free = `s.state = 'pending' AND s.lease_until <= :now
  AND NOT EXISTS (
    SELECT 1 FROM submission o
    WHERE o.state = 'pending' AND o.subject = s.subject AND o.sequence <> s.sequence
      AND (o.lease_until > :now
        OR (o.center = s.center AND o.sequence < s.sequence AND o.passable = 0
          AND (s.expires_at IS NULL OR s.expires_at > :now))))`;

/** Withdrawals first, each in the order in which they fell due, then what only ran out. Each step walks an index. */
const claimable = `coalesce(
  (SELECT s.sequence FROM submission s WHERE s.withdraws = 1 AND s.due_at <= :now AND ${free}
   ORDER BY s.due_at, s.sequence LIMIT 1),
  (SELECT s.sequence FROM submission s WHERE s.withdraws = 0 AND s.due_at <= :now AND ${free}
   ORDER BY s.due_at, s.sequence LIMIT 1),
  (SELECT s.sequence FROM submission s WHERE s.expires_at <= :now AND ${free}
   ORDER BY s.expires_at, s.sequence LIMIT 1))`;

export function journalClaims({ prepare, together }: Database, seal: Seal & KeyedHash): Claims {
  const claim = prepare(
    `UPDATE submission SET lease_owner = :owner, lease_until = :until WHERE sequence = ${claimable} RETURNING *`,
  );
  // A lease that ran out may be taken up again as long as no one else has begun on the same subject.
  const renew = prepare(
    `UPDATE submission SET lease_until = :until
     WHERE reference = :reference AND lease_owner = :owner AND state = 'pending'
       AND NOT EXISTS (
         SELECT 1 FROM submission o
         WHERE o.state = 'pending' AND o.subject = submission.subject
           AND o.sequence <> submission.sequence AND o.lease_until > :now)`,
  );
  const save = prepare(
    `UPDATE submission SET payload = :payload, state = :state, due_at = :dueAt, done_at = :doneAt,
       expires_at = :expiresAt, passable = :passable, receipts = :receipts, withdraws = :withdraws,
       lease_until = iif(:release, 0, lease_until), lease_owner = iif(:release, NULL, lease_owner)
     WHERE reference = :reference AND lease_owner = :owner AND state = 'pending'`,
  );
  const leased = prepare('SELECT * FROM submission WHERE reference = :reference AND lease_owner = :owner');
  const drop = prepare(
    `DELETE FROM submission
     WHERE reference = :reference AND lease_owner = :owner AND state = 'pending' AND repeats IS NOT NULL`,
  );
  const forgetUndo = prepare('UPDATE submission SET undone_by = NULL WHERE undone_by = :reference');
  const makeDue = prepare(
    `UPDATE submission SET due_at = min(due_at, :now + abs(random()) % :spread)
     WHERE sequence IN (SELECT sequence FROM submission
       WHERE state = 'pending' AND due_at > :now AND (:reference IS NULL OR reference = :reference) ORDER BY due_at LIMIT :limit)`,
  );
  const shortenLeases = prepare(
    `UPDATE submission SET lease_until = :longest WHERE state = 'pending' AND lease_until > :longest`,
  );
  const settleFuture = prepare(
    `UPDATE submission SET due_at = min(due_at, :now), expires_at = min(expires_at, :now)
     WHERE state = 'pending' AND submitted_at > :now`,
  );
  const nextDue = prepare(
    `SELECT min(at) AS at FROM (
       SELECT min(due_at) AS at FROM submission WHERE state = 'pending'
       UNION ALL
       SELECT min(expires_at) FROM submission WHERE state = 'pending' AND expires_at IS NOT NULL)`,
  );

  return {
    claim(lease) {
      const row = claim.get(lease);
      return row === undefined ? undefined : readEntry(seal, row);
    },
    renew(reference, lease) {
      return renew.run({ reference, ...lease }) === 1;
    },
    save(reference, owner, change) {
      return together(() => {
        const isRepeat = change.state === 'done' && changedNothing(change.work);
        if (isRepeat && drop.run({ reference, owner }) === 1) return true;
        const row = leased.get({ reference, owner });
        if (row === undefined) return false;
        // Another process may have written here since this work was read: what it superseded stays superseded.
        const kept = readEntry(seal, row).work?.superseded ?? [];
        const superseded = [...new Set([...kept, ...change.work.superseded])];
        const isSaved = save.run({
          reference,
          owner,
          payload: sealWork(seal, reference, { ...change.work, superseded }),
          state: change.state,
          dueAt: Math.round(change.dueAt),
          doneAt: change.doneAt ?? null,
          expiresAt: change.expiresAt ?? null,
          passable: Number(change.isPassable),
          receipts: JSON.stringify(change.receipts),
          withdraws: Number(withdraws(change.work.request.intent)),
          release: Number(change.release),
        });
        if (isSaved === 1 && change.state === 'failed') forgetUndo.run({ reference });
        return isSaved === 1;
      });
    },
    makeDue({ now, spread, limit, reference }) {
      makeDue.run({ now, spread: Math.max(1, spread), limit, reference: reference ?? null });
    },
    resume({ now, lease }) {
      together(() => {
        shortenLeases.run({ longest: now + lease });
        settleFuture.run({ now });
      });
    },
    nextDueAt() {
      const at = nextDue.get()?.['at'];
      return typeof at === 'number' ? at : undefined;
    },
  };
}
