import type { Center } from '../../core/model/center.ts';
import { builtIn } from '../../i18n/catalogue.ts';

const noText = { entries: [], plain: undefined };

/** A center whose schema nobody could read, and of which nothing is known but its id: all texts are the built-in ones. */
export function unreadCenter(id: string): Center {
  return {
    id,
    revision: '',
    template: 'enhanced',
    title: undefined,
    titleImageUrl: undefined,
    welcome: noText,
    ...builtIn,
    labelSets: {},
    translations: {},
    pages: [],
    undrawn: [],
    hardOptOut: 'lock',
    reasons: undefined,
    autoCheckTopics: false,
    confirmsDefaults: false,
    unread: [],
  };
}
