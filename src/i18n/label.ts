import type { Center, LabelName } from '../core/model/center/center.ts';
import { isSameTag } from '../core/model/language-tag.ts';
import { type Messages, messagesFor } from './catalogue.ts';
import { matchLanguage } from './language.ts';

/** `keys`: `Consent.Ds.Portal.` keys of the platform's translations; the first with a text is used. */
interface Source {
  readonly keys: readonly string[];
  readonly builtIn: (messages: Messages) => string;
}

const sources = {
  title: { keys: ['PreferenceCenterTitle'], builtIn: (m) => m.labels.title },
  topics: { keys: ['TopicsLabel'], builtIn: (m) => m.labels.topics },
  'unsubscribe-all': { keys: ['UnsubscribeAllLabel'], builtIn: (m) => m.labels.unsubscribeAll },
  'undo-changes': { keys: ['UndoChangesLabel'], builtIn: (m) => m.labels.undoChanges },
  'update-error': { keys: [], builtIn: (m) => m.labels.updateError },
  'update-success': {
    keys: ['PreferenceCenterUpdateSuccessPlaceholder', 'PreferencesUpdated'],
    builtIn: (m) => m.labels.updateSuccess,
  },
  'unsubscribe-success': {
    keys: ['PreferenceCenterUnsubscribeSuccessPlaceholder', 'Unsubscribed'],
    builtIn: (m) => m.labels.unsubscribeSuccess,
  },
  'subscription-settings': {
    keys: ['SubscriptionSettingsLabel'],
    builtIn: (m) => m.labels.subscriptionSettings,
  },
  'change-preferences': {
    keys: ['UpdatePreferences', 'DefaultChangePreferencesLabel'],
    builtIn: (m) => m.labels.changePreferences,
  },
  'reasons-title': { keys: ['ReasonsTitle'], builtIn: (m) => m.unsubscribe.reasonsTitle },
  'reasons-message': { keys: ['ReasonsMessage'], builtIn: (m) => m.unsubscribe.reasonsMessage },
  'subscribe-all': { keys: [], builtIn: (m) => m.page.subscribeAll },
  'sign-out': { keys: ['Logout'], builtIn: (m) => m.labels.signOut },
  language: { keys: ['Language'], builtIn: (m) => m.labels.language },
  profile: { keys: ['ProfileTitle'], builtIn: (m) => m.labels.profile },
  'other-reason': { keys: ['Others'], builtIn: (m) => m.unsubscribe.other },
  error: { keys: ['GenericErrorMessage', 'Error'], builtIn: (m) => m.labels.error },
  'contact-admin': { keys: ['ContactAdminMessage'], builtIn: (m) => m.labels.contactAdmin },
  'always-active': { keys: ['AlwaysActiveTooltip'], builtIn: (m) => m.states.alwaysActiveHint },
  'locked-off': { keys: ['HardOptOutLabel'], builtIn: (m) => m.states['locked-off'] },
  'invalid-email': { keys: ['DataElement.InvalidEmail'], builtIn: (m) => m.signIn.emailInvalid },
  'session-title': { keys: ['SessionExpirationTitle'], builtIn: (m) => m.session.title },
  'session-description': { keys: ['SessionExpirationDescription'], builtIn: (m) => m.session.description },
  'session-continue': { keys: ['SessionExpirationContinueButton'], builtIn: (m) => m.session.continue },
  'session-leave': { keys: ['SessionExpirationCancelButton'], builtIn: (m) => m.session.leave },
  'sign-in-title': { keys: ['PreferenceCenterLoginHeadline'], builtIn: (m) => m.signIn.title },
  'sign-in-ways': { keys: ['LoginType'], builtIn: (m) => m.signIn.ways },
  'sign-in-single-sign-on': { keys: ['LoginWithSSO'], builtIn: (m) => m.signIn.singleSignOn },
  'sign-in-email': { keys: ['Email'], builtIn: (m) => m.signIn.email },
  'sign-in-sent': { keys: ['LoginRequestSent'], builtIn: (m) => m.signIn.sentTitle },
  passcode: { keys: ['Otp'], builtIn: (m) => m.signIn.passcode },
  'passcode-wrong': { keys: ['IncorrectOTPErrorMessage'], builtIn: (m) => m.signIn.passcodeWrong },
  'passcode-resend': { keys: ['Resend'], builtIn: (m) => m.signIn.resend },
} satisfies Readonly<Record<string, Source>>;

/** Labels that only `findLabel` reads: without a text of the center, the page uses other words. */
const ownSources = {
  'reasons-label': { keys: ['ReasonsLabel'] },
  'invalid-phone': { keys: ['DataElement.InvalidPhoneNumber'] },
  'character-limit': { keys: ['CharacterLimitReached'] },
  'passcode-attempts': { keys: ['RemainingAttempts'] },
  'passcode-timer': { keys: ['TimerDescription'] },
  'sign-in-intro': { keys: ['PreferenceEmailLoginOtpDescription', 'PreferenceLoginOtpDescription'] },
  'link-invalid': { keys: ['InvalidLoginToasterMessage'] },
  'profile-success': { keys: ['ProfileUpdateSuccess'] },
  'profile-error': { keys: ['ProfileUpdateError'] },
  confirmed: { keys: ['DoubleOptInConfirmationReceived'] },
  unconfirmed: { keys: ['DoubleOptInLinkError'] },
} satisfies Readonly<Record<string, Pick<Source, 'keys'>>>;

type GeneralLabel = keyof typeof sources;
type OwnLabel = keyof typeof ownSources;

const everySource: Readonly<Record<GeneralLabel | OwnLabel | LabelName, Pick<Source, 'keys'>>> = {
  ...sources,
  ...ownSources,
};

export const generalLabels = Object.keys(sources) as readonly GeneralLabel[];

/** A label in the page's language, never blank: the center's text, else the built-in one, as without a center. */
export function label(center: Center | undefined, language: string, name: GeneralLabel): string {
  const own = center && findLabel(center, language, name);
  return own ?? sources[name].builtIn(messagesFor(language));
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
  const { keys } = everySource[name];
  for (const find of [exactly, nearest]) {
    const inSet = find(center.labelSets, language, (set: Readonly<Record<string, string>>) => set[name]);
    if (inSet !== undefined) return inSet;
    for (const key of keys) {
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
