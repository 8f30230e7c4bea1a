import { honoured, type Member, type ObjectTable, unused } from './member.ts';

const prefix = 'consent.Ds.Portal.';

/** `Consent.Ds.Portal.*`: each with the page or state that shows it. */
const shown: Readonly<Record<string, string>> = {
  TopicsLabel: 'the heading of topics',
  'DataElement.InvalidPhoneNumber': 'a phone number that is none',
  'DataElement.InvalidEmail': 'an e-mail address that is none',
  SubscriptionSettingsLabel: 'the heading of subscription settings',
  PreferenceCenterUpdateSuccessPlaceholder: 'a result in which everything was saved',
  PreferencesUpdated: 'a result in which everything was saved',
  PreferenceCenterUnsubscribeSuccessPlaceholder: 'a result in which everything was left',
  Unsubscribed: 'a result in which everything was left',
  Logout: 'the button that ends a session',
  UndoChangesLabel: 'the button that takes unsaved changes out',
  RemainingAttempts: 'a passcode that was wrong',
  HardOptOutLabel: 'a purpose that cannot be switched on',
  AlwaysActiveTooltip: 'a purpose that cannot be switched off',
  ReasonsLabel: 'the field of a reason in own words',
  ReasonsTitle: 'the heading of reasons',
  ReasonsMessage: 'the text above the reasons',
  Others: 'the reason in own words',
  Otp: 'the field of a passcode',
  TimerDescription: 'the wait for another passcode',
  CharacterLimitReached: 'a reason that is too long',
  IncorrectOTPErrorMessage: 'a passcode that was wrong',
  SessionExpirationTitle: 'the warning before a session ends',
  SessionExpirationDescription: 'the warning before a session ends',
  SessionExpirationContinueButton: 'the warning before a session ends',
  SessionExpirationCancelButton: 'the warning before a session ends',
  GenericErrorMessage: 'a page of a fault',
  ContactAdminMessage: 'a page of a fault',
  ProfileTitle: 'the heading of the profile',
  Email: 'the field of an e-mail address',
  LoginRequestSent: 'a sign-in whose mail was sent',
  PreferenceCenterLoginHeadline: 'the heading of a sign-in',
  LoginType: 'the ways to sign in',
  LoginWithSSO: 'the button of single sign-on',
  Resend: 'the button that sends another passcode',
  PreferenceCenterTitle: 'the title of the page',
  Language: 'the choice of language',
  UpdatePreferences: 'the button that saves',
  DefaultChangePreferencesLabel: 'the button that saves',
  UnsubscribeAllLabel: 'the button that leaves everything',
  WelcomeMessage: 'the text at the head of the page',
  InvalidLoginToasterMessage: 'a link that is no longer good',
  PreferenceEmailLoginOtpDescription: 'a sign-in by mail',
  PreferenceLoginOtpDescription: 'a sign-in by mail',
  ProfileUpdateError: 'a result in which no value was saved',
  ProfileUpdateSuccess: 'a result in which values alone were saved',
  Error: 'a page of a fault',
  DoubleOptInConfirmationReceived: 'the page after a confirmation by mail, where something is on',
  DoubleOptInLinkError: 'the page after a confirmation by mail, where something waits still',
};

/** Whose state has words of ours, which say more. */
const unneeded: Readonly<Record<string, string>> = {
  LoginRequestError: 'a message goes out after its page, which looks the same for every address',
  PreferencesUpdateCancelError: 'taking unsaved changes out cannot fail',
  OtpDisclaimerText: 'the message alone knows how long a passcode is good for',
  Send: 'the button says what it sends',
  Submit: 'the button says what it does',
  Close: 'nothing opens over a page',
  CloseMobileMenu: 'the navigation needs no menu',
  PhoneNumber: 'there is no sign-in by phone',
  UnverifiedPhoneNumberErrorMessage: 'there is no sign-in by phone',
};

function membersOf(texts: Readonly<Record<string, string>>, make: (words: string) => Member) {
  return Object.entries(texts).map(([name, words]): [string, Member] => [`${prefix}${name}`, make(words)]);
}

export const portalTexts: ObjectTable = {
  name: 'general texts',
  members: Object.fromEntries([
    ...membersOf(shown, (words) => honoured(`is shown at ${words}`)),
    ...membersOf(unneeded, (words) => unused(`is not shown: ${words}`)),
  ]),
};
