import type { LinkMaker } from '../person/visit.ts';
import type { ChangeKind, ItemResult, Submission } from '../submission/submission.ts';

/** A submission, frozen: nothing in it is looked up later. Times are epoch milliseconds. */
export interface Evidence {
  readonly asked: Salted<AskedEvidence>;
  /** The end of the submission; undefined while it is pending. */
  readonly ended: Salted<EndedEvidence> | undefined;
}

/** A submission with its evidence, which is undefined if no key opens it. */
export interface RecordedSubmission extends Submission {
  readonly evidence?: Evidence | undefined;
}

/**
 * A value with its salt of 16 random bytes in base64url. A leaf of the tree can only be checked with the
 * salt; without it, the leaf tells nothing.
 */
export type Salted<T> = T & { readonly salt: string };

/** The submission as it was recorded. */
export interface AskedEvidence
  extends Pick<Submission, 'reference' | 'center' | 'channel' | 'globalPrivacyControl'> {
  readonly subject: string;
  readonly linkMadeBy?: LinkMaker | undefined;
  /** The staff member and the reason, if staff act on behalf of the person. */
  readonly onBehalf?: { readonly staff: string; readonly reason: string } | undefined;
  /** Set if the person made the objection of the browser (Global Privacy Control) permanent. */
  readonly isObjection?: true | undefined;
  /** The reference of the submission this one undoes. */
  readonly undoes?: string | undefined;
  /** Time at which the submission was stored durably. */
  readonly acceptedAt: number;
  /** The words that were shown; absent if nothing of the center was read, as for a click in a mail. */
  readonly shown?: ShownWords | undefined;
  /** Set if all purposes of the center were withdrawn. */
  readonly everything?: true | undefined;
  readonly changes: readonly AskedChange[];
}

/** The words that a person saw. */
export interface ShownWords {
  /**
   * `form`: the form that was answered. `undone`: the submission that is undone. `center`: there was no form,
   * so the words are those of the center at that time.
   */
  readonly by: 'form' | 'undone' | 'center';
  /** Time at which the form was rendered. */
  readonly at?: number | undefined;
  /** Digest of the wording: names, descriptions, topics, options, buttons, controller and notice. */
  readonly words: string;
  readonly language: string;
  readonly template?: string | undefined;
  readonly page?: string | undefined;
  /** Status on the form and version of each changed purpose. */
  readonly purposes?: readonly ShownPurpose[] | undefined;
}

export interface ShownPurpose {
  readonly purpose: string;
  readonly status?: string | undefined;
  readonly version?: number | undefined;
}

/** One requested change. Typed values are not kept. */
export interface AskedChange {
  readonly what: ItemResult['what'];
  readonly id: string;
  readonly change: Exclude<ChangeKind, 'add' | 'keep'>;
  readonly version?: number | undefined;
  /** The status that the form showed. */
  readonly from?: string | undefined;
  readonly topicsOn?: readonly string[] | undefined;
  readonly topicsOff?: readonly string[] | undefined;
  /** Preference and option. */
  readonly optionsOn?: readonly OptionPair[] | undefined;
  readonly optionsOff?: readonly OptionPair[] | undefined;
}

export type OptionPair = readonly [preference: string, option: string];

/** The submission as it ended. Results of later days are not part of it. */
export interface EndedEvidence extends Pick<Submission, 'items' | 'aftermath'> {
  readonly state: Exclude<Submission['state'], 'pending'>;
  /** Time of the first call; undefined if none was made. */
  readonly sentAt?: number | undefined;
  /** Time at which the result was read back from the platform, or the submission was given up. */
  readonly endedAt: number;
}
