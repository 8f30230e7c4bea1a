import type { OpenSubmission, Person, PersonChange, SubmissionEntry } from '../core/consent/person.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import type { SubmissionRequest } from '../core/model/submission/submission-request.ts';

/**
 * People's desired states and their submissions. Each method is one transaction. Rejects with
 * `store-unavailable` if the store fails; then nothing was written, unless only the answer was lost: the same
 * nonce finds it again. Times are epoch milliseconds.
 */
export interface People {
  /**
   * Records a submission: durable when it resolves, each nonce once, over all processes. `write` is pure: it
   * says what becomes of the person, and is asked again if another transaction has changed the person
   * meanwhile. The person is due at `change.dueAt`, and leased by `lease` if that is now and no process has
   * the person.
   */
  record(
    submission: NewSubmission,
    write: (person: Person | undefined) => Written,
    lease?: Lease,
  ): Promise<Recorded>;

  find(reference: string): Promise<SubmissionEntry | undefined>;
  /** undefined: unknown, or another person's. */
  findOwn(reference: string, subject: SubjectId): Promise<SubmissionEntry | undefined>;
  /** Newest first. */
  historyOf(center: string, subject: SubjectId, part: HistoryPart): Promise<readonly SubmissionEntry[]>;
  historySize(center: string, subject: SubjectId): Promise<number>;
  /** undefined: the person is unknown, or no key opens the row. */
  personOf(subject: SubjectId): Promise<Person | undefined>;

  /**
   * The next person who is due, leased: withdrawals first, then by due time. Never two processes for one
   * person.
   */
  claim(lease: Lease): Promise<ClaimedPerson | undefined>;
  /** Closed submissions, which are in no `Person.open` any more; without those that no key opens. */
  submissionsOf(references: readonly string[], subject: SubjectId): Promise<readonly OpenSubmission[]>;
  /**
   * Writes a change if the person is as `held` says. `changed`, nothing written: a submission was recorded
   * meanwhile; `lost`, nothing written: another process has the lease. An expired lease may be extended while
   * no other process has it.
   */
  keep(
    held: HeldPerson,
    change: PersonChange,
    lease: 'released' | Pick<Lease, 'now' | 'until'>,
  ): Promise<Kept>;
  /**
   * Releases the person without a change; the person is due at `dueAt`. Does nothing if another process has
   * the lease.
   */
  postpone(held: HeldPerson, dueAt: number): Promise<void>;

  /** Makes people due within `spread` from `now`; at most `limit`, the next first. */
  makeDue(which: { readonly now: number; readonly spread: number; readonly limit: number }): Promise<void>;
  /** Makes a person due now. False: the person was not due later. */
  wake(subject: SubjectId, now: number): Promise<boolean>;
  /** Makes the person of a submission due now; false: there is none, or it is not pending. */
  retry(reference: string, now: number): Promise<boolean>;
  /**
   * At a start: makes people due now who are due later than `latest` from now, and ends leases after `lease`
   * from now (the clock was set back).
   */
  resume(start: { readonly now: number; readonly lease: number; readonly latest: number }): Promise<void>;
  nextDueAt(): Promise<number | undefined>;
  /** References of submissions that are no longer pending, or deleted. */
  finishedOf(references: readonly string[]): Promise<readonly string[]>;
  /**
   * Reports news as soon as it is durable, until the returned function is called. News may be missed or come
   * twice.
   */
  onNews(listener: (news: PeopleNews) => void): () => void;
}

export interface NewSubmission {
  readonly request: SubmissionRequest;
  /** No other submission has it. */
  readonly reference: string;
  readonly now: number;
}

/** The change and the row that `record` must write. */
export interface Written {
  readonly change: PersonChange;
  /** A submission that says all of it already, or '': the new one gets no row, no reason and no event. */
  readonly repeats: string | undefined;
}

/**
 * `known`: the same nonce and intent were recorded before; `other`: the nonce was recorded with another
 * intent; both write nothing. `open`: `entry` already says what this one asks for, and was said again.
 */
export interface Recorded {
  readonly kind: 'new' | 'known' | 'other' | 'open';
  readonly entry: SubmissionEntry;
  /** The person, if the lease was given. */
  readonly claimed?: ClaimedPerson | undefined;
}

export interface Lease {
  /** Id of the claim; unique. */
  readonly owner: string;
  readonly now: number;
  readonly until: number;
}

/** A leased row, as it was read. */
export interface HeldPerson {
  /** Id of the row. */
  readonly id: string;
  readonly owner: string;
  readonly version: number;
}

export interface ClaimedPerson extends HeldPerson {
  /** undefined: no key opens it. */
  readonly person: Person | undefined;
}

export type Kept =
  | { readonly kind: 'kept'; readonly version: number }
  | { readonly kind: 'changed'; readonly version: number; readonly person: Person | undefined }
  | { readonly kind: 'lost' };

/**
 * `told`: a submission is no longer pending. `due`: another process recorded something, or made a person due.
 */
export type PeopleNews = { readonly kind: 'due' } | { readonly kind: 'told'; readonly reference: string };

export interface HistoryPart {
  readonly limit: number;
  /** How many newer ones are left out. */
  readonly offset: number;
}
