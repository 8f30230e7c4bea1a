import type { Evidence } from '../evidence/evidence.ts';
import type { Subject } from '../person/subject.ts';
import type { ProblemCode } from '../problem.ts';
import type { ConsentAnswer, ConsentUpdate } from './consent-update.ts';
import type { ItemResult, Submission } from './submission.ts';
import type { SubmissionRequest } from './submission-request.ts';

/** One submission as the staff reads it. Times are epoch milliseconds. */
export interface JournalEntry extends Omit<Submission, 'items' | 'aftermath'> {
  /** When the person is due next. */
  readonly dueAt: number;
  /** undefined 30 days after it was done, or when its key is gone. */
  readonly work: Work | undefined;
  /** The evidence, which is kept longer than `work`. */
  readonly evidence: Evidence | undefined;
}

/** What was asked, which calls were made, and their results. */
export interface Work {
  readonly request: SubmissionRequest;
  /** The record before it, as far as that is known. */
  readonly before: Subject;
  readonly items: readonly ItemResult[];
  /** Newest last; the first and the latest few when there were many. */
  readonly calls: readonly CallMade[];
  /** Tries in a row that ended without a result. */
  readonly attempts: number;
  /** The fault of the last one. */
  readonly problem: ProblemCode | undefined;
}

/** A writing call. With neither an answer nor a problem it may have arrived. */
export interface CallMade {
  readonly at: number;
  readonly kind: 'put' | 'delete';
  /** `record-refusal`: carries a purpose only so that leaving it out at once leaves a refusal on record. */
  readonly why: 'change' | 'record-refusal';
  /** Purpose ids, data element ids and language it was made for, as `what:id`; or `everyChange`. */
  readonly changes: readonly string[];
  readonly update: ConsentUpdate | undefined;
  readonly answer: ConsentAnswer | undefined;
  /** No connection was made, so it surely did nothing. */
  readonly isUnsent?: boolean | undefined;
  /** Why there is no answer. Only after platform-refused, identifier-refused and platform-busy it surely did nothing. */
  readonly problem: ProblemCode | undefined;
}
