import { byKey } from '../../core/model/by-key.ts';
import type { AskedChange, RecordedSubmission } from '../../core/model/evidence/evidence.ts';
import type { ChoiceCopy } from '../../core/model/evidence/record-copy.ts';
import type { AskedWords, PurposeText, WordsOfThen } from '../../core/model/evidence/wording.ts';
import type { ItemResult } from '../../core/model/submission/submission.ts';

const changesAbout = byKey<AskedChange>(({ id }) => id);

export type ToldThen = ReturnType<typeof toldThen>;

/**
 * The change that was asked for one item, in the words that the person saw. `text` is undefined if these were
 * not kept or not shown.
 */
export function toldThen(
  item: Pick<ItemResult, 'what' | 'id' | 'change'>,
  { evidence }: Pick<RecordedSubmission, 'evidence'>,
  words: WordsOfThen,
) {
  const asked = evidence?.asked;
  const digest = asked?.shown?.words;
  const change = changesAbout(asked?.changes ?? [], item.id).find(({ what }) => what === item.what);
  // A language has no words of its own, whatever id a purpose has.
  const text = digest === undefined || item.what === 'language' ? undefined : words.text(digest, item.id);
  // `keep` was not asked for. An adjustment may end as two items: its additions and its reductions.
  const isAsked = change !== undefined && item.change !== 'keep';
  const isHalf = (half: 'add' | 'reduce') => item.change === half && change?.change !== half;
  const all = isAsked ? choicesOf(change, text) : [];
  const choices = all.filter(
    ({ to }) => !(isHalf('add') && to === 'off') && !(isHalf('reduce') && to === 'on'),
  );
  return { change: isAsked ? change : undefined, text, choices };
}

function choicesOf(change: AskedChange, text: PurposeText | undefined): readonly ChoiceCopy[] {
  const topicName = new Map((text?.topics ?? []).map(({ id, name }) => [id, name]));
  const preferences = new Map((text?.preferences ?? []).map((preference) => [preference.id, preference]));
  const topics = (ids: AskedChange['topicsOn'], to: 'on' | 'off') =>
    (ids ?? []).map((id): ChoiceCopy => ({ kind: 'topic', id, name: topicName.get(id) ?? id, to }));
  const options = (pairs: AskedChange['optionsOn'], to: 'on' | 'off') =>
    (pairs ?? []).map(([under, id]): ChoiceCopy => {
      const { name = under, options: all = [] } = preferences.get(under) ?? {};
      const option = all.find((each) => each.id === id)?.name ?? id;
      return { kind: 'option', id, name: option, preference: { id: under, name }, to };
    });
  return [
    ...topics(change.topicsOn, 'on'),
    ...topics(change.topicsOff, 'off'),
    ...options(change.optionsOn, 'on'),
    ...options(change.optionsOff, 'off'),
  ];
}

/** The wordings that these submissions need. */
export function askedWords(history: readonly Pick<RecordedSubmission, 'evidence' | 'items'>[]) {
  return history.flatMap(({ evidence, items }): AskedWords | [] => {
    const words = evidence?.asked.shown?.words;
    return words === undefined ? [] : { words, ids: items.map(({ id }) => id) };
  });
}
