import { asMailAddress } from '../core/model/person/mail-address.ts';
import type { MessageRule, Messages, QueuedMessage } from '../ports/messages.ts';
import type { NewSubmission } from '../ports/people.ts';
import { isAmong, isIn, made, part, randomBelow, rows, skipLocked, type Tables } from './dialect.ts';
import { eventLifeMs } from './journal-seal.ts';
import { entryReader, type JoinedRow, joinedRow } from './people-entry.ts';
import { type Columns, deleteSome, reading, rowsValue, type StoreParts, type Write, writing } from './sql.ts';

const minute = 60_000;
/** Milliseconds from a change to its message: changes in this time go into one message. */
const foldedMs = 2 * minute;
/** Milliseconds from one message to a person to the next one. */
const pauseMs = 15 * minute;
/** The most submissions in a message, which says if there are more. */
const most = 20;

/**
 * One row for each person and center, without an address. Submissions after `told_up_to` up to `last` are to
 * be reported; once message `id` was tried, it reports those up to `up_to`. The state `told` is kept for the
 * pause after a message.
 */
export const messageTables: Tables = ({ whole, numbered, tableEnd }) => [
  `CREATE TABLE message (
     sequence ${numbered},
     subject text NOT NULL,
     center text NOT NULL,
     state text NOT NULL,
     due_at ${whole} NOT NULL,
     since ${whole} NOT NULL,
     attempts ${whole} NOT NULL DEFAULT 0,
     problem text,
     owner text,
     told_up_to ${whole} NOT NULL,
     last ${whole} NOT NULL,
     id text,
     up_to ${whole},
     UNIQUE (subject, center)
   ) ${tableEnd};
   CREATE INDEX message_due ON message (state, due_at)`,
];

const due = reading`SELECT 1 FROM message WHERE state = 'due' AND due_at <= :now LIMIT 1`;
const told = reading<JoinedRow>`
  ${joinedRow}
  WHERE s.subject = :subject AND s.center = :center AND s.sequence > :after AND s.sequence <= :upTo
    AND (CAST(:all AS bigint) = 1 OR s.channel IN ('staff', 'staff-link'))
  ORDER BY s.sequence DESC LIMIT :limit`;
// Submissions that were recorded meanwhile go into the next message.
const sent = writing`
  UPDATE message SET state = CASE WHEN last > up_to THEN 'due' ELSE 'told' END, told_up_to = up_to, id = NULL,
    up_to = NULL, owner = NULL, attempts = 0, problem = NULL, due_at = :next, since = :now
  WHERE sequence = :sequence AND owner = :owner`;
const postpone = writing`
  UPDATE message SET owner = NULL, due_at = :dueAt, attempts = attempts + 1, problem = :problem,
    state = :state
  WHERE sequence = :sequence AND owner = :owner`;
const mostCounted = 10_000;
const counted = (state: 'due' | 'held') =>
  `count(*) AS count FROM (SELECT 1 AS one FROM message WHERE state = '${state}'
    LIMIT ${mostCounted}) AS part`;
const counts = reading<Awaited<ReturnType<Messages['counts']>>[number]>`
  SELECT 'waiting' AS state, ${counted('due')} UNION ALL SELECT 'held', ${counted('held')}`;
const repeated = reading<Columns<'reference', string>>`
  SELECT s.reference FROM submission s WHERE ${isIn('s.reference', 'references')} AND s.everything = 1 AND (
    SELECT e.everything FROM submission e
    WHERE e.subject = s.subject AND e.center = s.center AND e.sequence < s.sequence AND e.state <> 'failed'
    ORDER BY e.sequence DESC LIMIT 1) = 1`;
