import type { PurposeChange } from './intent.ts';

/** What a person has asked for in a center and is still on its way, as far as a page shows it as done already. */
export interface Underway {
  /** What is switched off or taken out, and what was asked for again since; in the order of submission. */
  readonly changes: readonly PurposeChange[];
  /** Everything is being left, but for what is switched on in `changes` and for purposes that are on again since. */
  readonly everything: { readonly but: readonly string[] } | undefined;
  /** Of the person's desired state. A form carries it, so that what was said after it is known to be later. */
  readonly order: number;
  /** Whether a call is on its way to take a purpose out: what its record says soon is no news. */
  readonly isCalled: (purpose: string) => boolean;
  /** A record that was read at `at` (epoch milliseconds) shows all that was said, but perhaps what `but` said. */
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
