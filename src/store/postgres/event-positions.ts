import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../drivers/postgres/database.ts';
import { statement } from '../sql.ts';
import { createBatch } from './batch.ts';

const isUnplaced = statement(
  'SELECT EXISTS (SELECT 1 FROM event WHERE center = :center AND position IS NULL) AS found',
);
/** Of each center its first row of the index alone is read. */
const unplacedCenters = statement(
  `SELECT center FROM (
     WITH RECURSIVE found AS (
       (SELECT center FROM event WHERE position IS NULL ORDER BY center LIMIT 1)
       UNION ALL
       SELECT (SELECT e.center FROM event e WHERE e.position IS NULL AND e.center > found.center
         ORDER BY e.center LIMIT 1)
       FROM found WHERE found.center IS NOT NULL)
     SELECT center FROM found) AS every WHERE center IS NOT NULL`,
);
const lockCenter = statement(
  `INSERT INTO event_center AS c (center, last) VALUES (:center, 0)
   ON CONFLICT (center) DO UPDATE SET last = c.last RETURNING last`,
);
/** A range of centers, which is one: for a single one PostgreSQL may walk all events in their order instead. */
const place = statement(
  `WITH part AS MATERIALIZED (
     SELECT sequence FROM event WHERE center >= :center AND center <= :center AND position IS NULL
     ORDER BY center, sequence LIMIT :limit)
   UPDATE event e SET position = :last + n.number
   FROM (SELECT sequence, row_number() OVER (ORDER BY sequence) AS number FROM part) AS n
   WHERE e.sequence = ANY (ARRAY(SELECT sequence FROM part)) AND e.sequence = n.sequence`,
);
const count = statement('UPDATE event_center SET last = last + :placed WHERE center = :center');

/** Milliseconds between two statements: others have their turn. */
const breath = 10;

export interface EventPositions {
  /** Gives some events of a center their positions, and goes on with the rest in the background. Never rejects. */
  giveSome(center: string): Promise<void>;
  /** Gives some in every center. True where there are more. */
  giveEverywhere(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * A transaction that commits late has drawn an early number. So an event gets its position once it is seen to be there,
 * in each center by one process at a time, and some at a time: the cost of a statement does not grow with their number.
 */
export function createEventPositions(database: Database): EventPositions {
  const batch = createBatch();
  const underway = new Map<string, Promise<void>>();
  let isClosed = false;

  /** True where there are more. */
  async function give(center: string): Promise<boolean> {
    if ((await database.get(isUnplaced, { center }))?.['found'] !== true) return false;
    return batch.run((limit) =>
      database.transaction(async (queries) => {
        const last = Number((await queries.get(lockCenter, { center }))?.['last']);
        // Only now, behind the lock: a statement sees what was there when it began.
        const placed = await queries.run(place, { center, last, limit });
        await queries.run(count, { center, placed });
        return placed === limit;
      }),
    );
  }

  async function giveAll(center: string): Promise<void> {
    try {
      while (!isClosed && (await give(center))) await pause(breath);
    } catch {
      // What is left is placed for the next reader, or by the next sweep.
    }
    underway.delete(center);
  }

  function goOn(center: string): void {
    if (!underway.has(center) && !isClosed) underway.set(center, giveAll(center));
  }

  return {
    async giveSome(center) {
      if (underway.has(center)) return;
      const isMore = await give(center).catch(() => true);
      if (isMore) goOn(center);
    },
    async giveEverywhere() {
      let isMore = false;
      for (const { center } of await database.all(unplacedCenters))
        if (await give(String(center))) isMore = true;
      return isMore;
    },
    async close() {
      isClosed = true;
      await Promise.all(underway.values());
    },
  };
}