// A new submission makes a held message due again.
const add = writing`INSERT INTO message AS q (subject, center, state, due_at, since, told_up_to, last)
  SELECT mailed.subject, mailed.center, 'due', min(mailed.at) + ${foldedMs}, min(mailed.at),
    min(s.sequence) - 1, max(s.sequence)
  FROM ${rows('mailed', { reference: 'text', subject: 'text', center: 'text', at: 'whole' })}
  JOIN ${made('made', ['reference', 'sequence'])} AS s ON s.reference = mailed.reference
  GROUP BY mailed.subject, mailed.center ORDER BY mailed.subject, mailed.center
  ON CONFLICT (subject, center) DO UPDATE SET state = 'due', last = excluded.last,
    due_at = CASE WHEN q.state = 'due' OR (q.state = 'told' AND q.due_at > excluded.due_at) THEN q.due_at
      ELSE excluded.due_at END,
    since = CASE q.state WHEN 'due' THEN q.since ELSE excluded.since END,
    attempts = CASE q.state WHEN 'held' THEN 0 ELSE q.attempts END`;
const next = writing<ClaimedRow>`
  UPDATE message SET owner = :owner, due_at = :until, id = coalesce(id, :owner), up_to = coalesce(up_to, last)
  WHERE ${isAmong(
    'sequence',
    part`SELECT sequence FROM message WHERE state = 'due' AND due_at <= :now ORDER BY due_at
      LIMIT 1 ${skipLocked}`,
  )}
  RETURNING sequence, subject, center, since, attempts, told_up_to AS after, id, up_to AS "upTo"`;
const makeDue = writing`UPDATE message SET due_at = :now + ${randomBelow('spread')}
  WHERE state = 'due' AND due_at > :latest AND owner IS NULL AND attempts > 0`;
const over = deleteSome('message', 'due_at', { where: 'state = :state AND due_at < :before' });

type ClaimedRow = Pick<QueuedMessage, 'sequence' | 'id' | 'center' | 'since' | 'attempts'> &
  Columns<'subject', string> &
  Columns<'after' | 'upTo', number>;

/** Queues messages about submissions that the write `made` inserts. `row`: the id of the person's row. */
export type MessageWrites = (
  made: readonly { readonly row: string; readonly submission: NewSubmission }[],
) => readonly Write[];

export function openMessages({ sql, seal, isTold }: StoreParts & { readonly isTold: MessageRule }) {
  const reader = entryReader(seal);

  const messageWrites: MessageWrites = (made) => {
    const mailed = made.flatMap(({ row, submission: { reference, request, now } }) => {
      const { center, channel, subject } = request;
      const isMailed = isTold(center, channel) && asMailAddress(subject) !== undefined;
      return isMailed ? { reference, subject: row, center, at: now } : [];
    });
    if (mailed.length === 0) return [];
    return [{ name: 'mailed', statement: add, values: { mailed: rowsValue(mailed) } }];
  };
  const messages: Messages = {
    async dueOf(receivers, now) {
      return (await sql.get(due, { now })) === undefined ? [] : receivers;
    },
    async claim(_receiver, { owner, now, until }) {
      const row = await sql.get(next, { owner, now, until });
      if (row === undefined) return undefined;
      const { subject, after, upTo, ...message } = row;
      const { center } = message;
      const all = Number(isTold(center, 'link'));
      const rows = await sql.all(told, { subject, center, after, upTo, all, limit: most + 1 });
      const entries = await reader.all(sql, rows.slice(0, most));
      const again = await sql.all(repeated, { references: entries.map(({ reference }) => reference) });
      return {
        ...message,
        owner,
        entries: entries.every(({ evidence }) => evidence !== undefined) ? entries : undefined,
        repeated: again.map(({ reference }) => reference),
        hasMore: rows.length > most,
      };
    },
    async sent({ sequence, owner }, now) {
      await sql.run(sent, { sequence, owner, now, next: now + pauseMs });
    },
    async postpone({ sequence, owner }, { dueAt, problem, isHeld }) {
      const state = isHeld ? 'held' : 'due';
      await sql.run(postpone, { sequence, owner, dueAt: Math.round(dueAt), problem, state });
    },
    async makeDue(_receiver, { now, spread }) {
      const width = Math.max(1, Math.round(spread));
      await sql.run(makeDue, { now, spread: width, latest: now + width - 1 });
    },
    counts: () => sql.all(counts),
    async sweep() {
      const before = sql.clock.now();
      let swept = await sql.run(over, { state: 'told', before });
      for (const state of ['held', 'due'])
        swept += await sql.run(over, { state, before: before - eventLifeMs });
      return swept;
    },
  };
  return { messages, messageWrites };
}
