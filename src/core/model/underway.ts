import type { PurposeChange } from './intent.ts';

/** What a person has asked for in a center and is still on its way, as far as a page shows it as done already. */
export interface Underway {
  /** What is switched off or taken out, and what was asked for again since; in the order of submission. */
  readonly changes: readonly PurposeChange[];
  /** Everything is being left, but for what is switched on in `changes` and for purposes that are on again since. */
  readonly everything: { readonly but: readonly string[] } | undefined;
}

export const nothingUnderway: Underway = { changes: [], everything: undefined };
