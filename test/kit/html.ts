/** One tag, text run or end of a page's HTML, in order. Enough for pages whose markup is well formed: our own. */
export type Piece =
  | { readonly kind: 'open'; readonly tag: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'close'; readonly tag: string }
  | { readonly kind: 'text'; readonly text: string };

const rawText = new Set(['script', 'style', 'textarea', 'title']);

export function* readHtml(html: string): Generator<Piece> {
  const tag = /<!--[\s\S]*?-->|<!doctype[^>]*>|<(\/?)([a-z][a-z0-9-]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
  let at = 0;
  for (let found = tag.exec(html); found !== null; found = tag.exec(html)) {
    if (found.index > at) yield { kind: 'text', text: decodeEntities(html.slice(at, found.index)) };
    at = tag.lastIndex;
    const name = found[2]?.toLowerCase();
    if (name === undefined) continue;
    if (found[1] === '/') {
      yield { kind: 'close', tag: name };
      continue;
    }
    yield { kind: 'open', tag: name, attributes: readAttributes(found[3] ?? '') };
    if (!rawText.has(name)) continue;
    const end = html.toLowerCase().indexOf(`</${name}`, at);
    const text = html.slice(at, end < 0 ? undefined : end);
    if (text !== '')
      yield { kind: 'text', text: name === 'script' || name === 'style' ? text : decodeEntities(text) };
    at = end < 0 ? html.length : end;
    tag.lastIndex = at;
  }
  if (at < html.length) yield { kind: 'text', text: decodeEntities(html.slice(at)) };
}

/** What a reader sees between the first `<tag …>` and its end, blanks folded. */
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

function readAttributes(source: string): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null);
  for (const [, name = '', double, single, bare] of source.matchAll(
    /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
  ))
    attributes[name.toLowerCase()] ??= decodeEntities(double ?? single ?? bare ?? '');
  return attributes;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

export function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x[0-9a-f]+|#\d+|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole;
    return String.fromCodePoint(
      /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)),
    );
  });
}
