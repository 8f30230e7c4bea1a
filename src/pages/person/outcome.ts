import { isUnsaved } from '../../core/consent/unsaved.ts';
import { type Center, everyPurpose } from '../../core/model/center/center.ts';
import type { ItemResult, Submission } from '../../core/model/submission/submission.ts';
import type { LocalizedText } from '../../i18n/language.ts';
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

/** What a form sent and was saved, told over the same form. */
export interface SavedHere extends OutcomeView {
  readonly submission: Submission;
  /** The page's id in its address, or ''. */
  readonly here: string;
}

/** What the center does not offer any more cannot be chosen again: retired, or gone. */
export function withNotOffered(submission: Submission, center: Center): Submission {
  const isOver = (item: ItemResult) =>
    item.what === 'purpose' && item.change === 'on' && isUnsaved(item) && !mayOffer(center, item.id);
  return {
    ...submission,
    items: submission.items.map((item) => (isOver(item) ? { ...item, outcome: 'no-such-purpose' } : item)),
  };
}

/** True, too, while the schema cannot be read. */
export function mayOffer(center: Center, id: string): boolean {
  const purposes = everyPurpose(center);
  return purposes.length === 0 || purposes.some((purpose) => purpose.id === id && purpose.active);
}
