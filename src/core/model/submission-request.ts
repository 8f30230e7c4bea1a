import type { Intent } from './intent.ts';
import type { SubjectId } from './subject.ts';
import type { Channel } from './submission.ts';
import type { LinkMaker, Visit } from './visit.ts';

/** A submission on its way: who, where, what, and by which channel. */
export interface SubmissionRequest {
  /** From the form's token: the same nonce again is the same submission; see also `nonces`. */
  readonly nonce: string;
  readonly center: string;
  readonly subject: SubjectId;
  readonly intent: Intent;
  readonly channel: Channel;
  /** The member of the staff who made the link by which the person came. */
  readonly linkMadeBy?: LinkMaker | undefined;
  /** What that channel lets the person do. */
  readonly scope: Visit['scope'];
  readonly globalPrivacyControl: boolean;
  /** To what is only on by default: what turns out to have been agreed to is left alone. */
  readonly isObjection?: boolean | undefined;
  /** Purposes that its form drew as on by default; undefined where there was no such form. */
  readonly drawnByDefault?: readonly string[] | undefined;
  /** Undefined where no form was: one click, staff. */
  readonly form?: ShownForm | undefined;
  /** The reference of the submission this one undoes. */
  readonly undoes: string | undefined;
  readonly reasons: readonly LeavingReason[];
  /** Staff member and reason, when done on behalf of the person. */
  readonly onBehalf: { readonly staff: string; readonly reason: string } | undefined;
}

export interface LeavingReason {
  /** undefined for "other". */
  readonly id: string | undefined;
  readonly text: string;
}

/** The form that was answered: which words it showed, and what it knew to be on record. */
export interface ShownForm {
  /** When it was drawn, in epoch milliseconds, by the time of submissions. */
  readonly at: number;
  /** Of the center, whose texts it showed. */
  readonly revision: string;
  /** Ids of purposes that were on record. */
  readonly onRecord: readonly string[];
  /** Of these, what was off or being switched off; undefined when that is not known. */
  readonly refused: readonly string[] | undefined;
  /** Of what was off on record: how the platform had written that. */
  readonly rawStatuses?: readonly RawStatus[] | undefined;
}

export interface RawStatus {
  readonly purpose: string;
  readonly status: string;
}
