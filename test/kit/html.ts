import { type DefaultTreeAdapterTypes, type ParserError, parse, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

/** An opening tag, a closing tag or a text of a page's HTML, as a browser reads it. */
export type Piece =
  | { readonly kind: 'open'; readonly tag: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'close'; readonly tag: string }
  | { readonly kind: 'text'; readonly text: string };

/** An element; `text` is all text inside it. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: Element | undefined;
  text: string;
}

/** The last page that was read: a test reads the form, the labels and the texts of one page in turn. */
let last: { readonly html: string; readonly pieces: readonly Piece[] } = { html: '', pieces: [] };

/** The pieces of a whole document, or of a part of one, in order. */
export function readHtml(html: string): readonly Piece[] {
  if (last.html !== html) {
    const pieces: Piece[] = [];
    addPieces(isDocument(html) ? parse(html) : parseFragment(html), pieces);
    last = { html, pieces };
  }
  return last.pieces;
}

/** Every element in the order of the source. Throws on HTML that a browser would have to repair. */
export function readElements(html: string): readonly Element[] {
  const refuse = ({ code, startLine }: ParserError): void => {
    throw new Error(`${code} in line ${startLine}: ${html.split('\n')[startLine - 1]}`);
  };
  const options = { sourceCodeLocationInfo: true, onParseError: refuse };
  const elements: Element[] = [];
  collect(isDocument(html) ? parse(html, options) : parseFragment(html, options), undefined, elements);
  return elements;
}

/** Every element as a browser builds it, with those that it adds by itself. */
export function readLoosely(html: string): readonly Element[] {
  const elements: Element[] = [];
  collect(isDocument(html) ? parse(html) : parseFragment(html), undefined, elements, 'loosely');
  return elements;
}

/** The element and all elements around it, from the inside out. */
export function* around(element: Element): Generator<Element> {
  for (let at: Element | undefined = element; at !== undefined; at = at.parent) yield at;
}

/** The text inside the first `<tag …>`, with blanks collapsed; undefined without such a tag. */
export function textOf(html: string, tag: string): string | undefined {
  let depth = 0;
  let text = '';
  for (const piece of readHtml(html)) {
    if (piece.kind === 'text') text += depth > 0 ? piece.text : '';
    else if (piece.tag === tag) depth += piece.kind === 'open' ? 1 : -1;
    if (piece.kind === 'close' && piece.tag === tag && depth === 0)
      return text.replaceAll(/\s+/g, ' ').trim();
  }
  return undefined;
}

const isDocument = (html: string): boolean => /^\s*<(!doctype|html)\b/i.test(html);

const empty = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source']);

function addPieces(node: Node, pieces: Piece[]): void {
  if ('value' in node) pieces.push({ kind: 'text', text: node.value });
  if ('tagName' in node) pieces.push({ kind: 'open', tag: node.tagName, attributes: attributesOf(node) });
  if ('childNodes' in node) for (const child of childrenOf(node)) addPieces(child, pieces);
  if ('tagName' in node && !empty.has(node.tagName)) pieces.push({ kind: 'close', tag: node.tagName });
}

function collect(node: Node, parent: Element | undefined, elements: Element[], how?: 'loosely'): void {
  if ('value' in node && parent !== undefined) for (const each of around(parent)) each.text += node.value;
  let inside = parent;
  if ('tagName' in node && (how === 'loosely' || node.sourceCodeLocation)) {
    if (how === undefined && !empty.has(node.tagName) && node.sourceCodeLocation?.endTag === undefined)
      throw new Error(`<${node.tagName}> is never closed`);
    const attributes = new Map(Object.entries(attributesOf(node)));
    inside = { name: node.tagName, attributes, parent, text: '' };
    elements.push(inside);
  }
  if ('childNodes' in node) for (const child of childrenOf(node)) collect(child, inside, elements, how);
}

function childrenOf(node: DefaultTreeAdapterTypes.ParentNode): readonly Node[] {
  return 'content' in node ? node.content.childNodes : node.childNodes;
}

function attributesOf({ attrs }: DefaultTreeAdapterTypes.Element): Record<string, string> {
  return Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
}
