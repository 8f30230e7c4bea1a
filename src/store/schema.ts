import type { Tables } from './dialect.ts';

/*
 * Tables of stores, for both databases. Times are epoch milliseconds. There is no migration: a change here
 * makes another layout, and a folder or a database of another layout is refused at the start.
 */

/** Sessions, sign-outs, passcodes, used tokens and rate counters, all of which expire. */
export const sessionTables: Tables = ({ whole, tableEnd }) => [
  `CREATE TABLE session (
     store text NOT NULL,
     id text NOT NULL,
     payload text,
     made_at ${whole} NOT NULL,
     touched_at ${whole} NOT NULL,
     ends_at ${whole} NOT NULL,
     PRIMARY KEY (store, id)
   ) ${tableEnd};
   CREATE INDEX session_end ON session (ends_at);
   CREATE TABLE session_subject (
     store text NOT NULL,
     subject text NOT NULL,
     session text NOT NULL,
     PRIMARY KEY (store, subject, session)
   ) ${tableEnd};
   CREATE INDEX session_subject_session ON session_subject (store, session);
   CREATE TABLE sign_out (
     store text NOT NULL,
     subject text NOT NULL,
     at ${whole} NOT NULL,
     PRIMARY KEY (store, subject)
   ) ${tableEnd};
   CREATE INDEX sign_out_at ON sign_out (store, at)`,
  `CREATE TABLE passcode (
     id text PRIMARY KEY,
     link text NOT NULL UNIQUE,
     code text NOT NULL,
     center text NOT NULL,
     subject text NOT NULL,
     person text NOT NULL,
     receiver text,
     digits ${whole} NOT NULL,
     attempts ${whole} NOT NULL DEFAULT 0,
     ends_at ${whole} NOT NULL,
     used_at ${whole},
     ended_at ${whole}
   ) ${tableEnd};
   CREATE INDEX passcode_end ON passcode (ends_at);
   CREATE INDEX passcode_person ON passcode (person);
   CREATE INDEX passcode_receiver ON passcode (receiver, ends_at) WHERE receiver IS NOT NULL`,
  `CREATE TABLE used_token (id text PRIMARY KEY, until ${whole} NOT NULL) ${tableEnd};
   CREATE INDEX used_token_until ON used_token (until);
   CREATE TABLE rate_counter (id text PRIMARY KEY, count ${whole} NOT NULL, ends_at ${whole} NOT NULL) ${tableEnd};
   CREATE INDEX rate_counter_end ON rate_counter (ends_at)`,
];

/** Data of staff, and the public keys of signed records. */
export const staffTables: Tables = ({ whole, numbered, tableEnd }) => [
  `CREATE TABLE audit (
     sequence ${numbered},
     at ${whole} NOT NULL,
     staff text,
     name text NOT NULL,
     does text NOT NULL,
     about text,
     outcome text NOT NULL
   ) ${tableEnd};
   CREATE INDEX audit_at ON audit (at);
   CREATE TABLE failed_sign_in (
     kind text PRIMARY KEY,
     started_at ${whole} NOT NULL,
     lines ${whole} NOT NULL,
     count ${whole} NOT NULL,
     sequence ${whole}
   ) ${tableEnd};
   CREATE TABLE recent_task (
     sequence ${numbered},
     staff text NOT NULL,
     task text NOT NULL,
     name text NOT NULL,
     at ${whole} NOT NULL,
     UNIQUE (staff, task)
   ) ${tableEnd};
   CREATE INDEX recent_task_at ON recent_task (at);
   CREATE TABLE form (nonce text PRIMARY KEY, at ${whole} NOT NULL, result text) ${tableEnd};
   CREATE INDEX form_at ON form (at)`,
  `CREATE TABLE record_key (sequence ${numbered}, kid text NOT NULL UNIQUE, key text NOT NULL) ${tableEnd}`,
];

/** The platform's quota, shared by all processes, and the turns of people who wait for it. */
export const quotaTables: Tables = ({ whole, tableEnd }) => [
  `CREATE TABLE quota (one integer PRIMARY KEY CHECK (one = 1), text text NOT NULL, version ${whole} NOT NULL) ${tableEnd};
   CREATE TABLE quota_turn (id text PRIMARY KEY, number ${whole} NOT NULL, ends_at ${whole} NOT NULL) ${tableEnd};
   CREATE INDEX quota_turn_end ON quota_turn (ends_at)`,
];

/** Links of the platform's hosted pages, a million of which may come in at once. */
export const hostedLinkTables: Tables = ({ whole, tableEnd }) => [
  `CREATE TABLE hosted_link (
     token text PRIMARY KEY,
     person text NOT NULL,
     subject text NOT NULL,
     made_at ${whole} NOT NULL,
     ends_at ${whole} NOT NULL
   ) ${tableEnd};
   CREATE INDEX hosted_link_end ON hosted_link (ends_at);
   CREATE INDEX hosted_link_person ON hosted_link (person);
   CREATE TABLE hosted_link_count (
     day ${whole} NOT NULL,
     center text NOT NULL,
     outcome text NOT NULL,
     count ${whole} NOT NULL,
     PRIMARY KEY (day, center, outcome)
   ) ${tableEnd}`,
];
