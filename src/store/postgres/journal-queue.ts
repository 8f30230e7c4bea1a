import { changedNothing, isBounded } from '../../core/consent/one-click.ts';
import { has } from '../../core/model/by-key.ts';
import { withdraws } from '../../core/model/intent.ts';
import type { JournalChange, JournalQueue, Saved } from '../../ports/journal-queue.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import { endTurn } from '../../turn.ts';
import type { Database } from '../drivers/postgres/database.ts';
import { unavailable } from '../drivers/postgres/fault.ts';
import { text } from '../journal-entry.ts';
import { hashesOf, isLong, sealSuperseded, sealWork } from '../journal-seal.ts';
import { type Row, statement, type Values } from '../sql.ts';
import { type JournalEvents, keptBeside } from './journal-events.ts';
import type { News } from './journal-news.ts';
import { openInTurn, own, supersededOf } from './journal-row.ts';

/** Something earlier of the person in the same center that `s` must wait for. */
const blocked = `EXISTS (
  SELECT 1 FROM submission o WHERE o.state = 'pending' AND o.subject = s.subject AND o.center = s.center
    AND o.sequence < s.sequence AND NOT o.passable)`;

/** Nothing of the person was written since this statement began; asked anew once the row is locked. */
const unchanged = `p.version = (SELECT q.version FROM journal_person q WHERE q.subject = s.subject)`;

/**
 * Not leased, no one else at work on the same subject, be it in another center, whose purposes may be the same, and
 * nothing earlier of the subject in this one that it must wait for, unless its time has run out and only that is to
 * be noted. What somebody else is just claiming is passed over.
 */
const candidate = (which: string, order: string) =>
  `SELECT s.sequence, s.subject, ${blocked} AS behind
   FROM submission s JOIN journal_person p ON p.subject = s.subject
   WHERE s.state = 'pending' AND ${which} AND s.lease_until <= :now AND p.lease_until <= :now AND ${unchanged}
     AND (s.expires_at <= :now OR NOT ${blocked})
   ORDER BY ${order}, s.sequence LIMIT 1 FOR UPDATE OF s, p SKIP LOCKED`;

/** Withdrawals first, each in the order in which they fell due, then what only ran out. Each step walks an index. */
const claim = statement(
  `WITH first AS MATERIALIZED (${candidate('s.withdraws AND s.due_at <= :now', 's.due_at')}),
   second AS MATERIALIZED (
     SELECT * FROM (${candidate('NOT s.withdraws AND s.due_at <= :now', 's.due_at')}) AS c
     WHERE NOT EXISTS (SELECT 1 FROM first)),
   third AS MATERIALIZED (
     SELECT * FROM (${candidate('s.expires_at <= :now', 's.expires_at')}) AS c
     WHERE NOT EXISTS (SELECT 1 FROM first) AND NOT EXISTS (SELECT 1 FROM second)),
   picked AS MATERIALIZED (
     SELECT * FROM first UNION ALL SELECT * FROM second UNION ALL SELECT * FROM third LIMIT 1),
   leased AS (
     UPDATE journal_person p SET leased = s.reference, lease_until = :until, version = p.version + 1
     FROM picked JOIN submission s USING (sequence) WHERE p.subject = picked.subject)
   UPDATE submission s SET lease_owner = :owner, lease_until = :until FROM picked
   WHERE s.sequence = picked.sequence RETURNING s.*, picked.behind`,
);

/** What was seen and is gone since says nothing of what came after it: it is looked at again. */
const seenSequence = 'coalesce((SELECT sequence FROM submission WHERE reference = :seen), 0)';
const mine = `mine AS MATERIALIZED (
  SELECT s.sequence, s.subject, (SELECT q.version FROM journal_person q WHERE q.subject = s.subject) AS version
  FROM submission s WHERE s.reference = :reference AND s.lease_owner = :owner AND s.state = 'pending'
    AND (:seen::text IS NULL OR NOT EXISTS (
      SELECT 1 FROM submission n WHERE n.subject = ANY (:subjects)
        AND n.sequence > ${seenSequence})))`;
