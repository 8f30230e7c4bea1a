import { type ProblemAnswer, type ProblemCode, problems } from '../../core/model/problem.ts';
import { fillCount, type Messages, messagesFor } from '../../i18n/catalogue.ts';
import { findLabel, label } from '../../i18n/label.ts';
import { type AnySetting, againLinks, buildLayout, contactLinks } from './layout.ts';

/** Codes that have texts. */
type Told = Extract<ProblemCode, keyof Messages['problems']>;

function isTold(code: ProblemCode, messages: Messages): code is Told {
  return Object.hasOwn(messages.problems, code);
}

export interface ProblemPageInput extends AnySetting {
  readonly code: ProblemCode;
  /** Shown and logged, so that support finds the log line. */
  readonly reference: string;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** The way on, where there is one: the person's choices, the same address again (''), the sign-in page. */
  readonly onward:
    | { readonly href: string; readonly to: 'choices' | 'again' | 'home' | 'signIn' }
    | undefined;
  /** The customer's own site, whose people come in from there. */
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
  // A person who can sign in may never have had a message.
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
  // Where waiting helps the page says how long.
  const wait =
    input.retryAfter !== undefined && usual.retryAfter !== undefined
      ? [retryText(input.retryAfter, messages, language)]
      : [];
  const saysWait = wait.length > 0 && kind !== 'platform-unreachable';
  const own = kind === 'link-invalid' ? center && findLabel(center, language, kind) : undefined;
  return {
    /** Which of its two frames it stands in. */
    view: 'errors/problem' as 'errors/problem' | 'staff/problem',
    layout: buildLayout({
      ...input,
      // Its languages and pages are no links here.
      center: undefined,
      title: isOurs ? label(center, language, 'error') : (own ?? title),
    }),
    lines: [
      // A frame was opened by no message whose link could be copied; and a page says once to wait.
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
    /** Outside a frame, where the links lead. */
    opensOutside,
    /** Mail addresses and telephone numbers of the brand, if it names any. */
    contact: contactLinks(input.pageContext, language),
  };
}

function retryText(seconds: number, { problems }: Messages, language: string): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 100) return fillCount(problems.retrySeconds, language, whole);
  return fillCount(problems.retryMinutes, language, Math.ceil(whole / 60));
}

/** After signing out. `again`: where this center lets people in, if it does so by itself. */
export function buildSignedOutPage(input: AnySetting & { readonly again: string | undefined }) {
  const { signedOut } = messagesFor(input.language);
  return {
    layout: buildLayout({ ...input, title: signedOut.title }),
    lines: [signedOut.text],
    links: againLinks(input.again, input.language),
  };
}

/** A visit in a frame is over. `href`: of the sign-in, where there is one. */
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
 * Stands where the platform's hosted pages stood. Its script posts the link by the form. `links`: to the sign-ins that
 * there are.
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
