import { type Center, everyPurpose, itemsOf, type Text } from '../../core/model/center/center.ts';
import { recordOf, type Subject } from '../../core/model/person/subject.ts';
import type { Visit } from '../../core/model/person/visit.ts';
import type { ItemResult } from '../../core/model/submission/submission.ts';
import { type Messages, messagesFor } from '../../i18n/catalogue.ts';
import { chooseText, type LocalizedText } from '../../i18n/language.ts';
import { languageNameAmong } from './layout.ts';

export interface NamesInput {
  readonly center: Center;
  readonly language: string;
  /** The record, which names purposes that no page shows; undefined when it could not be read. */
  readonly subject: Pick<Subject, 'purposes'> | undefined;
}

/** The input for the views of all items of a page. */
export interface ViewInput extends Omit<NamesInput, 'subject'> {
  readonly messages: Messages;
  /** `withdraw`: the page offers nothing to switch on, and masks values. */
  readonly scope: Visit['scope'];
  /** The text of the mistake in a field, by the field's name and the item's name. */
  readonly mistakeIn: (field: string, item: string) => string | undefined;
}

/** The names in a schema, by kind and id. */
export function namedIn(
  center: Center,
): ReadonlyMap<string, { readonly name: Text; readonly label?: string }> {
  const elements = itemsOf(center).flatMap((item) => (item.kind === 'data-element' ? item.element : []));
  return new Map([
    ...elements.map((element) => [`data-element ${element.id}`, element] as const),
    ...everyPurpose(center).map(({ id, name }) => [`purpose ${id}`, { name }] as const),
  ]);
}

/**
 * Finds names in the page's language: the name in the schema, otherwise the platform's plain name, which for
 * a purpose is on the person's record.
 */
export function createNames({ center, language, subject = { purposes: [] } }: NamesInput) {
  const named = namedIn(center);
  return ({ what, id }: Pick<ItemResult, 'what' | 'id'>): LocalizedText => {
    if (what === 'language') return { text: languageNameAmong(center.languages, id) };
    const { name, label = recordOf(subject, id)?.label } = named.get(`${what} ${id}`) ?? {};
    return nameIn(name, { center, language }, label);
  };
}

/** A name in the page's language, else `plain`; without either, words of ours. */
export function nameIn(name: Text | undefined, by: Omit<NamesInput, 'subject'>, plain = ''): LocalizedText {
  const chosen = name && chooseText(name, by.language, by.center.defaultLanguage);
  return chosen ?? { text: plain.trim() === '' ? messagesFor(by.language).page.unnamed : plain };
}

/** Sorts items by the order of the pages; an item that no page shows comes last. */
export function createPageOrder(center: Center) {
  const ids = itemsOf(center).map((item) => {
    if (item.kind === 'text') return item.id;
    return item.kind === 'purpose' ? item.purpose.id : item.element.id;
  });
  const places = new Map([...new Set(ids)].map((id, place) => [id, place]));
  const place = ({ id }: { readonly id: string }) => places.get(id) ?? places.size;
  return <Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] =>
    items.toSorted((a, b) => place(a) - place(b));
}
