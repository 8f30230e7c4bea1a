import type { Center } from './center.ts';

const noText = { entries: [], plain: undefined };

/**
 * A center whose schema could not be read: only its id is known. `languages`: the languages that its page may
 * have.
 */
export function unreadCenter(
  id: string,
  languages: Pick<Center, 'languages' | 'defaultLanguage'> = { languages: [], defaultLanguage: 'en' },
): Center {
  return {
    id,
    revision: '',
    template: 'enhanced',
    title: undefined,
    titleImageUrl: undefined,
    welcome: noText,
    ...languages,
    labelSets: {},
    translations: {},
    pages: [],
    hidden: [],
    hardOptOut: 'lock',
    reasons: undefined,
    autoCheckTopics: false,
    confirmsDefaults: false,
    told: [],
    unread: [],
  };
}
