import assert from 'node:assert/strict';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import { everyEventType, type NewEvent } from '../../../src/core/model/submission/center-event.ts';
import type { EventRoutes, QueuedEvent } from '../../../src/ports/events.ts';
import { rows } from '../../../src/store/dialect.ts';
import { openEvents } from '../../../src/store/events.ts';
import type { PersonNews } from '../../../src/store/people-write.ts';
import { reading, rowsValue, type StoreParts } from '../../../src/store/sql.ts';
import { anna } from './test-store.ts';

export type EventNode = Awaited<ReturnType<typeof openNode>>;

/** One process on the store. */
export async function openNode(parts: StoreParts & { readonly routes: EventRoutes }) {
  const { sql } = parts;
  const people = reading`SELECT r.subject FROM ${rows('r', { subject: 'text' })}`;
  const { events, newsWrites } = await openEvents(parts);
  return {
    events,
    /** Writes news in one transaction that locks these people, as the journal does. */
    write: (...items: readonly Omit<PersonNews, 'row'>[]) =>
      sql.transaction(async (queries) => {
        const rows = items.map(({ subject }) => ({ subject }));
        await queries.hold(items.map(({ subject }) => subject));
        const lead = { name: 'lead', statement: people, values: { r: rowsValue(rows) } };
        const news = newsWrites(items.map((item) => ({ ...item, row: item.subject })));
        if (news.length > 0) await queries.together([lead, ...news]);
      }),
  };
}

const to = (...ids: readonly string[]) => ids.map((id) => ({ id, types: everyEventType }));

/** One center has a receiver, one keeps its events for readers, and any other keeps none. */
export const routes: EventRoutes = (center) => {
  if (center === 'center') return { receivers: to('crm') };
  return center === 'pulled' ? { receivers: [] } : undefined;
};

interface Item {
  readonly subject?: SubjectId;
  readonly center?: string;
  /** The withdrawn purposes; `''` is everything. */
  readonly off?: readonly string[];
  readonly at?: number;
}

let made = 0;

function itemOf({ subject = anna, center = 'center' }: Item, events: readonly Omit<NewEvent, 'id'>[]) {
  made += 1;
  const reference = `ref-${made}`;
  const numbered = events.map((event, index): NewEvent => ({ ...event, id: `${reference}-${index}` }));
  const words = events.map(({ purpose = '', change }) => ({ purpose, isOff: change !== 'on' }));
  const news = [{ reference, center, channel: 'link', events: numbered, words }] as const;
  return { reference, subject, news };
}

/** News of an accepted withdrawal. */
export function withdrawal({ off = [''], at = 1_000, ...more }: Item = {}) {
  const accepted = { type: 'withdrawal.accepted', at, outcome: 'accepted' } as const;
  const changes = off.map((purpose) =>
    purpose === ''
      ? { purpose: undefined, change: 'everything' as const }
      : { purpose, change: 'off' as const },
  );
  return itemOf(
    more,
    changes.map((change) => ({ ...accepted, ...change })),
  );
}

/** News of a grant that was read back. */
export function grant({ on: purpose, at = 2_000, ...more }: Omit<Item, 'off'> & { readonly on: string }) {
  return itemOf(more, [{ type: 'consent.verified', at, purpose, change: 'on', outcome: 'saved' }]);
}

export const lease = (now: number) => ({ owner: `owner-${now}`, now, until: now + 60_000 });

export async function claimOne({ events }: EventNode, now = 10_000): Promise<QueuedEvent> {
  const queued = await events.claim('crm', lease(now));
  assert.ok(queued !== undefined);
  return queued;
}

export async function positionsOf({ events }: EventNode, center: string, after = 0, limit = 100) {
  return (await events.page(center, { after, limit })).events.map(({ position }) => position);
}

export async function countsOf({ events }: EventNode, most = 9_999) {
  const [counts] = await events.queuesOf(['crm'], most);
  assert.ok(counts);
  return counts;
}
