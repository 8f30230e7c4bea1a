import type { ItemResult, Submission } from '../../core/model/submission/submission.ts';
import type { OutcomeView } from './outcome-view.ts';
import type { ItemView } from './preferences-view.ts';
import { kindOf } from './result-words.ts';

/** What a form sent and was saved, told over the same form. */
export interface SavedHere extends OutcomeView {
  readonly submission: Submission;
  /** The page's id in its address, or ''. */
  readonly here: string;
}

/** The items that were saved, marked; undefined where one shows something else by now. */
export function markSaved(
  items: readonly ItemView[],
  { submission }: SavedHere,
  text: string,
): readonly ItemView[] | undefined {
  const saved = new Map<string, ItemResult>();
  for (const item of submission.items)
    if (kindOf(item) === 'saved') saved.set(`${item.what} ${item.id}`, item);
  let isAsSaved = true;
  const marked = items.map((item): ItemView => {
    if (item.kind === 'text') return item;
    if (item.kind === 'data-element')
      return saved.has(`data-element ${item.id.slice('element-'.length)}`)
        ? { ...item, isSaved: true }
        : item;
    const change = saved.get(`purpose ${item.value}`)?.change;
    if (change === undefined) return item;
    if (item.checked === (change === 'off')) isAsSaved = false;
    return { ...item, tag: item.tag ?? { tone: 'success', text } };
  });
  return isAsSaved ? marked : undefined;
}
