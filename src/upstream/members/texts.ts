import { generalTexts } from '../../core/model/center/general-texts.ts';
import { honoured, type ObjectTable, unused } from './member.ts';

/** General texts that are not shown, each with the reason. */
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

const shown = Object.values(generalTexts).flatMap(([shownAt, ...keys]) => keys.map((key) => [key, shownAt]));
const all = [
  ...[...shown, ['WelcomeMessage', 'the text at the head of the page']].map(
    ([key, at]) => [key, honoured(`is shown at ${at}`)] as const,
  ),
  ...Object.entries(unneeded).map(([key, why]) => [key, unused(`is not shown: ${why}`)] as const),
];

/** The general texts of a center, `Consent.Ds.Portal.*`. */
export const portalTexts: ObjectTable = {
  name: 'general texts',
  members: Object.fromEntries(all.map(([key, member]) => [`consent.Ds.Portal.${key}`, member])),
};
