import type { EventStop } from '../core/model/submission/center-event.ts';
import type { EventRoutes, Events } from '../ports/events.ts';
import { rows } from './dialect.ts';
import { eventNews } from './event-news.ts';
import { eventPositions } from './event-positions.ts';
import { eventQueue, type QueueName, recountQueues } from './event-queue.ts';
import { eventLifeMs, sealedEvent } from './journal-seal.ts';
import { lastWords } from './last-words.ts';
import type { NewsWrites } from './people-write.ts';
import { takePersonKeys } from './person-keys.ts';
import {
  type Columns,
  deleteSome,
  type Queries,
  reading,
  rowsValue,
  type StoreParts,
  writing,
} from './sql.ts';

const page = reading<Columns<'id' | 'payload', string> & Columns<'position', number>>`
  SELECT id, position, payload FROM event WHERE center = :center AND position > :after
  ORDER BY position LIMIT :limit`;
const counter = reading<Columns<'gone' | 'last', number>>`
  SELECT gone, last FROM event_center WHERE center = :center`;
const stop = writing`INSERT INTO event_stop (reference, name, at)
  SELECT reference, :name, :at FROM event WHERE id = :id AND center = :center ON CONFLICT DO NOTHING`;
const isThere = reading`SELECT 1 FROM event WHERE id = :id AND center = :center`;
const stops = reading<EventStop>`
  SELECT name, at FROM event_stop WHERE reference = :reference ORDER BY at, name`;
// An event without a position is not deleted: readers learn up to which position events are gone.
const over = deleteSome<GoneEvent>('event', 'at', {
  where: 'at < :before AND position IS NOT NULL',
  limit: ':limit',
  returning: 'center, position, person, receivers',
});
// Sorted, so that all sweeps lock centers in the same order.
const setGone = writing`UPDATE event_center SET gone = swept.position FROM (
    SELECT center, max(position) AS position FROM ${rows('gone', { center: 'text', position: 'whole' })}
    GROUP BY center ORDER BY center) AS swept
  WHERE event_center.center = swept.center AND event_center.gone < swept.position`;
const overStops = deleteSome('event_stop', 'at');

type GoneEvent = Columns<'center', string> &
  Columns<'position', number> &
  Partial<Columns<'person' | 'receivers', string>>;

/** The events of the journal, shared by any number of processes. */
export async function openEvents(parts: StoreParts & { readonly routes: EventRoutes }) {
  const { sql, seal } = parts;
  const taken = await takePersonKeys(parts);
  const words = lastWords(parts, taken);
  const eventWrites = eventNews(parts, taken.keys[0]);
  const positions = eventPositions(sql);

  /** Deletes events that are over, and what was still to be sent of them. */
  async function sweepEvents(queries: Queries, before: number): Promise<number> {
    const gone = await queries.all(over, { before, limit: sql.dialect.mostRows });
    if (gone.length > 0) await queries.run(setGone, { gone: rowsValue(gone) });
    await recountQueues(queries, queuesOf(gone));
    return gone.length;
  }

  /**
   * The writes of events and last words. One transaction at a time writes about a person, so these are in
   * order.
   */
  const newsWrites: NewsWrites = (items) => [...words.say(items), ...eventWrites(items)];
  const events: Events = {
    ...eventQueue(sql, seal),
    mayUse: words.mayUse,
    async page(center, { after, limit }) {
      await positions.giveSome(center, limit);
      const rows = await sql.all(page, { center, after, limit });
      // Read after the page, so that `goneUpTo` covers events that were deleted before the page was read.
      const { gone: goneUpTo, last } = (await sql.get(counter, { center })) ?? { gone: 0, last: 0 };
      return {
        goneUpTo,
        last,
        events: rows.map(({ id, position, payload }) => ({
          position,
          event: sealedEvent.open(seal, id, payload),
        })),
      };
    },
    async stopped(center, id, { name, at }) {
      await sql.run(stop, { center, id, name, at });
      return (await sql.get(isThere, { center, id })) !== undefined;
    },
    stopsOf: (reference) => sql.all(stops, { reference }),
    async sweep() {
      const before = sql.clock.now() - eventLifeMs;
      const isMore = await positions.giveEverywhere();
      const swept = await sql.transaction((queries) => sweepEvents(queries, before));
      return swept + (await sql.run(overStops, { before })) + Number(isMore);
    },
  };
  return { events, newsWrites };
}

function queuesOf(rows: readonly GoneEvent[]): readonly QueueName[] {
  const queues = new Map<string, QueueName>();
  for (const { person, receivers } of rows) {
    if (person === undefined) continue;
    for (const receiver of JSON.parse(`[${receivers}]`) as string[])
      queues.set(`${person} ${receiver}`, { receiver, person });
  }
  return [...queues.values()];
}
