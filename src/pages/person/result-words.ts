import {
  type ChangeKind,
  type ItemResult,
  type Outcome,
  type Submission,
  shownOutcome,
} from '../../core/model/submission/submission.ts';
import { fillCount, type Messages, messageLanguage, messagesFor } from '../../i18n/catalogue.ts';
import { findLabel, label } from '../../i18n/label.ts';
import type { NamesInput } from './names.ts';

/**
 * Kinds of results on the page. A side effect, and a change that is on record anyway, do not count as not
 * saved.
 */
export type Kind = Exclude<Outcome, 'unconfirmed' | 'being-carried-out' | 'switched-off'> | 'to-check';

type ResultText = Exclude<keyof Messages['result'], 'notSaved' | 'counts'>;

/**
 * The words of each kind, in the order of the page: the title if all items are of this kind, and the group in
 * which they are counted otherwise.
 */
const kindWords: Readonly<
  Record<Kind, { readonly title?: ResultText; readonly way: keyof Messages['result']['counts'] }>
> = {
  saved: { way: 'saved' },
  'in-progress': { title: 'inProgress', way: 'underway' },
  waiting: { title: 'waiting', way: 'underway' },
  'in-doubt': { title: 'inDoubt', way: 'toCheck' },
  'not-saved': { way: 'notSaved' },
  reworded: { title: 'reworded', way: 'notSaved' },
  'to-check': { title: 'toCheck', way: 'toCheck' },
  'withdrawn-elsewhere': { title: 'elsewhere', way: 'notSaved' },
  replaced: { title: 'replaced', way: 'notSaved' },
  locked: { title: 'locked', way: 'notSaved' },
  unchanged: { title: 'nothing', way: 'saved' },
  'no-such-purpose': { title: 'nothing', way: 'notSaved' },
};
export const kinds = Object.keys(kindWords) as readonly Kind[];

export function kindOf(item: ItemResult): Kind {
  const outcome = shownOutcome(item);
  if (outcome === 'being-carried-out') return 'in-progress';
  if (outcome === 'unconfirmed' || outcome === 'switched-off') return 'to-check';
  return item.change === 'keep' && outcome === 'not-saved' ? 'to-check' : outcome;
}

export interface ResultTitleInput extends Omit<NamesInput, 'subject'> {
  readonly submission: Submission;
  /** Whether the submission undoes another one, or undoes an undo. */
  readonly kind?: 'undone' | 'redone' | undefined;
}

/**
 * The result in one line: the center's own words if all items are of one kind, otherwise the numbers of each
 * group.
 */
export function resultTitle({ submission, center, language, kind }: ResultTitleInput): string {
  const { result } = messagesFor(language);
  const { everything, items, state } = submission;
  const isProfile = items.length > 0 && items.every(({ what }) => what === 'data-element');
  const ofProfile = (name: 'profile-success' | 'profile-error') =>
    isProfile ? findLabel(center, language, name) : undefined;
  const saved = everything
    ? label(center, language, 'unsubscribe-success')
    : (ofProfile('profile-success') ?? label(center, language, 'update-success'));
  if (items.length === 0) {
    if (state === 'pending') return result.inProgress;
    if (state === 'failed') return label(center, language, 'update-error');
    return everything ? saved : result.nothing;
  }
  // An always-active purpose could never be withdrawn, so it is not counted.
  const itemKinds = items
    .filter((item) => !(everything && item.outcome === 'locked' && item.change === 'off'))
    .map(kindOf);
  if (items.some((item) => shownOutcome(item) === 'in-progress')) return result.inProgress;
  const changedKinds = itemKinds.filter((each) => each !== 'unchanged');
  if (changedKinds.every((each) => each === 'no-such-purpose')) return everything ? saved : result.nothing;
  const [only, ...others] = new Set(changedKinds);
  if (only === undefined || others.length > 0) return countsTitle(changedKinds, language);
  const { title } = kindWords[only];
  if (title !== undefined) return result[title];
  if (only === 'saved') return kind === 'undone' ? result.undoneTitle : saved;
  return ofProfile('profile-error') ?? label(center, language, 'update-error');
}

const ways = ['saved', 'underway', 'toCheck', 'notSaved'] as const;

/** The numbers, such as "1 change saved, 1 not saved". */
function countsTitle(itemKinds: readonly Kind[], language: string): string {
  const { counts, notSaved } = messagesFor(language).result;
  const counted = Map.groupBy(itemKinds, (kind) => kindWords[kind].way);
  if (counted.size === 1 && counted.has('notSaved')) return fillCount(notSaved, language, itemKinds.length);
  const parts = ways.flatMap((way) => {
    const count = counted.get(way)?.length ?? 0;
    return count === 0 ? [] : [fillCount(counts[way], language, count)];
  });
  return new Intl.ListFormat(messageLanguage(language), { type: 'unit', style: 'short' }).format(parts);
}

/** Texts by change; `other` is for every change that is not named. */
type ByChange = Partial<Record<ChangeKind, ResultText>> & { readonly other: ResultText };

const notSaved: ByChange = {
  on: 'notSwitchedOn',
  off: 'notSwitchedOff',
  add: 'notAdded',
  keep: 'notKept',
  other: 'notChanged',
};

const itemTexts: Readonly<Record<Exclude<Outcome, 'being-carried-out'>, ByChange>> = {
  saved: {
    on: 'switchedOn',
    off: 'switchedOff',
    typed: 'typed',
    language: 'languageKept',
    other: 'adjusted',
  },
  'in-progress': { on: 'switchingOn', off: 'switchingOff', other: 'changing' },
  'not-saved': notSaved,
  unchanged: { on: 'alreadyOn', off: 'alreadyOff', other: 'alreadySo' },
  waiting: { off: 'neverConfirmed', other: 'waitingText' },
  'in-doubt': { other: 'inDoubtText' },
  reworded: { other: 'rewordedText' },
  'withdrawn-elsewhere': { other: 'withdrawnElsewhere' },
  replaced: { other: 'replacedText' },
  // If only choices were undone, the purpose itself may be on.
  'switched-off': { ...notSaved, on: 'cameUndone' },
  locked: { other: 'lockedText' },
  unconfirmed: { other: 'unconfirmed' },
  'no-such-purpose': { other: 'notOfferedText' },
};

/** The text of an item. `past`: texts that replace those with the same name. */
export function itemText(
  { outcome, change, isAccepted }: ItemResult,
  { result, states }: Messages,
  past: Partial<Record<ResultText, string>> = {},
): string {
  if (outcome === 'locked' && change === 'off') return states.alwaysActiveHint;
  if (outcome === 'being-carried-out')
    return change === 'reduce' ? states.beingReducedHint : result.switchingOff;
  const text = itemTexts[outcome][change] ?? itemTexts[outcome].other;
  return past[text] ?? (isAccepted === true ? result.readingBack : result[text]);
}
