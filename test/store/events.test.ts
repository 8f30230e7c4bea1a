import { eventTables } from '../../src/store/event-tables.ts';
import { eraseEvents } from '../../src/store/person-erasure.ts';
import { openNode, routes } from './contract/event-fixture.ts';
import { eventsContract } from './contract/events.ts';
import { onBoth } from './judged.ts';

/**
 * Rows as after a month of many clicks: one of a hundred events has no position yet, and a receiver waits for
 * one of two people.
 */
const rows = 60_000;
const fill = `
  INSERT INTO event (id, center, position, reference, at, person, receivers, payload)
  SELECT 'e' || n, 'center' || n % 50, CASE WHEN n % 100 > 0 THEN n END, 'r' || n, n::bigint * 1000000,
    CASE WHEN n % 2 = 0 THEN 'p' || n END, CASE WHEN n % 2 = 0 THEN '"crm"' END, 'unreadable' FROM generate_series(1, ${rows}) AS n;
  INSERT INTO event_queue (receiver, person, state, due_at, since, sent_up_to, waiting)
  SELECT 'crm' || n % 5, 'p' || n, CASE WHEN n % 3 > 0 THEN 'due' ELSE 'held' END, n, n, n - 1, 1 FROM generate_series(1, ${rows}) AS n;
  INSERT INTO event_center SELECT 'center' || n, 0, 0 FROM generate_series(1, ${rows}) AS n WHERE n < 50;
  INSERT INTO event_stop SELECT 'r' || n, 'CRM', n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO last_word SELECT 'p' || n, 'a', 1, 0 FROM generate_series(1, ${rows}) AS n`;

onBoth('The store of events', {
  contract: (storeOf) => eventsContract(storeOf((given) => openNode({ ...given, routes }))),
  layoutOf: eventTables,
  others: [eraseEvents],
  grows: 'event|event_queue|event_stop|last_word',
  fill,
  indexes: {
    event_unplaced: /SET position = /,
    event_person: /AND sequence > (\$\d|:after)/,
    event_at: /^DELETE FROM event /,
    event_reference: /^DELETE FROM event WHERE .*RETURNING person$/,
    event_queue_next: /ORDER BY due_at LIMIT 1/,
    event_stop_at: /^DELETE FROM event_stop/,
  },
});
