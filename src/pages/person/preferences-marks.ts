import { longestValue } from '../../core/consent/element-value.ts';
import type { Mistake, MistakeKind } from '../../core/consent/mistake.ts';
import { firstByKey } from '../../core/model/by-key.ts';
import type { Center, Section } from '../../core/model/center/center.ts';
import { fill, messagesFor } from '../../i18n/catalogue.ts';
import { formats } from '../../i18n/format.ts';
import { findLabel } from '../../i18n/label.ts';
import type { LocalizedHtml, LocalizedText } from '../../i18n/language.ts';
import type { MistakeView } from '../form.ts';
import type { PurposeView } from './preferences-purpose.ts';
import type { ElementView } from './profile.ts';
import type { SavedHere } from './result.ts';
import { kindOf } from './result-words.ts';

export type ItemView = PurposeView | ElementView | { readonly kind: 'text'; readonly html: LocalizedHtml };

export interface SectionView {
  readonly id: string;
  readonly heading: LocalizedText | undefined;
  readonly description: LocalizedHtml | undefined;
  readonly kind: Section['kind'];
  readonly items: readonly ItemView[];
}

/**
 * Finds the text of the mistake in a field, which names the field. Only the first mistake of a field is
 * shown.
 */
export function readMistakes(mistakes: readonly Mistake[], center: Center, language: string) {
  return (field: string, item: string): string | undefined => {
    const mistake = mistakeIn(mistakes, field);
    return mistake && mistakeText(mistake.kind, item, center, language);
  };
}

const mistakeIn = firstByKey<Mistake>(({ field }) => field);

/** The mistakes of a page, in its order, each with a link to its field. */
export function mistakesIn(sections: readonly SectionView[]): readonly MistakeView[] {
  return sections.flatMap((section) => section.items.flatMap(mistakesOf));
}

/** The page's title with a word about mistakes in front, so that a screen reader says it first. */
export function titleWith(isMistaken: boolean, title: string, language: string): string {
  return isMistaken ? fill(messagesFor(language).page.error, { title }) : title;
}

function mistakesOf(item: ItemView): readonly MistakeView[] {
  if (item.kind === 'text') return [];
  if (item.kind === 'data-element') {
    return item.mistake === undefined ? [] : [{ href: `#${item.id}`, text: item.mistake }];
  }
  return item.preferences.flatMap((preference) => {
    if (preference.mistake === undefined) return [];
    // A group of inputs cannot take the focus; its first one can.
    const target =
      preference.type === 'select' ? preference.id : (preference.choices[0]?.id ?? preference.id);
    return [{ href: `#${target}`, text: preference.mistake }];
  });
}

function mistakeText(kind: MistakeKind, name: string, center: Center, language: string): string {
  const { mistakes } = messagesFor(language);
  const own =
    kind === 'email' || kind === 'phone' ? findLabel(center, language, `invalid-${kind}`) : undefined;
  if (own !== undefined) return fill(mistakes.named, { name, text: own });
  return fill(mistakes[kind], { name, count: longestValue });
}

/** The sections with marks on the saved items; undefined if an item no longer shows what was saved. */
export function markSaved(sections: readonly SectionView[], { submission }: SavedHere, text: string) {
  const done = submission.items.filter((item) => kindOf(item) === 'saved');
  const saved = new Map(done.map(({ what, id, change }) => [`${what} ${id}`, change]));
  let isAsSaved = true;
  const mark = (item: ItemView): ItemView => {
    if (item.kind === 'text') return item;
    const change = saved.get(`${item.kind} ${item.id.slice(item.id.indexOf('-') + 1)}`);
    if (change === undefined) return item;
    if (item.kind === 'data-element') return { ...item, isSaved: true };
    if (item.checked === (change === 'off')) isAsSaved = false;
    return { ...item, tag: item.tag ?? { tone: 'success', text } };
  };
  const marked = sections.map((section): SectionView => ({ ...section, items: section.items.map(mark) }));
  return isAsSaved ? marked : undefined;
}

/** Number of purposes above which a page needs a finder: more are not found by scrolling. */
const mostWithout = 15;

export function buildFinder(sections: readonly SectionView[], language: string) {
  const purposes = sections.flatMap(({ items }) => items.filter((item) => item.kind === 'purpose'));
  if (purposes.length <= mostWithout) return undefined;
  const { numbers } = formats(language);
  const total = numbers.format(purposes.length);
  const count = numbers.format(purposes.filter(({ checked }) => checked).length);
  const links = sections.flatMap(({ id, heading }) =>
    heading === undefined ? [] : [{ href: `#${id}`, label: heading }],
  );
  return {
    count: fill(messagesFor(language).page.countOn, { count, total }),
    contents: links.length < 2 ? undefined : links,
  };
}
