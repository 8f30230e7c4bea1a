import { elementTypes } from '../wire-elements.ts';
import { displays, visibilities } from '../wire-items.ts';
import { honoured, honouredValues, type Member, type ObjectTable, told, unused } from './member.ts';

/** Objects that both families have. */

const words = 'is shown in the language of the page';

const option: ObjectTable = {
  name: 'translated option of a preference',
  members: {
    id: honoured('names the option'),
    label: honoured(words),
    name: honoured(words),
    order: honoured('puts the options in order'),
    isDefault: honoured('is prepared where nothing is on record'),
  },
};

const translationMembers: Readonly<Record<string, Member>> = {
  language: honoured('chooses the text'),
  default: honoured('chooses the text where the page’s language has none'),
  isDefault: honoured('chooses the text where the page’s language has none'),
  name: honoured(words),
  description: honoured(words),
  content: honoured(words),
  hardOptOutMessage: honoured('is shown beside a purpose that cannot be switched on'),
  options: honoured('is the text of the options by language', { holds: option }),
  dataElementOptions: honoured('is the text of the choices by language'),
  implicitConsentConfirmDesc: told('is not shown: what is only on by default has a sentence of ours'),
  'description of Implicit Purpose Confirmation checkbox': told(
    'is not shown: what is only on by default has a sentence of ours',
  ),
};

export const translation: ObjectTable = { name: 'translation', members: translationMembers };

const languages = honoured('is the text by language', { holds: translation });

const topic: ObjectTable = {
  name: 'topic',
  members: {
    id: honoured('names the topic under its purpose'),
    name: honoured(words),
    label: honoured(words),
    order: honoured('puts the topics in order'),
    integrationKey: unused('is a key for other systems'),
    languages,
  },
};

const optionWithTexts: ObjectTable = {
  name: 'option of a preference',
  members: { ...option.members, languages },
};

const preference: ObjectTable = {
  name: 'preference',
  members: {
    id: honoured('names the preference under its purpose'),
    name: honoured(words),
    label: honoured(words),
    description: honoured(words),
    order: honoured('puts the preferences in order'),
    selectionType: honoured('says how many options can be chosen', {
      values: {
        SINGLE_CHOICE: honoured('takes one option'),
        MULTI_CHOICE: honoured('takes any number of options'),
      },
      otherValue: told('is read as MULTI_CHOICE'),
    }),
    displayAs: honoured('says how the options are rendered', {
      values: honouredValues(displays, {
        buttons: 'is a row of buttons',
        checkboxes: 'is check boxes, or radio buttons where one can be chosen',
        dropdown: 'is a list, or check boxes where several can be chosen',
        'radio-buttons': 'is radio buttons, or check boxes where several can be chosen',
      }),
      otherValue: told('is read as RADIO_BUTTONS or CHECKBOXES, as SelectionType says'),
    }),
    required: honoured('asks for a choice where something is switched on'),
    options: honoured('is what can be chosen', { holds: optionWithTexts }),
    customPreferenceOptions: honoured('is what can be chosen', { holds: optionWithTexts }),
    languages,
  },
};

const leavingOnly = 'opens the purpose for leaving only';

export const purpose: ObjectTable = {
  name: 'purpose',
  members: {
    id: honoured('names the purpose'),
    version: honoured('makes a form of other words out of date when it is raised'),
    label: honoured(words),
    name: honoured(words),
    description: honoured(words),
    order: honoured('puts the purposes in order'),
    status: honoured('says whether the purpose is rendered', {
      values: {
        ACTIVE: honoured('is rendered'),
        DRAFT: honoured('is not rendered'),
        RETIRED: honoured('is not rendered; what is on can be left by leaving everything'),
      },
      otherValue: told('is read as RETIRED: the purpose is not rendered'),
    }),
    purposeType: honoured('says what kind of purpose it is', {
      values: {
        STANDARD: honoured('is a purpose as any'),
        NOTIFICATION_OPT_OUT: honoured('is rendered apart'),
        COOKIE: told(leavingOnly),
        IAB: told(leavingOnly),
        MOBILE: told(leavingOnly),
      },
      otherValue: told(leavingOnly),
    }),
    defaultConsentStatus: honoured('says what holds where nothing is on record', {
      values: { ACTIVE: honoured('is on by default'), OPT_OUT: honoured('is off') },
      otherValue: told('is read as OPT_OUT'),
    }),
    visibility: honoured('says to whom the purpose is rendered', {
      values: honouredValues(visibilities, {
        all: 'is rendered',
        consented: 'is rendered where it is on',
        'prior-consented': 'is rendered where it is on record',
      }),
      otherValue: told(leavingOnly),
    }),
    lifeSpan: honoured('says how long a choice lasts, and until when it is on where the profile has a date'),
    implicitConsentLifeSpan: told('is not shown: what is only on by default has no end on record', {
      quiet: [0],
    }),
    implicitConsentConfirmDesc: told('is not shown: what is only on by default has a sentence of ours'),
    hardOptOutMessage: honoured('is shown beside a purpose that cannot be switched on'),
    externalReference: unused('is a key for other systems'),
    languages,
    topics: honoured('is what can be chosen under the purpose', { holds: topic }),
    customPreferences: honoured('is what can be chosen under the purpose', { holds: preference }),
  },
};

const dataElementTypes = honouredValues(elementTypes, {
  text: 'is a text',
  choice: 'is a list of its options',
  email: 'is an e-mail address',
  number: 'is a number',
  date: 'is a date',
  country: 'is a list of countries',
  state: 'is a list of its options, or a text',
  'country-code': 'is a list of countries',
  'state-code': 'is a list of its options, or a text',
  phone: 'is a phone number',
});

const notRendered = 'is neither rendered nor required';

export const dataElement: ObjectTable = {
  name: 'data element',
  members: {
    id: honoured('names the data element'),
    label: honoured('is the key of the value, and the text without a translation'),
    name: honoured('is the key of the value, and the text without a translation'),
    order: honoured('puts the data elements in order'),
    isIdentifier: honoured('makes it read-only', {
      unless: {
        flags: ['readOnly', 'hidden'],
        fate: told('makes it read-only all the same: editing it could rename or merge people'),
      },
    }),
    hidden: honoured('is not rendered'),
    readOnly: honoured('is shown, and cannot be edited'),
    required: honoured('asks for a value where something is switched on'),
    status: honoured('says whether it is rendered', {
      values: {
        ACTIVE: honoured('is rendered'),
        PUBLISHED: honoured('is rendered'),
        DRAFT: told(notRendered),
        INACTIVE: told(notRendered),
        RETIRED: told(notRendered),
      },
      otherValue: told(notRendered),
    }),
    displayAs: honoured('says how it is asked for', {
      values: {
        DROPDOWN: honoured('is a list'),
        NONE: honoured('is a list where it has options, else a field of its type'),
      },
      otherValue: told('is read as NONE'),
    }),
    dataElementType: honoured('says what is asked for', {
      values: dataElementTypes,
      otherValue: told('is asked for as text'),
    }),
    dataElementOptions: honoured('is what can be chosen'),
    languages,
  },
};