/** Nothing where anything of the person was written meanwhile: it is looked at again. */
const held = `held AS (
  UPDATE journal_person p SET version = p.version + 1,
    lease_until = CASE WHEN NOT :released::boolean THEN :until WHEN p.leased = :reference THEN 0 ELSE p.lease_until END,
    leased = CASE WHEN NOT :released THEN :reference WHEN p.leased = :reference THEN NULL ELSE p.leased END
  FROM mine WHERE p.subject = mine.subject AND p.version = mine.version
    AND (:released OR p.leased = :reference OR p.lease_until <= :now)
  RETURNING mine.sequence)`;
/** A lease that ran out may be taken up again as long as no one else has begun on the same subject. */
const renew = statement(
  `WITH ${mine}, ${held}
   UPDATE submission s SET lease_until = :until FROM held
   WHERE s.sequence = held.sequence AND s.lease_owner = :owner AND s.state = 'pending'`,
);
const saveWith = (beside = '') =>
  statement(
    `WITH ${mine}, ${held},
   superseding AS (
     UPDATE submission e SET superseded = e.superseded || t.sealed
     FROM held, unnest(:earlier::text[], :superseded::text[]) AS t (reference, sealed)
     WHERE e.reference = t.reference AND e.state = 'pending'),
   undone AS (
     UPDATE submission u SET undone_by = NULL FROM held JOIN submission d USING (sequence)
     WHERE :state = 'failed' AND u.reference = d.undoes AND u.undone_by = :reference)
     ${beside}
   UPDATE submission s SET payload = :payload, state = :state, due_at = :dueAt, done_at = :doneAt,
     expires_at = :expiresAt, passable = :passable, receipts = :receipts, withdraws = :withdraws,
     lease_until = CASE WHEN :released THEN 0 ELSE :until END,
     lease_owner = CASE WHEN :released THEN NULL ELSE s.lease_owner END
   FROM held WHERE s.sequence = held.sequence AND s.lease_owner = :owner AND s.state = 'pending'`,
  );
const dropWith = (beside = '') =>
  statement(
    `WITH ${mine}, ${held},
   said_again AS (
     UPDATE submission e SET said_again_at = greatest(e.said_again_at, d.said_again_at, d.submitted_at)
     FROM held JOIN submission d USING (sequence) WHERE e.reference = d.repeats AND d.lease_owner = :owner)
     ${beside}
   DELETE FROM submission s USING held
   WHERE s.sequence = held.sequence AND s.lease_owner = :owner AND s.state = 'pending' AND s.repeats IS NOT NULL`,
  );
