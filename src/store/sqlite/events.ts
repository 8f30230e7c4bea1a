import type { Clock } from '../../ports/clock.ts';
import type { Events } from '../../ports/events.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import { endTurn } from '../../turn.ts';
import { bite, openDatabase, type Statement, upkeep } from '../drivers/sqlite/file.ts';
import { queueCountsOf } from '../event-queue-counts.ts';
import { eventLifeMs, openEvent, peopleOf, readAnswers } from '../event-seal.ts';
import { readPersonKeys } from './journal-events.ts';
import { journalTables } from './journal-row.ts';

const mappedBytes = 1_073_741_824;

/** Of a receiver, so many queues are changed at a time: the process stands still meanwhile. */
const mostPeople = 2_000;
/** Found by the key: a plus keeps any other index from being taken, which would look at all of them each time. */
const some = 'receiver = :receiver AND person > :after AND (:upTo IS NULL OR person <= :upTo)';

/** What the journal keeps of events, in its file; opened behind it. */
export function openEvents({
  file,
  seal,
  clock,
}: {
  readonly file: string;
  readonly seal: Seal & KeyedHash;
  readonly clock: Clock;
}): Events {
  const database = openDatabase(file, journalTables);
  const { prepare, together } = database;
  // A thousand people lie in as many pages: these are looked into where they are, and not copied one by one.
  prepare(`PRAGMA mmap_size = ${mappedBytes}`).get();

  const page = prepare(
    `SELECT id, position, payload FROM event WHERE center = :center AND position > :after
     ORDER BY position LIMIT :limit`,
  );
  const counter = prepare('SELECT gone, last FROM event_center WHERE center = :center');
  const referenceOf = prepare('SELECT reference FROM event WHERE id = :id AND center = :center');
  const stop = prepare(
    'INSERT INTO event_stop (reference, name, at) VALUES (:reference, :name, :at) ON CONFLICT DO NOTHING',
  );
  const stops = prepare('SELECT name, at FROM event_stop WHERE reference = :reference ORDER BY at, name');
  // The later word holds; of one submission that says both, the one of the purpose, which is always active.
  const said = prepare(
    `SELECT group_concat(
       coalesce((SELECT 1 - w.is_off FROM last_word w WHERE w.person = p.value AND +w.purpose IN ('', :purpose)
         ORDER BY w.sequence DESC, w.purpose DESC LIMIT 1), 1), '' ORDER BY p.key) AS answers
     FROM json_each(:people) AS p`,
  );

  const due = prepare(
    `SELECT w.value AS receiver FROM json_each(:receivers) AS w
     WHERE EXISTS (
         SELECT 1 FROM event_queue q WHERE q.receiver = w.value AND q.state = 'due' AND q.due_at <= :now)
       AND NOT EXISTS (
         SELECT 1 FROM event_receiver r WHERE r.receiver = w.value AND r.stopped_at IS NOT NULL)`,
  );
  const next = prepare(
    `UPDATE event_queue SET owner = :owner, due_at = :until
     WHERE receiver = :receiver AND person = (
       SELECT person FROM event_queue
       WHERE receiver = :receiver AND state = 'due' AND due_at <= :now
         AND NOT EXISTS (
           SELECT 1 FROM event_receiver r WHERE r.receiver = :receiver AND r.stopped_at IS NOT NULL)
       ORDER BY due_at LIMIT 1)
     RETURNING person, since, attempts`,
  );
  const firstOf = prepare(
    `SELECT d.sequence, e.id, e.payload FROM event_delivery d LEFT JOIN event e USING (sequence)
     WHERE d.receiver = :receiver AND d.person = :person ORDER BY d.sequence LIMIT 1`,
  );
  const isOwn = prepare(
    'SELECT 1 FROM event_queue WHERE receiver = :receiver AND person = :person AND owner = :owner',
  );
  const remove = prepare(
    'DELETE FROM event_delivery WHERE receiver = :receiver AND person = :person AND sequence = :sequence',
  );
  const goOn = prepare(
    `UPDATE event_queue SET owner = NULL, due_at = :now, since = :now, attempts = 0, problem = NULL
     WHERE receiver = :receiver AND person = :person`,
  );
  const finish = prepare('DELETE FROM event_queue WHERE receiver = :receiver AND person = :person');
  const postpone = prepare(
    `UPDATE event_queue SET owner = NULL, due_at = :dueAt, attempts = attempts + 1, problem = :problem,
       state = iif(:isHeld, 'held', 'due')
     WHERE receiver = :receiver AND person = :person AND owner = :owner`,
  );
  const stopReceiver = prepare(
    `INSERT INTO event_receiver (receiver, stopped_at) VALUES (:receiver, :now)
     ON CONFLICT (receiver) DO UPDATE SET stopped_at = coalesce(stopped_at, excluded.stopped_at)`,
  );
  const upTo = prepare(
    `SELECT person FROM event_queue WHERE receiver = :receiver AND person > :after
     ORDER BY person LIMIT 1 OFFSET ${mostPeople - 1}`,
  );
  const makeDue = prepare(
    `UPDATE event_queue SET due_at = min(due_at, :now + abs(random()) % :spread)
     WHERE ${some} AND +state = 'due' AND owner IS NULL AND +due_at > :now`,
  );
  const hold = prepare(
    `UPDATE event_queue SET state = 'held'
     WHERE ${some} AND +state = 'due' AND owner IS NULL AND since < :before`,
  );
  const resume = prepare('UPDATE event_receiver SET stopped_at = NULL WHERE receiver = :receiver');
  const release = prepare(
    `UPDATE event_queue SET state = 'due', due_at = min(due_at, :now), since = :now, attempts = 0
     WHERE ${some} AND owner IS NULL`,
  );
  const counts = prepare(
    `SELECT
       (SELECT count(*) FROM (SELECT 1 FROM event_delivery WHERE receiver = :receiver LIMIT :most)) AS waiting,
       (SELECT count(*) FROM (
         SELECT 1 FROM event_queue WHERE receiver = :receiver AND state = 'held' LIMIT :most)) AS held,
       (SELECT min(since) FROM (SELECT since FROM event_queue WHERE receiver = :receiver LIMIT :most)) AS oldest,
       (SELECT stopped_at FROM event_receiver WHERE receiver = :receiver) AS stopped,
       (SELECT problem FROM (SELECT problem FROM event_queue WHERE receiver = :receiver LIMIT :most)
        WHERE problem IS NOT NULL LIMIT 1) AS problem`,
  );

  const over = prepare(
    `SELECT sequence, center, position FROM event WHERE at < :before ORDER BY at LIMIT ${bite}`,
  );
  const forget = prepare('DELETE FROM event WHERE sequence = :sequence');
  const undeliver = prepare(
    'DELETE FROM event_delivery WHERE sequence = :sequence RETURNING receiver, person',
  );
  const setGone = prepare(
    'UPDATE event_center SET gone = max(gone, :position) WHERE center = :center AND last >= :position',
  );
  const emptyQueue = prepare(
    `DELETE FROM event_queue WHERE receiver = :receiver AND person = :person AND NOT EXISTS (
       SELECT 1 FROM event_delivery d WHERE d.receiver = :receiver AND d.person = :person)`,
  );
  const overStops = prepare(
    `DELETE FROM event_stop WHERE rowid IN (SELECT rowid FROM event_stop WHERE at < :before LIMIT ${bite})`,
  );

  /** Everybody whom a receiver is still to hear of: of thousands some at a time, in turns. */
  async function ofAll(
    statement: Statement,
    receiver: string,
    values: Record<string, number>,
  ): Promise<void> {
    for (let after = ''; ; ) {
      const last = upTo.get({ receiver, after })?.['person'];
      statement.run({ ...values, receiver, after, upTo: typeof last === 'string' ? last : null });
      if (typeof last !== 'string') return;
      after = last;
      await endTurn();
    }
  }

  return {
    ...upkeep(database),
    async page(center, { after, limit }) {
      const rows = page.all({ center, after, limit });
      // Read last: what was there may have gone meanwhile.
      const counted = counter.get({ center });
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
      return together(() => {
        const reference = referenceOf.get({ center, id })?.['reference'];
        if (reference === undefined) return false;
        stop.run({ reference: String(reference), name, at });
        return true;
      });
    },
    async stopsOf(reference) {
      return stops.all({ reference }).map(({ name, at }) => ({ name: String(name), at: Number(at) }));
    },
    async mayUse(center, purpose, subjects) {
      const { keys, knownSince = clock.now() } = readPersonKeys(database, seal);
      const people = keys.flatMap((key) => subjects.map(peopleOf(key, center)));
      const answers = said.get({ people: JSON.stringify(people), purpose })?.['answers'];
      return {
        since: knownSince,
        answers: readAnswers(answers, subjects.length),
      };
    },
    async dueOf(receivers, now) {
      return due.all({ receivers: JSON.stringify(receivers), now }).map(({ receiver }) => String(receiver));
    },
    async claim(receiver, { owner, now, until }) {
      return together(() => {
        const row = next.get({ receiver, owner, now, until });
        if (row === undefined) return undefined;
        const person = String(row['person']);
        const first = firstOf.get({ receiver, person });
        if (first === undefined) {
          finish.run({ receiver, person });
          return undefined;
        }
        return {
          ...{ receiver, person, owner, sequence: Number(first['sequence']) },
          attempts: Number(row['attempts']),
          since: Number(row['since']),
          event: openEvent(seal, String(first['id']), first['payload']),
        };
      });
    },
    async sent({ receiver, person, sequence, owner }, now) {
      together(() => {
        if (isOwn.get({ receiver, person, owner }) === undefined) return;
        remove.run({ receiver, person, sequence });
        if (firstOf.get({ receiver, person }) === undefined) finish.run({ receiver, person });
        else goOn.run({ receiver, person, now });
      });
    },
    async postpone({ receiver, person, owner }, { dueAt, problem, isHeld }) {
      const due = Math.round(dueAt);
      postpone.run({ receiver, person, owner, dueAt: due, problem, isHeld: Number(isHeld) });
    },
    async stop(receiver, now) {
      stopReceiver.run({ receiver, now });
    },
    async makeDue(receiver, { now, spread }) {
      await ofAll(makeDue, receiver, { now, spread: Math.max(1, spread) });
    },
    async hold(receiver, before) {
      await ofAll(hold, receiver, { before });
    },
    async sendAgain(receiver, now) {
      await ofAll(release, receiver, { now });
      resume.run({ receiver });
    },
    async queuesOf(receivers, most) {
      return receivers.map((receiver) => queueCountsOf(receiver, counts.get({ receiver, most }) ?? {}));
    },
    async sweep() {
      const before = clock.now() - eventLifeMs;
      return together(() => {
        const rows = over.all({ before });
        for (const { sequence, center, position } of rows) {
          for (const { receiver, person } of undeliver.all({ sequence: Number(sequence) }))
            emptyQueue.run({ receiver: String(receiver), person: String(person) });
          forget.run({ sequence: Number(sequence) });
          setGone.run({ center: String(center), position: Number(position) });
        }
        return rows.length + overStops.run({ before });
      });
    },
  };
}
