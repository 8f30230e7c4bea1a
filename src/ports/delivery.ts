import type { Undo } from '../core/consent/undo.ts';
import type { RecordedSubmission } from '../core/model/evidence/evidence.ts';
import type { ReadRecord, SubjectId } from '../core/model/person/subject.ts';
import type { Intent } from '../core/model/submission/intent.ts';
import type { Submission } from '../core/model/submission/submission.ts';
import type { SubmissionRequest } from '../core/model/submission/submission-request.ts';
import type { Underway } from '../core/model/submission/underway.ts';
import type { HistoryPart } from './people.ts';

/** Carries intents out: journal → read → merge → call → read back. */
export interface Delivery {
  /**
   * Records a submission, then waits up to `waitMs` for its result; the rest goes on by itself. With `waitMs`
   * 0 it returns as soon as the submission is durable. The same nonce with the same intent gives the stored
   * submission; with another intent its withdrawals are recorded, and it throws `nonce-reused`. Leaving
   * everything again after a grant is a submission of its own.
   */
  submit(request: SubmissionRequest, options?: { waitMs?: number }): Promise<Submitted>;
  /**
   * Records that a form was posted unchanged. If its post with changes is still on its way, that grants
   * nothing then. Throws `nonce-reused` if the form was submitted before: that submission stands.
   */
  postAsShown(request: SubmissionRequest): Promise<void>;
  /** Submits the same again, which withdraws what was granted since. undefined: as for `find`. */
  again(reference: string, subject: SubjectId, options?: { waitMs?: number }): Promise<Submitted | undefined>;
  /** undefined when there is none, or when it is another person's. */
  find(reference: string, subject: SubjectId): Promise<Submission | undefined>;
  /** The inverse of a submission; undefined when it can no longer be undone. */
  undoOf(reference: string, subject: SubjectId): Promise<Undo | undefined>;
  /** The unsaved part of a submission, to be chosen again; undefined: there is none, or another person's. */
  unsavedIntent(reference: string, subject: SubjectId): Promise<Intent | undefined>;
  /** Unfinished withdrawals, and grants said after them: shown as done, "being carried out". */
  underway(center: string, subject: SubjectId): Promise<Underway>;
  /** A part of a person's own history in a center, newest first; `total`: of how many. */
  history(
    center: string,
    subject: SubjectId,
    part: HistoryPart,
  ): Promise<{ readonly submissions: readonly RecordedSubmission[]; readonly total: number }>;
}

export interface Submitted extends Submission {
  /**
   * The record by which the submission was found to be done; undefined: it is not done, or another process
   * found it.
   */
  readonly readBack?: ReadRecord | undefined;
}
