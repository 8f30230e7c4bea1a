import type { Center, LabelName } from '../core/model/center.ts';
import { isSameTag } from '../core/model/language-tag.ts';
import type { Messages } from './catalogue.ts';
import { messagesFor } from './catalogue.ts';
import { matchLanguage } from './language.ts';

/** Texts that the platform's translations name beyond the label sets. */
type PortalName =
  | 'subscribe-all'
  | 'sign-out'
  | 'language'
  | 'profile'
  | 'other-reason'
  | 'error'
  | 'contact-admin'
  | 'always-active'
  | 'locked-off'
  | 'invalid-email'
  | 'session-title'
  | 'session-description'
  | 'session-continue'
  | 'session-leave'
  | 'sign-in-title'
  | 'sign-in-ways'
  | 'sign-in-single-sign-on'
  | 'sign-in-email'
  | 'sign-in-sent'
  | 'passcode'
  | 'passcode-wrong'
  | 'passcode-resend';

/** Asked for by `findLabel` alone: where the center does not say it, the page says it in other words. */
type OwnLabel =
  | 'reasons-label'
  | 'invalid-phone'
  | 'character-limit'
  | 'passcode-attempts'
  | 'passcode-timer'
  | 'sign-in-intro'
  | 'link-invalid'
  | 'profile-success'
  | 'profile-error'
  | 'confirmed'
  | 'unconfirmed';

export type GeneralLabel = Exclude<LabelName, OwnLabel> | PortalName;

interface OwnSource {
  /** In the label sets. */
  readonly inSet: LabelName | undefined;
  /** `Consent.Ds.Portal.` keys, the first that has a text. */
  readonly keys: readonly string[];
}

interface Source extends OwnSource {
  readonly builtIn: (messages: Messages) => string;
}

function inSet(name: LabelName, keys: readonly string[], builtIn: Source['builtIn']): Source {
  return { inSet: name, keys, builtIn };
}

function portal(key: string, builtIn: Source['builtIn']): Source {
  return { inSet: undefined, keys: [key], builtIn };
}

const sources: Readonly<Record<GeneralLabel, Source>> = {
  title: inSet('title', ['PreferenceCenterTitle'], (m) => m.labels.title),
  topics: inSet('topics', ['TopicsLabel'], (m) => m.labels.topics),
  'unsubscribe-all': inSet('unsubscribe-all', ['UnsubscribeAllLabel'], (m) => m.labels.unsubscribeAll),
  'undo-changes': inSet('undo-changes', ['UndoChangesLabel'], (m) => m.labels.undoChanges),
  'update-error': inSet('update-error', [], (m) => m.labels.updateError),
  'update-success': inSet(
    'update-success',
    ['PreferenceCenterUpdateSuccessPlaceholder', 'PreferencesUpdated'],
    (m) => m.labels.updateSuccess,
  ),
  'unsubscribe-success': inSet(
    'unsubscribe-success',
    ['PreferenceCenterUnsubscribeSuccessPlaceholder', 'Unsubscribed'],
    (m) => m.labels.unsubscribeSuccess,
  ),
  'subscription-settings': inSet(
    'subscription-settings',
    ['SubscriptionSettingsLabel'],
    (m) => m.labels.subscriptionSettings,
  ),
  'change-preferences': inSet(
    'change-preferences',
    ['UpdatePreferences', 'DefaultChangePreferencesLabel'],
    (m) => m.labels.changePreferences,
  ),
  'reasons-title': inSet('reasons-title', ['ReasonsTitle'], (m) => m.unsubscribe.reasonsTitle),
  'reasons-message': inSet('reasons-message', ['ReasonsMessage'], (m) => m.unsubscribe.reasonsMessage),
  'subscribe-all': { inSet: undefined, keys: [], builtIn: (m) => m.page.subscribeAll },
  'sign-out': portal('Logout', (m) => m.labels.signOut),
  language: portal('Language', (m) => m.labels.language),
  profile: portal('ProfileTitle', (m) => m.labels.profile),
  'other-reason': portal('Others', (m) => m.unsubscribe.other),
  error: { inSet: undefined, keys: ['GenericErrorMessage', 'Error'], builtIn: (m) => m.labels.error },
  'contact-admin': portal('ContactAdminMessage', (m) => m.labels.contactAdmin),
  'always-active': portal('AlwaysActiveTooltip', (m) => m.states.alwaysActiveHint),
  'locked-off': portal('HardOptOutLabel', (m) => m.states.lockedOff),
  'invalid-email': portal('DataElement.InvalidEmail', (m) => m.signIn.emailInvalid),
  'session-title': portal('SessionExpirationTitle', (m) => m.session.title),
  'session-description': portal('SessionExpirationDescription', (m) => m.session.description),
  'session-continue': portal('SessionExpirationContinueButton', (m) => m.session.continue),
  'session-leave': portal('SessionExpirationCancelButton', (m) => m.session.leave),
  'sign-in-title': portal('PreferenceCenterLoginHeadline', (m) => m.signIn.title),
  'sign-in-ways': portal('LoginType', (m) => m.signIn.ways),
  'sign-in-single-sign-on': portal('LoginWithSSO', (m) => m.signIn.singleSignOn),
  'sign-in-email': portal('Email', (m) => m.signIn.email),
  'sign-in-sent': portal('LoginRequestSent', (m) => m.signIn.sentTitle),
  passcode: portal('Otp', (m) => m.signIn.passcode),
  'passcode-wrong': portal('IncorrectOTPErrorMessage', (m) => m.signIn.passcodeWrong),
  'passcode-resend': portal('Resend', (m) => m.signIn.resend),
};

