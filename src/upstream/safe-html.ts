import sanitizeHtml from 'sanitize-html';
import type { SafeHtml } from '../core/model/center/center.ts';

/** The most characters of one text; a longer text is cut first. */
const longest = 20_000;
const longestAddress = 2_000;
const schemes = ['http', 'https', 'mailto', 'tel'];

const tags = [
  'p',
  'br',
  'div',
  'span',
  'strong',
  'b',
  'em',
  'i',
  'u',
  's',
  'small',
  'sub',
  'sup',
  'ul',
  'ol',
  'li',
  'blockquote',
  'a',
];
/** Elements that are removed together with their content. */
const removedWhole = [
  'script',
  'style',
  'textarea',
  'option',
  'select',
  'xmp',
  'title',
  'template',
  'svg',
  'math',
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'object',
  'embed',
  'plaintext',
  'audio',
  'video',
];
/** Elements that are removed without a note, because they only change the look of a text. */
const dressing = /^(font|center|html|head|body)$/;

/**
 * Makes safe HTML; no other code may. A narrow allowlist: no styles, classes or images; links only to http,
 * https, mailto and tel. Links open a new window (`_blank`, without opener or referrer), so that ticks in the
 * form are not lost and a framed page is not replaced. `removed`: the removed parts that an editor should
 * know of, in plain words, each once.
 */
export function safeHtml(given: string) {
  const removed = new Set<string>();
  if (given.length > longest) removed.add(`everything after ${longest} characters`);
  const text = withoutControls(given.slice(0, longest));
  if (!/[<>&]/.test(text)) return { html: text as SafeHtml, removed };
  const html = sanitizeHtml(headingsAsText(text), {
    allowedTags: tags,
    allowedAttributes: { a: ['href', 'rel', 'target'] },
    allowedSchemes: schemes,
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    nonTextTags: removedWhole,
    nestingLimit: 30,
    transformTags: { a: (_tag, attributes) => link(attributes['href']) },
    onOpenTag: (tag, attributes) => report(tag, attributes, removed),
  });
  return { html: html.trim() as SafeHtml, removed };
}

function link(href: string | undefined): { tagName: string; attribs: Record<string, string> } {
  const address = href === undefined ? undefined : safeAddress(href);
  if (address === undefined) return { tagName: 'span', attribs: {} };
  if (!address.startsWith('http')) return { tagName: 'a', attribs: { href: address } };
  return { tagName: 'a', attribs: { href: address, rel: 'noopener noreferrer', target: '_blank' } };
}

/** The address, if it is absolute, with an allowed scheme and without a user name. */
function safeAddress(href: string): string | undefined {
  const text = href.trim();
  if (text.length > longestAddress || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!schemes.includes(url.protocol.slice(0, -1)) || url.username !== '' || url.password !== '')
    return undefined;
  return url.href;
}

function report(tag: string, attributes: Record<string, string>, removed: Set<string>): void {
  if (!tags.includes(tag) && !dressing.test(tag))
    removed.add(`the element ${/^[a-z][a-z0-9-]{0,30}$/.test(tag) ? `<${tag}>` : 'of an unknown name'}`);
  for (const name of Object.keys(attributes)) {
    if (/^on[a-z]{1,40}$/.test(name)) removed.add(`the attribute ${name}`);
  }
  const href = attributes['href'];
  if (tag === 'a' && href !== undefined && safeAddress(href) === undefined)
    removed.add('the address of a link');
}

/** Makes headings strong paragraphs: a heading inside a text would break the outline of the page. */
function headingsAsText(html: string): string {
  // The search ends at the last `>`: else a search from each `<h1` without an end would run to the end of the
  // text.
  const end = html.lastIndexOf('>') + 1;
  const headed = html
    .slice(0, end)
    .replace(/<h[1-6](?=[\s>/])[^>]*>/gi, '<p><strong>')
    .replace(/<\/h[1-6]\s*>/gi, '</strong></p>');
  return headed + html.slice(end);
}

function withoutControls(text: string): string {
  return text.toWellFormed().replace(/(?![\t\n\r])\p{Cc}/gu, '');
}
