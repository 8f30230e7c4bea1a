import { eventTables } from './event-tables.ts';

/** The tables of the stores that have an adapter of their own here: journal and events. Times are epoch milliseconds. */
export const journalSchema: readonly string[] = [
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
   CREATE TABLE written (one integer PRIMARY KEY CHECK (one = 1), at bigint NOT NULL)`,
  // What the first page of the staff says.
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
     FOR EACH ROW EXECUTE FUNCTION reason_counted()`,
  eventTables,
  `ALTER TABLE submission ADD COLUMN said_again_at bigint;
   CREATE INDEX submission_said_again ON submission (subject, said_again_at) WHERE said_again_at IS NOT NULL`,
  // The bound of one-clicks holds for every submission by which anybody can only withdraw.
  `ALTER TABLE submission ADD COLUMN bounded boolean NOT NULL DEFAULT false;
   CREATE INDEX submission_other ON submission (subject, sequence) WHERE NOT bounded`,
  // No index that another one serves, none of what is pending that only what is done is looked for by.
  `DROP INDEX submission_due, submission_undone, submission_waiting, submission_withdrawal, submission_recent, submission_done;
   CREATE INDEX submission_waiting ON submission (submitted_at) WHERE state = 'pending' AND done_at IS NULL;
   CREATE INDEX submission_recent ON submission (subject, done_at) WHERE done_at IS NOT NULL;
   CREATE INDEX submission_done ON submission (done_at) WHERE payload IS NOT NULL AND done_at IS NOT NULL;
   CREATE INDEX submission_leased ON submission (lease_until) WHERE lease_until > 0;
   DROP INDEX journal_person_touched;
   CREATE INDEX journal_person_touched ON journal_person (touched_at, subject);
   CREATE INDEX reason_words ON reason (center, day, sequence) WHERE id IS NULL`,
  // Many rows that are deleted by one statement change a counter once.
  `CREATE FUNCTION submission_gone() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO submission_count AS c
     SELECT state, pg_backend_pid() % 64, -count(*) FROM gone GROUP BY state ORDER BY state
     ON CONFLICT (state, shard) DO UPDATE SET count = c.count + excluded.count;
     INSERT INTO submission_day AS d
     SELECT submitted_at - submitted_at % 86400000, pg_backend_pid() % 64, -count(*), -count(*) FILTER (WHERE everything)
     FROM gone GROUP BY 1 ORDER BY 1
     ON CONFLICT (day, shard) DO UPDATE
       SET submissions = d.submissions + excluded.submissions, leavings = d.leavings + excluded.leavings;
     RETURN NULL;
   END $$;
   CREATE FUNCTION reason_gone() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO reason_count AS r
     SELECT day, center, coalesce(id, ''), pg_backend_pid() % 64, -count(*), 0 FROM gone GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
     ON CONFLICT (day, center, id, shard) DO UPDATE SET count = r.count + excluded.count;
     RETURN NULL;
   END $$;
   DROP TRIGGER submission_made ON submission;
   DROP TRIGGER submission_dated ON submission;
   DROP TRIGGER reason_counted ON reason;
   CREATE TRIGGER submission_made AFTER INSERT ON submission FOR EACH ROW EXECUTE FUNCTION submission_counted();
   CREATE TRIGGER submission_dated AFTER INSERT ON submission FOR EACH ROW EXECUTE FUNCTION submission_dated();
   CREATE TRIGGER reason_counted AFTER INSERT ON reason FOR EACH ROW EXECUTE FUNCTION reason_counted();
   CREATE TRIGGER submission_gone AFTER DELETE ON submission REFERENCING OLD TABLE AS gone
     FOR EACH STATEMENT EXECUTE FUNCTION submission_gone();
   CREATE TRIGGER reason_gone AFTER DELETE ON reason REFERENCING OLD TABLE AS gone
     FOR EACH STATEMENT EXECUTE FUNCTION reason_gone()`,
];
