import type { SafeHtml } from '../core/model/center.ts';

const special = /[&<>"']/;
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

/** What `<%=` does. Most texts have nothing to escape, and stay the string they are. */
export function escapeHtml(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = String(value);
  return special.test(text) ? text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign) : text;
}

/** What every template may call, as `this`. */
export const viewHelpers = { langDir };

/** The attributes of an element whose text may be in another language than what stands around it. */
function langDir({ lang, dir }: { readonly lang: string | undefined; readonly dir: string | undefined }) {
  const attributes = `${lang ? ` lang="${escapeHtml(lang)}"` : ''}${dir ? ` dir="${dir}"` : ''}`;
  return attributes as SafeHtml;
}
