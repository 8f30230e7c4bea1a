import { type ProblemAnswer, type ProblemCode, problems } from '../../core/model/problem.ts';
import { fillCount, type Messages, messagesFor } from '../../i18n/catalogue.ts';
import { findLabel, label } from '../../i18n/label.ts';
import { type AnySetting, againLinks, buildLayout, contactLinks } from './layout.ts';

/** Codes that have their own texts. */
type Told = Extract<ProblemCode, keyof Messages['problems']>;

function isTold(code: ProblemCode, messages: Messages): code is Told {
  return Object.hasOwn(messages.problems, code);
}

export interface ProblemPageInput extends AnySetting {
  readonly code: ProblemCode;
  /** A reference that is shown and logged, so that support finds the log line. */
  readonly reference: string;
  /** Seconds after which to try again. */
  readonly retryAfter: number | undefined;
  /**
   * The link from the page: to the person's choices, to the same address (''), to the start, or to the
   * sign-in; undefined if there is none.
   */
  readonly onward:
    | { readonly href: string; readonly to: 'choices' | 'again' | 'home' | 'signIn' }
    | undefined;
  /** The customer's own site, from which its people come. */
  readonly site?: string | undefined;
}

export type ProblemPage = ReturnType<typeof buildProblemPage>;

export function buildProblemPage(input: ProblemPageInput) {
  const { center, language, onward, code } = input;
  const messages = messagesFor(language);
  const kind = isTold(code, messages) ? code : problems[code].told;
  const { title, text } = messages.problems[kind];
  const isOurs = kind === 'unexpected';
  const isFramed = input.pageContext.frame === 'embedded';
  // A person who can sign in may have received no message, so the page does not mention one.
  const site = kind === 'not-signed-in' && onward?.to !== 'signIn' ? input.site : undefined;
  const byLink = kind === 'not-signed-in' && onward?.to !== 'signIn' && site === undefined;
  const opensOutside = isFramed && onward?.to === 'signIn';
  const labels = {
    choices: messages.page.back,
    again: messages.problems.again,
    home: messages.page.home,
    signIn: opensOutside ? messages.embed.openOutside : messages.signedOut.again,
  };
  const usual: ProblemAnswer = problems[code];
  // If waiting helps, the page says how long.
  const wait =
    input.retryAfter !== undefined && usual.retryAfter !== undefined
      ? [retryText(input.retryAfter, messages, language)]
      : [];
  const saysWait = wait.length > 0 && kind !== 'platform-unreachable';
  const own = kind === 'link-invalid' ? center && findLabel(center, language, kind) : undefined;
  return {
    /** The view: the frame for visitors, or the one for staff. */
    view: 'errors/problem' as 'errors/problem' | 'staff/problem',
    layout: buildLayout({
      ...input,
      // Without the center, the page links to none of its languages and pages.
      center: undefined,
      title: isOurs ? label(center, language, 'error') : (own ?? title),
    }),
    lines: [
      // A frame was not opened from a message, so no link could be copied. A page tells only once to wait.
      ...(isFramed && kind === 'link-invalid' ? [messages.embed.invalid] : saysWait ? [] : [text]),
      ...(byLink ? [messages.problems.openLink] : []),
      ...wait,
      ...(isOurs ? [label(center, language, 'contact-admin')] : []),
      ...(opensOutside ? [messages.embed.signInOutside] : []),
    ],
    reference: input.reference,
    links: [
      ...(site === undefined ? [] : [{ href: site, label: new URL(site).host }]),
      ...(onward === undefined ? [] : [{ href: onward.href, label: labels[onward.to] }]),
    ],
    /** Whether the links open outside the frame. */
    opensOutside,
    /** The brand's mail addresses and telephone numbers. */
    contact: contactLinks(input.pageContext, language),
  };
}

function retryText(seconds: number, { problems }: Messages, language: string): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 100) return fillCount(problems.retrySeconds, language, whole);
  return fillCount(problems.retryMinutes, language, Math.ceil(whole / 60));
}

/** The page after signing out. `again`: the address of the sign-in, if the center has one. */
export function buildSignedOutPage(input: AnySetting & { readonly again: string | undefined }) {
  const { signedOut } = messagesFor(input.language);
  return {
    layout: buildLayout({ ...input, title: signedOut.title }),
    lines: [signedOut.text],
    links: againLinks(input.again, input.language),
  };
}

/** The page after a visit in a frame has ended. `href`: the address of the sign-in, if there is one. */
export function buildExpiredPage(
  input: AnySetting & { readonly isPost: boolean; readonly href: string | undefined },
) {
  const { isPost, href } = input;
  const { embed, session, problems } = messagesFor(input.language);
  return {
    layout: buildLayout({ ...input, title: session.ended }),
    lines: [
      ...(isPost ? [problems['form-refused'].text] : []),
      embed.expired,
      ...(href === undefined ? [] : [embed.signInOutside]),
    ],
    links: href === undefined ? [] : [{ href, label: embed.openOutside }],
  };
}

export type HostedLinkPage = ReturnType<typeof buildHostedLinkPage>;

/**
 * The page in place of the platform's hosted pages. Its script posts the link with the form. `links`: the
 * links to the available sign-ins.
 */
export function buildHostedLinkPage(
  input: Omit<AnySetting, 'center'> & {
    readonly token: string;
    readonly links: readonly { readonly href: string; readonly label: string }[];
  },
) {
  const { token, links } = input;
  const { labels, signIn, problems } = messagesFor(input.language);
  return {
    layout: buildLayout({ ...input, center: undefined, title: labels['sign-in-title'] }),
    lines: links.length === 0 ? [problems['not-signed-in'].text, problems.openLink] : [signIn.intro],
    form: { action: '/ui/', token },
    links,
  };
}
