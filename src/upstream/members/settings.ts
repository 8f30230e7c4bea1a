import { reasonFormats } from '../wire-settings.ts';
import { honoured, honouredValues, type ObjectTable, told, unused } from './member.ts';

/** Settings and general texts, which both families have. */

export const portal: ObjectTable = {
  name: 'portal settings',
  members: {
    useTitleImage: honoured('shows the title image'),
    titleImageUrl: honoured('is shown where its host is the platform’s or listed'),
    title: honoured('is the title where no label set has one'),
    hardOptOutFormat: honoured('says what becomes of a purpose that cannot be switched on', {
      values: { HIDE: honoured('is not rendered'), LOCK: honoured('is shown as locked') },
      otherValue: told('is read as LOCK'),
    }),
    enableReasons: honoured('asks for reasons'),
    unsubscribeReasons: honoured('is what can be chosen as a reason'),
    reasonsAllowOther: honoured('offers a reason in own words'),
    reasonsDisplayFormat: honoured('says how reasons are asked for', {
      values: honouredValues(reasonFormats, {
        'check-boxes': 'is check boxes',
        'radio-buttons': 'is radio buttons',
        text: 'is a field for own words',
      }),
      otherValue: told('is read as List'),
    }),
    reasonTriggerCondition: told(
      'is read as UnsubscribeAll: reasons are asked for where everything is left',
      {
        quiet: ['UnsubscribeAll'],
      },
    ),
  },
};

const label = honoured('is shown in the language of the page');

export const labelSet: ObjectTable = {
  name: 'label set',
  members: {
    title: label,
    topicsLabel: label,
    unsubscribeAllLabel: label,
    undoChangesLabel: label,
    updateErrorLabel: label,
    updateSuccessLabel: label,
    unsubscribeSuccessLabel: label,
    subscriptionSettingsLabel: label,
    changePreferencesLabel: label,
    reasonsTitle: label,
    reasonsMessage: label,
    reasonsLabel: label,
    welcomeMessage: label,
    isCompleted: told('leaves gaps: a missing label comes from the next language that has it', {
      quiet: [true],
    }),
  },
};

export const labelSettings: ObjectTable = {
  name: 'preference center settings',
  members: {
    order: honoured('says whether purposes or the profile come first'),
    languages: honoured('is the labels by language', { holdsByName: labelSet }),
  },
};

const profileTitle: ObjectTable = {
  name: 'profile title',
  members: { title: label, name: label },
};

export function profileSettings(dataElement: ObjectTable): ObjectTable {
  return {
    name: 'profile settings',
    members: {
      order: honoured('says whether purposes or the profile come first'),
      isEnabled: honoured('shows the profile'),
      defaultTitle: honoured('is the heading without a translation'),
      languages: honoured('is the heading by language', { holdsByName: profileTitle }),
      dataElements: honoured('is what the profile asks for', { holds: dataElement }),
    },
  };
}

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
