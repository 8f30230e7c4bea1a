import { isAmong, part } from './dialect.ts';
import { type Columns, reading, type Sql, writing } from './sql.ts';

const isUnplaced = reading`
  SELECT 1 FROM event WHERE center >= :center AND center <= :center AND position IS NULL LIMIT 1`;
/** Reads one row of the index for each center. */
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
/**
 * The range of centers holds one center: for `center = :center` PostgreSQL may scan all events in their
 * order.
 */
const place = writing`WITH part AS MATERIALIZED (
    SELECT sequence FROM event WHERE center >= :center AND center <= :center AND position IS NULL
    ORDER BY center, sequence LIMIT :limit)
  UPDATE event SET position = :last + placed.number
  FROM (SELECT sequence AS at, row_number() OVER (ORDER BY sequence) AS number FROM part) AS placed
  WHERE ${isAmong('sequence', part`SELECT sequence FROM part`)} AND sequence = placed.at`;

/**
 * In PostgreSQL a transaction that commits late may have an early number, so an event gets its position only
 * once it is visible. In a center one process at a time gives positions, some at a time: the cost of a
 * statement does not grow with the number of events.
 */
export function eventPositions(sql: Sql) {
  const limit = sql.dialect.mostRows;
  /** Work that is running, by center. */
  const underway = new Map<string, Promise<void>>();

  /** Gives positions to some events of a center. True if there are more. */
  async function give(center: string): Promise<boolean> {
    if ((await sql.get(isUnplaced, { center })) === undefined) return false;
    return sql.transaction(async (queries) => {
      const last = (await queries.get(lockCenter, { center }))?.last;
      // Runs after the lock is taken: a statement sees only what was committed when it began.
      const placed = await queries.run(place, { center, last, limit });
      await queries.run(count, { center, placed });
      return placed === limit;
    });
  }

  async function giveParts(center: string, least: number): Promise<void> {
    let isMore = true;
    for (let given = 0; isMore && given < least; given += limit)
      // After a fault the next reader or sweep places the rest.
      isMore = await give(center).catch(() => false);
  }

  return {
    /**
     * Gives positions to at least so many events of a center, if it has as many. Never rejects. Readers share
     * a run that began after they came: each run takes a connection, and waits for the center's lock.
     */
    async giveSome(center: string, least: number): Promise<void> {
      await underway.get(center);
      await underway.getOrInsertComputed(center, () =>
        giveParts(center, least).finally(() => underway.delete(center)),
      );
    },
    /** Gives positions to some events in every center that is not locked for long. True if there are more. */
    async giveEverywhere(): Promise<boolean> {
      let isMore = false;
      for (const { center } of await sql.all(unplacedCenters))
        if (await give(center).catch(() => false)) isMore = true;
      return isMore;
    },
  };
}
