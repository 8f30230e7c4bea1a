import { direction, matchLanguage } from './language.ts';
import { ar } from './messages/ar.ts';
import { de } from './messages/de.ts';
import { en, type Messages } from './messages/en.ts';
import { es } from './messages/es.ts';
import { fr } from './messages/fr.ts';
import { he } from './messages/he.ts';
import { it } from './messages/it.ts';
import { ja } from './messages/ja.ts';
import { nl } from './messages/nl.ts';
import { pl } from './messages/pl.ts';
import { pt } from './messages/pt.ts';
import { sv } from './messages/sv.ts';
import { zhHans } from './messages/zh-hans.ts';
import type { Plural } from './plural.ts';

/** Every built-in language and its texts. */
export const catalogues: Readonly<Record<string, Messages>> = {
  en,
  fr,
  de,
  es,
  it,
  pt,
  nl,
  pl,
  sv,
  ja,
  'zh-Hans': zhHans,
  ar,
  he,
};

/** For pages that belong to no center, as `choosePageLanguage` takes it. */
export const builtIn = { languages: Object.keys(catalogues), defaultLanguage: 'en' } as const;

/** The built-in texts for a page: in its language if there is a catalogue for it, else in English. */
export function messagesFor(pageLanguage: string): Messages {
  const tag = matchLanguage(builtIn.languages, pageLanguage);
  if (tag !== undefined) return catalogues[tag] ?? en;
  return direction(pageLanguage) === 'rtl' ? isolatedEnglish() : en;
}

/** The language `messagesFor` answers in. */
export function messageLanguage(pageLanguage: string): string {
  return matchLanguage(builtIn.languages, pageLanguage) ?? 'en';
}

let isolated: Messages | undefined;

/** English within a right-to-left page: each text is isolated, or its full stop would stand on the wrong side. */
function isolatedEnglish(): Messages {
  isolated ??= isolate(en);
  return isolated;
}

type Node = string | Plural | { readonly [key: string]: Node };

function isolate<T extends object>(node: T): T {
  const entries = Object.entries(node).map(([key, value]: [string, Node]) => [
    key,
    typeof value === 'string' ? `\u2066${value}\u2069` : isolate(value),
  ]);
  return Object.fromEntries(entries) as T;
}
