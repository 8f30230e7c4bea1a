import { dataElement, purpose, translation } from './items.ts';
import { honoured, type ObjectTable, refused, told, unused } from './member.ts';
import { identities, labelSettings, portal, profileSettings } from './settings.ts';
import { portalTexts } from './texts.ts';

/** Every member of the three schemas that a center may consist of. */

const messages = told('are not shown: they are for the caller of the interface');
const languages = honoured('is the text by language', { holds: translation });
const address = unused('is the address of another copy of the schema');

export const singlePageSchema: ObjectTable = {
  name: 'single-page schema',
  members: {
    messages,
    status: honoured('says whether there is such a center'),
    preferenceCentreId: unused('repeats the id that was asked for'),
    language: honoured('is the default language'),
    languages: honoured('is what the page can be read in'),
    template: {
      ...honoured('says which family the center is of, and how it looks'),
      values: {
        ORIGINAL: honoured('is a plain list'),
        ENHANCED: honoured('is cards'),
        MULTIPAGE: honoured('is a center of the Multi Page family'),
      },
      otherValue: refused('opens the center for leaving only: what its pages ask for is not known'),
    },
    displayNotificationPurpose: honoured('shows purposes of type NOTIFICATION_OPT_OUT'),
    purposes: honoured('is what can be switched on and off', { holds: purpose }),
    preferenceCenterSettings: honoured('holds labels', { holds: labelSettings }),
    portalSettings: honoured('holds settings of the page', { holds: portal }),
    translations: honoured('is the general texts by language', { holdsByName: portalTexts }),
    profileSettings: honoured('is the profile', { holds: profileSettings(dataElement) }),
    ...identities,
  },
};

const withdrawsAll = honoured('offers to leave everything at once');
const subscribesAll = honoured('offers to switch on everything at once');
const navigation = honoured('lists the page in the navigation');
const settings = honoured('shows the heading of subscription settings, and what switches on everything');

const pageEntry: ObjectTable = {
  name: 'page of the root schema',
  members: {
    id: honoured('names the page'),
    order: honoured('puts the pages in order'),
    navigationEnabled: navigation,
    blobLocation: address,
    displaySubscribeSettings: settings,
    displayUnsubscribeAll: withdrawsAll,
    displaySubscribeAll: subscribesAll,
    languages,
  },
};

const languageEntry: ObjectTable = { ...translation, name: 'language of the root schema' };

export const rootSchema: ObjectTable = {
  name: 'root schema',
  members: {
    messages,
    pages: honoured('is the pages', { holds: pageEntry }),
    portalSettings: honoured('holds settings of the page', { holds: portal }),
    defaultLanguage: honoured('is the default language'),
    languages: honoured('is what the pages can be read in', { holds: languageEntry }),
    translations: honoured('is the general texts by language', { holdsByName: portalTexts }),
    preferenceCenterSettings: honoured('holds labels', { holds: labelSettings }),
    blobLocation: address,
    displayUnsubscribeAll: withdrawsAll,
    displaySubscribeAll: subscribesAll,
    displayNotificationPurpose: honoured('shows the notification purpose'),
    displaySubscribeSettings: settings,
    displayPageLevelSubscribeSettings: honoured('lets each page decide what of these it shows'),
    autoCheckTopics: honoured('takes all topics where a purpose is switched on with none chosen'),
    updateNotOptedOutToActiveStatus: honoured('confirms what is on by default with the next saving'),
    notificationPurpose: honoured('is rendered apart', { holds: purpose }),
    ...identities,
  },
};

const text: ObjectTable = {
  name: 'text of a section',
  members: {
    id: honoured('names the text'),
    order: honoured('puts the section’s items in order'),
    languages,
  },
};

const section: ObjectTable = {
  name: 'section',
  members: {
    id: honoured('names the section'),
    identifierType: told('changes nothing: the section is for every identifier'),
    isHeaderHidden: honoured('hides the heading'),
    order: honoured('puts the sections in order'),
    conditionalRules: told('opens the section for leaving only: the form of its rules is not public'),
    purposes: honoured('is what can be switched on and off', { holds: purpose }),
    customDataElements: honoured('is what is asked for', { holds: dataElement }),
    elements: honoured('is texts', { holds: text }),
    languages,
    isSubscriptionSettings: honoured('is where the notification purpose is rendered'),
  },
};

export const pageSchema: ObjectTable = {
  name: 'page schema',
  members: {
    messages,
    id: unused('repeats the id that was asked for'),
    order: honoured('puts the pages in order'),
    isHidden: honoured('hides the page; what is on can be left by leaving everything'),
    navigationEnabled: navigation,
    displaySubscribeSettings: settings,
    displayUnsubscribeAll: withdrawsAll,
    displaySubscribeAll: subscribesAll,
    languages,
    sections: honoured('is the sections', { holds: section }),
  },
};
