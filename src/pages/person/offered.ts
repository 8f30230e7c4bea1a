import { isUnsaved } from '../../core/consent/unsaved.ts';
import { type Center, everyPurpose } from '../../core/model/center/center.ts';
import type { ItemResult, Submission } from '../../core/model/submission/submission.ts';

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
