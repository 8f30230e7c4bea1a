import type { LocalizedText } from '../../i18n/localized-text.ts';

/** A text of which no language is known. */
export function unmarked(text: string): LocalizedText {
  return { text };
}
