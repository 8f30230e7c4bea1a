import type { ShownWords } from '../evidence/evidence.ts';
import type { Visit } from '../person/visit.ts';
import type { Intent } from './intent.ts';

/** A submission on its way: who, where, what, and by which channel. */
export interface SubmissionRequest extends Pick<Visit, 'subject' | 'channel' | 'scope' | 'linkMadeBy'> {
  /** From the form's token: the same nonce again is the same submission; see also `nonces`. */
  readonly nonce: string;
  readonly center: string;
  readonly intent: Intent;
  readonly globalPrivacyControl: boolean;
  /** An objection to purposes on by default: a purpose that the person agreed to is left alone. */
  readonly isObjection?: boolean | undefined;
  /** Purposes that its form drew as on by default; undefined where there was no such form. */
  readonly drawnByDefault?: readonly string[] | undefined;
  /** undefined: there was no form, as for one click and staff. */
  readonly form?: FormFacts | undefined;
  /** The words that the person saw; undefined: nothing of the center was read. */
  readonly shown?: ShownWords | undefined;
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

/** The form that was answered: its words, and what it knew of the record. */
export interface FormFacts {
  /** When it was rendered, in epoch milliseconds, by the time of submissions. */
  readonly at: number;
  /** Order of the desired state that was read before the form was rendered. */
  readonly order: number;
  /** Revision of the center whose texts it showed; undefined: it showed none. */
  readonly revision?: string | undefined;
  /** Purposes that it knew to be on record. Absent: not known. */
  readonly drawn?: readonly FormPurpose[] | undefined;
  /** Elements that it drew with a value. */
  readonly filled?: readonly string[] | undefined;
}

export interface FormPurpose {
  readonly purpose: string;
  /** The platform's own status; undefined: a call was removing it. */
  readonly status: string | undefined;
  readonly isOn: boolean;
}
