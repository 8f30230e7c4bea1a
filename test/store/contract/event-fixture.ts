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
    /** In one transaction that holds these people, as the journal's. */
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

/** One center whose events go to one receiver, one that is asked for them, and no other. */
export const routes: EventRoutes = (center) => {
  if (center === 'center') return { receivers: to('crm') };
  return center === 'pulled' ? { receivers: [] } : undefined;
};

interface Said {
  readonly subject?: SubjectId;
  readonly center?: string;
  /** `''`: everything. */
  readonly off?: readonly string[];
  readonly at?: number;
}

let made = 0;

function told({ subject = anna, center = 'center' }: Said, events: readonly Omit<NewEvent, 'id'>[]) {
  made += 1;
  const reference = `ref-${made}`;
  const numbered = events.map((event, index): NewEvent => ({ ...event, id: `${reference}-${index}` }));
  const words = events.map(({ purpose = '', change }) => ({ purpose, isOff: change !== 'on' }));
  const news = [{ reference, center, channel: 'link', events: numbered, words }] as const;
  return { reference, subject, news };
}

/** What is told, and kept, once a withdrawal is accepted. */
export function withdrawal({ off = [''], at = 1_000, ...said }: Said = {}) {
  const accepted = { type: 'withdrawal.accepted', at, outcome: 'accepted' } as const;
  const changes = off.map((purpose) =>
    purpose === ''
      ? { purpose: undefined, change: 'everything' as const }
      : { purpose, change: 'off' as const },
  );
  return told(
    said,
    changes.map((change) => ({ ...accepted, ...change })),
  );
}

/** What is told once a grant was read back. */
export function grant({ on: purpose, at = 2_000, ...said }: Omit<Said, 'off'> & { readonly on: string }) {
  return told(said, [{ type: 'consent.verified', at, purpose, change: 'on', outcome: 'saved' }]);
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
