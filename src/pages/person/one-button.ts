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

/** A heading, a few lines, and something that one button does. */
export interface OneButtonPage {
  readonly layout: Layout;
  /** A tick before the title: what was asked is done, and its button only takes it back. */
  readonly isDone: boolean;
  readonly lines: readonly string[];
  /** The masked identifier that it is about. */
  readonly about?: string | undefined;
  readonly form?: (OneButtonForm & { readonly button: string }) | undefined;
  /** Our number and those of the platform, for a person who asks for them. */
  readonly numbers?: { readonly reference: string; readonly receipts: readonly string[] } | undefined;
  readonly links: readonly { readonly href: string; readonly label: string }[];
  readonly others: readonly PostLink[];
  /** Outside a frame, where the link leads. */
  readonly opensOutside: boolean;
  /** Seconds after which the page looks again. */
  readonly refresh?: number | undefined;
}

/** What is left out is not on the page. */
export function buildOneButtonPage(
  input: Omit<Parameters<typeof buildLayout>[0], 'title'>,
  { title, ...parts }: { readonly title: string } & Partial<Omit<OneButtonPage, 'layout'>>,
): OneButtonPage {
  const layout = buildLayout({ ...input, title });
  return { layout, isDone: false, lines: [], links: [], others: [], opensOutside: false, ...parts };
}

/** A link from a message was opened: looking at it changes nothing, the button lets the person in. */
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
 * A link or a passcode lets in another person than the one who is signed in. `leaving`: sealed, that it was `here` who
 * was asked. `fields`: what is sent with it. Two people whose masks are alike are never told apart by masks.
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
  // A link for withdrawing may have been passed on: it shows no whole address.
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

/** A link that is too old or used: another one can be sent to the same address. `form` undefined: not from here. */
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
 * What a link for withdrawing does not allow. `form`: a message to the person's own address; `held`: the sealed post
 * that it is for. Without a form `signInHref` may lead on.
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

/** The person has shown who they are: what they had posted before goes on by one more press. */
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

/** Where a page without script leads shortly before its session ends. */
export function buildSessionEndingPage(
  input: PageSetting & {
    readonly continueHref: string;
    readonly leave: FormView;
    /** Seconds after which it is over. */
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
 * The person's record cannot be read yet, because many want to: about how long that is, and a way to leave everything at
 * once. It opens by itself, by what the answer's headers say.
 */
export function buildWaitingPage(
  input: PageSetting & {
    readonly waitSeconds: number;
    /** Where leaving everything posts to. */
    readonly leave: FormView;
  },
): OneButtonPage {
  const { center, language, waitSeconds, leave } = input;
  const { waiting } = messagesFor(language);
  // Rounded: the time is not known to the second.
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
