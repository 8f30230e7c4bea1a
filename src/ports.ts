import type { AuditEntry, AuditOutcome } from './core/model/audit-entry.ts';
import type { Center, CenterSummary } from './core/model/center.ts';
import type { ConsentAnswer, ConsentUpdate } from './core/model/consent-update.ts';
import type { Intent, Withdrawal } from './core/model/intent.ts';
import type { JournalEntry, Work } from './core/model/journal-entry.ts';
import type { NoticePage, NoticeVersionPage, NoticeWithVersion } from './core/model/notice.ts';
import type { PublicKey, SignedRecord } from './core/model/record-copy.ts';
import type { Subject, SubjectId } from './core/model/subject.ts';
import type { Submission } from './core/model/submission.ts';
import type { Order } from './core/model/submission-request.ts';
import type { Task, TaskCreate, TaskUpdate } from './core/model/task.ts';

export type * from './identity-ports.ts';

/** Epoch milliseconds. */
export interface Clock {
  now(): number;
}

/**
 * The consent platform. Every method throws `Problem` (platform-unreachable, platform-slow, platform-busy with
 * `retryAfter`, platform-refused, platform-denied, platform-unreadable, wrong-subject, identifier-refused).
 */
export interface Platform {
  /**
   * Cached: fresh, or stale while it is fetched again; kept up to 24 h when the platform is down. `readWithin`
   * (milliseconds): only as it was read so long ago at most, or not at all.
   */
  findCenter(id: string, wish?: { readWithin?: number | undefined }): Promise<Center | undefined>;
  /**
   * For whoever has shown no right yet: a center that the platform lists, kept as it is, so that strangers cause next
   * to no calls. undefined for every other id.
   */
  findOpenCenter(id: string): Promise<Center | undefined>;
  listCenters(): Promise<readonly CenterSummary[]>;
  /** Never cached. A person with nothing on record is an empty `Subject`, not a fault. */
  readSubject(center: string, subject: SubjectId, options?: CallOptions): Promise<Subject>;
  /** PUT: `update.purposes` is the whole set; what is absent is withdrawn. */
  updateConsent(
    center: string,
    subject: SubjectId,
    update: ConsentUpdate,
    options?: CallOptions,
  ): Promise<ConsentAnswer>;
  /** DELETE: every purpose is withdrawn. */
  withdrawAll(center: string, subject: SubjectId, options?: CallOptions): Promise<ConsentAnswer>;

  /** GET v2/privacynotices; `page` zero-based, `size` 1 to 50. */
  listNotices(query: { page: number; size: number }): Promise<NoticePage>;
  /** The version that was active strictly before `date` (yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss). */
  findNoticeVersion(id: string, date: string): Promise<NoticeWithVersion | undefined>;
  listNoticeVersions(
    id: string,
    query: { page: number; size: number },
  ): Promise<NoticeVersionPage | undefined>;

  /** Never repeated by itself: a lost answer is a Problem that says so. */
  createTask(task: TaskCreate): Promise<Task>;
  findTask(id: string): Promise<Task | undefined>;
  updateTask(id: string, task: TaskUpdate): Promise<Task | undefined>;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * A withdrawal goes first wherever calls wait: for a free connection, and when a rate limit ends. Pass it with
   * every call that carries out a withdrawal, the reads before and after it included. `withdrawAll` always is one.
   */
  readonly priority?: 'withdrawal' | 'ordinary' | undefined;
}

/** Carries intents out: journal → read → merge → call → read back. */
export interface Delivery {
  /**
   * Journals the order, then waits for its result up to `waitMs`; what is not finished then goes on by itself.
   * The same nonce with the same intent gives the stored submission; with another one throws `nonce-reused`.
   * `waitMs: 0` returns as soon as it is durable.
   */
  submit(order: Order, options?: { waitMs?: number }): Promise<Submission>;
  /** undefined when there is none, or when it is another person's. */
  find(reference: string, subject: SubjectId): Submission | undefined;
  /** The inverse of a submission, as a new intent; undefined when it can no longer be undone. */
  undoIntent(reference: string, subject: SubjectId): Intent | undefined;
  /** What is being switched off or taken out right now: shown as off, "being carried out". `'all'`: everything. */
  withdrawing(center: string, subject: SubjectId): readonly Withdrawal[] | 'all';
  /** A part of a person's own history in a center, newest first; `total`: of how many. */
  history(
    center: string,
    subject: SubjectId,
    part: HistoryPart,
  ): { readonly submissions: readonly Submission[]; readonly total: number };
}

