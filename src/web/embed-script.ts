import type { Request } from 'express';
import { builtIn, messagesFor } from '../i18n/catalogue.ts';
import { choosePageLanguage, direction } from '../i18n/language.ts';
import { readRequestPreferences } from './request-preferences.ts';

/**
 * The script for other sites, with its texts in the language of `?lang=` or of the browser: the script needs
 * them when nothing else of ours loads.
 */
export function embedScript(source: string, request: Request): string {
  const language = choosePageLanguage({ preferences: readRequestPreferences(request), center: builtIn });
  const { embed, problems } = messagesFor(language);
  const words = [language, direction(language), embed.notLoaded, problems.again, embed.openOutside];
  return source.replace('const words = [];', () => `const words = ${JSON.stringify(words)};`);
}
