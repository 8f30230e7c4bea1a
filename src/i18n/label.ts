import type { Center, LabelName } from '../core/model/center/center.ts';
import { isSameTag } from '../core/model/language-tag.ts';
import { type Messages, messagesFor } from './catalogue.ts';
import { matchLanguage } from './language.ts';

/** `Consent.Ds.Portal.` keys of the platform's translations, by label; the first with a text is used. */
const keys = {
  title: ['PreferenceCenterTitle'],
  topics: ['TopicsLabel'],
  'unsubscribe-all': ['UnsubscribeAllLabel'],
  'undo-changes': ['UndoChangesLabel'],
  'update-error': [],
  'update-success': ['PreferenceCenterUpdateSuccessPlaceholder', 'PreferencesUpdated'],
  'unsubscribe-success': ['PreferenceCenterUnsubscribeSuccessPlaceholder', 'Unsubscribed'],
  'subscription-settings': ['SubscriptionSettingsLabel'],
  'change-preferences': ['UpdatePreferences', 'DefaultChangePreferencesLabel'],
  'reasons-title': ['ReasonsTitle'],
  'reasons-message': ['ReasonsMessage'],
  'subscribe-all': [],
  'sign-out': ['Logout'],
  language: ['Language'],
  profile: ['ProfileTitle'],
  'other-reason': ['Others'],
  error: ['GenericErrorMessage', 'Error'],
  'contact-admin': ['ContactAdminMessage'],
  'invalid-email': ['DataElement.InvalidEmail'],
  'session-title': ['SessionExpirationTitle'],
  'session-description': ['SessionExpirationDescription'],
  'session-continue': ['SessionExpirationContinueButton'],
  'session-leave': ['SessionExpirationCancelButton'],
  'sign-in-title': ['PreferenceCenterLoginHeadline'],
  'sign-in-ways': ['LoginType'],
  'sign-in-single-sign-on': ['LoginWithSSO'],
  'sign-in-email': ['Email'],
  'sign-in-sent': ['LoginRequestSent'],
  passcode: ['Otp'],
  'passcode-wrong': ['IncorrectOTPErrorMessage'],
  'passcode-resend': ['Resend'],
} satisfies Readonly<Record<GeneralLabel, readonly string[]>>;

/** Labels that only `findLabel` reads: without a text of the center, the page uses other words. */
const ownKeys = {
  'always-active': ['AlwaysActiveTooltip'],
  'locked-off': ['HardOptOutLabel'],
  'reasons-label': ['ReasonsLabel'],
  'invalid-phone': ['DataElement.InvalidPhoneNumber'],
  'character-limit': ['CharacterLimitReached'],
  'passcode-attempts': ['RemainingAttempts'],
  'passcode-timer': ['TimerDescription'],
  'sign-in-intro': ['PreferenceEmailLoginOtpDescription', 'PreferenceLoginOtpDescription'],
  'link-invalid': ['InvalidLoginToasterMessage'],
  'profile-success': ['ProfileUpdateSuccess'],
  'profile-error': ['ProfileUpdateError'],
  confirmed: ['DoubleOptInConfirmationReceived'],
  unconfirmed: ['DoubleOptInLinkError'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type GeneralLabel = keyof Messages['labels'];
type OwnLabel = keyof typeof ownKeys;

const everyKey: Readonly<Record<GeneralLabel | OwnLabel | LabelName, readonly string[]>> = {
  ...keys,
  ...ownKeys,
};

export const generalLabels = Object.keys(keys) as readonly GeneralLabel[];

/** A label in the page's language, never blank: the center's text, else the built-in one, as without a center. */
export function label(center: Center | undefined, language: string, name: GeneralLabel): string {
  const own = center && findLabel(center, language, name);
  return own ?? messagesFor(language).labels[name];
}

/**
 * The center's own text: the label set of this language, then its translation, then the same of a related
 * language. undefined if there is none.
 */
export function findLabel(
  center: Center,
  language: string,
  name: GeneralLabel | OwnLabel,
): string | undefined {
  for (const find of [exactly, nearest]) {
    const inSet = find(center.labelSets, language, (set: Readonly<Record<string, string>>) => set[name]);
    if (inSet !== undefined) return inSet;
    for (const key of everyKey[name]) {
      const text = find(center.translations, language, (texts) =>
        Object.hasOwn(texts, key) ? texts[key] : undefined,
      );
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

type ByLanguage<T> = Readonly<Record<string, T>>;
type Read<T> = (set: T) => string | undefined;

function exactly<T>(sets: ByLanguage<T>, language: string, read: Read<T>): string | undefined {
  const tag = Object.hasOwn(sets, language)
    ? language
    : Object.keys(sets).find((each) => isSameTag(each, language));
  return tag === undefined ? undefined : textIn(sets, tag, read);
}

/** The best language among those that have the text. */
function nearest<T>(sets: ByLanguage<T>, language: string, read: Read<T>): string | undefined {
  const tag = matchLanguage(
    Object.keys(sets).filter((each) => textIn(sets, each, read) !== undefined),
    language,
  );
  return tag === undefined ? undefined : textIn(sets, tag, read);
}

function textIn<T>(sets: ByLanguage<T>, tag: string, read: Read<T>): string | undefined {
  const set = Object.hasOwn(sets, tag) ? sets[tag] : undefined;
  const text = set === undefined ? undefined : read(set);
  return text === undefined || text.trim() === '' ? undefined : text;
}
