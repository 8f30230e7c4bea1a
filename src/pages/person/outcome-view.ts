import type { LocalizedText } from '../../i18n/localized-text.ts';
import type { Numbers, PostLink } from '../layout.ts';
import type { Kind } from './result-words.ts';

/** What became of one submission. */
export interface OutcomeView extends Numbers {
  readonly title: string;
  readonly lines: readonly OutcomeLine[];
  readonly undo?: UndoView | undefined;
}

export interface UndoView extends PostLink {
  /** What it does not bring back as it was, named before its button. */
  readonly leavesOut: readonly LocalizedText[];
}

export interface OutcomeLine {
  readonly kind: Kind | 'stays-off';
  readonly name: LocalizedText;
  readonly text: string;
}
