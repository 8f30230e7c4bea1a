import { eventTables } from './event-tables.ts';

/**
 * One step for each version of the schema that was ever released, each safe while the release before it still runs; see
 * "A migration" in CONTRIBUTING.md. Times are epoch milliseconds.
 */
export const migrations: readonly string[] = [
  `CREATE SEQUENCE submission_sequence;
   CREATE TABLE submission (
     sequence bigint PRIMARY KEY DEFAULT nextval('submission_sequence'),
     reference text NOT NULL UNIQUE,
     nonce text NOT NULL UNIQUE,
     digest text NOT NULL,
     center text NOT NULL,
     subject text NOT NULL,
     channel text NOT NULL,
     state text NOT NULL,
     everything boolean NOT NULL,
     withdraws boolean NOT NULL,
     gpc boolean NOT NULL,
     submitted_at bigint NOT NULL,
     due_at bigint NOT NULL,
     expires_at bigint,
     done_at bigint,
     passable boolean NOT NULL,
     lease_owner text,
     lease_until bigint NOT NULL DEFAULT 0,
     undoes text,
     undone_by text,
     repeats text,
     receipts text NOT NULL DEFAULT '[]',
     payload text,
     superseded text[] NOT NULL DEFAULT '{}',
     evidence text
   );
   CREATE INDEX submission_next ON submission (withdraws, due_at, sequence) WHERE state = 'pending';
   CREATE INDEX submission_expiry ON submission (expires_at, sequence)
     WHERE state = 'pending' AND expires_at IS NOT NULL;
   CREATE INDEX submission_due ON submission (due_at) WHERE state = 'pending';
   CREATE INDEX submission_waiting ON submission (submitted_at) WHERE state = 'pending';
   CREATE INDEX submission_open ON submission (subject, center, sequence) WHERE state = 'pending';
   CREATE INDEX submission_subject ON submission (subject, center, sequence);
   CREATE INDEX submission_recent ON submission (subject, done_at);
   CREATE INDEX submission_click ON submission (subject, center, sequence) WHERE channel = 'one-click';
   CREATE INDEX submission_other ON submission (subject, sequence) WHERE channel <> 'one-click';
   CREATE INDEX submission_time ON submission (submitted_at);
   CREATE INDEX submission_done ON submission (done_at) WHERE payload IS NOT NULL;
   CREATE INDEX submission_over ON submission (done_at) WHERE done_at IS NOT NULL;
   CREATE INDEX submission_undone ON submission (undone_by) WHERE undone_by IS NOT NULL;

   CREATE TABLE journal_person (
     subject text PRIMARY KEY,
     version bigint NOT NULL DEFAULT 0,
     touched_at bigint NOT NULL,
     leased text,
     lease_until bigint NOT NULL DEFAULT 0,
     clicks integer NOT NULL DEFAULT 0,
     clicks_until bigint NOT NULL DEFAULT 0
   ) WITH (fillfactor = 70);
   CREATE INDEX journal_person_touched ON journal_person (touched_at);

   CREATE TABLE submission_count (
     state text NOT NULL,
     shard integer NOT NULL,
     count bigint NOT NULL,
     PRIMARY KEY (state, shard)
   ) WITH (fillfactor = 50);
   CREATE FUNCTION submission_counted() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP = 'UPDATE' AND old.state = new.state THEN RETURN NULL; END IF;
     IF TG_OP <> 'INSERT' THEN
       INSERT INTO submission_count AS c VALUES (old.state, pg_backend_pid() % 64, -1)
       ON CONFLICT (state, shard) DO UPDATE SET count = c.count - 1;
     END IF;
     IF TG_OP <> 'DELETE' THEN
       INSERT INTO submission_count AS c VALUES (new.state, pg_backend_pid() % 64, 1)
       ON CONFLICT (state, shard) DO UPDATE SET count = c.count + 1;
     END IF;
     RETURN NULL;
   END $$;
   CREATE TRIGGER submission_made AFTER INSERT OR DELETE ON submission
     FOR EACH ROW EXECUTE FUNCTION submission_counted();
   CREATE TRIGGER submission_moved AFTER UPDATE OF state ON submission
     FOR EACH ROW WHEN (old.state <> new.state) EXECUTE FUNCTION submission_counted();

   CREATE SEQUENCE reason_sequence;
   CREATE TABLE reason (
     sequence bigint PRIMARY KEY,
     center text NOT NULL,
     day bigint NOT NULL,
     id text,
     text text NOT NULL
   );
   CREATE INDEX reason_day ON reason (day);
   CREATE TABLE platform (one integer PRIMARY KEY CHECK (one = 1), address text NOT NULL);
   CREATE TABLE moved (
     one integer PRIMARY KEY CHECK (one = 1),
     state text NOT NULL CHECK (state IN ('moving', 'moved', 'served'))
   );
   CREATE TABLE written (one integer PRIMARY KEY CHECK (one = 1), at bigint NOT NULL);

   CREATE TABLE session (
     store text NOT NULL,
     id text NOT NULL,
     payload text,
     made_at bigint NOT NULL,
     touched_at bigint NOT NULL,
     ends_at bigint NOT NULL,
     PRIMARY KEY (store, id)
   );
   CREATE INDEX session_end ON session (store, ends_at);
   CREATE TABLE session_subject (
     store text NOT NULL,
     subject text NOT NULL,
     session text NOT NULL,
     PRIMARY KEY (store, subject, session)
   );
   CREATE INDEX session_subject_session ON session_subject (store, session);
   CREATE TABLE sign_out (
     store text NOT NULL,
     subject text NOT NULL,
     at bigint NOT NULL,
     PRIMARY KEY (store, subject)
   );
   CREATE INDEX sign_out_at ON sign_out (store, at);

   CREATE TABLE passcode (
     id text PRIMARY KEY,
     link text NOT NULL UNIQUE,
     code text NOT NULL,
     center text NOT NULL,
     subject text NOT NULL,
     person text,
     receiver text,
     digits integer NOT NULL,
     attempts integer NOT NULL DEFAULT 0,
     ends_at bigint NOT NULL,
     spent_at bigint,
     ended_at bigint
   );
   CREATE INDEX passcode_end ON passcode (ends_at);
   CREATE INDEX passcode_person ON passcode (person);
   CREATE INDEX passcode_receiver ON passcode (receiver, ends_at) WHERE receiver IS NOT NULL;

   CREATE TABLE spent (id text PRIMARY KEY, until bigint NOT NULL);
   CREATE INDEX spent_until ON spent (until);

   CREATE TABLE tally (id text PRIMARY KEY, count integer NOT NULL, ends_at bigint NOT NULL);
   CREATE INDEX tally_end ON tally (ends_at);

   CREATE TABLE audit (
     sequence bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
     at bigint NOT NULL,
     staff text,
     name text NOT NULL,
     does text NOT NULL,
     about text,
     outcome text NOT NULL
   );
   CREATE INDEX audit_at ON audit (at);
   CREATE TABLE failed_sign_in (
     kind text PRIMARY KEY,
     started_at bigint NOT NULL,
     lines integer NOT NULL,
     count integer NOT NULL,
     sequence bigint
   );
   CREATE TABLE recent_task (
     sequence bigint GENERATED BY DEFAULT AS IDENTITY,
     staff text NOT NULL,
     task text NOT NULL,
     name text NOT NULL,
     at bigint NOT NULL,
     PRIMARY KEY (staff, task)
   );
   CREATE INDEX recent_task_at ON recent_task (at);
   CREATE TABLE form (nonce text PRIMARY KEY, at bigint NOT NULL, result text);
   CREATE INDEX form_at ON form (at);

   CREATE TABLE record_key (
     sequence bigint GENERATED BY DEFAULT AS IDENTITY,
     kid text PRIMARY KEY,
     key text NOT NULL
   )`,
  // What the first page of the staff says. The triggers hold off writers until everything that was there is counted.
  `CREATE INDEX submission_failed ON submission (done_at) WHERE state = 'failed';
   CREATE INDEX submission_withdrawal ON submission (submitted_at)
     WHERE state = 'pending' AND withdraws AND done_at IS NULL;
   CREATE INDEX submission_center ON submission (center, sequence);
   CREATE TABLE submission_day (
     day bigint NOT NULL,
     shard integer NOT NULL,
     submissions bigint NOT NULL,
     leavings bigint NOT NULL,
     PRIMARY KEY (day, shard)
   ) WITH (fillfactor = 50);
   CREATE FUNCTION submission_dated() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     it submission%ROWTYPE;
     sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
   BEGIN
     IF TG_OP = 'INSERT' THEN it := new; ELSE it := old; END IF;
     INSERT INTO submission_day AS d
     VALUES (it.submitted_at - it.submitted_at % 86400000, pg_backend_pid() % 64, sign,
       CASE WHEN it.everything THEN sign ELSE 0 END)
     ON CONFLICT (day, shard) DO UPDATE
       SET submissions = d.submissions + excluded.submissions, leavings = d.leavings + excluded.leavings;
     RETURN NULL;
   END $$;
   CREATE TRIGGER submission_dated AFTER INSERT OR DELETE ON submission
     FOR EACH ROW EXECUTE FUNCTION submission_dated();
   INSERT INTO submission_day
     SELECT submitted_at - submitted_at % 86400000, 0, count(*), count(*) FILTER (WHERE everything)
     FROM submission GROUP BY 1;
   CREATE TABLE reason_count (
     day bigint NOT NULL,
     center text NOT NULL,
     id text NOT NULL,
     shard integer NOT NULL,
     count bigint NOT NULL,
     latest bigint NOT NULL,
     PRIMARY KEY (day, center, id, shard)
   ) WITH (fillfactor = 50);
   CREATE FUNCTION reason_counted() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     it reason%ROWTYPE;
     sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
   BEGIN
     IF TG_OP = 'INSERT' THEN it := new; ELSE it := old; END IF;
     INSERT INTO reason_count AS r
     VALUES (it.day, it.center, coalesce(it.id, ''), pg_backend_pid() % 64, sign,
       CASE TG_OP WHEN 'INSERT' THEN it.sequence ELSE 0 END)
     ON CONFLICT (day, center, id, shard) DO UPDATE
       SET count = r.count + excluded.count, latest = greatest(r.latest, excluded.latest);
     RETURN NULL;
   END $$;
   CREATE TRIGGER reason_counted AFTER INSERT OR DELETE ON reason
     FOR EACH ROW EXECUTE FUNCTION reason_counted();
   INSERT INTO reason_count
     SELECT day, center, coalesce(id, ''), 0, count(*), max(sequence) FROM reason GROUP BY 1, 2, 3`,
  eventTables,
  // Of the platform's quota, shared by all nodes.
  `CREATE TABLE quota (
     one integer PRIMARY KEY CHECK (one = 1),
     text text NOT NULL,
     version bigint NOT NULL
   ) WITH (fillfactor = 20)`,
  'ALTER TABLE passcode ADD COLUMN link_names_subject boolean NOT NULL DEFAULT false',
  `ALTER TABLE submission ADD COLUMN said_again_at bigint;
   CREATE INDEX submission_said_again ON submission (subject, said_again_at) WHERE said_again_at IS NOT NULL`,
  // Numbers of people that wait for the quota.
  `CREATE TABLE quota_turn (id text PRIMARY KEY, number bigint NOT NULL, ends_at bigint NOT NULL);
   CREATE INDEX quota_turn_end ON quota_turn (ends_at)`,
];
