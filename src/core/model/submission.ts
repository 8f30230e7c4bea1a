import { byKey } from './by-key.ts';

/** Which way a person came in; kept with every submission. */
export type Channel = 'link' | 'staff-link' | 'mail' | 'single-sign-on' | 'embed' | 'one-click' | 'staff';

/** What became of one change. `being-carried-out` only ever stands beside a withdrawal. */
export type Outcome =
  | 'saved'
  /** Not known yet: only while the submission is pending, and only for what may still be granted within its minute. */
  | 'in-progress'
  /**
   * Accepted, and PENDING on record: the platform waits for the person's confirmation (double opt-in). Of what is
   * switched off: it was PENDING, and so not on, and stays it.
   */
  | 'waiting'
  | 'being-carried-out'
  | 'not-saved'
  /** Sent, and not seen on record: its answer was lost, or the record does not show it yet. It is looked for again. */
  | 'in-doubt'
  /** Not sent, for what the person had agreed to says something else by now. */
  | 'reworded'
  /** On record as it was asked, though the answer did not say so; or on, though not with all that was chosen. */
  | 'unconfirmed'
  /** It was switched off elsewhere since the page was shown, and stays off. */
  | 'withdrawn-elsewhere'
  /** The person said otherwise later. */
  | 'replaced'
  /** It was on, and an earlier call that landed late switched it off. */
  | 'switched-off'
  /** It may not be changed any more (hard opt-out, always active). */
  | 'locked'
  /** It was already so; no call was needed. */
  | 'unchanged'
  /** To be switched off, and neither in the center nor on record: it is not known whether what was meant is off. */
  | 'no-such-purpose';

/**
 * `add`, `reduce`: the halves of an adjustment of which what it adds was not saved, and what it takes out goes on.
 * `keep`: nothing was asked, yet it is not as it was: `not-saved` where the platform did not leave it so, or
 * `withdrawn-elsewhere`. `add` only ever stands with `not-saved`.
 */
export type ChangeKind = 'on' | 'off' | 'adjust' | 'add' | 'reduce' | 'typed' | 'language' | 'keep';

export interface ItemResult {
  readonly what: 'purpose' | 'data-element' | 'language';
  /** Purpose id, data element id, or language tag. */
  readonly id: string;
  readonly change: ChangeKind;
  readonly outcome: Outcome;
  readonly receipt: string | undefined;
  /** Something granted that the platform has accepted, and that is not read back yet. Shown, never stored. */
  readonly isAccepted?: true | undefined;
}

/** By the id of what they are about. */
export const itemsAbout = byKey<ItemResult>(({ id }) => id);

/** What the journal knows of one submission. Times are epoch milliseconds. */
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
   * `watched`: an earlier call that never was answered may still undo what was switched off, which is looked at again
   * for ten minutes. `repeated`: it did, and that was switched off once more.
   */
  readonly aftermath?: 'watched' | 'repeated' | undefined;
}

/** What was to be switched off and only waits for a confirmation was not on; what is accepted is only checked. */
export function shownOutcome({ change, outcome, isAccepted }: ItemResult): Outcome {
  if (isAccepted === true && outcome === 'in-progress') return 'in-doubt';
  return change === 'off' && outcome === 'waiting' ? 'unchanged' : outcome;
}
