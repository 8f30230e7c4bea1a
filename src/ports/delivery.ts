import type { Undo } from '../core/consent/undo.ts';
import type { RecordedSubmission } from '../core/model/evidence.ts';
import type { Intent } from '../core/model/intent.ts';
import type { ReadRecord, SubjectId } from '../core/model/subject.ts';
import type { Submission } from '../core/model/submission.ts';
import type { SubmissionRequest } from '../core/model/submission-request.ts';
import type { Underway } from '../core/model/underway.ts';
import type { HistoryPart } from './people.ts';

/** Carries intents out: journal → read → merge → call → read back. */
export interface Delivery {
  /**
   * Journals the order, then waits for its result up to `waitMs`; what is not finished then goes on by itself.
   * The same nonce with the same intent gives the stored submission; with another one throws `nonce-reused`. To leave
   * everything once more, where the person has switched something on since, is a submission of its own.
   * `waitMs: 0` returns as soon as it is durable.
   */
  submit(request: SubmissionRequest, options?: { waitMs?: number }): Promise<Submitted>;
  /** undefined when there is none, or when it is another person's. */
  find(reference: string, subject: SubjectId): Promise<Submission | undefined>;
  /** The inverse of a submission; undefined when it can no longer be undone. */
  undoOf(reference: string, subject: SubjectId): Promise<Undo | undefined>;
  /** What of a submission was not saved, to be chosen again; undefined when there is none, or it is another person's. */
  unsavedIntent(reference: string, subject: SubjectId): Promise<Intent | undefined>;
  /** What is being switched off or taken out right now, and asked for again since: shown so, "being carried out". */
  underway(center: string, subject: SubjectId): Promise<Underway>;
  /** A part of a person's own history in a center, newest first; `total`: of how many. */
  history(
    center: string,
    subject: SubjectId,
    part: HistoryPart,
  ): Promise<{ readonly submissions: readonly RecordedSubmission[]; readonly total: number }>;
}

export interface Submitted extends Submission {
  /** The record as it was read when this was found to be done; undefined where it is not, or was found elsewhere. */
  readonly readBack?: ReadRecord | undefined;
}
