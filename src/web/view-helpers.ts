import type { SafeHtml } from '../core/model/center/center.ts';
import { withSoftHyphens } from '../i18n/soft-hyphens.ts';

const special = /[&<>"']/;
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

/** The escape function of `<%=`. A text without special characters is returned as it is. */
export function escapeHtml(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = String(value);
  return special.test(text) ? text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign) : text;
}

/** Functions that templates call as `this`. */
export const viewHelpers = { langDir, icon, soft: withSoftHyphens };

/** The `lang` and `dir` attributes of a text in another language than its surroundings. */
function langDir({ lang, dir }: { readonly lang: string | undefined; readonly dir: string | undefined }) {
  const attributes = `${lang ? ` lang="${escapeHtml(lang)}"` : ''}${dir ? ` dir="${dir}"` : ''}`;
  return attributes as SafeHtml;
}

/** Our own icons: paths in a box of 24 by 24. */
const icons = {
  email: 'M3 6h18v12H3zM3 7l9 6 9-6',
  text: 'M4 5h16v11H9l-5 4z',
  phone: 'M6 3l3 1 1 4-2 2a12 12 0 0 0 6 6l2-2 4 1 1 3c0 2-2 3-4 3A14 14 0 0 1 3 7c0-2 1-4 3-4z',
  post: 'M3 6h18v12H3zM16 9h2v3h-2zM6 14h7',
  push: 'M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  chat: 'M4 5h16v11H9l-5 4zM8 9h8M8 12h5',
  clock: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zM12 7v5l3 2',
} as const;

/** Shows an icon, which is hidden from screen readers: the text beside it says the same. */
function icon(name: keyof typeof icons): SafeHtml {
  return `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${icons[name]}"></path></svg>` as SafeHtml;
}
