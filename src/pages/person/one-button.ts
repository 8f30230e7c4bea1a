import { maskIdentifier, type SubjectId } from '../../core/model/person/subject.ts';
import type { Visit } from '../../core/model/person/visit.ts';
import { fill, fillCount, messagesFor } from '../../i18n/catalogue.ts';
import { label } from '../../i18n/label.ts';
import type { FormView } from '../form.ts';
import type { PostLink } from '../layout.ts';
import { againLinks, buildLayout, type Layout, type PageSetting } from './layout.ts';

export interface OneButtonForm extends FormView {
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

/** A page with a heading, a few lines, and one button. */
export interface OneButtonPage {
  readonly layout: Layout;
  /** Whether a tick stands before the title: the request is done, and the button only undoes it. */
  readonly isDone: boolean;
  readonly lines: readonly string[];
  /** The masked identifier of the person. */
  readonly about?: string | undefined;
  readonly form?: (OneButtonForm & { readonly button: string }) | undefined;
  /** Our reference and the platform's receipts, for a person who asks for them. */
  readonly numbers?: { readonly reference: string; readonly receipts: readonly string[] } | undefined;
  readonly links: readonly { readonly href: string; readonly label: string }[];
  readonly others: readonly PostLink[];
  /** Whether the links open outside the frame. */
  readonly opensOutside: boolean;
  /** Seconds after which the page reloads. */
  readonly refresh?: number | undefined;
}

/** Builds a page with one button; parts that are not given are not on the page. */
export function buildOneButtonPage(
  input: Omit<Parameters<typeof buildLayout>[0], 'title'>,
  { title, ...parts }: { readonly title: string } & Partial<Omit<OneButtonPage, 'layout'>>,
): OneButtonPage {
  const layout = buildLayout({ ...input, title });
  return { layout, isDone: false, lines: [], links: [], others: [], opensOutside: false, ...parts };
}

/** The page behind a link in a message. Opening it changes nothing; its button signs the person in. */
export function buildOpenLinkPage(
  input: PageSetting & { readonly subject: SubjectId; readonly form: FormView },
): OneButtonPage {
  const { mail } = messagesFor(input.language);
  return buildOneButtonPage(input, {
    title: label(input.center, input.language, 'sign-in-title'),
    about: maskIdentifier(input.subject),
    form: { ...input.form, fields: [], button: mail.button },
  });
}

/**
 * The page for a link or passcode that signs in another person than the current visitor, `here`. `leaving`: a
 * sealed token that names the person who was asked. `fields`: further fields of the form. Two people with the
 * same mask are never told apart by their masks.
 */
export function buildSwitchPage(
  input: PageSetting & {
    readonly by: 'link' | 'passcode';
    readonly subject: SubjectId;
    readonly here: Pick<Visit, 'subject' | 'scope'>;
    readonly form: FormView;
    readonly leaving: string;
    readonly fields: OneButtonForm['fields'];
    readonly backHref: string;
  },
): OneButtonPage {
  const { signIn } = messagesFor(input.language);
  // A link that only withdraws may have been passed on, so its visitor sees no complete address.
  const here = input.here.scope === 'manage' ? input.here.subject : maskIdentifier(input.here.subject);
  const other = maskIdentifier(input.subject);
  const title = input.by === 'link' ? signIn.switchTitle : signIn.switchCodeTitle;
  const page = buildOneButtonPage(input, { title });
  return {
    ...page,
    layout: { ...page.layout, who: page.layout.who && here },
    lines: [fill(signIn.switchText, { here })],
    form: {
      ...input.form,
      fields: [{ name: 'leaving', value: input.leaving }, ...input.fields],
      button: here === other ? signIn.switchUnnamed : fill(signIn.switchButton, { other }),
    },
    links: [{ href: input.backHref, label: fill(signIn.stayButton, { here }) }],
  };
}

/**
 * The page for a link that is too old or used: its form sends another link to the same address. `form` is
 * undefined if that is not possible here.
 */
export function buildExpiredLinkPage(
  input: PageSetting & { readonly form: FormView | undefined; readonly signInHref: string | undefined },
): OneButtonPage {
  const { problems, signIn } = messagesFor(input.language);
  return buildOneButtonPage(input, {
    title: problems['link-expired'].title,
    lines: [problems['link-expired'].text, ...(input.form === undefined ? [] : [signIn.linkExpiredText])],
    form: input.form && { ...input.form, fields: [], button: signIn.freshLink },
    links: input.form === undefined ? againLinks(input.signInHref, input.language) : [],
  });
}

/**
 * The page for an action that a link for withdrawing does not allow. `form`: sends a message to the person's
 * own address. `held`: the sealed post that waits for it. Without a form, `signInHref` may offer the sign-in.
 */
export function buildStepUpPage(
  input: PageSetting & {
    readonly subject: SubjectId;
    readonly form: FormView | undefined;
    readonly held: string | undefined;
    readonly signInHref: string | undefined;
    readonly backHref: string;
  },
): OneButtonPage {
  const { signIn, page, problems } = messagesFor(input.language);
  const canGoOn = input.form !== undefined || input.signInHref !== undefined;
  const back = { href: input.backHref, label: page.back };
  return buildOneButtonPage(input, {
    title: canGoOn ? signIn.stepUpTitle : problems['not-allowed'].title,
    lines: [canGoOn ? signIn.stepUpText : problems['not-allowed'].text],
    about: input.form === undefined ? undefined : maskIdentifier(input.subject),
    form: input.form && {
      ...input.form,
      fields: input.held === undefined ? [] : [{ name: 'held', value: input.held }],
      button: signIn.freshLink,
    },
    links: [...(input.form === undefined ? againLinks(input.signInHref, input.language) : []), back],
    opensOutside: input.pageContext.frame === 'embedded',
  });
}

/** The page after the person has proved their identity: one more press sends the post that was held. */
export function buildHeldPostPage(
  input: PageSetting & {
    readonly form: FormView;
    readonly fields: readonly (readonly [name: string, value: string])[];
    readonly isPartlyTaken: boolean | undefined;
    readonly backHref: string;
  },
): OneButtonPage {
  const { review, page } = messagesFor(input.language);
  return buildOneButtonPage(input, {
    title: review.tooOldTitle,
    lines: [input.isPartlyTaken ? review.changedTakenText : review.changedText],
    form: {
      ...input.form,
      fields: input.fields.map(([name, value]) => ({ name, value })),
      button: label(input.center, input.language, 'change-preferences'),
    },
    links: [{ href: input.backHref, label: page.back }],
  });
}

/** The page to which a visitor without script is led shortly before the session ends. */
export function buildSessionEndingPage(
  input: PageSetting & {
    readonly continueHref: string;
    readonly leave: FormView;
    /** Seconds until the session is over. */
    readonly lookAgainAfter: number;
  },
): OneButtonPage {
  const named = (name: Parameters<typeof label>[2]) => label(input.center, input.language, name);
  return buildOneButtonPage(input, {
    title: named('session-title'),
    lines: [named('session-description')],
    refresh: input.lookAgainAfter,
    links: [{ href: input.continueHref, label: named('session-continue') }],
    others: [{ ...input.leave, label: named('session-leave') }],
  });
}

export function buildSessionEndedPage(
  input: PageSetting & { readonly againHref: string | undefined },
): OneButtonPage {
  const { session, problems } = messagesFor(input.language);
  return buildOneButtonPage(input, {
    title: session.ended,
    lines: input.againHref === undefined ? [problems['not-signed-in'].text, problems.openLink] : [],
    links: againLinks(input.againHref, input.language),
  });
}

export function buildEverywherePage(
  input: PageSetting & { readonly form: FormView; readonly backHref: string },
): OneButtonPage {
  const { signedOut, page } = messagesFor(input.language);
  return buildOneButtonPage(input, {
    title: signedOut.everywhere,
    lines: [signedOut.everywhereText, signedOut.everywhereLinks],
    form: { ...input.form, fields: [], button: signedOut.everywhere },
    links: [{ href: input.backHref, label: page.back }],
  });
}

/**
 * The page while the person's record cannot be read yet, because many visitors wait: the approximate time,
 * and a button to unsubscribe from all at once. The headers of the answer reload the page.
 */
export function buildWaitingPage(
  input: PageSetting & {
    readonly waitSeconds: number;
    /** The form that unsubscribes from all. */
    readonly leave: FormView;
  },
): OneButtonPage {
  const { center, language, waitSeconds, leave } = input;
  const { waiting } = messagesFor(language);
  // The seconds are rounded, because the time is not known exactly.
  const seconds = waitSeconds > 10 ? Math.ceil(waitSeconds / 5) * 5 : Math.ceil(waitSeconds);
  const about =
    waitSeconds < 100
      ? fillCount(waiting.seconds, language, seconds)
      : fillCount(waiting.minutes, language, Math.ceil(waitSeconds / 60));
  return buildOneButtonPage(input, {
    title: waiting.title,
    lines: [about, waiting.leave],
    others: [{ ...leave, label: label(center, language, 'unsubscribe-all') }],
  });
}
