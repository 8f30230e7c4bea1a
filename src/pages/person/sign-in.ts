import type { PasscodeDigits } from '../../core/model/person/passcode.ts';
import { maskIdentifier, type SubjectId } from '../../core/model/person/subject.ts';
import { fill, fillCount, messagesFor } from '../../i18n/catalogue.ts';
import { formats } from '../../i18n/format.ts';
import { findLabel, label } from '../../i18n/label.ts';
import { htmlLanguage } from '../../i18n/language.ts';
import type { FormView, MistakeView } from '../form.ts';
import { note } from '../layout.ts';
import { buildLayout, colonOf, type PageSetting } from './layout.ts';
import { titleWith } from './preferences-marks.ts';

/** Minutes for which a sign-in message is valid. */
export const messageLife = 10;

/** Seconds after which another message can be requested. */
export const resendAfter = 60;

export interface SignInPageInput extends PageSetting {
  /** The form of the sign-in by mail; undefined if there is none. */
  readonly mail: FormView | undefined;
  /** The form of single sign-on; undefined if there is none. */
  readonly singleSignOn: { readonly form: FormView; readonly label: string | undefined } | undefined;
  /** The typed text, if it is no address. */
  readonly typed?: string | undefined;
  /** Set if the return from single sign-on failed. */
  readonly hasFailed?: boolean;
}

/** The sign-in page, with the methods that the center offers. */
export function buildSignInPage(input: SignInPageInput) {
  const { center, language, mail, singleSignOn } = input;
  const { signIn } = messagesFor(language);
  const mistake = input.typed === undefined ? undefined : label(center, language, 'invalid-email');
  const title = label(center, language, 'sign-in-title');
  return {
    layout: buildLayout({ ...input, title }),
    pageTitle: titleWith(mistake !== undefined, title, language),
    notes: input.hasFailed === true ? [note('problem', signIn.singleSignOnFailed)] : [],
    mistakes: mistakesAt('#email', mistake),
    mail: mail && {
      intro: findLabel(center, language, 'sign-in-intro') ?? signIn.intro,
      form: mail,
      label: label(center, language, 'sign-in-email'),
      value: input.typed ?? '',
      mistake,
    },
    singleSignOn: singleSignOn && {
      ...singleSignOn.form,
      label: singleSignOn.label ?? label(center, language, 'sign-in-single-sign-on'),
    },
    ways:
      mail === undefined || singleSignOn === undefined ? undefined : label(center, language, 'sign-in-ways'),
  };
}

export type SignInPage = ReturnType<typeof buildSignInPage>;
export type PasscodePage = ReturnType<typeof buildPasscodePage>;

export interface PasscodePageInput extends PageSetting {
  /** The typed address. The page does not tell whether it is known. */
  readonly subject: SubjectId;
  readonly form: FormView;
  readonly held: string | undefined;
  readonly resend: FormView;
  /** Seconds until another message can be requested; 0 for now. */
  readonly wait: number;
  readonly otherHref: string | undefined;
  readonly digits: PasscodeDigits;
  /** The result of the last try. */
  readonly tried?:
    | { readonly kind: 'wrong'; readonly left: number | undefined }
    | { readonly kind: 'over' }
    /** So many wrong passcodes are tried that none is accepted. */
    | { readonly kind: 'link-only' }
    | undefined;
}

/** The page after a message was sent, where its passcode can be typed. It is the same for every address. */
export function buildPasscodePage(input: PasscodePageInput) {
  const { center, language, tried } = input;
  const { signIn } = messagesFor(language);
  const mistake = mistakeOf(input);
  const title = label(center, language, 'sign-in-sent');
  // If no try can succeed any more, a field would mislead the visitor.
  const isOver = tried?.kind === 'over' || tried?.kind === 'link-only';
  return {
    layout: buildLayout({ ...input, title }),
    pageTitle: titleWith(mistake !== undefined, title, language),
    sentTo: { label: label(center, language, 'sign-in-email'), address: maskIdentifier(input.subject) },
    mistakes: mistakesAt(isOver ? '#resend' : '#code', mistake),
    form: isOver ? undefined : input.form,
    held: input.held,
    code: {
      label: label(center, language, 'passcode'),
      // The hint is in our words: the platform's text is about its own passcode, which has another validity.
      hint: fill(signIn.passcodeHint, { count: formats(language).numbers.format(input.digits) }),
      digits: input.digits,
      mistake,
      attempts:
        tried?.kind === 'wrong' && tried.left !== undefined ? attemptsText(input, tried.left) : undefined,
    },
    resend: { ...input.resend, label: label(center, language, 'passcode-resend') },
    wait: input.wait > 0 ? { ...waitText(input), seconds: input.wait } : undefined,
    otherHref: input.otherHref,
  };
}

function mistakesAt(href: string, text: string | undefined): readonly MistakeView[] {
  return text === undefined ? [] : [{ href, text }];
}

function mistakeOf({ tried, center, language }: PasscodePageInput): string | undefined {
  if (tried === undefined) return undefined;
  if (tried.kind === 'wrong') return label(center, language, 'passcode-wrong');
  const { signIn } = messagesFor(language);
  return tried.kind === 'over' ? signIn.passcodeExpired : signIn.linkOnly;
}

/** The number of tries that remain. The platform's text is a label, "Attempts left"; ours is a sentence. */
function attemptsText({ center, language }: PageSetting, left: number): string {
  const messages = messagesFor(language);
  const own = findLabel(center, language, 'passcode-attempts');
  if (own === undefined) return fillCount(messages.signIn.attempts, language, left);
  return `${own}${colonOf(messages)}${formats(language).numbers.format(left)}`;
}

function waitText({ center, language, wait }: PasscodePageInput): { text: string; countdown: string } {
  const own = findLabel(center, language, 'passcode-timer');
  const { signIn } = messagesFor(language);
  if (own === undefined) {
    return { text: fillCount(signIn.resendIn, language, wait), countdown: signIn.resendAt };
  }
  const unit = { style: 'unit', unit: 'second', unitDisplay: 'long' } as const;
  const seconds = new Intl.NumberFormat(htmlLanguage(language), unit).format(wait);
  return { text: fill('{text} {seconds}', { text: own, seconds }), countdown: `${own} {time}` };
}
