import { anything, entries, flag, id, idOrNone, list, number, part, record, text } from '../wire-shape.ts';
import { dataElement, languages, purpose, translation } from './items.ts';
import { fates, object, read, refused, told, unused } from './member.ts';
import { identities, labelSettings, portal, profileSettings } from './settings.ts';
import { portalTexts } from './texts.ts';

/** Every member of the three schemas that a center may consist of. */

const messages = told('are not shown: they are for the caller of the interface');
const address = unused('is the address of another copy of the schema');

export const templates = {
  ORIGINAL: ['original', 'is a plain list'],
  ENHANCED: ['enhanced', 'is cards'],
  MULTIPAGE: ['multipage', 'is a center of the Multi Page family'],
} as const;

/** GET v1 …/preferences (docs/platform-api.md, Single-page schema). */
export const singlePageSchema = object('single-page schema', {
  messages,
  status: read(number, 'says whether there is such a center'),
  preferenceCentreId: unused('repeats the id that was asked for'),
  language: read(text, 'is the default language'),
  languages: read(list, 'is what the page can be read in'),
  template: read(text, 'says which family the center is of, and how it looks', {
    values: fates(templates),
    otherValue: refused('opens the center for leaving only: what its pages ask for is not known'),
  }),
  displayNotificationPurpose: read(flag, 'shows purposes of type NOTIFICATION_OPT_OUT'),
  purposes: read(list, 'is what can be switched on and off', { holds: purpose }),
  preferenceCenterSettings: read(part(labelSettings), 'holds labels', { holds: labelSettings }),
  portalSettings: read(part(portal), 'holds settings of the page', { holds: portal }),
  translations: read(entries, 'is the general texts by language', { holdsByName: portalTexts }),
  profileSettings: read(part(profileSettings), 'is the profile', { holds: profileSettings }),
  ...identities,
});

const unsubscribeAll = read(flag, 'offers to leave everything at once');
const subscribeAll = read(flag, 'offers to switch on everything at once');
const settings = read(flag, 'shows the heading of subscription settings, and what switches on everything');

const pageFlags = {
  navigationEnabled: read(flag, 'lists the page in the navigation'),
  displaySubscribeSettings: settings,
  displayUnsubscribeAll: unsubscribeAll,
  displaySubscribeAll: subscribeAll,
  languages: read(list, 'is the text by language', { holds: translation }),
};

export const pageEntry = object('page of the root schema', {
  id: read(id, 'names the page'),
  order: read(number, 'puts the pages in order'),
  blobLocation: address,
  ...pageFlags,
});

const languageEntry = { ...translation, name: 'language of the root schema' };

/** GET v2 …/schema (docs/platform-api.md, Root schema). */
export const rootSchema = object('root schema', {
  messages,
  pages: read(list, 'is the pages', { holds: pageEntry }),
  portalSettings: read(part(portal), 'holds settings of the page', { holds: portal }),
  defaultLanguage: read(text, 'is the default language'),
  languages: read(list, 'is what the pages can be read in', { holds: languageEntry }),
  translations: read(entries, 'is the general texts by language', { holdsByName: portalTexts }),
  preferenceCenterSettings: read(part(labelSettings), 'holds labels', { holds: labelSettings }),
  blobLocation: address,
  displayUnsubscribeAll: unsubscribeAll,
  displaySubscribeAll: subscribeAll,
  displayNotificationPurpose: read(flag, 'shows the notification purpose'),
  displaySubscribeSettings: settings,
  displayPageLevelSubscribeSettings: read(flag, 'lets each page decide what of these it shows'),
  autoCheckTopics: read(flag, 'takes all topics where a purpose is switched on with none chosen'),
  updateNotOptedOutToActiveStatus: read(flag, 'confirms what is on by default with the next saving'),
  notificationPurpose: read(record, 'is rendered apart', { holds: purpose }),
  ...identities,
});

export const sectionText = object('text of a section', {
  id: read(idOrNone, 'names the text'),
  order: read(number, 'puts the section’s items in order'),
  languages,
});

export const section = object('section', {
  id: read(idOrNone, 'names the section'),
  identifierType: told('changes nothing: the section is for every identifier'),
  isHeaderHidden: read(flag, 'hides the heading'),
  order: read(number, 'puts the sections in order'),
  conditionalRules: {
    ...anything,
    ...told('opens the section for leaving only: the form of its rules is not public'),
  },
  purposes: read(list, 'is what can be switched on and off', { holds: purpose }),
  customDataElements: read(list, 'is what is asked for', { holds: dataElement }),
  elements: read(list, 'is texts', { holds: sectionText }),
  languages,
  isSubscriptionSettings: read(flag, 'is where the notification purpose is rendered'),
});

/** GET v2 preferencecenterpage (docs/platform-api.md, Page schema). */
export const pageSchema = object('page schema', {
  messages,
  id: unused('repeats the id that was asked for'),
  order: read(number, 'puts the pages in order'),
  isHidden: read(flag, 'hides the page; what is on can be left by leaving everything'),
  ...pageFlags,
  sections: read(list, 'is the sections', { holds: section }),
});