const ownSources: Readonly<Record<OwnLabel, OwnSource>> = {
  'reasons-label': { inSet: 'reasons-label', keys: ['ReasonsLabel'] },
  'invalid-phone': { inSet: undefined, keys: ['DataElement.InvalidPhoneNumber'] },
  'character-limit': { inSet: undefined, keys: ['CharacterLimitReached'] },
  'passcode-attempts': { inSet: undefined, keys: ['RemainingAttempts'] },
  'passcode-timer': { inSet: undefined, keys: ['TimerDescription'] },
  'sign-in-intro': {
    inSet: undefined,
    keys: ['PreferenceEmailLoginOtpDescription', 'PreferenceLoginOtpDescription'],
  },
  'link-invalid': { inSet: undefined, keys: ['InvalidLoginToasterMessage'] },
  'profile-success': { inSet: undefined, keys: ['ProfileUpdateSuccess'] },
  'profile-error': { inSet: undefined, keys: ['ProfileUpdateError'] },
  confirmed: { inSet: undefined, keys: ['DoubleOptInConfirmationReceived'] },
  unconfirmed: { inSet: undefined, keys: ['DoubleOptInLinkError'] },
};

const everySource = { ...sources, ...ownSources };

export const generalLabels = Object.keys(sources) as readonly GeneralLabel[];

/**
 * A general label in the page's language. Never blank: where the center says nothing, it is our own in that language,
 * then English.
 */
export function label(center: Center, language: string, name: GeneralLabel): string {
  return findLabel(center, language, name) ?? sources[name].builtIn(messagesFor(language));
}

/**
 * What the center itself says: the label set of this very language, then its translation, then the set of a related
 * language, then the translation of one. undefined when it says nothing.
 */
export function findLabel(
  center: Center,
  language: string,
  name: GeneralLabel | OwnLabel,
): string | undefined {
  const { inSet: labelName, keys } = everySource[name];
  for (const find of [exactly, nearest]) {
    if (labelName !== undefined) {
      const text = find(center.labelSets, language, (set) => set[labelName]);
      if (text !== undefined) return text;
    }
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

/** By the language ladder, among those languages that have the text. */
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
