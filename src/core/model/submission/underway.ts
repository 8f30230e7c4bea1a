import type { PurposeChange } from './intent.ts';

/** Unfinished work for a person in a center that a page already shows as done. */
export interface Underway {
  /** Withdrawals, and the grants submitted after them, in the order of submission. */
  readonly changes: readonly PurposeChange[];
  /**
   * Set while all purposes are being withdrawn, except grants in `changes` and the purposes in `but`, which
   * are on again since.
   */
  readonly everything: { readonly but: readonly string[] } | undefined;
  /**
   * The order of the person's desired state. A form carries it, so that a later submission is known to be
   * later.
   */
  readonly order: number;
  /**
   * Whether a call that removes the purpose was made, so that a change of its record is expected.
   * `isShownOn`: whether the reading shows the purpose as on.
   */
  readonly isCalled: (purpose: string, isShownOn: boolean) => boolean;
  /**
   * Whether a record that was read at `at` (epoch milliseconds) shows all submitted changes, except perhaps
   * those of the submission `but`.
   */
  readonly isShownBy: (at: number, but: string | undefined) => boolean;
  /** Whether the person has a record in this center. */
  readonly isKnown: boolean;
}

export const nothingUnderway: Underway = {
  changes: [],
  everything: undefined,
  order: 0,
  isCalled: () => false,
  isShownBy: () => true,
  isKnown: false,
};
