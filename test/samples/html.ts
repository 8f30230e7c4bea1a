/** An element as it was written. `text` is all text inside, entities decoded. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: Element | undefined;
  text: string;
}

const empty = new Set(['meta', 'link', 'input', 'img', 'br', 'hr']);
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', '#34': '"', '#39': "'" };

/** Every element in the order of the source. Throws where one is not closed, or closed in the wrong place. */
export function readHtml(html: string): readonly Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const token = /<!doctype html>|<\/([a-z0-9]+)>|<([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>|([^<]+)/giy;
  while (token.lastIndex < html.length) {
    const at = token.lastIndex;
    const match = token.exec(html);
    if (match === null) throw new Error(`this is no HTML of ours: ${html.slice(at, at + 120)}`);
    const [, closing, opening, attributes = '', text] = match;
    if (text !== undefined) for (const element of open) element.text += decode(text);
    if (closing !== undefined) {
      const last = open.pop();
      if (last?.name !== closing) throw new Error(`</${closing}> closes <${last?.name}>`);
    }
    if (opening === undefined) continue;
    const element = { name: opening, attributes: readAttributes(attributes), parent: open.at(-1), text: '' };
    elements.push(element);
    if (!empty.has(opening)) open.push(element);
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)?.name}> is never closed`);
  return elements;
}

/** The element and everything around it, inside out. */
export function* around(element: Element): Generator<Element> {
  for (let at: Element | undefined = element; at !== undefined; at = at.parent) yield at;
}

function readAttributes(source: string): ReadonlyMap<string, string> {
  const found = source.matchAll(/([a-z-]+)(?:="([^"]*)")?/gi);
  return new Map([...found].map(([, name = '', value = '']) => [name, decode(value)]));
}

function decode(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
