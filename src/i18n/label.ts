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
  // Only `findLabel` reads these: without a text of the center, the page uses other words.
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
} satisfies Record<GeneralLabel | LabelName, readonly string[]> & Record<string, readonly string[]>;

type GeneralLabel = keyof Messages['labels'];
type AnyLabel = keyof typeof keys;

/** A label in the page's language, never blank: the center's text, else the built-in one, as without a center. */
export function label(center: Center | undefined, language: string, name: GeneralLabel): string {
  const own = center && findLabel(center, language, name);
  return own ?? messagesFor(language).labels[name];
}

/**
 * The center's own text: the label set of this language, then its translation, then the same of a related
 * language. undefined if there is none.
 */
export function findLabel(center: Center, language: string, name: AnyLabel): string | undefined {
  for (const isNear of [isSameTag, () => true]) {
    const find = (sets: Readonly<Record<string, Texts>>, key: string) => {
      const tags = Object.keys(sets).filter((tag) => sets[tag]?.[key]?.trim() && isNear(tag, language));
      const tag = matchLanguage(tags, language);
      return tag === undefined ? undefined : sets[tag]?.[key];
    };
    const translated = keys[name].values().map((key) => find(center.translations, key));
    const own = find(center.labelSets, name) ?? translated.find((text) => text !== undefined);
    if (own !== undefined) return own;
  }
  return undefined;
}

type Texts = Readonly<Record<string, string | undefined>>;
