import { changedNothing, isBounded } from '../../core/consent/one-click.ts';
import { has } from '../../core/model/by-key.ts';
import { withdraws } from '../../core/model/intent.ts';
import type { JournalEntry, Work } from '../../core/model/journal-entry.ts';
import type { JournalChange, JournalNews, JournalQueue, Saved } from '../../ports/journal-queue.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import { endTurn } from '../../turn.ts';
import type { Database } from '../drivers/sqlite/file.ts';
import { text } from '../journal-entry.ts';
import { isLong, sealWork } from '../journal-seal.ts';
import type { journalClicks } from './journal-clicks.ts';
import type { journalEvents, ReadyEvents } from './journal-events.ts';
import { entryOf, ownSubjects, subjectsOf } from './journal-row.ts';

/**
 * Not leased, no one else at work on the same subject, be it in another center, whose purposes may be the same, and
 * nothing earlier of the subject in this one that it must wait for, unless its time has run out and only that is to
 * be noted.
 */
const free = `s.state = 'pending' AND s.lease_until <= :now AND ${isAlone('s')}
  AND NOT EXISTS (
    SELECT 1 FROM submission o INDEXED BY submission_blocking
    WHERE o.state = 'pending' AND o.subject = s.subject AND o.center = s.center AND o.sequence < s.sequence
      AND o.passable = 0 AND (s.expires_at IS NULL OR s.expires_at > :now))`;

/** By an index of its own, as what must be waited for: of one person thousands may wait, each of which is looked at. */
function isAlone(row: string): string {
  return `NOT EXISTS (
    SELECT 1 FROM submission o INDEXED BY submission_leased
    WHERE o.state = 'pending' AND o.subject = ${row}.subject AND o.sequence <> ${row}.sequence
      AND o.lease_until > 0 AND o.lease_until > :now)`;
}

/** Withdrawals first, each in the order in which they fell due, then what only ran out. Each step walks an index. */
const claimable = `coalesce(
  (SELECT s.sequence FROM submission s WHERE s.withdraws = 1 AND s.due_at <= :now AND ${free}
   ORDER BY s.due_at, s.sequence LIMIT 1),
  (SELECT s.sequence FROM submission s WHERE s.withdraws = 0 AND s.due_at <= :now AND ${free}
   ORDER BY s.due_at, s.sequence LIMIT 1),
  (SELECT s.sequence FROM submission s WHERE s.expires_at <= :now AND ${free}
   ORDER BY s.expires_at, s.sequence LIMIT 1))`;

/** Characters in which a seal says what was drawn for it: no two payloads begin with the same. */
const markLength = 48;
/** Of so many at most is it remembered: more are never leased at a time. */
const mostKnown = 1_000;

interface Ready {
  readonly kept: Work;
  readonly payload: string;
  readonly told: ReadyEvents;
}

interface Known {
  readonly mark: string;
  readonly superseded: readonly string[];
}

/** So many are made due at a time: the process stands still meanwhile. */
const mostDue = 2_000;

/** By so much, in milliseconds, what two processes take for now may differ: that is no clock that was set back. */
const apartMs = 1_000;

