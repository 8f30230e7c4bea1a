import { flag, id, list, listOf, number, text } from '../wire-shape.ts';
import { fates, object, read, told, unused, worded } from './member.ts';

/** Objects that both families have. */

const words = 'is shown in the language of the page';

const optionMembers = {
  id: read(id, 'names the option'),
  label: read(text, words),
  name: read(text, words),
  order: read(number, 'puts the options in order'),
  isDefault: read(flag, 'is prepared where nothing is on record'),
};

const translatedOption = object('translated option of a preference', optionMembers);

const confirmation = told('is not shown: what is only on by default has a sentence of ours');

/**
 * A translation of either family. One family writes `Default`, the other `isDefault`; the member that holds
 * the text depends on the translated object.
 */
export const translation = object('translation', {
  language: read(text, 'chooses the text'),
  default: read(flag, 'chooses the text where the page’s language has none'),
  isDefault: read(flag, 'chooses the text where the page’s language has none'),
  name: read(text, words),
  description: read(text, words),
  content: read(text, words),
  hardOptOutMessage: read(text, 'is shown beside a purpose that cannot be switched on'),
  options: read(listOf(translatedOption), 'is the text of the options by language', {
    holds: translatedOption,
  }),
  dataElementOptions: read(list, 'is the text of the choices by language'),
  implicitConsentConfirmDesc: confirmation,
  'description of Implicit Purpose Confirmation checkbox': confirmation,
});

export const languages = read(listOf(translation), 'is the text by language', { holds: translation });

export const topic = object('topic', {
  id: read(id, 'names the topic under its purpose'),
  name: read(text, words),
  label: read(text, words),
  order: read(number, 'puts the topics in order'),
  integrationKey: unused('is a key for other systems'),
  languages,
});

export const option = object('option of a preference', { ...optionMembers, languages });

const displays = {
  BUTTONS: ['buttons', 'is a row of buttons'],
  CHECKBOXES: ['checkboxes', 'is check boxes, or radio buttons where one can be chosen'],
  DROPDOWN: ['dropdown', 'is a list, or check boxes where several can be chosen'],
  RADIO_BUTTONS: ['radio-buttons', 'is radio buttons, or check boxes where several can be chosen'],
} as const;

const choices = {
  SINGLE_CHOICE: ['single', 'takes one option'],
  MULTI_CHOICE: ['multiple', 'takes any number of options'],
} as const;

export const preference = object('preference', {
  id: read(id, 'names the preference under its purpose'),
  name: read(text, words),
  label: read(text, words),
  description: read(text, words),
  order: read(number, 'puts the preferences in order'),
  selectionType: worded(choices, 'says how many options can be chosen', told('is read as MULTI_CHOICE')),
  displayAs: worded(
    displays,
    'says how the options are rendered',
    told('is read as RADIO_BUTTONS or CHECKBOXES, as SelectionType says'),
  ),
  required: read(flag, 'asks for a choice where something is switched on'),
  options: read(list, 'is what can be chosen', { holds: option }),
  customPreferenceOptions: read(list, 'is what can be chosen', { holds: option }),
  languages,
});

const leavingOnly = told('opens the purpose for leaving only');

export const kinds = {
  STANDARD: ['standard', 'is a purpose as any'],
  NOTIFICATION_OPT_OUT: ['notification', 'is rendered apart'],
} as const;

export const visibilities = {
  VISIBLE_TO_ALL: ['all', 'is rendered'],
  VISIBLE_TO_CONSENTED: ['consented', 'is rendered where it is on'],
  VISIBLE_TO_PRIOR_CONSENTED: ['prior-consented', 'is rendered where it is on record'],
} as const;

export const purpose = object('purpose', {
  id: read(id, 'names the purpose'),
  version: read(number, 'makes a form of other words out of date when it is raised'),
  label: read(text, words),
  name: read(text, words),
  description: read(text, words),
  order: read(number, 'puts the purposes in order'),
  status: read(text, 'says whether the purpose is rendered', {
    values: fates({
      ACTIVE: ['active', 'is rendered'],
      DRAFT: ['draft', 'is not rendered'],
      RETIRED: ['retired', 'is not rendered; what is on can be left by leaving everything'],
    }),
    otherValue: told('is read as RETIRED: the purpose is not rendered'),
  }),
  purposeType: read(text, 'says what kind of purpose it is', {
    values: { ...fates(kinds), COOKIE: leavingOnly, IAB: leavingOnly, MOBILE: leavingOnly },
    otherValue: leavingOnly,
  }),
  defaultConsentStatus: read(text, 'says what holds where nothing is on record', {
    values: fates({ ACTIVE: ['on', 'is on by default'], OPT_OUT: ['off', 'is off'] }),
    otherValue: told('is read as OPT_OUT'),
  }),
  visibility: read(text, 'says to whom the purpose is rendered', {
    values: fates(visibilities),
    otherValue: leavingOnly,
  }),
  lifeSpan: read(
    number,
    'says how long a choice lasts, and until when it is on where the profile has a date',
  ),
  implicitConsentLifeSpan: told('is not shown: what is only on by default has no end on record', {
    quiet: [0],
  }),
  implicitConsentConfirmDesc: confirmation,
  hardOptOutMessage: read(text, 'is shown beside a purpose that cannot be switched on'),
  externalReference: unused('is a key for other systems'),
  languages,
  topics: read(list, 'is what can be chosen under the purpose', { holds: topic }),
  customPreferences: read(list, 'is what can be chosen under the purpose', { holds: preference }),
});

const elementTypes = {
  USER_INPUT: ['text', 'is a text'],
  SELECTION: ['choice', 'is a list of its options'],
  EMAIL: ['email', 'is an e-mail address'],
  NUMBER: ['number', 'is a number'],
  DATE_PICKER: ['date', 'is a date'],
  COUNTRY: ['country', 'is a list of countries'],
  STATE: ['state', 'is a list of its options, or a text'],
  COUNTRY_CODE: ['country-code', 'is a list of countries'],
  STATE_CODE: ['state-code', 'is a list of its options, or a text'],
  PHONE_NUMBER: ['phone', 'is a phone number'],
} as const;

const elementDisplays = {
  DROPDOWN: ['dropdown', 'is a list'],
  NONE: ['input', 'is a list where it has options, else a field of its type'],
} as const;

/** Statuses of a data element that is in use. */
export const rendered = {
  ACTIVE: ['active', 'is rendered'],
  PUBLISHED: ['published', 'is rendered'],
} as const;

const notRendered = told('is neither rendered nor required');

export const dataElement = object('data element', {
  id: read(id, 'names the data element'),
  label: read(text, 'is the key of the value, and the text without a translation'),
  name: read(text, 'is the key of the value, and the text without a translation'),
  order: read(number, 'puts the data elements in order'),
  isIdentifier: read(flag, 'makes it read-only', {
    unless: {
      flags: ['readOnly', 'hidden'],
      fate: told('makes it read-only all the same: editing it could rename or merge people'),
    },
  }),
  hidden: read(flag, 'is not rendered'),
  readOnly: read(flag, 'is shown, and cannot be edited'),
  required: read(flag, 'asks for a value where something is switched on'),
  status: read(text, 'says whether it is rendered', {
    values: { ...fates(rendered), DRAFT: notRendered, INACTIVE: notRendered, RETIRED: notRendered },
    otherValue: notRendered,
  }),
  displayAs: worded(elementDisplays, 'says how it is asked for', told('is read as NONE')),
  dataElementType: worded(elementTypes, 'says what is asked for', told('is asked for as text')),
  dataElementOptions: read(list, 'is what can be chosen'),
  languages,
});
