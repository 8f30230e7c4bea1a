import type { Evidence } from '../evidence/evidence.ts';
import type { Subject } from '../person/subject.ts';
import type { ProblemCode } from '../problem.ts';
import type { ConsentAnswer, ConsentUpdate } from './consent-update.ts';
import type { ItemResult, Submission } from './submission.ts';
import type { SubmissionRequest } from './submission-request.ts';

/** One submission for the staff pages. Times are epoch milliseconds. */
export interface JournalEntry extends Omit<Submission, 'items' | 'aftermath'> {
  /** Time at which the work for this person is due next. */
  readonly dueAt: number;
  /** The work; undefined 30 days after it was done, or when its key is gone. */
  readonly work: Work | undefined;
  /** The evidence, which is kept longer than `work`. */
  readonly evidence: Evidence | undefined;
}

/** The request, the calls that were made, and their results. */
export interface Work {
  readonly request: SubmissionRequest;
  /** The record before the submission, as far as it is known. */
  readonly before: Subject;
  readonly items: readonly ItemResult[];
  /** The calls, newest last; only the first and the latest few when there were many. */
  readonly calls: readonly CallMade[];
  /** Number of tries in a row that ended without a result. */
  readonly attempts: number;
  /** The fault of the last try. */
  readonly problem: ProblemCode | undefined;
}

/** A writing call. With neither an answer nor a problem, the platform may have received it. */
export interface CallMade {
  readonly at: number;
  readonly kind: 'put' | 'delete';
  /**
   * `record-refusal`: the call grants a purpose only so that the next call can leave it out, which puts a
   * refusal on record.
   */
  readonly why: 'change' | 'record-refusal';
  /** The changes that the call is for, as `what:id` (purpose, data element or language), or `everyChange`. */
  readonly changes: readonly string[];
  readonly update: ConsentUpdate | undefined;
  readonly answer: ConsentAnswer | undefined;
  /** Set if no connection was made, so that the call surely had no effect. */
  readonly isUnsent?: boolean | undefined;
  /**
   * The reason for the missing answer. Only after platform-refused, identifier-refused and platform-busy the
   * call surely had no effect.
   */
  readonly problem: ProblemCode | undefined;
}