export function journalQueue(
  { prepare, together }: Database,
  {
    seal,
    events,
    clicks,
  }: {
    readonly seal: Seal & KeyedHash;
    readonly events: ReturnType<typeof journalEvents>;
    readonly clicks: Pick<ReturnType<typeof journalClicks>, 'sayAgain'>;
  },
): JournalQueue {
  const claim = prepare(
    `UPDATE submission SET lease_owner = :owner, lease_until = :until WHERE sequence = ${claimable} RETURNING *`,
  );
  const isBehind = prepare(
    `SELECT 1 FROM submission
     WHERE state = 'pending' AND center = :center AND ${ownSubjects} AND passable = 0
       AND sequence < (SELECT sequence FROM submission WHERE reference = :reference) LIMIT 1`,
  );
  const renew = prepare(
    `UPDATE submission SET lease_until = :until
     WHERE reference = :reference AND lease_owner = :owner AND state = 'pending'
       AND ${isAlone('submission')}`,
  );
  const save = prepare(
    `UPDATE submission SET payload = :payload, state = :state, due_at = :dueAt, done_at = :doneAt,
       expires_at = :expiresAt, passable = :passable, receipts = :receipts, withdraws = :withdraws,
       lease_until = :until, lease_owner = iif(:until = 0, NULL, lease_owner)
     WHERE reference = :reference AND lease_owner = :owner AND state = 'pending'`,
  );
  const leased = prepare(
    `SELECT sequence, repeats, submitted_at, said_again_at, substr(payload, 1, ${markLength}) AS mark FROM submission
     WHERE reference = :reference AND lease_owner = :owner`,
  );
  const whole = prepare('SELECT * FROM submission WHERE reference = :reference');
  const drop = prepare(
    `DELETE FROM submission
     WHERE reference = :reference AND lease_owner = :owner AND state = 'pending' AND repeats IS NOT NULL`,
  );
  const forgetUndo = prepare(
    `UPDATE submission SET undone_by = NULL
     WHERE reference = (SELECT undoes FROM submission WHERE reference = :reference) AND undone_by = :reference`,
  );
  // What was seen and is gone since says nothing of what came after it.
  const newer = prepare(
    `SELECT 1 FROM submission
     WHERE ${ownSubjects}
       AND sequence > coalesce((SELECT sequence FROM submission WHERE reference = :seen), 0) LIMIT 1`,
  );
  const earlier = prepare(
    `SELECT * FROM submission WHERE state = 'pending' AND center = :center AND ${ownSubjects}
       AND sequence < (SELECT sequence FROM submission WHERE reference = :reference)`,
  );
  const replacePayload = prepare('UPDATE submission SET payload = :payload WHERE reference = :reference');
  const nextOf = (withdraws: 0 | 1) =>
    `SELECT * FROM (SELECT sequence, due_at FROM submission
       WHERE state = 'pending' AND withdraws = ${withdraws} AND due_at > :after ORDER BY due_at LIMIT :limit)`;
  const makeDue = prepare(
    `UPDATE submission SET due_at = min(due_at, :now + abs(random()) % :spread)
     WHERE sequence IN (
       SELECT sequence FROM (${nextOf(1)} UNION ALL ${nextOf(0)}) ORDER BY due_at LIMIT :limit)`,
  );
  const wake = prepare(
    `UPDATE submission INDEXED BY submission_open SET due_at = :now
     WHERE state = 'pending' AND center = :center AND ${ownSubjects} AND done_at IS NULL AND due_at > :now`,
  );
  const retry = prepare(
    `UPDATE submission SET due_at = min(due_at, :now) WHERE reference = :reference AND state = 'pending'`,
  );
  const unfinished = prepare(
    `SELECT reference FROM submission
     WHERE reference IN (SELECT value FROM json_each(:references)) AND state = 'pending' AND done_at IS NULL`,
  );
  const shortenLeases = prepare(
    `UPDATE submission SET lease_until = :longest WHERE state = 'pending' AND lease_until > :longest`,
  );
  const settleFuture = prepare(
    `UPDATE submission SET due_at = min(due_at, :now), expires_at = min(expires_at, :now)
     WHERE state = 'pending' AND submitted_at > :now + ${apartMs}`,
  );
  const nextDue = prepare(
    `SELECT min(at) AS at FROM (
       SELECT min(due_at) AS at FROM submission WHERE state = 'pending' AND withdraws = 1
       UNION ALL
       SELECT min(due_at) FROM submission WHERE state = 'pending' AND withdraws = 0
       UNION ALL
       SELECT min(expires_at) FROM submission WHERE state = 'pending' AND expires_at IS NOT NULL)`,
  );

  const listeners = new Set<(news: JournalNews) => void>();

  /** What the payloads of what is leased here say, by reference, as they were last read or written here. */
  const known = new Map<string, Known>();
  function remember(reference: string, payload: unknown, superseded: readonly string[]): void {
    known.delete(reference);
    known.set(reference, { mark: String(payload).slice(0, markLength), superseded });
    for (const oldest of known.keys()) {
      if (known.size <= mostKnown) break;
      known.delete(oldest);
    }
  }

  /** Made ready before the transaction, during which the process stands still. */
  async function ready(reference: string, change: JournalChange): Promise<Ready> {
    const { work } = change;
    const kept = superseding(work, known.get(reference)?.superseded ?? []);
    const payload = sealWork(seal, reference, kept);
    if (isLong(payload)) await endTurn();
    return { kept, payload, told: await events.ready({ ...work.request, reference }, change) };
  }

  /** Inside of a transaction. */
  function write(reference: string, owner: string, change: JournalChange & { readonly own: Ready }): Saved {
    const { work, lease, own } = change;
    const { subject } = work.request;
    if (lease !== 'released' && renew.run({ reference, owner, ...lease }) === 0) return 'lost';
    const row = leased.get({ reference, owner });
    if (row === undefined) return 'lost';
    if (change.seen !== undefined) {
      const isOvertaken = newer.get({ seen: change.seen, subjects: subjectsOf(seal, subject) }) !== undefined;
      if (isOvertaken) return 'overtaken';
    }
    const isRepeat = change.state === 'done' && isBounded(work.request) && changedNothing(work);
    const sequence = Number(row['sequence']);
    if (isRepeat && drop.run({ reference, owner }) === 1) {
      const { repeats, submitted_at: at, said_again_at: again } = row;
      if (repeats !== null) clicks.sayAgain(String(repeats), Math.max(Number(at), Number(again ?? at)));
      events.add(own.told, sequence);
      return 'saved';
    }
    let { kept, payload } = own;
    // Another process may have written here since this work was read: what it superseded stays superseded.
    if (known.get(reference)?.mark !== row['mark']) {
      const found = whole.get({ reference });
      kept = superseding(kept, (found && entryOf(seal, found).work?.superseded) ?? []);
      payload = sealWork(seal, reference, kept);
    }
    const isSaved = save.run({
      reference,
      owner,
      payload,
      state: change.state,
      dueAt: Math.round(change.dueAt),
      doneAt: change.doneAt ?? null,
      expiresAt: change.expiresAt ?? null,
      passable: Number(change.isPassable),
      receipts: JSON.stringify(change.receipts),
      withdraws: Number(withdraws(work.request.intent)),
      until: lease === 'released' ? 0 : lease.until,
    });
    if (isSaved === 0) return 'lost';
    remember(reference, payload, kept.superseded);
    events.add(own.told, sequence);
    if (change.state === 'failed') forgetUndo.run({ reference });
    if (change.supersedes !== undefined && change.supersedes.length > 0) {
      supersedeBefore(reference, work, change.supersedes);
    }
    return 'saved';
  }

  function supersedeBefore(reference: string, { request }: Work, keys: readonly string[]): void {
    const { center, subject } = request;
    for (const row of earlier.all({ reference, center, subjects: subjectsOf(seal, subject) })) {
      const { work, reference } = entryOf(seal, row);
      if (work === undefined || keys.every((key) => has(work.superseded, key))) continue;
      replacePayload.run({ reference, payload: sealWork(seal, reference, superseding(work, keys)) });
    }
  }

  /** Without a key there is nobody to ask for; then it only waits for the key. */
  function isBehindOther({ reference, center, work }: JournalEntry): boolean {
    if (work === undefined) return false;
    const subjects = subjectsOf(seal, work.request.subject);
    return isBehind.get({ reference, center, subjects }) !== undefined;
  }

  return {
    async claim(lease) {
      let isToEnd = false;
      const claimed = together(() => {
        const row = claim.get({ ...lease });
        if (row === undefined) return undefined;
        const entry = entryOf(seal, row);
        isToEnd = isLong(row['payload']);
        remember(entry.reference, row['payload'], entry.work?.superseded ?? []);
        return { entry, isBehind: isBehindOther(entry) };
      });
      if (isToEnd) await endTurn();
      return claimed;
    },
    async renew(reference, lease) {
      return renew.run({ reference, ...lease }) === 1;
    },
    async save(reference, owner, change) {
      const own = await ready(reference, change);
      const saved = together(() => write(reference, owner, { ...change, own }));
      if (saved === 'lost' || change.lease === 'released') known.delete(reference);
      if (isLong(own.payload)) await endTurn();
      if (saved === 'saved' && change.isTold === true) {
        for (const listener of listeners) listener({ kind: 'told', reference });
      }
      return saved;
    },
    async makeDue({ now, spread, limit }) {
      for (let left = limit; left > 0; left -= mostDue) {
        const which = {
          now,
          spread: Math.max(1, spread),
          after: now + spread,
          limit: Math.min(left, mostDue),
        };
        if (makeDue.run(which) < mostDue) return;
        await endTurn();
      }
    },
    async wake(center, subject, now) {
      wake.run({ center, subjects: subjectsOf(seal, subject), now });
    },
    async retry(reference, now) {
      return retry.run({ reference, now }) === 1;
    },
    async resume({ now, lease }) {
      together(() => {
        shortenLeases.run({ longest: now + lease });
        settleFuture.run({ now });
      });
    },
    async nextDueAt() {
      const at = nextDue.get()?.['at'];
      return typeof at === 'number' ? at : undefined;
    },
    async finishedOf(references) {
      const rows = unfinished.all({ references: JSON.stringify(references) });
      const open = new Set(rows.map((row) => text(row, 'reference')));
      return references.filter((reference) => !open.has(reference));
    },
    // What another process records is found by looking.
    onNews(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function superseding(work: Work, keys: readonly string[]): Work {
  return { ...work, superseded: [...new Set([...keys, ...work.superseded])] };
}
