import { labelNames } from '../../core/model/center/center.ts';
import { entries, flag, list, number, text } from '../wire-shape.ts';
import { dataElement } from './items.ts';
import { honoured, object, read, told, unused, worded } from './member.ts';

/** Settings and general texts, which both families have. */

const checkBoxes = ['check-boxes', 'is check boxes'] as const;
const radioButtons = ['radio-buttons', 'is radio buttons'] as const;
const ownWords = ['text', 'is a field for own words'] as const;

/** The documents show only List; the others are common names of such controls. */
const reasonFormats = {
  LIST: checkBoxes,
  CHECKBOX: checkBoxes,
  CHECKBOXES: checkBoxes,
  RADIO: radioButtons,
  RADIO_BUTTONS: radioButtons,
  RADIOBUTTONS: radioButtons,
  TEXT: ownWords,
  FREE_TEXT: ownWords,
};

export const portal = object('portal settings', {
  useTitleImage: read(flag, 'shows the title image'),
  titleImageUrl: read(text, 'is shown where its host is the platform’s or listed'),
  title: read(text, 'is the title where no label set has one'),
  hardOptOutFormat: worded(
    { HIDE: ['hide', 'is not rendered'], LOCK: ['lock', 'is shown as locked'] },
    'says what becomes of a purpose that cannot be switched on',
    told('is read as LOCK'),
  ),
  enableReasons: read(flag, 'asks for reasons'),
  unsubscribeReasons: read(list, 'is what can be chosen as a reason'),
  reasonsAllowOther: read(flag, 'offers a reason in own words'),
  reasonsDisplayFormat: worded(reasonFormats, 'says how reasons are asked for', told('is read as List')),
  reasonTriggerCondition: told('is read as UnsubscribeAll: reasons are asked for where everything is left', {
    quiet: ['UnsubscribeAll'],
  }),
});

const label = 'is shown in the language of the page';

export const labelSet = object('label set', {
  ...Object.fromEntries(Object.keys(labelNames).map((name) => [name, honoured(label)])),
  welcomeMessage: honoured(label),
  isCompleted: told('leaves gaps: a missing label comes from the next language that has it', {
    quiet: [true],
  }),
});

export const labelSettings = object('preference center settings', {
  order: read(number, 'says whether purposes or the profile come first'),
  languages: read(entries, 'is the labels by language', { holdsByName: labelSet }),
});

export const profileTitle = object('profile title', { title: read(text, label), name: read(text, label) });

export const profileSettings = object('profile settings', {
  order: read(number, 'says whether purposes or the profile come first'),
  isEnabled: read(flag, 'shows the profile'),
  defaultTitle: read(text, 'is the heading without a translation'),
  languages: read(entries, 'is the heading by language', { holdsByName: profileTitle }),
  dataElements: read(list, 'is what the profile asks for', { holds: dataElement }),
});

const off = { quiet: [false] };

export const identities = {
  enableMultipleIdentities: told(
    'changes nothing: a person has the one identifier with which they came',
    off,
  ),
  hierarchicalAccessControl: told(
    'changes nothing: rights of the platform’s own users are not those of ours',
    off,
  ),
  enablePhoneVerification: told('changes nothing: a phone number is taken as it is typed', off),
  phoneVerificationIdentifierType: unused('belongs to enablePhoneVerification'),
} as const;
