import type { Pages } from '../../src/pages/every-page.ts';

/** Breaks out of texts, of attributes in either quotes, and of elements that swallow text. */
export const hostileText = `"'><script>alert(1)</script></textarea></title><img src=x onerror=alert(1)> & <%= 1 %>`;

/** Members that are never a text from elsewhere: closed unions, addresses and ids made by us, checked HTML. */
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

/** The same page with a hostile text wherever a text may stand. */
export function hostile<V extends keyof Pages>(page: Pages[V]): Pages[V] {
  return poison(page) as Pages[V];
}

function poison(value: unknown, member = ''): unknown {
  if (typeof value === 'string') return kept.has(member) ? value : `${hostileText}${value}`;
  if (Array.isArray(value)) return value.map((item) => poison(item, member));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, poison(inner, name)]));
}
