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
   * Records a submission, then waits up to `waitMs` for its result; the rest goes on by itself. The same nonce with the
   * same intent gives the stored submission; with another intent its withdrawals are recorded, and it throws
   * `nonce-reused`. Leaving everything again after a grant is a submission of its own. `waitMs: 0` returns as soon as
   * it is durable.
   */
  submit(request: SubmissionRequest, options?: { waitMs?: number }): Promise<Submitted>;
  /**
   * Takes the post of a form as it was shown: its post with changes that is still on its way grants nothing then. Throws
   * `nonce-reused` if that was submitted before: it stands.
   */
  postAsShown(request: SubmissionRequest): Promise<void>;
  /** The same submission once more: it withdraws what was granted since. undefined: as `find`. */
  again(reference: string, subject: SubjectId, options?: { waitMs?: number }): Promise<Submitted | undefined>;
  /** undefined when there is none, or when it is another person's. */
  find(reference: string, subject: SubjectId): Promise<Submission | undefined>;
  /** The inverse of a submission; undefined when it can no longer be undone. */
  undoOf(reference: string, subject: SubjectId): Promise<Undo | undefined>;
  /** The unsaved part of a submission, to be chosen again; undefined: there is none, or it is another person's. */
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
   * The record by which the submission was found to be done; undefined: it is not done, or another process found it.
   */
  readonly readBack?: ReadRecord | undefined;
}
