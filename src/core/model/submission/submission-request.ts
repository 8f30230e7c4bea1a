import type { ShownWords } from '../evidence/evidence.ts';
import type { Visit } from '../person/visit.ts';
import type { Intent } from './intent.ts';

/** A submission to be saved: the person, the center, the changes and the channel. */
export interface SubmissionRequest extends Pick<Visit, 'subject' | 'channel' | 'scope' | 'linkMadeBy'> {
  /** The nonce of the form's token. A repeated nonce means the same submission; see also `nonces`. */
  readonly nonce: string;
  readonly center: string;
  readonly intent: Intent;
  readonly globalPrivacyControl: boolean;
  /**
   * Set for an objection to purposes that are on by default. A purpose that the person agreed to stays on.
   */
  readonly isObjection?: boolean | undefined;
  /** Purposes that the form showed as on by default; undefined if there was no such form. */
  readonly drawnByDefault?: readonly string[] | undefined;
  /** The form; undefined if there was none, as for one click and staff. */
  readonly form?: FormFacts | undefined;
  /** The words that the person saw; undefined if nothing of the center was read. */
  readonly shown?: ShownWords | undefined;
  /** The reference of the submission this one undoes. */
  readonly undoes: string | undefined;
  readonly reasons: readonly LeavingReason[];
  /** The staff member and the reason, if staff act on behalf of the person. */
  readonly onBehalf: { readonly staff: string; readonly reason: string } | undefined;
}

export interface LeavingReason {
  /** The reason's id; undefined for "other". */
  readonly id: string | undefined;
  readonly text: string;
}

/** The form that was answered: its words, and its knowledge of the record. */
export interface FormFacts {
  /**
   * Time at which the form was rendered, in epoch milliseconds of the forward clock, which also dates
   * submissions.
   */
  readonly at: number;
  /** The order of the desired state that was read before the form was rendered. */
  readonly order: number;
  /** Revision of the center whose texts the form showed; undefined if it showed none. */
  readonly revision?: string | undefined;
  /** Purposes that the form knew to be on record; absent if not known. */
  readonly drawn?: readonly FormPurpose[] | undefined;
  /** Elements that the form showed with a value. */
  readonly filled?: readonly string[] | undefined;
}

export interface FormPurpose {
  readonly purpose: string;
  /** The platform's own status; undefined while a call was removing the purpose. */
  readonly status: string | undefined;
  readonly isOn: boolean;
}
