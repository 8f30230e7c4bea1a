import type { KeptEvent, RootEvent } from '../core/model/submission/center-event.ts';
import type { EventRoutes } from '../ports/events.ts';
import { isWritten, made, rows } from './dialect.ts';
import { sealedEvent } from './journal-seal.ts';
import type { NewsWrites, PersonNews } from './people-write.ts';
import { type PersonKey, peopleOf } from './person-keys.ts';
import { type Columns, rowsValue, type StoreParts, type Write, writing } from './sql.ts';

/** What was held goes on with what comes after it. */
const goesOn = `ON CONFLICT (receiver, person) DO UPDATE
  SET state = 'due', waiting = q.waiting + excluded.waiting,
  due_at = CASE q.state WHEN 'held' THEN excluded.due_at ELSE q.due_at END,
  since = CASE q.state WHEN 'held' THEN excluded.since ELSE q.since END,
  attempts = CASE q.state WHEN 'held' THEN 0 ELSE q.attempts END`;

// Their numbers are taken once the person's row is held: those of one person are in their order.
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

/** The receivers of an event are kept as one text; each is found in it by this one. */
export function receiverToken(receiver: string): string {
  return JSON.stringify(receiver);
}

type ToldEvent = Columns<'id' | 'row' | 'center' | 'reference' | 'person' | 'payload', string> &
  Columns<'at', number> & { readonly receivers: readonly string[] };

type NewsParts = Pick<StoreParts, 'seal'> & { readonly routes: EventRoutes };

/** Those of a center that ask for events of this type. */
function receiversOf(routes: EventRoutes, { center, type }: Pick<KeptEvent, 'center' | 'type'>) {
  return routes(center)?.receivers.flatMap(({ id, types }) => (types.includes(type) ? [id] : []));
}

/** Keeps events, with the queues of their receivers. No two have the same id. */
function eventWrites(events: readonly ToldEvent[]): readonly Write[] {
  if (events.length === 0) return [];
  // Once, also when a group has it twice.
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
    // One queue for each receiver, in the order of the days.
    return eventWrites([{ id, row: center, center, reference: id, at, person: 'roots', receivers, payload }]);
  };
}

/** Keeps what people did. */
export function eventNews({ seal, routes }: NewsParts, key: PersonKey): NewsWrites {
  /** Of a center that has no route nothing is kept. */
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

/** An event without a receiver does not tell which other events are of its person. */
function rowOf({ person, receivers, ...event }: ToldEvent) {
  if (receivers.length === 0) return event;
  return { ...event, person, receivers: receivers.map(receiverToken).join() };
}
