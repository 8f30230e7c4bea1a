import type { ClaimedPerson, HeldPerson, Kept, Lease, People } from '../ports/people.ts';
import { endTurn } from '../turn.ts';
import { isAmong, isIn, part, randomBelow, skipLocked } from './dialect.ts';
import { hashesOf, isLong, openRequest, sealedPerson } from './journal-seal.ts';
import { claimedOf, earliest, heldRow, peopleRows, postpone } from './people-rows.ts';
import type { PersonRow, SubmissionRow } from './people-schema.ts';
import type { PeopleParts } from './people-write.ts';
import { type Columns, reading, writing } from './sql.ts';

/** The next due person with a withdrawal, or without one: each SELECT reads the index from its start. */
const next = (isWithdrawing: 0 | 1) =>
  part`SELECT subject FROM person WHERE withdraws = ${isWithdrawing} AND due_at <= :now
    AND lease_until <= :now
    ORDER BY due_at LIMIT 1 ${skipLocked}`;

const pull = (isWithdrawing: 0 | 1) =>
  writing`UPDATE person SET due_at = :now + ${randomBelow('spread')} WHERE ${isAmong(
    'subject',
    part`SELECT subject FROM person WHERE withdraws = ${isWithdrawing} AND due_at > :after
     ORDER BY due_at LIMIT :limit ${skipLocked}`,
  )}`;
const pulls = [pull(1), pull(0)];

const claimNext = writing<PersonRow>`WITH first AS MATERIALIZED (${next(1)}),
  second AS MATERIALIZED (
    SELECT subject FROM (${next(0)}) AS others WHERE NOT EXISTS (SELECT 1 FROM first)),
  picked AS MATERIALIZED (SELECT subject FROM first UNION ALL SELECT subject FROM second)
  UPDATE person SET owner = :owner, lease_until = :until
  WHERE subject = (SELECT subject FROM picked LIMIT 1) AND lease_until <= :now RETURNING *`;
const keepHeld = writing`
  UPDATE person SET version = version + 1, document = :document, due_at = :dueAt, withdraws = :withdraws,
    owner = :nextOwner, lease_until = :until, touched_at = :touchedAt
  WHERE subject = :id AND version = :version AND owner = :owner RETURNING subject`;
const wake = writing`UPDATE person SET due_at = :now WHERE ${isIn('subject', 'subjects')} AND due_at > :now`;
const pending = reading<Pick<SubmissionRow, 'reference' | 'subject' | 'request'>>`
  SELECT reference, subject, request FROM submission WHERE reference = :reference AND state = 'pending'`;
const shorten = writing`
  UPDATE person SET lease_until = :longest WHERE lease_until > 0 AND lease_until > :longest`;
const nextDue = reading<Partial<Record<'first' | 'second' | 'leased', number>>>`SELECT
  (SELECT due_at FROM person WHERE withdraws = 1 AND due_at IS NOT NULL AND lease_until = 0
   ORDER BY due_at LIMIT 1) AS first,
  (SELECT due_at FROM person WHERE withdraws = 0 AND due_at IS NOT NULL AND lease_until = 0
   ORDER BY due_at LIMIT 1) AS second,
  (SELECT lease_until FROM person WHERE lease_until > 0 AND due_at IS NOT NULL
   ORDER BY lease_until LIMIT 1) AS leased`;
const unfinished = reading<Pick<SubmissionRow, 'reference'>>`
  SELECT reference FROM submission WHERE ${isIn('reference', 'references')} AND state = 'pending'`;

/** The queue of people. Claims and keeps get a connection even if all others are in use. */
export function peopleQueue({ sql, seal, beside, board }: PeopleParts) {
  const { forWithdrawals, clock } = sql;

  const { joinClaimed } = peopleRows(sql, seal);
  const isRotating = seal.hashes('journal subject', '').length > 1;

  async function whyNot({ id, owner }: HeldPerson): Promise<Kept> {
    const row = await forWithdrawals.get(heldRow, { id, owner });
    if (row === undefined) return { kind: 'lost' };
    const { version, person } = claimedOf(seal, row);
    return { kind: 'changed', version, person };
  }

  async function pullDue(which: Columns<'now' | 'spread' | 'after' | 'limit', number>): Promise<void> {
    const { mostRows } = sql.dialect;
    let left = which.limit;
    for (const statement of pulls) {
      for (let made = mostRows; left > 0 && made === mostRows; left -= made)
        made = await sql.run(statement, { ...which, limit: Math.min(left, mostRows) });
    }
  }

  async function wakeAll(subjects: readonly string[], now: number): Promise<boolean> {
    const isAny = (await sql.run(wake, { subjects, now })) > 0;
    if (isAny) board.due();
    return isAny;
  }

  async function claim(lease: Lease): Promise<ClaimedPerson | undefined> {
    const row = await forWithdrawals.get(claimNext, { ...lease });
    if (row === undefined) return undefined;
    const claimed = claimedOf(seal, row);
    if (isLong(row.document)) await endTurn();
    board.claimed(claimed.id);
    if (!isRotating || claimed.person === undefined) return claimed;
    const one = await forWithdrawals.transaction((transaction) => joinClaimed(transaction, claimed, lease));
    return one ?? claim(lease);
  }

  return {
    claim,
    async keep(held, change, lease) {
      const { id, version, owner } = held;
      const isReleased = lease === 'released';
      const values = {
        id,
        version,
        owner,
        document: sealedPerson.seal(seal, id, change.person),
        dueAt: change.dueAt && Math.round(change.dueAt),
        withdraws: Number(change.withdraws),
        nextOwner: isReleased ? undefined : owner,
        until: isReleased ? 0 : lease.until,
        touchedAt: clock.now(),
      };
      if (isLong(values.document)) await endTurn();
      const lead = { name: 'lead', statement: keepHeld, values };
      const kept = await forWithdrawals.together([lead, ...beside([{ row: id, change }])]);
      if (kept.length === 0) return whyNot(held);
      for (const reference of change.told) board.told(reference);
      return { kind: 'kept', version: version + 1 };
    },
    async postpone({ id, owner, version }, dueAt) {
      await forWithdrawals.run(postpone, { id, owner, version, dueAt: Math.round(dueAt) });
    },
    async makeDue({ now, spread, limit }) {
      const width = Math.max(1, Math.round(spread));
      await pullDue({ now, spread: width, after: now + width, limit });
    },
    wake: (subject, now) => wakeAll(hashesOf(seal, subject), now),
    async retry(reference, now) {
      const row = await sql.get(pending, { reference });
      if (row === undefined) return false;
      const request = openRequest(seal, row);
      await wakeAll(request === undefined ? [row.subject] : hashesOf(seal, request.subject), now);
      return true;
    },
    async resume({ now, lease, latest }) {
      await sql.run(shorten, { longest: now + lease });
      await pullDue({ now, spread: 1, after: now + latest, limit: Number.MAX_SAFE_INTEGER });
    },
    async nextDueAt() {
      return earliest(Object.values((await sql.get(nextDue)) ?? {}));
    },
    async finishedOf(references) {
      const rows = await sql.all(unfinished, { references });
      const pending = new Set(rows.map(({ reference }) => reference));
      return references.filter((reference) => !pending.has(reference));
    },
  } satisfies Partial<People>;
}
