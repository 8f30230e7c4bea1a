/** What is told of submissions, the queues of whoever is called, and what was last said by whom. */
export const eventTables = `
  CREATE TABLE event (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    center TEXT NOT NULL,
    position INTEGER NOT NULL,
    reference TEXT NOT NULL,
    at INTEGER NOT NULL,
    payload TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX event_position ON event (center, position);
  CREATE INDEX event_at ON event (at);
  CREATE TABLE event_center (
    center TEXT PRIMARY KEY,
    last INTEGER NOT NULL,
    gone INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE event_queue (
    receiver TEXT NOT NULL,
    person TEXT NOT NULL,
    state TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    since INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    problem TEXT,
    owner TEXT,
    PRIMARY KEY (receiver, person)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX event_queue_next ON event_queue (receiver, state, due_at);
  CREATE TABLE event_delivery (
    receiver TEXT NOT NULL,
    person TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (receiver, person, sequence)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX event_delivery_event ON event_delivery (sequence);
  CREATE TABLE event_receiver (receiver TEXT PRIMARY KEY, stopped_at INTEGER) STRICT;
  CREATE TABLE event_stop (
    reference TEXT NOT NULL,
    name TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (reference, name)
  ) STRICT;
  CREATE INDEX event_stop_at ON event_stop (at);
  CREATE TABLE person_key (number INTEGER PRIMARY KEY, key TEXT NOT NULL, made_at INTEGER NOT NULL) STRICT;
  CREATE TABLE last_word (
    person TEXT NOT NULL,
    purpose TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    is_off INTEGER NOT NULL,
    PRIMARY KEY (person, purpose)
  ) STRICT, WITHOUT ROWID`;
