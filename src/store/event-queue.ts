import type { EventQueue, EventQueueCounts } from '../ports/events.ts';
import type { Seal } from '../ports/seal.ts';
import { isAmong, part, position, randomBelow, rows, skipLocked } from './dialect.ts';
import { receiverToken } from './event-news.ts';
import { sealedEvent } from './journal-seal.ts';
import {
  type Columns,
  type Queries,
  reading,
  rowsValue,
  type Sql,
  type Statement,
  type Values,
  writing,
} from './sql.ts';

const isStopped = (receiver: string) =>
  `EXISTS (SELECT 1 FROM event_receiver r WHERE r.receiver = ${receiver} AND r.stopped_at IS NOT NULL)`;
const own = 'receiver = :receiver AND person = :person AND owner = :owner';
/**
 * A range of a receiver's queues, by person. It needs the primary key: another index would read all queues.
 */
const some = `receiver = :receiver AND person > :after AND person <= :upTo AND owner IS NULL`;
const upTo = reading<Columns<'count', number> & Partial<Columns<'last', string>>>`
  SELECT max(person) AS last, count(*) AS count FROM (
    SELECT person FROM event_queue WHERE receiver = :receiver AND person > :after
    ORDER BY person LIMIT :limit) AS part`;
const goOn = writing<Columns<'waiting', number>>`
  UPDATE event_queue SET sent_up_to = :sequence, waiting = waiting - 1, owner = NULL, due_at = :now,
    since = :now, attempts = 0, problem = NULL
  WHERE ${own} RETURNING waiting`;
const finish = writing`
  DELETE FROM event_queue WHERE receiver = :receiver AND person = :person AND waiting <= 0`;
const postpone = writing`
  UPDATE event_queue SET owner = NULL, due_at = :dueAt, attempts = attempts + 1, problem = :problem,
    state = :state
  WHERE ${own}`;
const stop = writing`INSERT INTO event_receiver AS r (receiver, stopped_at) VALUES (:receiver, :now)
  ON CONFLICT (receiver) DO UPDATE SET stopped_at = coalesce(r.stopped_at, excluded.stopped_at)`;
const resume = writing`UPDATE event_receiver SET stopped_at = NULL WHERE receiver = :receiver`;
const hold = writing`
  UPDATE event_queue SET state = 'held' WHERE ${some} AND state || '' = 'due' AND since < :before`;
const release = writing`
  UPDATE event_queue SET state = 'due', due_at = CASE WHEN due_at < :now THEN due_at ELSE :now END,
    since = :now, attempts = 0
  WHERE ${some}`;
/** At most `:most` queues of one receiver, read by an index. */
const most = (order: string, only = '') =>
  `FROM event_queue q WHERE q.receiver = asked.receiver ${only} ORDER BY ${order} LIMIT :most`;
const asked = rows('asked', { receiver: 'text' });
const emptied = rows('emptied', { receiver: 'text', person: 'text', token: 'text' });
const isEmptied = 'q.receiver = emptied.receiver AND q.person = emptied.person';
const due = reading<{ readonly receiver: string }>`SELECT asked.receiver FROM ${asked}
  WHERE EXISTS (
      SELECT 1 FROM event_queue q
      WHERE q.receiver = asked.receiver AND q.state = 'due' AND q.due_at <= :now)
    AND NOT ${isStopped('asked.receiver')}`;
const next = writing<Columns<'person', string> & Columns<'since' | 'attempts' | 'after', number>>`
  UPDATE event_queue SET owner = :owner, due_at = :until
  WHERE receiver = :receiver AND ${isAmong(
    'person',
    part`SELECT person FROM event_queue
     WHERE receiver = :receiver AND state = 'due' AND due_at <= :now AND NOT ${isStopped(':receiver')}
     ORDER BY due_at LIMIT 1 ${skipLocked}`,
  )}
  RETURNING person, since, attempts, sent_up_to AS after`;
const first = reading<Columns<'sequence', number> & Columns<'id' | 'payload', string>>`
  SELECT sequence, id, payload FROM event
  WHERE person = :person AND sequence > :after AND ${position}(receivers, :token) > 0
  ORDER BY sequence LIMIT 1`;
const makeDue = writing`UPDATE event_queue SET due_at = :now + ${randomBelow('spread')}
  WHERE ${some} AND state || '' = 'due' AND due_at + 0 > :latest`;
