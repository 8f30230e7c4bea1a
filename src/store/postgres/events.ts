import type { Events } from '../../ports/events.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import type { Database } from '../drivers/postgres/database.ts';
import { queueCountsOf } from '../event-queue-counts.ts';
import { eventLifeMs, openEvent, peopleOf, readAnswers } from '../event-seal.ts';
import { statement } from '../sql.ts';
import { readPersonKeys } from './journal-events.ts';
import { bite, upkeep } from './maintained.ts';

const isUnplaced = statement(
  'SELECT EXISTS (SELECT 1 FROM event WHERE center = :center AND position IS NULL) AS found',
);
const lockCenter = statement(
  `INSERT INTO event_center AS c (center, last) VALUES (:center, 0)
   ON CONFLICT (center) DO UPDATE SET last = c.last RETURNING last`,
);
const place = statement(
  `UPDATE event e SET position = :last + n.number
   FROM (SELECT sequence, row_number() OVER (ORDER BY sequence) AS number FROM event
     WHERE center = :center AND position IS NULL) AS n
   WHERE e.sequence = n.sequence`,
);
const count = statement('UPDATE event_center SET last = last + :placed WHERE center = :center');
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
const makeDue = statement(
  `UPDATE event_queue SET due_at = least(due_at, :now + floor(random() * :spread::double precision)::bigint)
   WHERE receiver = :receiver AND state = 'due' AND owner IS NULL AND due_at > :now`,
);
const hold = statement(
  `UPDATE event_queue SET state = 'held'
   WHERE receiver = :receiver AND state = 'due' AND owner IS NULL AND since < :before`,
);
const resume = statement('UPDATE event_receiver SET stopped_at = NULL WHERE receiver = :receiver');
const release = statement(
  `UPDATE event_queue SET state = 'due', due_at = least(due_at, :now), since = :now, attempts = 0
   WHERE receiver = :receiver AND owner IS NULL`,
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

const unplacedCenters = statement(
  `SELECT DISTINCT center FROM event WHERE position IS NULL AND at < :before LIMIT ${bite}`,
);
const over = statement(
  `WITH gone AS (
     DELETE FROM event WHERE sequence = ANY (ARRAY(
       SELECT sequence FROM event WHERE at < :before ORDER BY at LIMIT ${bite} FOR UPDATE SKIP LOCKED))
     RETURNING sequence, center, position),
   undelivered AS (DELETE FROM event_delivery d USING gone WHERE d.sequence = gone.sequence)
   UPDATE event_center c SET gone = greatest(c.gone, g.position)
   FROM (SELECT center, max(position) AS position FROM gone GROUP BY center) AS g WHERE c.center = g.center`,
);
const oldQueues = statement(
  `SELECT receiver, person FROM event_queue q WHERE since < :before AND NOT EXISTS (
     SELECT 1 FROM event_delivery d WHERE d.receiver = q.receiver AND d.person = q.person)
   LIMIT ${bite} FOR UPDATE SKIP LOCKED`,
);
const emptyQueues = statement(
  `DELETE FROM event_queue q USING unnest(:receivers::text[], :people::text[]) AS t (receiver, person)
   WHERE q.receiver = t.receiver AND q.person = t.person AND NOT EXISTS (
     SELECT 1 FROM event_delivery d WHERE d.receiver = q.receiver AND d.person = q.person)`,
);
const overStops = statement(
  `DELETE FROM event_stop WHERE ctid = ANY (ARRAY(SELECT ctid FROM event_stop WHERE at < :before LIMIT ${bite}))`,
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

  /**
   * A transaction that is committed late has drawn an early number: so an event gets its position only once it is seen
   * to be there, of one center by one process at a time.
   */
  async function placeAll(center: string): Promise<void> {
    if ((await database.get(isUnplaced, { center }))?.['found'] !== true) return;
    await database.transaction(async (queries) => {
      const last = Number((await queries.get(lockCenter, { center }))?.['last']);
      // Only now, behind the lock: a statement sees what was there when it began.
      const placed = await queries.run(place, { center, last });
      await queries.run(count, { center, placed });
    });
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

  function emptyOldQueues(before: number): Promise<number> {
    return database.transaction(async (queries) => {
      const rows = await queries.all(oldQueues, { before });
      const receivers = rows.map(({ receiver }) => String(receiver));
      const people = rows.map(({ person }) => String(person));
      return rows.length === 0 ? 0 : queries.run(emptyQueues, { receivers, people });
    });
  }

  return {
    ...upkeep(database),
    async close() {},
    async page(center, { after, limit }) {
      await placeAll(center);
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
      await database.run(makeDue, { receiver, now, spread: Math.max(1, spread) });
    },
    async hold(receiver, before) {
      await database.run(hold, { receiver, before });
    },
    async sendAgain(receiver, now) {
      await database.transaction(async (queries) => {
        await queries.run(resume, { receiver });
        await queries.run(release, { receiver, now });
      });
    },
    async queuesOf(receivers, most) {
      const rows = await database.all(counts, { receivers, most });
      return receivers.map((receiver, index) => queueCountsOf(receiver, rows[index] ?? {}));
    },
    async sweep() {
      const before = clock.now() - eventLifeMs;
      for (const { center } of await database.all(unplacedCenters, { before }))
        await placeAll(String(center));
      const swept = await database.run(over, { before });
      return swept + (await emptyOldQueues(before)) + (await database.run(overStops, { before }));
    },
  };
}
