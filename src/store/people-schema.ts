import type { Channel, Submission } from '../core/model/submission/submission.ts';
import type { Tables } from './dialect.ts';
import type { Columns } from './sql.ts';

/** Milliseconds of a day. */
export const dayMs = 24 * 60 * 60 * 1000;

export type PersonRow = Columns<'subject' | 'document', string> &
  Columns<'version' | 'withdraws' | 'lease_until' | 'touched_at', number> &
  Partial<Columns<'owner', string> & Columns<'due_at', number>>;

export type SubmissionRow = Columns<'reference' | 'center' | 'subject' | 'receipts', string> &
  Columns<'sequence' | 'submitted_at' | 'everything' | 'withdraws' | 'gpc', number> &
  Partial<Columns<'nonce' | 'digest' | 'undoes' | 'undone_by' | 'request' | 'progress', string>> &
  Partial<Columns<'done_at' | 'ended_day', number>> &
  Partial<Columns<'asked' | 'asked_leaf' | 'ended' | 'ended_leaf', Uint8Array>> & {
    readonly channel: Channel;
    readonly state: Submission['state'];
  };

/** The types of a submission's columns in rows of `rowsValue`. `now` is its time, `words` a digest. */
export const submissionColumns = {
  reference: 'text',
  nonce: 'text',
  digest: 'text',
  center: 'text',
  subject: 'text',
  channel: 'text',
  state: 'text',
  everything: 'whole',
  withdraws: 'whole',
  gpc: 'whole',
  now: 'whole',
  done_at: 'whole',
  undoes: 'text',
  receipts: 'text',
  request: 'text',
  progress: 'text',
  asked: 'bytes',
  asked_leaf: 'bytes',
  words: 'text',
  ended: 'bytes',
  ended_leaf: 'bytes',
  ended_day: 'whole',
} as const;

/** The day in whose root a submission counts that ends on `column`: the day itself, or the first open day. */
export const openDay = (column: string) =>
  `CASE WHEN ${column} <= (SELECT max(day) FROM day_root) THEN (SELECT max(day)
    FROM day_root) + ${dayMs} ELSE ${column} END`;

/**
 * Tables of people, their submissions and their reasons. `document`, `request`, `progress`, `asked`, `ended`
 * and own words in `reason.text` are sealed. `due_at` is NULL for a person at rest, `lease_until` is 0
 * without a lease. Each index serves a statement; an index with a condition is small, since the condition
 * rarely holds.
 *
 * The columns `request`, `progress`, `nonce`, `digest` and `receipts` serve the delivery of a submission, and
 * are emptied some time after it is done. `asked` and `ended` are its evidence; the leaves are their digests,
 * and may outlive them. Both leaves are in the root of `ended_day`. A row of `day_root` closes its day and
 * all days before; `signed` is NULL until the root is made, and `parts` are hashes of its leaves in order.
 * `words` is the number of the `wording` that was shown, which names its texts.
 */
export const peopleTables: Tables = ({ whole, flag, bytes, numbered, tableEnd, counter }) => [
  `CREATE TABLE person (
     subject text PRIMARY KEY,
     version ${whole} NOT NULL,
     document text NOT NULL,
     due_at ${whole},
     withdraws ${whole} NOT NULL,
     owner text,
     lease_until ${whole} NOT NULL,
     touched_at ${whole} NOT NULL
   ) ${tableEnd};
   CREATE INDEX person_due ON person (withdraws DESC, due_at) WHERE due_at IS NOT NULL;
   CREATE INDEX person_leased ON person (lease_until) WHERE lease_until > 0;
   CREATE INDEX person_rest ON person (touched_at) WHERE due_at IS NULL;
   CREATE TABLE submission (
     sequence ${numbered},
     submitted_at ${whole} NOT NULL,
     done_at ${whole},
     ended_day ${whole},
     words ${whole},
     everything ${flag} NOT NULL,
     withdraws ${flag} NOT NULL,
     gpc ${flag} NOT NULL,
     reference text NOT NULL UNIQUE,
     nonce text,
     digest text,
     center text NOT NULL,
     subject text NOT NULL,
     channel text NOT NULL,
     state text NOT NULL,
     undoes text,
     undone_by text,
     receipts text NOT NULL,
     request text,
     progress text,
     asked ${bytes},
     asked_leaf ${bytes} NOT NULL,
     ended ${bytes},
     ended_leaf ${bytes}
   ) ${tableEnd};
   CREATE UNIQUE INDEX submission_nonce ON submission (nonce) WHERE nonce IS NOT NULL;
   CREATE INDEX submission_subject ON submission (subject, sequence);
   CREATE INDEX submission_center ON submission (center, sequence);
   CREATE INDEX submission_time ON submission (submitted_at);
   CREATE INDEX submission_waiting ON submission (submitted_at) WHERE state = 'pending';
   CREATE INDEX submission_failed ON submission (done_at) WHERE state = 'failed';
   CREATE INDEX submission_over ON submission (done_at) WHERE done_at IS NOT NULL;
   CREATE INDEX submission_done ON submission (done_at) WHERE request IS NOT NULL AND done_at IS NOT NULL;
   CREATE INDEX submission_words ON submission (words) WHERE words IS NOT NULL;
   CREATE INDEX submission_ended ON submission (ended_day, sequence) WHERE ended_day IS NOT NULL;
   CREATE TABLE day_root (
     day ${whole} NOT NULL,
     center text NOT NULL,
     due_at ${whole} NOT NULL,
     parts text,
     signed text,
     PRIMARY KEY (day, center)
   ) ${tableEnd};
   CREATE INDEX day_root_center ON day_root (center, day);
   CREATE INDEX day_root_open ON day_root (day) WHERE signed IS NULL;
   CREATE TABLE wording (
     sequence ${numbered},
     digest text NOT NULL UNIQUE,
     content text NOT NULL,
     kept_at ${whole} NOT NULL
   ) ${tableEnd};
   CREATE TABLE wording_text (
     digest text PRIMARY KEY,
     content text NOT NULL,
     kept_at ${whole} NOT NULL
   ) ${tableEnd};
   CREATE TABLE reason (
     sequence ${numbered},
     center text NOT NULL,
     day ${whole} NOT NULL,
     id text,
     text text NOT NULL
   ) ${tableEnd};
   CREATE INDEX reason_day ON reason (day);
   CREATE INDEX reason_words ON reason (center, day, sequence) WHERE id IS NULL;
   CREATE TABLE platform (one integer PRIMARY KEY CHECK (one = 1), address text NOT NULL) ${tableEnd};
   CREATE TABLE written (one integer PRIMARY KEY CHECK (one = 1), at ${whole} NOT NULL) ${tableEnd}`,
  counter({
    name: 'submission_count',
    table: 'submission',
    keys: { state: { type: 'text', from: 'it.state' } },
    sums: { count: '1' },
    changes: 'state',
  }),
  counter({
    name: 'submission_day',
    table: 'submission',
    keys: { day: { type: 'whole', from: `it.submitted_at - it.submitted_at % ${dayMs}` } },
    sums: { submissions: '1', leavings: 'it.everything' },
  }),
  counter({
    name: 'reason_count',
    table: 'reason',
    keys: {
      day: { type: 'whole', from: 'it.day' },
      center: { type: 'text', from: 'it.center' },
      id: { type: 'text', from: `coalesce(it.id, '')` },
    },
    sums: { count: '1' },
    largest: { latest: 'it.sequence' },
  }),
];
