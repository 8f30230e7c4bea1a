import { type Intent, isEmptyIntent, noIntent } from '../model/submission/intent.ts';
import { type ItemResult, itemsAbout } from '../model/submission/submission.ts';

/** True if the choice was asked for and is surely not on record: asking again is the same wish. */
export function isUnsaved({ outcome, change }: ItemResult): boolean {
  return change !== 'keep' && (outcome === 'not-saved' || outcome === 'reworded');
}

/**
 * The unsaved part of an intent, to fill in a page with today's wording, without grants of purposes that were
 * withdrawn since. It submits nothing by itself. undefined: no part is unsaved.
 */
export function unsavedIntent(
  intent: Intent,
  items: readonly ItemResult[],
  isWithdrawnSince: (purpose: string) => boolean,
): Intent | undefined {
  const isLeft = (what: ItemResult['what'], id: string) =>
    itemsAbout(items, id).some((item) => item.what === what && isUnsaved(item));
  const unsaved: Intent = {
    ...noIntent,
    purposes: intent.purposes.filter(
      ({ kind, purpose }) => isLeft('purpose', purpose) && (kind === 'off' || !isWithdrawnSince(purpose)),
    ),
    dataElements: intent.dataElements.filter(({ element }) => isLeft('data-element', element)),
    language: items.some((item) => item.what === 'language' && isUnsaved(item)) ? intent.language : undefined,
  };
  return isEmptyIntent(unsaved) ? undefined : unsaved;
}
