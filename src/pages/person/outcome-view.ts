import type { LocalizedText } from '../../i18n/localized-text.ts';
import type { Details, PostLink } from '../layout.ts';
import type { Kind } from './result-words.ts';

/** What became of one submission. */
export interface OutcomeView {
  readonly title: string;
  readonly lines: readonly OutcomeLine[];
  /** The platform's numbers and ours, for a person who asks for them. */
  readonly details: Details;
  readonly undo?: UndoView | undefined;
}

export interface UndoView extends PostLink {
  /** What it does not bring back as it was, said before its button. */
  readonly leavesOut?: { readonly text: string; readonly names: readonly LocalizedText[] } | undefined;
}

export interface OutcomeLine {
  readonly kind: Kind | 'stays-off';
  readonly name: LocalizedText;
  readonly text: string;
}