export interface HistoryPart {
  readonly limit: number;
  /** How many newer ones are left out. */
  readonly offset: number;
}

/** Durable before it returns. Throws `store-unavailable`; then nothing was written. */
export interface Journal {
  /**
   * The platform whose submissions these are: the given one where it was none yet, or `movedFrom`. Any other answer
   * means that nothing of this journal may be carried out there.
   */
  bindTo(platform: string, movedFrom: string | undefined): string;
  /**
   * `known`: the same nonce and intent were there before; `other`: the nonce was, with another body; `open`: an open
   * one-click does what this one asks for, too, and nothing was written. Another one-click may be due later.
   */
  record(
    order: Order,
    made: { reference: string; now: number; work: Work; expiresAt: number | undefined },
  ): { readonly kind: 'new' | 'known' | 'other' | 'open'; readonly entry: JournalEntry };
  /**
   * The next entry to work on, leased to `owner`: withdrawals first, of each subject only one at a time, and in
   * each center in the order of submission. An entry whose time has run out may come although an earlier one is still open.
   */
  claim(lease: { owner: string; now: number; until: number }): JournalEntry | undefined;
  /** False when the lease has gone to someone else: then nothing more may be done. */
  renew(reference: string, lease: { owner: string; now: number; until: number }): boolean;
  /**
   * False, and nothing written, when the lease has gone to someone else. A one-click that only repeats an earlier one,
   * and found nothing to withdraw, is deleted.
   */
  save(reference: string, owner: string, change: JournalChange): boolean;
  find(reference: string): JournalEntry | undefined;
  findOwn(reference: string, subject: SubjectId): JournalEntry | undefined;
  /** In the order of submission. */
  pendingOf(center: string, subject: SubjectId): readonly (JournalEntry & { readonly blocks: boolean })[];
  /**
   * Of a person in every center, in the order of submission: what is pending, and what was done at `since` or later.
   */
  recentOf(subject: SubjectId, since: number): readonly JournalEntry[];
  /** Newest first. */
  historyOf(center: string, subject: SubjectId, part: HistoryPart): readonly JournalEntry[];
  historySize(center: string, subject: SubjectId): number;
  /**
   * What came in after an entry of the same person, newest first: in any center, for one purpose in two of them may be
   * one consent.
   */
  laterThan(entry: Pick<JournalEntry, 'reference'>, subject: SubjectId): readonly JournalEntry[];
  /** Makes pending entries due no later than `now` plus a random part of `spread`; at most `limit`. */
  hasten(which: { now: number; spread: number; limit: number; reference?: string | undefined }): void;
  /**
   * At a start: what is pending from a time that is still to come (the clock was set back) is due now, its grants
   * are over, and no lease lasts longer than `lease` from now.
   */
  resume(start: { now: number; lease: number }): void;
  nextDueAt(): number | undefined;
  /** A purpose, or a choice under one, that a later submission granted again is no longer to be withdrawn by these. */
  supersede(references: readonly string[], what: string): void;

