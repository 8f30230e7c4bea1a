import { type Center, everyPurpose, itemsOf } from '../../core/model/center/center.ts';
import type { Subject } from '../../core/model/person/subject.ts';
import type { ItemResult } from '../../core/model/submission/submission.ts';
import { messagesFor } from '../../i18n/catalogue.ts';
import { chooseText, type LocalizedText } from '../../i18n/language.ts';
import { languageNameAmong } from './layout.ts';

export interface NamesInput {
  readonly center: Center;
  readonly language: string;
  /** Names purposes that no page draws; undefined when the record could not be read. */
  readonly subject: Subject | undefined;
}

/** In the page's language: what the schema says, else what the platform calls it on the person's record. */
export function createNames({
  center,
  language,
  subject,
}: NamesInput): (item: Pick<ItemResult, 'what' | 'id'>) => LocalizedText {
  const names = new Map<string, LocalizedText | undefined>();
  for (const record of subject?.purposes ?? []) {
    if (record.label !== undefined && record.label.trim() !== '') {
      names.set(`purpose ${record.purpose}`, { text: record.label });
    }
  }
  for (const { id, name } of everyPurpose(center)) {
    const shown = chooseText(name, language, center.defaultLanguage);
    if (shown !== undefined) names.set(`purpose ${id}`, shown);
  }
  for (const item of itemsOf(center)) {
    if (item.kind !== 'data-element') continue;
    const { id, name, label } = item.element;
    names.set(`data-element ${id}`, chooseText(name, language, center.defaultLanguage) ?? { text: label });
  }
  const unnamed = { text: messagesFor(language).page.unnamed };
  return (item) => {
    if (item.what === 'language') return { text: languageNameAmong(center.languages, item.id) };
    return names.get(`${item.what} ${item.id}`) ?? unnamed;
  };
}

/** What no page draws comes last. */
export function createPageOrder(center: Center) {
  const places = new Map<string, number>();
  for (const item of itemsOf(center)) {
    if (item.kind === 'text') continue;
    const id = item.kind === 'purpose' ? item.purpose.id : item.element.id;
    if (!places.has(id)) places.set(id, places.size);
  }
  const place = ({ id }: { readonly id: string }) => places.get(id) ?? places.size;
  return <Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] =>
    items.toSorted((a, b) => place(a) - place(b));
}
