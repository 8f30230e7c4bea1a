import { messagesFor } from '../../i18n/catalogue.ts';
import { fill } from '../../i18n/fill.ts';
import { htmlLanguage } from '../../i18n/language.ts';
import type { Finder, SectionView } from './preferences-view.ts';

/** More purposes than this are not found by scrolling. */
const mostWithout = 15;

export function buildFinder(sections: readonly SectionView[], language: string): Finder | undefined {
  const purposes = sections.flatMap(({ items }) => items.filter((item) => item.kind === 'purpose'));
  if (purposes.length <= mostWithout) return undefined;
  const numbers = new Intl.NumberFormat(htmlLanguage(language));
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
