import { byKey } from '../by-key.ts';

/** The way by which the person came; kept with every submission. */
export type Channel = 'link' | 'staff-link' | 'mail' | 'single-sign-on' | 'embed' | 'one-click' | 'staff';

/** The outcome of one change. Only a withdrawal has `being-carried-out`. */
export const outcomes = [
  'saved',
  /**
   * The outcome is not known yet: only while the submission is pending, and only for a grant within its
   * minute.
   */
  'in-progress',
  /**
   * The change is accepted and PENDING on record: the platform waits for the person's confirmation (double
   * opt-in). A withdrawal of a PENDING purpose, which was not on, also has this outcome.
   */
  'waiting',
  'being-carried-out',
  'not-saved',
  /**
   * The change was sent but is not seen on record: its answer was lost, or the record does not show it yet.
   * The record is still watched.
   */
  'in-doubt',
  /** The change was not sent, because the text that the person agreed to has changed. */
  'reworded',
  /**
   * The change is on record, though the answer did not say so; or the purpose is on, but without all chosen
   * options.
   */
  'unconfirmed',
  /** The purpose was switched off elsewhere since the page was shown, and stays off. */
  'withdrawn-elsewhere',
  /** A later submission of the person replaces the change. */
  'replaced',
  /** The purpose was on, and an earlier call that arrived late switched it off. */
  'switched-off',
  /** The purpose cannot be changed (hard opt-out, always active). */
  'locked',
  /** The purpose already had this state; no call was needed. */
  'unchanged',
  /**
   * The withdrawn purpose is neither in the center nor on record: whether the person's wish is met is
   * unknown.
   */
  'no-such-purpose',
] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * `add`, `reduce`: the two halves of an adjustment whose additions were not saved; `add` only occurs with
 * `not-saved`. `keep`: a side effect: `not-saved` if the platform did not keep the purpose, else
 * `withdrawn-elsewhere`.
 */
export const changeKinds = ['on', 'off', 'adjust', 'add', 'reduce', 'typed', 'language', 'keep'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface ItemResult {
  readonly what: 'purpose' | 'data-element' | 'language';
  /** Purpose id, data element id, or language tag. */
  readonly id: string;
  readonly change: ChangeKind;
  readonly outcome: Outcome;
  readonly receipt: string | undefined;
  /** Set for a grant that the platform accepted but that is not read back yet. Shown, never stored. */
  readonly isAccepted?: true | undefined;
}

/** The results about a purpose, data element or language, by its id. */
export const itemsAbout = byKey<ItemResult>(({ id }) => id);

/** One submission in the journal. Times are epoch milliseconds. */
export interface Submission {
  /** A public, unguessable reference, which the person sees. */
  readonly reference: string;
  readonly center: string;
  readonly channel: Channel;
  readonly state: 'pending' | 'done' | 'failed';
  /** Whether all purposes were withdrawn. */
  readonly everything: boolean;
  readonly items: readonly ItemResult[];
  readonly receipts: readonly string[];
  readonly submittedAt: number;
  readonly doneAt: number | undefined;
  /** The reference of the submission this one undoes. */
  readonly undoes: string | undefined;
  /** The reference of the submission that undid this one. */
  readonly undoneBy: string | undefined;
  /** Whether the request carried `Sec-GPC: 1`. */
  readonly globalPrivacyControl: boolean;
  /**
   * `watched`: an earlier call without an answer may still undo the withdrawal, so the record is read again
   * for ten minutes. `repeated`: the call did so, and the withdrawal was sent again.
   */
  readonly aftermath?: 'watched' | 'repeated' | undefined;
}

/**
 * The outcome to show. A waiting withdrawal counts as unchanged, because the purpose was never on; an
 * accepted grant counts as in doubt, because only the check is missing.
 */
export function shownOutcome({ change, outcome, isAccepted }: ItemResult): Outcome {
  if (isAccepted === true && outcome === 'in-progress') return 'in-doubt';
  return change === 'off' && outcome === 'waiting' ? 'unchanged' : outcome;
}
