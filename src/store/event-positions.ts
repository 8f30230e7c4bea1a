import { isAmong, part } from './dialect.ts';
import { type Columns, reading, type Sql, writing } from './sql.ts';

const isUnplaced = reading`
  SELECT 1 FROM event WHERE center >= :center AND center <= :center AND position IS NULL LIMIT 1`;
/** Of each center its first row of the index alone is read. */
const unplacedCenters = reading<{ readonly center: string }>`WITH RECURSIVE found AS (
    SELECT min(center) AS center FROM event WHERE position IS NULL
    UNION ALL
    SELECT (SELECT min(e.center) FROM event e WHERE e.position IS NULL AND e.center > found.center)
    FROM found WHERE found.center IS NOT NULL)
  SELECT center FROM found WHERE center IS NOT NULL`;
const lockCenter = writing<Columns<'last', number>>`
  INSERT INTO event_center AS c (center, last) VALUES (:center, 0)
  ON CONFLICT (center) DO UPDATE SET last = c.last RETURNING last`;
const count = writing`UPDATE event_center SET last = last + :placed WHERE center = :center`;
/** A range of centers, which is one: for a single one PostgreSQL may walk all events in their order instead. */
const place = writing`WITH part AS MATERIALIZED (
    SELECT sequence FROM event WHERE center >= :center AND center <= :center AND position IS NULL
    ORDER BY center, sequence LIMIT :limit)
  UPDATE event SET position = :last + placed.number
  FROM (SELECT sequence AS at, row_number() OVER (ORDER BY sequence) AS number FROM part) AS placed
  WHERE ${isAmong('sequence', part`SELECT sequence FROM part`)} AND sequence = placed.at`;

/**
 * In PostgreSQL a transaction that commits late has an early number. So an event gets its position once it is seen to be
 * there, in each center by one process at a time, and some at a time: the cost of a statement does not grow with their
 * number.
 */
export function eventPositions(sql: Sql) {
  const limit = sql.dialect.mostRows;
  /** By center. */
  const underway = new Map<string, Promise<void>>();

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

  async function giveParts(center: string, least: number): Promise<void> {
    let isMore = true;
    for (let given = 0; isMore && given < least; given += limit)
      // What is left is placed for the next reader, or by the next sweep.
      isMore = await give(center).catch(() => false);
  }

  return {
    /**
     * Gives so many events of a center their positions, or more. Never rejects. Readers share what one of them began
     * after they came: each would wait for the center with a connection of its own.
     */
    async giveSome(center: string, least: number): Promise<void> {
      await underway.get(center);
      await underway.getOrInsertComputed(center, () =>
        giveParts(center, least).finally(() => underway.delete(center)),
      );
    },
    /** Gives some in every center that is not held by others for long. True where there are more. */
    async giveEverywhere(): Promise<boolean> {
      let isMore = false;
      for (const { center } of await sql.all(unplacedCenters))
        if (await give(center).catch(() => false)) isMore = true;
      return isMore;
    },
  };
}
