import type { PurposeChange } from './intent.ts';

/** Unfinished work of a person in a center, as far as a page already shows it as done. */
export interface Underway {
  /** Withdrawals, and grants said after them; in the order of submission. */
  readonly changes: readonly PurposeChange[];
  /** Everything is being withdrawn, except grants in `changes` and purposes that are on again since. */
  readonly everything: { readonly but: readonly string[] } | undefined;
  /** Order of the person's desired state. A form carries it, so that later words are known to be later. */
  readonly order: number;
  /**
   * Whether a call that removes the purpose was made, so that a change of its record is no news; `isShownOn`: by the
   * reading.
   */
  readonly isCalled: (purpose: string, isShownOn: boolean) => boolean;
  /** Whether a record read at `at` (epoch milliseconds) shows all that was said, except perhaps by `but`. */
  readonly isShownBy: (at: number, but: string | undefined) => boolean;
  /** Something was on record of the person here. */
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