const saves = {
  quiet: { save: saveWith(), drop: dropWith() },
  told: { save: saveWith(keptBeside('held')), drop: dropWith(keptBeside('held')) },
};
const repeats = statement(
  `SELECT 1 FROM submission WHERE reference = :reference AND repeats IS NOT NULL AND lease_owner = :owner`,
);
/** Why nothing was saved. */
const whyNot = statement(
  `SELECT
     EXISTS (SELECT 1 FROM submission s JOIN journal_person p ON p.subject = s.subject
       WHERE s.reference = :reference AND s.lease_owner = :owner AND s.state = 'pending'
         AND (:released::boolean OR p.leased = :reference OR p.lease_until <= :now)) AS mine,
     :seen::text IS NOT NULL AND EXISTS (SELECT 1 FROM submission n WHERE n.subject = ANY (:subjects)
       AND n.sequence > ${seenSequence}) AS overtaken`,
);
const earlier = statement(
  `SELECT reference, superseded FROM submission WHERE state = 'pending' AND center = :center AND ${own}
     AND sequence < (SELECT sequence FROM submission WHERE reference = :reference) ORDER BY sequence`,
);
/** Rows that one statement makes due. */
const mostDue = 2_000;
const makeDue = statement(
  `UPDATE submission SET due_at = :now + floor(random() * :spread::double precision)::bigint
   WHERE sequence = ANY (ARRAY(
     SELECT sequence FROM submission WHERE state = 'pending' AND withdraws = :withdraws AND due_at > :after
     ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED))`,
);
const wake = statement(
  `UPDATE submission SET due_at = :now
   WHERE state = 'pending' AND center = :center AND ${own} AND done_at IS NULL AND due_at > :now`,
);
const retry = statement(
  `UPDATE submission SET due_at = least(due_at, :now) WHERE reference = :reference AND state = 'pending'`,
);
const unfinished = statement(
  `SELECT reference FROM submission WHERE reference = ANY (:references) AND state = 'pending' AND done_at IS NULL`,
);
const shortenLeases = statement(
  `WITH leased AS MATERIALIZED (SELECT sequence, subject FROM submission WHERE lease_until > 0 AND lease_until > :longest),
   people AS (
     UPDATE journal_person p SET lease_until = :longest FROM leased
     WHERE p.subject = leased.subject AND p.lease_until > :longest)
   UPDATE submission s SET lease_until = :longest FROM leased
   WHERE s.sequence = leased.sequence AND s.lease_until > :longest`,
);
/** By so much, in milliseconds, what two nodes take for now may differ: that is no clock that was set back. */
const apartMs = 1_000;
const settleFuture = statement(
  `WITH part AS MATERIALIZED (
     SELECT sequence, submitted_at FROM submission
     WHERE submitted_at > :now::bigint + ${apartMs} AND (submitted_at, sequence) > (:after::bigint, :sequence::bigint)
     ORDER BY submitted_at, sequence LIMIT ${mostDue}),
   settled AS (
     UPDATE submission s SET due_at = least(due_at, :now), expires_at = least(expires_at, :now)
     WHERE s.sequence = ANY (ARRAY(SELECT sequence FROM part)) AND s.state = 'pending' AND (due_at > :now OR expires_at > :now))
   SELECT submitted_at, sequence FROM part ORDER BY submitted_at DESC, sequence DESC LIMIT 1`,
);
const nextDue = statement(
  `SELECT least(
     (SELECT min(due_at) FROM submission WHERE state = 'pending' AND withdraws),
     (SELECT min(due_at) FROM submission WHERE state = 'pending' AND NOT withdraws),
     (SELECT min(expires_at) FROM submission WHERE state = 'pending' AND expires_at IS NOT NULL)) AS at`,
);

/** A save that finds the person changed looks again. */
const mostLooks = 20;

