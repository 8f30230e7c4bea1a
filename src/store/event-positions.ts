import { setTimeout as pause } from 'node:timers/promises';
import { endTurn } from '../turn.ts';
import { type Dialect, reading, type Sql, writing } from './sql.ts';

const isUnplaced = reading(
  'SELECT 1 FROM event WHERE center >= :center AND center <= :center AND position IS NULL LIMIT 1',
);
/** Of each center its first row of the index alone is read. */
const unplacedCenters = reading<{ readonly center: string }>(
  `WITH RECURSIVE found AS (
     SELECT min(center) AS center FROM event WHERE position IS NULL
     UNION ALL
     SELECT (SELECT min(e.center) FROM event e WHERE e.position IS NULL AND e.center > found.center)
     FROM found WHERE found.center IS NOT NULL)
   SELECT center FROM found WHERE center IS NOT NULL`,
);
const lockCenter = writing<{ readonly last: number }>(
  `INSERT INTO event_center AS c (center, last) VALUES (:center, 0)
   ON CONFLICT (center) DO UPDATE SET last = c.last RETURNING last`,
);
const count = writing('UPDATE event_center SET last = last + :placed WHERE center = :center');
/** A range of centers, which is one: for a single one PostgreSQL may walk all events in their order instead. */
const statements = ({ isAmong }: Dialect) => ({
  place: writing(
    `WITH part AS MATERIALIZED (
       SELECT sequence FROM event WHERE center >= :center AND center <= :center AND position IS NULL
       ORDER BY center, sequence LIMIT :limit)
     UPDATE event SET position = :last + placed.number
     FROM (SELECT sequence AS at, row_number() OVER (ORDER BY sequence) AS number FROM part) AS placed
     WHERE ${isAmong('sequence', 'SELECT sequence FROM part')} AND sequence = placed.at`,
  ),
});

/** Milliseconds between two statements: others have their turn. */
const breath = 10;

/**
 * In PostgreSQL a transaction that commits late has an early number. So an event gets its position once it is seen to be
 * there, in each center by one process at a time, and some at a time: the cost of a statement does not grow with their
 * number.
 */
export function createEventPositions(sql: Sql) {
  const { place } = statements(sql.dialect);
  const limit = sql.dialect.mostRows;
  const underway = new Map<string, Promise<void>>();
  let isClosed = false;

  /** True where there are more. */
  async function give(center: string): Promise<boolean> {
    if ((await sql.get(isUnplaced, { center })) === undefined) return false;
    return sql.transaction(async (queries) => {
      const last = (await queries.get(lockCenter, { center }))?.last;
      // Only now, behind the lock: a statement sees what was there when it began.
      const placed = await queries.run(place, { center, last, limit });
      await queries.run(count, { center, placed });
      return placed === limit;
    });
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
    /** Gives some events of a center their positions, and goes on with the rest in the background. Never rejects. */
    async giveSome(center: string): Promise<void> {
      // A reader that asks again and again leaves it its turn.
      if (underway.has(center)) return endTurn();
      const isMore = await give(center).catch(() => true);
      if (isMore) goOn(center);
    },
    /** Gives some in every center. True where there are more. */
    async giveEverywhere(): Promise<boolean> {
      let isMore = false;
      for (const { center } of await sql.all(unplacedCenters)) if (await give(center)) isMore = true;
      return isMore;
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all(underway.values());
    },
  };
}
