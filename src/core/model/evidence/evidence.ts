import type { LinkMaker } from '../person/visit.ts';
import type { ChangeKind, ItemResult, Submission } from '../submission/submission.ts';

/** A submission, frozen: nothing in it is ever looked up later. Times are epoch milliseconds. */
export interface Evidence {
  readonly asked: Salted<AskedEvidence>;
  /** undefined: pending. */
  readonly ended: Salted<EndedEvidence> | undefined;
}

/** A submission with its evidence; undefined: no key opens it. */
export interface RecordedSubmission extends Submission {
  readonly evidence?: Evidence | undefined;
}

/** The salt is 16 random bytes in base64url: a leaf can be verified with it, and tells nothing without it. */
export type Salted<T> = T & { readonly salt: string };

/** The submission as it was recorded. */
export interface AskedEvidence
  extends Pick<Submission, 'reference' | 'center' | 'channel' | 'globalPrivacyControl'> {
  readonly subject: string;
  readonly linkMadeBy?: LinkMaker | undefined;
  /** Staff member and reason, when done on behalf of the person. */
  readonly onBehalf?: { readonly staff: string; readonly reason: string } | undefined;
  /** The browser's objection, made to last. */
  readonly isObjection?: true | undefined;
  /** The reference of the submission this one undoes. */
  readonly undoes?: string | undefined;
  /** Durable. */
  readonly acceptedAt: number;
  /** What was shown; absent if nothing of the center was read, as for a click in a mail. */
  readonly shown?: ShownWords | undefined;
  /** All purposes of the center were withdrawn. */
  readonly everything?: true | undefined;
  readonly changes: readonly AskedChange[];
}

/** The words that a person saw. */
export interface ShownWords {
  /**
   * `form`: words of the form that was answered. `undone`: words of the submission that is undone. `center`: there was
   * no form; the words of the center at that time.
   */
  readonly by: 'form' | 'undone' | 'center';
  /** When the form was rendered. */
  readonly at?: number | undefined;
  /** Digest of the wording: names, descriptions, topics, options, buttons, controller and notice. */
  readonly words: string;
  readonly language: string;
  readonly template?: string | undefined;
  readonly page?: string | undefined;
  /** Status on the form, and version, of each purpose that is changed. */
  readonly purposes?: readonly ShownPurpose[] | undefined;
}

export interface ShownPurpose {
  readonly purpose: string;
  readonly status?: string | undefined;
  readonly version?: number | undefined;
}

/** One change that was asked for. Typed values are not kept. */
export interface AskedChange {
  readonly what: ItemResult['what'];
  readonly id: string;
  readonly change: Exclude<ChangeKind, 'add' | 'keep'>;
  readonly version?: number | undefined;
  /** How the form showed it. */
  readonly from?: string | undefined;
  readonly topicsOn?: readonly string[] | undefined;
  readonly topicsOff?: readonly string[] | undefined;
  /** Preference and option. */
  readonly optionsOn?: readonly OptionPair[] | undefined;
  readonly optionsOff?: readonly OptionPair[] | undefined;
}

export type OptionPair = readonly [preference: string, option: string];

/** The submission as it ended. What is found out on a later day is no part of it. */
export interface EndedEvidence extends Pick<Submission, 'items' | 'aftermath'> {
  readonly state: Exclude<Submission['state'], 'pending'>;
  /** When its first call was made; undefined: none was. */
  readonly sentAt?: number | undefined;
  /** Read back, or given up. */
  readonly endedAt: number;
}
