import { isGuid } from '../core/model/center/center-config.ts';

/** Members that hold a word or number of the interface, never a text of a person. */
const interfaceMember =
  /^(status|transactionstatus|version|order|purposetype|selectiontype|displayas|language)$/i;
const word = /^[A-Za-z][A-Za-z_-]{0,40}$/;
/** Members that hold texts a person typed, even if those are words of a schema. */
const typedMember = /^dsdataelements$/i;

/**
 * Removes the person from a record: ids, texts of the schemas and words of the interface stay; any other text
 * keeps only its shape, and any other number is 0. `alias` replaces the identifier.
 */
export function withoutPerson(
  record: unknown,
  given: { readonly identifier: string; readonly alias: string; readonly texts: ReadonlySet<string> },
): unknown {
  const { identifier, alias, texts } = given;
  const plain = (text: string) => {
    if (text === identifier) return alias;
    return isGuid(text) || texts.has(text) ? text : shapeOf(text);
  };
  const cleaned = (value: unknown, member: string, isTyped: boolean): unknown => {
    if (Array.isArray(value)) return value.map((each) => cleaned(each, member, isTyped));
    if (typeof value === 'object' && value !== null) {
      const inside = isTyped || typedMember.test(member);
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [nameOf(name), cleaned(inner, name, inside)]),
      );
    }
    const isWord = !isTyped && interfaceMember.test(member);
    if (typeof value === 'number') return isWord ? value : 0;
    if (typeof value !== 'string') return value;
    if (isTyped) return value === identifier ? alias : shapeOf(value);
    return isWord && word.test(value) ? value : plain(value);
  };
  // Labels of data elements are member names; other member names are the interface's.
  const nameOf = (name: string) => (word.test(name) || texts.has(name) ? name : plain(name));
  return cleaned(record, '', false);
}

/** Collects every text of a schema. */
export function textsIn(schema: unknown, texts = new Set<string>()): Set<string> {
  if (typeof schema === 'string') texts.add(schema);
  else if (Array.isArray(schema)) for (const each of schema) textsIn(each, texts);
  else if (typeof schema === 'object' && schema !== null)
    for (const each of Object.values(schema)) textsIn(each, texts);
  return texts;
}

function shapeOf(text: string): string {
  return text
    .replaceAll(/\p{Lu}/gu, 'X')
    .replaceAll(/[\p{L}\p{M}]/gu, (letter) => (letter === 'X' ? letter : 'x'))
    .replaceAll(/\p{N}/gu, '0');
}
