import type { Events } from '../../ports/events.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import type { Database } from '../drivers/postgres/database.ts';
import { queueCountsOf } from '../event-queue-counts.ts';
import { eventLifeMs, openEvent, peopleOf, readAnswers } from '../event-seal.ts';
import { type Statement, statement, type Values } from '../sql.ts';
import { createBatch } from './batch.ts';
import { createEventPositions } from './event-positions.ts';
import { readPersonKeys } from './journal-events.ts';
import { upkeep } from './maintained.ts';

const page = statement(
  `SELECT id, position, payload FROM event WHERE center = :center AND position > :after
   ORDER BY position LIMIT :limit`,
);
const counter = statement('SELECT gone, last FROM event_center WHERE center = :center');
const stop = statement(
  `INSERT INTO event_stop (reference, name, at)
   SELECT reference, :name, :at FROM event WHERE id = :id AND center = :center ON CONFLICT DO NOTHING`,
);
const isThere = statement('SELECT 1 FROM event WHERE id = :id AND center = :center');
const stops = statement('SELECT name, at FROM event_stop WHERE reference = :reference ORDER BY at, name');
/** The later word holds; of one submission that says both, the one of the purpose, which is always active. */
const said = statement(
  `SELECT string_agg(CASE WHEN is_off THEN '0' ELSE '1' END, '' ORDER BY number) AS answers
   FROM (SELECT DISTINCT ON (p.number) p.number, w.is_off
     FROM unnest(string_to_array(:people, ' ')) WITH ORDINALITY AS p (person, number)
     LEFT JOIN last_word w ON w.person = p.person AND w.purpose = ANY (ARRAY['', :purpose]::text[])
     ORDER BY p.number, w.sequence DESC, w.purpose DESC) AS latest`,
);

const due = statement(
  `SELECT w.receiver FROM unnest(:receivers::text[]) AS w (receiver)
   WHERE EXISTS (
       SELECT 1 FROM event_queue q WHERE q.receiver = w.receiver AND q.state = 'due' AND q.due_at <= :now)
     AND NOT EXISTS (
       SELECT 1 FROM event_receiver r WHERE r.receiver = w.receiver AND r.stopped_at IS NOT NULL)`,
);
// Materialized, as everything that takes a few and passes over what others hold: a plan might else take as many anew
// for each row that it looks at, and so all.
const next = statement(
  `WITH n AS MATERIALIZED (
     SELECT person FROM event_queue
     WHERE receiver = :receiver AND state = 'due' AND due_at <= :now
       AND NOT EXISTS (
         SELECT 1 FROM event_receiver r WHERE r.receiver = :receiver AND r.stopped_at IS NOT NULL)
     ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   UPDATE event_queue q SET owner = :owner, due_at = :until FROM n
   WHERE q.receiver = :receiver AND q.person = n.person RETURNING q.person, q.since, q.attempts`,
);
const firstOf = statement(
  `SELECT d.sequence, e.id, e.payload FROM event_delivery d LEFT JOIN event e USING (sequence)
   WHERE d.receiver = :receiver AND d.person = :person ORDER BY d.sequence LIMIT 1`,
);
const own = 'receiver = :receiver AND person = :person AND owner = :owner';
const lockOwn = statement(`SELECT 1 FROM event_queue WHERE ${own} FOR UPDATE`);
const remove = statement(
  'DELETE FROM event_delivery WHERE receiver = :receiver AND person = :person AND sequence = :sequence',
);
const goOn = statement(
  `UPDATE event_queue SET owner = NULL, due_at = :now, since = :now, attempts = 0, problem = NULL WHERE ${own}`,
);
const finish = statement(`DELETE FROM event_queue WHERE ${own}`);
const postpone = statement(
  `UPDATE event_queue SET owner = NULL, due_at = :dueAt, attempts = attempts + 1, problem = :problem,
     state = CASE WHEN :isHeld::boolean THEN 'held' ELSE 'due' END WHERE ${own}`,
);
const stopReceiver = statement(
  `INSERT INTO event_receiver AS r (receiver, stopped_at) VALUES (:receiver, :now)
   ON CONFLICT (receiver) DO UPDATE SET stopped_at = coalesce(r.stopped_at, excluded.stopped_at)`,
);
/** Some of a receiver's queues, in the order of their people; gives the last of them. */
const changeSome = (change: string) =>
  statement(
    `WITH part AS MATERIALIZED (
       SELECT person FROM event_queue WHERE receiver = :receiver AND person > :after ORDER BY person LIMIT :limit),
     changed AS (
       UPDATE event_queue ${change} AND receiver = :receiver AND person = ANY (ARRAY(SELECT person FROM part)))
     SELECT max(person) AS last, count(*) AS count FROM part`,
  );
