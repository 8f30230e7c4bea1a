import type { RootEvent } from '../core/model/submission/center-event.ts';
import type { EventRoutes } from '../ports/events.ts';
import type { Seal } from '../ports/seal.ts';
import { type PersonKey, peopleOf, sealEvent } from './event-seal.ts';
import type { NewsWrites, PersonNews } from './people-write.ts';
import { type Dialect, type Queries, rowsValue, writing } from './sql.ts';

/** What was held goes on with what comes after it. */
const goesOn = `ON CONFLICT (receiver, person) DO UPDATE SET state = 'due', waiting = q.waiting + excluded.waiting,
  due_at = CASE q.state WHEN 'held' THEN excluded.due_at ELSE q.due_at END,
  since = CASE q.state WHEN 'held' THEN excluded.since ELSE q.since END,
  attempts = CASE q.state WHEN 'held' THEN 0 ELSE q.attempts END`;

const statements = ({ rows, isWritten, made }: Dialect) => ({
  // Their numbers are taken once the person's row is held: those of one person are in their order.
  tell: writing(
    `INSERT INTO event (id, center, reference, at, person, receivers, payload)
     SELECT told.id, told.center, told.reference, told.at, told.person, told.receivers, told.payload
     FROM ${rows('told', {
       ...{ id: 'text', row: 'text', center: 'text', reference: 'text', at: 'whole' },
       ...{ person: 'text', receivers: 'text', payload: 'text' },
     })}
     WHERE ${isWritten('told.row')} ORDER BY told.n
     ON CONFLICT (id) DO NOTHING RETURNING id, sequence`,
  ),
  queue: writing(
    `INSERT INTO event_queue AS q (receiver, person, state, due_at, since, sent_up_to, waiting)
     SELECT added.receiver, added.person, 'due', min(added.at), min(added.at), min(e.sequence) - 1, count(*)
     FROM ${rows('added', { id: 'text', receiver: 'text', person: 'text', at: 'whole' })}
     JOIN ${made('tell', ['id', 'sequence'])} AS e ON e.id = added.id
     GROUP BY added.receiver, added.person ORDER BY added.receiver, added.person
     ${goesOn}`,
  ),
});

/** The receivers of an event are kept as one text; each is found in it by this one. */
export function receiverToken(receiver: string): string {
  return JSON.stringify(receiver);
}

/** In one queue for each receiver, in the order of their days. */
const rootsOfCenter = 'roots';

const rootStatements = ({ rows }: Dialect) => ({
  tell: writing(
    `INSERT INTO event (id, center, reference, at, person, receivers, payload)
     VALUES (:id, :center, :id, :at, '${rootsOfCenter}', :receivers, :payload) RETURNING sequence`,
  ),
  queue: writing(
    `INSERT INTO event_queue AS q (receiver, person, state, due_at, since, sent_up_to, waiting)
     SELECT added.receiver, '${rootsOfCenter}', 'due', CAST(:at AS bigint), CAST(:at AS bigint), CAST(:before AS bigint), 1
     FROM ${rows('added', { receiver: 'text' })} WHERE true
     ${goesOn}`,
  ),
});

/** Tells a root to those receivers of its center that ask for roots, in the transaction that keeps it. */
export function rootNews({
  dialect,
  seal,
  routes,
}: {
  readonly dialect: Dialect;
  readonly seal: Seal;
  readonly routes: EventRoutes;
}) {
  const { tell, queue } = rootStatements(dialect);
  return async (queries: Queries, event: RootEvent): Promise<void> => {
    const { id, center, at } = event;
    const asking = (routes(center)?.receivers ?? []).filter(({ types }) => types.includes(event.type));
    if (asking.length === 0) return;
    const receivers = asking.map((each) => receiverToken(each.id)).join();
    const payload = sealEvent(seal, event);
    const told = await queries.get(tell, { id, center, at, receivers, payload });
    const before = Number(told?.['sequence']) - 1;
    await queries.run(queue, { at, before, added: rowsValue(asking.map((each) => ({ receiver: each.id }))) });
  };
}

/** Keeps events, with the queues of their receivers. No two have the same id. */
export function eventNews({
  dialect,
  seal,
  routes,
  key,
}: {
  readonly dialect: Dialect;
  readonly seal: Seal;
  readonly routes: EventRoutes;
  readonly key: PersonKey;
}): NewsWrites {
  const { tell, queue } = statements(dialect);

  /** Of a center that has no route nothing is kept. */
  function* eventsOf({ row, subject, news }: PersonNews): Generator<ToldEvent> {
    for (const { events, center, ...about } of news) {
      const route = routes(center);
      if (route === undefined) continue;
      const person = peopleOf(key, center)(subject);
      for (const event of events) {
        const { id, type, at } = event;
        const receivers = route.receivers.flatMap((to) => (to.types.includes(type) ? [to.id] : []));
        const { reference, channel } = about;
        const payload = sealEvent(seal, { ...event, center, subject, reference, channel });
        yield { id, row, center, reference, at, person, receivers, payload };
      }
    }
  }

  return (items) => {
    const events = items.flatMap((item) => [...eventsOf(item)]);
    if (events.length === 0) return [];
    // Once, also when a group has it twice.
    const each = new Map(events.map((event) => [event.id, event]));
    const added = [...each.values()].flatMap(({ id, person, at, receivers }) =>
      receivers.map((receiver) => ({ id, receiver, person, at })),
    );
    return [
      { name: 'tell', statement: tell, values: { told: rowsValue(events.map(rowOf)) } },
      ...(added.length === 0
        ? []
        : [{ name: 'queue', statement: queue, values: { added: rowsValue(added) } }]),
    ];
  };
}

interface ToldEvent {
  readonly id: string;
  readonly row: string;
  readonly center: string;
  readonly reference: string;
  readonly at: number;
  readonly person: string;
  readonly receivers: readonly string[];
  readonly payload: string;
}

/** An event without a receiver does not tell which other events are of its person. */
function rowOf({ person, receivers, ...event }: ToldEvent) {
  const isCalledFor = receivers.length > 0;
  return {
    ...event,
    person: isCalledFor ? person : null,
    receivers: isCalledFor ? receivers.map(receiverToken).join() : null,
  };
}