export function journalQueue(
  database: Database,
  {
    seal,
    news,
    events,
  }: { readonly seal: Seal & KeyedHash; readonly news: News; readonly events: JournalEvents },
): JournalQueue {
  // What is carried out is claimed and saved whatever all others ask of the database.
  const { forWithdrawals } = database;

  async function write(reference: string, owner: string, change: JournalChange): Promise<Saved> {
    const { work, lease } = change;
    const isReleased = lease === 'released';
    const guard = {
      reference,
      owner,
      subjects: hashesOf(seal, work.request.subject),
      seen: change.seen ?? null,
      released: isReleased,
      now: isReleased ? 0 : lease.now,
      until: isReleased ? 0 : lease.until,
    };
    const mayRepeat = change.state === 'done' && isBounded(work.request) && changedNothing(work);
    const isRepeat = mayRepeat && (await forWithdrawals.get(repeats, { reference, owner })) !== undefined;
    const values = {
      ...guard,
      ...(await supersedingOf(reference, change)),
      payload: sealWork(seal, reference, work),
      state: change.state,
      dueAt: Math.round(change.dueAt),
      doneAt: change.doneAt ?? null,
      expiresAt: change.expiresAt ?? null,
      passable: change.isPassable,
      receipts: JSON.stringify(change.receipts),
      withdraws: withdraws(work.request.intent),
    };
    if (isLong(values.payload)) await endTurn();
    const beside = await events.valuesOf({ ...work.request, reference }, change);
    const { save, drop } = saves[beside === undefined ? 'quiet' : 'told'];
    const write = isRepeat
      ? () => forWithdrawals.run(drop, { ...guard, ...beside })
      : () => forWithdrawals.run(save, { ...values, ...beside });
    return whileMine(guard, write);
  }

  /** Once more where nothing was written only because something else of the person was. */
  async function whileMine(guard: Values, write: () => Promise<number>): Promise<Saved> {
    for (let looks = 0; looks < mostLooks; looks += 1) {
      if ((await write()) === 1) return 'saved';
      const why = await forWithdrawals.get(whyNot, guard);
      if (why?.['mine'] !== true) return 'lost';
      if (why['overtaken'] === true) return 'overtaken';
    }
    throw unavailable(new Error('too many at once'));
  }

  /** No earlier one can come in later: it is looked for before, so that the save itself is one statement. */
  async function supersedingOf(reference: string, { work, supersedes = [] }: JournalChange) {
    if (supersedes.length === 0) return { earlier: [], superseded: [] };
    const { center, subject } = work.request;
    const rows = await forWithdrawals.all(earlier, { reference, center, subjects: hashesOf(seal, subject) });
    const lacking = rows.filter((row) => {
      const known = supersededOf(seal, row);
      return supersedes.some((key) => !has(known, key));
    });
    const references = lacking.map((row) => text(row, 'reference'));
    return {
      earlier: references,
      superseded: references.map((each) => sealSuperseded(seal, each, supersedes)),
    };
  }

  return {
    async claim({ owner, now, until }) {
      const row = await forWithdrawals.get(claim, { owner, now, until });
      if (row === undefined) return undefined;
      const entry = await openInTurn(seal, row);
      news.claimed(entry.reference);
      return { entry, isBehind: row['behind'] === true };
    },
    async renew(reference, { owner, now, until }) {
      const guard = { reference, owner, now, until, subjects: [], seen: null, released: false };
      return (await whileMine(guard, () => forWithdrawals.run(renew, guard))) === 'saved';
    },
    async save(reference, owner, change) {
      const saved = await write(reference, owner, change);
      if (saved === 'saved' && change.isTold === true) news.told(reference);
      return saved;
    },
    async makeDue({ now, spread, limit }) {
      let left = limit;
      for (const isWithdrawal of [true, false]) {
        let made = mostDue;
        for (; left > 0 && made === mostDue; left -= made) {
          const which = { now, spread: Math.max(1, spread), after: now + spread, withdraws: isWithdrawal };
          made = await database.run(makeDue, { ...which, limit: Math.min(left, mostDue) });
        }
      }
    },
    async wake(center, subject, now) {
      await database.run(wake, { center, subjects: hashesOf(seal, subject), now });
    },
    async retry(reference, now) {
      const isThere = (await database.run(retry, { reference, now })) === 1;
      if (isThere) news.due();
      return isThere;
    },
    async resume({ now, lease }) {
      await database.run(shortenLeases, { longest: now + lease });
      let last: Row | undefined = { submitted_at: 0, sequence: 0 };
      while (last !== undefined) {
        const { submitted_at: after, sequence } = last;
        last = await database.get(settleFuture, { now, after: Number(after), sequence: Number(sequence) });
      }
    },
    async nextDueAt() {
      const at = (await database.get(nextDue))?.['at'];
      return typeof at === 'number' ? at : undefined;
    },
    async finishedOf(references) {
      const rows = await database.all(unfinished, { references });
      const open = new Set(rows.map((row) => text(row, 'reference')));
      return references.filter((reference) => !open.has(reference));
    },
    onNews: news.on,
  };
}