const counts = reading<EventQueueCounts>`SELECT asked.receiver,
    (SELECT coalesce(sum(waiting), 0) FROM (SELECT waiting ${most('person')}) AS part) AS waiting,
    (SELECT count(*) FROM (SELECT 1 AS one ${most('due_at', "AND state = 'held'")}) AS part) AS held,
    (SELECT min(since) FROM (SELECT since ${most('person')}) AS part) AS "oldestAt",
    (SELECT stopped_at FROM event_receiver r WHERE r.receiver = asked.receiver) AS "stoppedAt",
    (SELECT problem FROM (SELECT problem ${most('person')}) AS part WHERE problem IS NOT NULL
      LIMIT 1) AS problem
  FROM ${asked} ORDER BY asked.n`;
// Locks the queues, so that the next statement counts all events. A send that is running loses its lease.
const lock = writing`UPDATE event_queue AS q SET owner = NULL FROM ${emptied} WHERE ${isEmptied}`;
const recount = writing`UPDATE event_queue AS q SET waiting = (
    SELECT count(*) FROM event e
    WHERE e.person = emptied.person AND e.sequence > q.sent_up_to
      AND ${position}(e.receivers, emptied.token) > 0)
  FROM ${emptied} WHERE ${isEmptied}`;
const finishAll = writing`DELETE FROM event_queue WHERE waiting <= 0
  AND (receiver, person) IN (SELECT emptied.receiver, emptied.person FROM ${emptied})`;

export type QueueName = Columns<'receiver' | 'person', string>;

/** Corrects queues whose events were deleted: counts what still waits, and removes empty queues. */
export async function recountQueues(queries: Queries, queues: readonly QueueName[]): Promise<void> {
  if (queues.length === 0) return;
  const emptied = rowsValue(queues.map((each) => ({ ...each, token: receiverToken(each.receiver) })));
  for (const each of [lock, recount, finishAll]) await queries.run(each, { emptied });
}

/** One queue for each person and receiver. Later events of a person have higher numbers. */
export function eventQueue(sql: Sql, seal: Seal): EventQueue {
  const limit = sql.dialect.mostRows;

  /** Changes all queues of a receiver, some at a time. */
  async function changeAll(change: Statement, values: { readonly receiver: string } & Values): Promise<void> {
    const { receiver } = values;
    for (let after = ''; ; ) {
      const { last, count } = (await sql.get(upTo, { receiver, after, limit })) ?? { count: 0 };
      if (last === undefined) return;
      await sql.run(change, { ...values, after, upTo: last });
      if (count < limit) return;
      after = last;
    }
  }

  return {
    async dueOf(receivers, now) {
      const rows = await sql.all(due, { asked: askedOf(receivers), now });
      return rows.map(({ receiver }) => receiver);
    },
    async claim(receiver, { owner, now, until }) {
      const row = await sql.get(next, { receiver, owner, now, until });
      if (row === undefined) return undefined;
      const { person, after, ...tries } = row;
      const found = await sql.get(first, { person, after, token: receiverToken(receiver) });
      if (found === undefined) {
        await sql.transaction((queries) => recountQueues(queries, [{ receiver, person }]));
        return undefined;
      }
      return {
        receiver,
        person,
        owner,
        ...tries,
        sequence: found.sequence,
        event: sealedEvent.open(seal, found.id, found.payload),
      };
    },
    // A writer that adds to the queue waits for the first statement, and makes the queue again after the
    // second.
    async sent({ receiver, person, sequence, owner }, now) {
      await sql.transaction(async (queries) => {
        const left = await queries.get(goOn, { receiver, person, sequence, owner, now });
        if (left !== undefined && left.waiting <= 0) await queries.run(finish, { receiver, person });
      });
    },
    async postpone({ receiver, person, owner }, { dueAt, problem, isHeld }) {
      const state = isHeld ? 'held' : 'due';
      await sql.run(postpone, { receiver, person, owner, dueAt: Math.round(dueAt), problem, state });
    },
    async stop(receiver, now) {
      await sql.run(stop, { receiver, now });
    },
    async makeDue(receiver, { now, spread: given }) {
      const spread = Math.max(1, Math.round(given));
      await changeAll(makeDue, { receiver, now, spread, latest: now + spread - 1 });
    },
    hold: (receiver, before) => changeAll(hold, { receiver, before }),
    async sendAgain(receiver, now) {
      await changeAll(release, { receiver, now });
      await sql.run(resume, { receiver });
    },
    async queuesOf(receivers, most) {
      const rows = await sql.all(counts, { asked: askedOf(receivers), most });
      return rows.map((row) => ({ ...row, waiting: Math.min(row.waiting, most) }));
    },
  };
}

function askedOf(receivers: readonly string[]): string {
  return rowsValue(receivers.map((receiver) => ({ receiver })));
}
