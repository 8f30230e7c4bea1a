import type { SafeHtml, Text } from '../core/model/center/center.ts';
import type { About } from './notes.ts';
import { safeHtml } from './safe-html.ts';
import { assemble, type RawEntry } from './wire-text.ts';

export function htmlText(
  raw: readonly RawEntry[],
  untranslated: string | undefined,
  { notes, what }: About,
): Text<SafeHtml> {
  return assemble(raw, untranslated, (value) => {
    if (value === undefined || value.trim() === '') return undefined;
    const { html, removed } = notes.prepared.get(value) ?? safeHtml(value);
    for (const each of removed) notes.say(`In ${what}: ${each} was taken out`, 'html-removed');
    return html.replace(/<[^>]*>/g, '').trim() === '' ? undefined : html;
  });
}