const makeDue = changeSome(
  `SET due_at = least(due_at, :now + floor(random() * :spread::double precision)::bigint)
   WHERE state = 'due' AND owner IS NULL AND due_at > :now`,
);
const hold = changeSome(`SET state = 'held' WHERE state = 'due' AND owner IS NULL AND since < :before`);
const resume = statement('UPDATE event_receiver SET stopped_at = NULL WHERE receiver = :receiver');
const release = changeSome(
  `SET state = 'due', due_at = least(due_at, :now), since = :now, attempts = 0 WHERE owner IS NULL`,
);
const counts = statement(
  `SELECT
     (SELECT count(*) FROM (SELECT 1 FROM event_delivery d WHERE d.receiver = w.receiver LIMIT :most) AS d) AS waiting,
     (SELECT count(*) FROM (
       SELECT 1 FROM event_queue q WHERE q.receiver = w.receiver AND state = 'held' LIMIT :most) AS q) AS held,
     (SELECT min(since) FROM (
       SELECT since FROM event_queue q WHERE q.receiver = w.receiver LIMIT :most) AS q) AS oldest,
     (SELECT stopped_at FROM event_receiver r WHERE r.receiver = w.receiver) AS stopped,
     (SELECT problem FROM (SELECT problem FROM event_queue q WHERE q.receiver = w.receiver LIMIT :most) AS q
      WHERE problem IS NOT NULL LIMIT 1) AS problem
   FROM unnest(:receivers::text[]) WITH ORDINALITY AS w (receiver, number) ORDER BY w.number`,
);

// An event without a position stays until it has one: readers are told how far events are gone.
const over = statement(
  `WITH gone AS (
     DELETE FROM event WHERE position IS NOT NULL AND sequence = ANY (ARRAY(
       SELECT sequence FROM event WHERE at < :before ORDER BY at LIMIT :limit FOR UPDATE SKIP LOCKED))
     RETURNING sequence, center, position),
   undelivered AS (
     DELETE FROM event_delivery d USING gone WHERE d.sequence = gone.sequence RETURNING d.receiver, d.person),
   told AS (
     UPDATE event_center c SET gone = greatest(c.gone, g.position)
     FROM (SELECT center, max(position) AS position FROM gone GROUP BY center) AS g WHERE c.center = g.center)
   SELECT (SELECT count(*) FROM gone) AS count, array_agg(receiver) AS receivers, array_agg(person) AS people
   FROM (SELECT DISTINCT receiver, person FROM undelivered) AS queues`,
);
const lockQueues = statement(
  `SELECT 1 FROM event_queue q JOIN unnest(:receivers::text[], :people::text[]) AS t (receiver, person)
     USING (receiver, person)
   ORDER BY receiver, person FOR UPDATE OF q`,
);
const emptyQueues = statement(
  `DELETE FROM event_queue q USING unnest(:receivers::text[], :people::text[]) AS t (receiver, person)
   WHERE q.receiver = t.receiver AND q.person = t.person AND NOT EXISTS (
     SELECT 1 FROM event_delivery d WHERE d.receiver = q.receiver AND d.person = q.person)`,
);
const overStops = statement(
  `DELETE FROM event_stop WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM event_stop WHERE at < :before ORDER BY at LIMIT :limit))`,
);

