import type { Pages } from '../../src/pages/every-page.ts';

/** Markup that breaks out of text, quoted attributes, and elements that contain only text. */
export const hostileText = `"'><script>alert(1)</script></textarea></title><img src=x onerror=alert(1)> & <%= 1 %>`;

/** Members that never hold foreign text: closed unions, addresses and ids of the product, checked HTML. */
const kept = new Set([
  'html',
  'lang',
  'dir',
  'tag',
  'kind',
  'view',
  'layout',
  'itemStyle',
  'tone',
  'look',
  'moreLook',
  'width',
  'type',
  'display',
  'control',
  'frame',
  'scheme',
  'href',
  'action',
  'id',
  'logoUrl',
  'themeHref',
  'stylesheetUrl',
  'titleImageUrl',
  'autocomplete',
  'continueHref',
  'scope',
  'stepUpHref',
  'method',
]);

/** Returns the page with a hostile text before each of its texts. */
export function hostile<V extends keyof Pages>(page: Pages[V]): Pages[V] {
  return poison(page) as Pages[V];
}

function poison(value: unknown, member = ''): unknown {
  if (typeof value === 'string') return kept.has(member) ? value : `${hostileText}${value}`;
  if (Array.isArray(value)) return value.map((item) => poison(item, member));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, poison(inner, name)]));
}
