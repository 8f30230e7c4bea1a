import { catalogues } from '../../src/i18n/catalogue.ts';
import { escapeHtml } from '../../src/web/view-helpers.ts';

/** Shortest part between placeholders by which a text is recognised on a page, in characters. */
const shortestPart = 6;

/**
 * Lists all texts of a catalogue beside English, with gallery pages that show them, for a reviewer of a
 * language. `pages` holds the English page models by path; `href` returns the address of a page in that
 * language.
 */
export function textsTable(
  lang: string,
  pages: ReadonlyMap<string, unknown>,
  href: (path: string) => string,
): string {
  const shown = [...pages].flatMap(([path, page]) => stringsIn(page).map((text) => [path, text] as const));
  const here = new Map(textsOf(catalogues[lang] ?? {}));
  const rows = textsOf(catalogues['en'] ?? {}).map(([key, english]) => {
    const parts = english.split(/\{\w+\}/);
    const isIn = (text: string) =>
      parts.length === 1
        ? text === english
        : parts.every((part) => part.length < shortestPart || text.includes(part));
    const isKnown = parts.length === 1 || parts.some((part) => part.length >= shortestPart);
    const paths = isKnown ? [...new Set(shown.flatMap(([path, text]) => (isIn(text) ? [path] : [])))] : [];
    const links = paths
      .slice(0, 3)
      .map((path) => `<a href="${escapeHtml(href(path))}">${path.slice(1)}</a>`)
      .join(', ');
    const cells = [`<code>${key.slice(1)}</code>`, escapeHtml(english), escapeHtml(here.get(key) ?? '')];
    return `<tr>${cells.map((cell, at) => `<td${at === 2 ? ` lang="${lang}" dir="auto"` : ''}>${cell}</td>`).join('')}<td>${links}</td></tr>`;
  });
  const heads = ['Key', 'English', lang, 'Stands on'].map((head) => `<th scope="col">${head}</th>`).join('');
  return `<table><thead><tr>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** Lists the texts in the order of the catalogue; each key begins with a point. */
function textsOf(messages: object, path = ''): (readonly [key: string, text: string])[] {
  return Object.entries(messages).flatMap(([name, text]) =>
    typeof text === 'string'
      ? [[`${path}.${name}`, text] as const]
      : textsOf(Object(text), `${path}.${name}`),
  );
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
