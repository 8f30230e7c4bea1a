import type { ConsentAnswer, ConsentUpdate } from './consent-update.ts';
import type { Evidence } from './evidence.ts';
import type { ProblemCode } from './problem.ts';
import type { Subject } from './subject.ts';
import type { Channel, ItemResult, Submission } from './submission.ts';
import type { SubmissionRequest } from './submission-request.ts';

/** One submission as the staff reads it. Times are epoch milliseconds. */
export interface JournalEntry {
  readonly reference: string;
  readonly center: string;
  readonly channel: Channel;
  readonly state: Submission['state'];
  readonly everything: boolean;
  readonly globalPrivacyControl: boolean;
  readonly submittedAt: number;
  /** When the person is worked for next. */
  readonly dueAt: number;
  readonly doneAt: number | undefined;
  readonly undoes: string | undefined;
  readonly undoneBy: string | undefined;
  readonly receipts: readonly string[];
  /** undefined 30 days after it was done, or when its key is gone. */
  readonly work: Work | undefined;
  /** What is kept from the start, and remains then. */
  readonly evidence: Evidence | undefined;
}

/** What was asked, which calls were made, what came of it. */
export interface Work {
  readonly request: SubmissionRequest;
  /** What was on record before it, as far as that is known. */
  readonly before: Subject;
  readonly items: readonly ItemResult[];
  /** Newest last; the first and the latest few when there were many. */
  readonly calls: readonly CallMade[];
  /** Tries in a row that ended without a result. */
  readonly attempts: number;
  /** The fault of the last one. */
  readonly problem: ProblemCode | undefined;
}

/** A writing call. With neither answer nor problem it is not known whether it arrived. */
export interface CallMade {
  readonly at: number;
  readonly kind: 'put' | 'delete';
  /** `record-refusal`: carries a purpose only so that leaving it out at once leaves a refusal on record. */
  readonly why: 'change' | 'record-refusal';
  /** Purpose ids, data element ids and language it was made for, as `what:id`; or `everyChange`. */
  readonly changes: readonly string[];
  readonly update: ConsentUpdate | undefined;
  readonly answer: ConsentAnswer | undefined;
  /** No connection was made: it surely did nothing. */
  readonly isUnsent?: boolean | undefined;
  /** Why there is no answer. Only after platform-refused, identifier-refused and platform-busy it surely did nothing. */
  readonly problem: ProblemCode | undefined;
}
