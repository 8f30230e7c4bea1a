import type { Tables } from './dialect.ts';

/** Events of submissions, the queues of their receivers, and the last words of each person. */
export const eventTables: Tables = ({ whole, numbered, tableEnd, keyTableEnd }) => [
  `CREATE TABLE event (
     sequence ${numbered},
     id text NOT NULL UNIQUE,
     center text NOT NULL,
     position ${whole},
     reference text NOT NULL,
     at ${whole} NOT NULL,
     person text,
     receivers text,
     payload text NOT NULL
   ) ${tableEnd};
   CREATE UNIQUE INDEX event_position ON event (center, position);
   CREATE INDEX event_unplaced ON event (center, sequence) WHERE position IS NULL;
   CREATE INDEX event_person ON event (person, sequence) WHERE person IS NOT NULL;
   CREATE INDEX event_at ON event (at);
   CREATE INDEX event_reference ON event (reference);
   CREATE TABLE event_center (
     center text PRIMARY KEY,
     last ${whole} NOT NULL,
     gone ${whole} NOT NULL DEFAULT 0
   ) ${tableEnd};
   CREATE TABLE event_queue (
     receiver text NOT NULL,
     person text NOT NULL,
     state text NOT NULL,
     due_at ${whole} NOT NULL,
     since ${whole} NOT NULL,
     attempts ${whole} NOT NULL DEFAULT 0,
     problem text,
     owner text,
     sent_up_to ${whole} NOT NULL,
     waiting ${whole} NOT NULL,
     PRIMARY KEY (receiver, person)
   ) ${keyTableEnd};
   CREATE INDEX event_queue_next ON event_queue (receiver, state, due_at);
   CREATE TABLE event_receiver (receiver text PRIMARY KEY, stopped_at ${whole}) ${tableEnd};
   CREATE TABLE event_stop (
     reference text NOT NULL,
     name text NOT NULL,
     at ${whole} NOT NULL,
     PRIMARY KEY (reference, name)
   ) ${tableEnd};
   CREATE INDEX event_stop_at ON event_stop (at)`,
  `CREATE TABLE person_key (number ${whole} PRIMARY KEY, key text NOT NULL, made_at ${whole} NOT NULL) ${tableEnd};
   CREATE TABLE last_word (
     person text NOT NULL,
     purpose text NOT NULL,
     is_off ${whole} NOT NULL,
     everything ${whole} NOT NULL,
     PRIMARY KEY (person, purpose)
   ) ${keyTableEnd}`,
];
