const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Members that hold a word of the interface, or a number of it: never what a person said. */
const ofInterface =
  /^(status|transactionstatus|version|order|purposetype|selectiontype|displayas|language)$/i;
const word = /^[A-Za-z][A-Za-z_-]{0,40}$/;
/** What a person typed, whatever words of the schemas it may be made of. */
const ofPerson = /^dsdataelements$/i;

/**
 * A person's record without the person: ids, texts of the schemas and words of the interface stay, every other text keeps
 * its shape alone, and every other number is 0. `alias` stands where the identifier stood.
 */
export function withoutPerson(
  record: unknown,
  given: { readonly identifier: string; readonly alias: string; readonly texts: ReadonlySet<string> },
): unknown {
  const { identifier, alias, texts } = given;
  const plain = (text: string) => {
    if (text === identifier) return alias;
    return guid.test(text) || texts.has(text) ? text : shapeOf(text);
  };
  const cleaned = (value: unknown, member: string, isTyped: boolean): unknown => {
    if (Array.isArray(value)) return value.map((each) => cleaned(each, member, isTyped));
    if (typeof value === 'object' && value !== null) {
      const inside = isTyped || ofPerson.test(member);
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [nameOf(name), cleaned(inner, name, inside)]),
      );
    }
    const isWord = !isTyped && ofInterface.test(member);
    if (typeof value === 'number') return isWord ? value : 0;
    if (typeof value !== 'string') return value;
    if (isTyped) return value === identifier ? alias : shapeOf(value);
    return isWord && word.test(value) ? value : plain(value);
  };
  // Labels of data elements are names of members; others are the interface's.
  const nameOf = (name: string) => (word.test(name) || texts.has(name) ? name : plain(name));
  return cleaned(record, '', false);
}

/** Every text of a schema. */
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
