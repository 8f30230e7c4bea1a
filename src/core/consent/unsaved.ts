import { type Intent, isEmptyIntent, noIntent } from '../model/intent.ts';
import { type ItemResult, itemsAbout } from '../model/submission.ts';

/** What was asked and is surely not on record, so that asking again is no other wish. */
export function isUnsaved({ outcome, change }: ItemResult): boolean {
  return change !== 'keep' && (outcome === 'not-saved' || outcome === 'reworded');
}

/**
 * The part of an intent that was not saved, to be chosen again on a page: it is only laid over what is on record there,
 * under the words as they are now, and asks for nothing by itself. undefined where nothing of it is left.
 */
export function unsavedIntent(intent: Intent, items: readonly ItemResult[]): Intent | undefined {
  const isLeft = (what: ItemResult['what'], id: string) =>
    itemsAbout(items, id).some((item) => item.what === what && isUnsaved(item));
  const unsaved: Intent = {
    ...noIntent,
    purposes: intent.purposes.filter(({ purpose }) => isLeft('purpose', purpose)),
    dataElements: intent.dataElements.filter(({ element }) => isLeft('data-element', element)),
    language:
      intent.language !== undefined && isLeft('language', intent.language) ? intent.language : undefined,
  };
  return isEmptyIntent(unsaved) ? undefined : unsaved;
}
