import type { KeptEvent, RootEvent } from '../core/model/submission/center-event.ts';
import type { EventRoutes } from '../ports/events.ts';
import { isWritten, made, rows } from './dialect.ts';
import { sealedEvent } from './journal-seal.ts';
import type { NewsWrites, PersonNews } from './people-write.ts';
import { type PersonKey, peopleOf } from './person-keys.ts';
import { type Columns, rowsValue, type StoreParts, type Write, writing } from './sql.ts';

/** A new event makes a held queue due again. */
const goesOn = `ON CONFLICT (receiver, person) DO UPDATE
  SET state = 'due', waiting = q.waiting + excluded.waiting,
  due_at = CASE q.state WHEN 'held' THEN excluded.due_at ELSE q.due_at END,
  since = CASE q.state WHEN 'held' THEN excluded.since ELSE q.since END,
  attempts = CASE q.state WHEN 'held' THEN 0 ELSE q.attempts END`;

// Events get their numbers while the person's row is locked, so one person's events are numbered in order.
const tell = writing`INSERT INTO event (id, center, reference, at, person, receivers, payload)
  SELECT told.id, told.center, told.reference, told.at, told.person, told.receivers, told.payload
  FROM ${rows('told', {
    id: 'text',
    row: 'text',
    center: 'text',
    reference: 'text',
    at: 'whole',
    person: 'text',
    receivers: 'text',
    payload: 'text',
  })}
  WHERE ${isWritten('told.row')} ORDER BY told.n
  ON CONFLICT (id) DO NOTHING RETURNING id, sequence`;
const queue = writing`
  INSERT INTO event_queue AS q (receiver, person, state, due_at, since, sent_up_to, waiting)
  SELECT added.receiver, added.person, 'due', min(added.at), min(added.at), min(e.sequence) - 1, count(*)
  FROM ${rows('added', { id: 'text', receiver: 'text', person: 'text', at: 'whole' })}
  JOIN ${made('tell', ['id', 'sequence'])} AS e ON e.id = added.id
  GROUP BY added.receiver, added.person ORDER BY added.receiver, added.person
  ${goesOn}`;

/** The text of a receiver in the receivers of an event, which are kept as one text. */
export function receiverToken(receiver: string): string {
  return JSON.stringify(receiver);
}

type ToldEvent = Columns<'id' | 'row' | 'center' | 'reference' | 'person' | 'payload', string> &
  Columns<'at', number> & { readonly receivers: readonly string[] };

type NewsParts = Pick<StoreParts, 'seal'> & { readonly routes: EventRoutes };

/** Receivers of a center that ask for events of this type; undefined if the center has no route. */
function receiversOf(routes: EventRoutes, { center, type }: Pick<KeptEvent, 'center' | 'type'>) {
  return routes(center)?.receivers.flatMap(({ id, types }) => (types.includes(type) ? [id] : []));
}

/** Keeps events, each id once, and adds them to the queues of their receivers. */
function eventWrites(events: readonly ToldEvent[]): readonly Write[] {
  if (events.length === 0) return [];
  // A group may hold an event twice; the queues count it once.
  const each = new Map(events.map((event) => [event.id, event]));
  const added = [...each.values()].flatMap(({ id, person, at, receivers }) =>
    receivers.map((receiver) => ({ id, receiver, person, at })),
  );
  return [
    { name: 'tell', statement: tell, values: { told: rowsValue(events.map(rowOf)) } },
    ...(added.length === 0 ? [] : [{ name: 'queue', statement: queue, values: { added: rowsValue(added) } }]),
  ];
}

/** Keeps the event of a root for those receivers of its center that ask for roots. */
export function rootNews({ seal, routes }: NewsParts) {
  return (event: RootEvent): readonly Write[] => {
    const { id, center, at } = event;
    const receivers = receiversOf(routes, event) ?? [];
    if (receivers.length === 0) return [];
    const payload = sealedEvent.seal(seal, id, event);
    // A receiver has one queue for all roots, in the order of their days.
    return eventWrites([{ id, row: center, center, reference: id, at, person: 'roots', receivers, payload }]);
  };
}

/** Keeps the events of what people did. */
export function eventNews({ seal, routes }: NewsParts, key: PersonKey): NewsWrites {
  /** Leaves out centers that have no route: their events are not kept. */
  function* eventsOf({ row, subject, news }: PersonNews): Generator<ToldEvent> {
    for (const { events, center, reference, channel } of news) {
      const person = peopleOf(key, center)(subject);
      for (const event of events) {
        const { id, type, at } = event;
        const receivers = receiversOf(routes, { center, type });
        if (receivers === undefined) continue;
        const payload = sealedEvent.seal(seal, id, { ...event, center, subject, reference, channel });
        yield { id, row, center, reference, at, person, receivers, payload };
      }
    }
  }

  return (items) => eventWrites(items.flatMap((item) => [...eventsOf(item)]));
}

/** An event without receivers is kept without its person, so that it is not linked to other events. */
function rowOf({ person, receivers, ...event }: ToldEvent) {
  if (receivers.length === 0) return event;
  return { ...event, person, receivers: receivers.map(receiverToken).join() };
}