/** What the journal keeps of events, for any number of nodes; opened behind it. */
export async function openEvents({
  database,
  seal,
}: {
  readonly database: Database;
  readonly seal: Seal & KeyedHash;
}): Promise<Events> {
  const { clock } = database;

  const positions = createEventPositions(database);
  const [queues, events, acknowledged] = [createBatch(), createBatch(), createBatch()];

  /** Everybody whom a receiver is still to hear of. */
  async function ofAll(queue: Statement, values: { readonly receiver: string } & Values): Promise<void> {
    for (let after = ''; ; ) {
      const isMore = await queues.run(async (limit) => {
        const row = await database.get(queue, { ...values, after, limit });
        after = String(row?.['last'] ?? '');
        return Number(row?.['count']) === limit;
      });
      if (!isMore) return;
    }
  }

  /** Whoever writes of the person waits for this lock: what they add is seen by the next one of these statements. */
  function settle(
    queue: { readonly receiver: string; readonly person: string; readonly owner: string },
    { sequence, now }: { readonly sequence: number; readonly now: number },
  ): Promise<void> {
    const { receiver, person } = queue;
    return database.transaction(async (queries) => {
      if ((await queries.get(lockOwn, queue)) === undefined) return;
      await queries.run(remove, { receiver, person, sequence });
      const isMore = (await queries.get(firstOf, { receiver, person })) !== undefined;
      if (isMore) await queries.run(goOn, { ...queue, now });
      else await queries.run(finish, queue);
    });
  }

  /** With what was still to be delivered of them, and the queues that held nothing else. */
  function sweepEvents(before: number, limit: number): Promise<number> {
    return database.transaction(async (queries) => {
      const row = await queries.get(over, { before, limit });
      const [receivers, people] = [textsOf(row?.['receivers']), textsOf(row?.['people'])];
      if (receivers.length > 0) {
        // What is added while this waits for the lock is seen by the next statement.
        await queries.all(lockQueues, { receivers, people });
        await queries.run(emptyQueues, { receivers, people });
      }
      return Number(row?.['count'] ?? 0);
    });
  }

  return {
    ...upkeep(database),
    close: positions.close,
    async page(center, { after, limit }) {
      await positions.giveSome(center);
      const rows = await database.all(page, { center, after, limit });
      // Read last: what was there may have gone meanwhile.
      const counted = await database.get(counter, { center });
      return {
        goneUpTo: Number(counted?.['gone'] ?? 0),
        last: Number(counted?.['last'] ?? 0),
        events: rows.map(({ id, position, payload }) => ({
          position: Number(position),
          event: openEvent(seal, String(id), payload),
        })),
      };
    },
    async stopped(center, id, { name, at }) {
      await database.run(stop, { center, id, name, at });
      return (await database.get(isThere, { center, id })) !== undefined;
    },
    async stopsOf(reference) {
      const rows = await database.all(stops, { reference });
      return rows.map(({ name, at }) => ({ name: String(name), at: Number(at) }));
    },
    async mayUse(center, purpose, subjects) {
      const { keys, knownSince = clock.now() } = await readPersonKeys(database, seal);
      const people = keys.flatMap((key) => subjects.map(peopleOf(key, center)));
      const answers = (await database.get(said, { people: people.join(' '), purpose }))?.['answers'];
      return {
        since: knownSince,
        answers: readAnswers(answers, subjects.length),
      };
    },
    async dueOf(receivers, now) {
      return (await database.all(due, { receivers, now })).map(({ receiver }) => String(receiver));
    },
    async claim(receiver, { owner, now, until }) {
      const row = await database.get(next, { receiver, owner, now, until });
      if (row === undefined) return undefined;
      const person = String(row['person']);
      const first = await database.get(firstOf, { receiver, person });
      if (first === undefined) {
        await settle({ receiver, person, owner }, { sequence: 0, now });
        return undefined;
      }
      return {
        ...{ receiver, person, owner, sequence: Number(first['sequence']) },
        attempts: Number(row['attempts']),
        since: Number(row['since']),
        event: openEvent(seal, String(first['id']), first['payload']),
      };
    },
    sent: ({ receiver, person, sequence, owner }, now) =>
      settle({ receiver, person, owner }, { sequence, now }),
    async postpone({ receiver, person, owner }, { dueAt, problem, isHeld }) {
      await database.run(postpone, {
        ...{ receiver, person, owner, problem, isHeld },
        dueAt: Math.round(dueAt),
      });
    },
    async stop(receiver, now) {
      await database.run(stopReceiver, { receiver, now });
    },
    async makeDue(receiver, { now, spread }) {
      await ofAll(makeDue, { receiver, now, spread: Math.max(1, spread) });
    },
    async hold(receiver, before) {
      await ofAll(hold, { receiver, before });
    },
    async sendAgain(receiver, now) {
      await ofAll(release, { receiver, now });
      await database.run(resume, { receiver });
    },
    async queuesOf(receivers, most) {
      const rows = await database.all(counts, { receivers, most });
      return receivers.map((receiver, index) => queueCountsOf(receiver, rows[index] ?? {}));
    },
    async sweep() {
      const before = clock.now() - eventLifeMs;
      const swept = await events.run((limit) => sweepEvents(before, limit));
      const stopped = await acknowledged.run((limit) => database.run(overStops, { before, limit }));
      return swept + stopped + Number(await positions.giveEverywhere());
    },
  };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
