import { byKey } from '../by-key.ts';

/** How the person came in; kept with every submission. */
export type Channel = 'link' | 'staff-link' | 'mail' | 'single-sign-on' | 'embed' | 'one-click' | 'staff';

/** The outcome of one change. Only a withdrawal has `being-carried-out`. */
export const outcomes = [
  'saved',
  /** Not known yet: only while the submission is pending, and only for a grant within its minute. */
  'in-progress',
  /**
   * Accepted, and PENDING on record: the platform waits for the person's confirmation (double opt-in). For a
   * withdrawal: it was PENDING, and so not on, and stays so.
   */
  'waiting',
  'being-carried-out',
  'not-saved',
  /** Sent, and not seen on record: its answer was lost, or the record does not show it yet. It is still watched. */
  'in-doubt',
  /** Not sent, because the text that the person agreed to has changed. */
  'reworded',
  /** On record as asked, though the answer did not say so; or on, but without all chosen options. */
  'unconfirmed',
  /** It was switched off elsewhere since the page was shown, and stays off. */
  'withdrawn-elsewhere',
  /** The person said otherwise later. */
  'replaced',
  /** It was on, and an earlier call that landed late switched it off. */
  'switched-off',
  /** It cannot be changed any more (hard opt-out, always active). */
  'locked',
  /** It was already so; no call was needed. */
  'unchanged',
  /**
   * A withdrawal of a purpose that is neither in the center nor on record: whether the person's wish is met is unknown.
   */
  'no-such-purpose',
] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * `add`, `reduce`: the two halves of an adjustment whose additions were not saved; `add` only stands with `not-saved`.
 * `keep`: a side effect: `not-saved` if the platform did not keep it, else `withdrawn-elsewhere`.
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
  /** A grant that the platform accepted, and that is not read back yet. Shown, never stored. */
  readonly isAccepted?: true | undefined;
}

/** By the id of what they are about. */
export const itemsAbout = byKey<ItemResult>(({ id }) => id);

/** One submission, as the journal has it. Times are epoch milliseconds. */
export interface Submission {
  /** Public and unguessable; shown to the person. */
  readonly reference: string;
  readonly center: string;
  readonly channel: Channel;
  readonly state: 'pending' | 'done' | 'failed';
  /** Unsubscribed from everything. */
  readonly everything: boolean;
  readonly items: readonly ItemResult[];
  readonly receipts: readonly string[];
  readonly submittedAt: number;
  readonly doneAt: number | undefined;
  /** The reference of the submission this one undoes. */
  readonly undoes: string | undefined;
  /** Reference of the submission that undid this one. */
  readonly undoneBy: string | undefined;
  /** The request carried `Sec-GPC: 1`. */
  readonly globalPrivacyControl: boolean;
  /**
   * `watched`: an earlier call without an answer may still undo the withdrawal, which is read again for ten minutes.
   * `repeated`: it did, and the withdrawal was sent again.
   */
  readonly aftermath?: 'watched' | 'repeated' | undefined;
}

/**
 * The outcome as it is shown: a withdrawal that waits for a confirmation was never on; an accepted grant is only
 * checked.
 */
export function shownOutcome({ change, outcome, isAccepted }: ItemResult): Outcome {
  if (isAccepted === true && outcome === 'in-progress') return 'in-doubt';
  return change === 'off' && outcome === 'waiting' ? 'unchanged' : outcome;
}
