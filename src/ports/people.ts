import type { OpenSubmission, Person, PersonChange, SubmissionEntry } from '../core/consent/person.ts';
import type { SubjectId } from '../core/model/subject.ts';
import type { SubmissionRequest } from '../core/model/submission-request.ts';

/**
 * What people last said, and their submissions. Each method is one transaction. Rejects with `store-unavailable` where
 * the store fails; then nothing was written, but for an answer that was lost on its way, which the same nonce finds
 * again. Times are epoch milliseconds.
 */
export interface People {
  /**
   * Durable when it resolves; each nonce once, also when two processes record it at the same time. Asks `write` what
   * becomes of the person, and writes it with the submission where no other transaction has written of the person meanwhile;
   * else it asks again. The person is due at `change.dueAt`, and leased by `lease` where
   * that is now, and no process has them.
   * `write` is pure.
   */
  record(
    submission: NewSubmission,
    write: (person: Person | undefined) => Written,
    lease?: Lease,
  ): Promise<Recorded>;

  find(reference: string): Promise<SubmissionEntry | undefined>;
  /** undefined also for another person's. */
  findOwn(reference: string, subject: SubjectId): Promise<SubmissionEntry | undefined>;
  /** Newest first. */
  historyOf(center: string, subject: SubjectId, part: HistoryPart): Promise<readonly SubmissionEntry[]>;
  historySize(center: string, subject: SubjectId): Promise<number>;
  /** undefined: nothing is known of them, or no key opens it. */
  personOf(subject: SubjectId): Promise<Person | undefined>;

  /** The next person who is due, leased: withdrawals first, then in the order of their time. Never two at a time. */
  claim(lease: Lease): Promise<ClaimedPerson | undefined>;
  /** Of what was recorded already, and is in no `Person.open` any more; without those that no key opens. */
  submissionsOf(references: readonly string[], subject: SubjectId): Promise<readonly OpenSubmission[]>;
  /**
   * Writes a change where the person is as `held` has them. `changed`, and nothing written: somebody recorded something
   * for them meanwhile; `lost`, and nothing written: the lease has gone to another one. A lease that ran out may be taken
   * up again as long as it has not.
   */
  keep(
    held: HeldPerson,
    change: PersonChange,
    lease: 'released' | Pick<Lease, 'now' | 'until'>,
  ): Promise<Kept>;
  /** Gives the lease back without another change; the person is due at `dueAt`. Nothing where the lease has gone. */
  postpone(held: HeldPerson, dueAt: number): Promise<void>;

  /** Makes people due no later than `now` plus a random part of `spread`; at most `limit`, the next first. */
  makeDue(which: { readonly now: number; readonly spread: number; readonly limit: number }): Promise<void>;
  /** Makes a person due now who is due later. False when there is none. */
  wake(subject: SubjectId, now: number): Promise<boolean>;
  /** The same by a submission; false when there is none, or when it is not pending. */
  retry(reference: string, now: number): Promise<boolean>;
  /**
   * At a start: who is due later than `latest` from now is due now, and no lease lasts longer than `lease` from now (the
   * clock was set back).
   */
  resume(start: { readonly now: number; readonly lease: number; readonly latest: number }): Promise<void>;
  nextDueAt(): Promise<number | undefined>;
  /** Which of these are no longer pending, or gone. */
  finishedOf(references: readonly string[]): Promise<readonly string[]>;
  /**
   * Tells what happened as soon as it is durable, until the returned function is called. News may be missed, or come
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

/** What `record` is to write. */
export interface Written {
  readonly change: PersonChange;
  /** A submission that says all of it already: the new one gets no row, no reason, no event. */
  readonly repeats: string | undefined;
}

/**
 * `known`: the same nonce and intent were there before; `other`: the nonce was, with another body; of both nothing was
 * written. `open`: `entry` says what this one asks for, too, and was said again.
 */
export interface Recorded {
  readonly kind: 'new' | 'known' | 'other' | 'open';
  readonly entry: SubmissionEntry;
  /** The person, where the lease was given. */
  readonly claimed?: ClaimedPerson | undefined;
}

export interface Lease {
  /** Of one claim; no two have the same. */
  readonly owner: string;
  readonly now: number;
  readonly until: number;
}

/** A row that is leased, as it was when it was read. */
export interface HeldPerson {
  /** Of the row. */
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
 * `told`: a submission is no longer pending. `due`: another process has recorded something, or made somebody due; who
 * does so itself knows, and is not told.
 */
export type PeopleNews = { readonly kind: 'due' } | { readonly kind: 'told'; readonly reference: string };

export interface HistoryPart {
  readonly limit: number;
  /** How many newer ones are left out. */
  readonly offset: number;
}
