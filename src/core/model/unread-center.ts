import type { Center } from './center.ts';

const noText = { entries: [], plain: undefined };

/** A center whose schema could not be read, and of which nothing is known but its id; `languages` as a page may have them. */
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