  /** For staff, newest first. */
  list(filter: JournalFilter): readonly JournalEntry[];
  counts(): readonly {
    readonly state: Submission['state'];
    readonly count: number;
    /** Of what is pending only. */
    readonly oldestAt: number | undefined;
  }[];
  /** Without any link to a person; `day` is the epoch milliseconds of its UTC midnight. */
  reasons(filter: {
    center?: string | undefined;
    from?: number | undefined;
    to?: number | undefined;
  }): readonly {
    readonly center: string;
    readonly day: number;
    readonly id: string | undefined;
    readonly text: string;
  }[];
  /**
   * Deletes some of what is over; returns of how many rows, 0 when there is no more. Of an entry done before
   * `workBefore` only what was changed remains, until `evidenceBefore`. Epoch milliseconds.
   */
  sweep(over: {
    readonly now: number;
    readonly workBefore: number;
    readonly evidenceBefore: number;
    readonly reasonsBefore: number;
  }): number;
  /** What was deleted is then nowhere any more. */
  emptyLog(): void;
  /** Throws unless a row can be written now: for readiness. */
  check(): void;
  close(): void;
}

export interface JournalChange {
  readonly work: Work;
  readonly state: Submission['state'];
  readonly dueAt: number;
  readonly doneAt: number | undefined;
  /** When what it grants expires; undefined once nothing of it can any more. */
  readonly expiresAt: number | undefined;
  /** The platform refuses it: later submissions of the person need not wait for it. */
  readonly isPassable: boolean;
  readonly receipts: readonly string[];
  /** Gives the lease back. */
  readonly release: boolean;
}

export interface JournalFilter {
  readonly state?: Submission['state'] | undefined;
  readonly center?: string | undefined;
  readonly subject?: SubjectId | undefined;
  /** Submitted at or after, and before. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
}

/** Authenticated encryption of small values. `purpose` binds a token to its use: one made for another does not open. */
export interface Seal {
  seal(purpose: SealPurpose, value: unknown): string;
  /** undefined for anything forged, foreign, or sealed under a key that is gone. */
  open(purpose: SealPurpose, token: string): unknown;
}

/** `row`: the id of the one row for which it is sealed; in another one it does not open. */
export type SealPurpose = string | { readonly purpose: string; readonly row: string };

/** The same text always gives the same hash; without the key it says nothing. */
export interface KeyedHash {
  hash(purpose: string, text: string): string;
  /** Under every key still in use, the newest first: to find what was written before a rotation. */
  hashes(purpose: string, text: string): readonly string[];
}

/** Signs what a person takes home, so that it can be proven later. */
export interface RecordSigner {
  /** The JSON of `value` as a flattened JWS (RFC 7515, 7.2.2). */
  sign(value: unknown): SignedRecord;
  /** Of what is signed now and of all that ever was, as a key set's `keys` (RFC 7517). */
  keys(): readonly PublicKey[];
}

/** Runs something later; the returned function cancels it. */
export interface Timer {
  after(milliseconds: number, run: () => void): () => void;
}

export interface Random {
  /** URL-safe text of at least 128 random bits. */
  id(): string;
}

export interface AuditFilter {
  /** The member's id. */
  readonly staff?: string | undefined;
  /** Part of what was done or what it was about. */
  readonly text?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
}

/** What the staff pages keep for themselves. Durable before it returns; throws `store-unavailable`. */
export interface StaffLog {
  /** Before anything is done; gives the number to settle it by. */
  begin(entry: AuditEntry): number;
  settle(
    number: number,
    change: { readonly outcome: AuditOutcome; readonly about: string | undefined },
  ): void;
  /** Newest first. */
  list(filter: AuditFilter): readonly AuditEntry[];
  count(filter: Omit<AuditFilter, 'limit' | 'offset'>): number;

  /** The tasks that a member opened last, newest first. */
  recentTasks(staff: string): readonly { readonly id: string; readonly name: string; readonly at: number }[];
  rememberTask(
    staff: string,
    task: { readonly id: string; readonly name: string; readonly at: number },
  ): void;

  /** False when the form was sent before: then `formResult` may know what came of it. */
  claimForm(nonce: string, at: number): boolean;
  formResult(nonce: string): string | undefined;
  finishForm(nonce: string, result: string): void;
  /** Nothing came of it: it may be sent again. */
  releaseForm(nonce: string): void;

  /** Deletes some of what is over; returns how many rows, 0 when there is no more. Epoch milliseconds. */
  sweep(over: { readonly now: number; readonly auditBefore: number }): number;
  emptyLog(): void;
  check(): void;
  close(): void;
}
