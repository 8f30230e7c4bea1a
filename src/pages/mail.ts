import { type Brand, brandColours } from '../core/model/center/brand.ts';
import type { Center } from '../core/model/center/center.ts';
import type { RecordedSubmission } from '../core/model/evidence/evidence.ts';
import type { WordsOfThen } from '../core/model/evidence/wording.ts';
import type { Mail } from '../core/model/mail.ts';
import { fill, fillCount, type Messages, messageLanguage, messagesFor } from '../i18n/catalogue.ts';
import { writtenUtc } from '../i18n/format.ts';
import type { BrandView } from './layout.ts';
import { plainLayout } from './person/layout.ts';
import { createEntries, type RecordEntry, type RecordItem } from './person/record-entries.ts';

export interface MessageInput {
  readonly language: string;
  readonly brand: BrandView;
  readonly colours: Brand | undefined;
  /** The address of the message's button; undefined if it has none. */
  readonly href: string | undefined;
}

interface MessageTexts {
  readonly subject: string;
  readonly text: string;
  /** The passcode; undefined if none can be typed. */
  readonly code?: string | undefined;
  readonly changes?: readonly { readonly title: string; readonly lines: readonly string[] }[];
  readonly lines: readonly string[];
}

export type Message = ReturnType<typeof buildMessage>;
export type MailPage = Message['page'];

/** Builds a message: the page of its HTML part, its text part, and its subject line. */
export function buildMessage({ language, brand, href, ...input }: MessageInput, texts: MessageTexts) {
  const { mail } = messagesFor(language);
  const { code, changes = [], lines } = texts;
  const subject = fill(texts.subject, { brand: brand.name });
  const text = fill(texts.text, { brand: brand.name });
  const logoUrl = brand.logoUrl?.startsWith('https:') ? brand.logoUrl : undefined;
  const colours = input.colours === undefined ? undefined : brandColours(input.colours);
  const parts = [
    ...[mail.greeting, text],
    ...changes.map(({ title, lines: each }) => [title, ...each.map((line) => `- ${line}`)].join('\n')),
    ...(href === undefined ? [] : [href]),
    ...(code === undefined ? [] : [mail.passcode, code]),
    ...[lines.join('\n'), brand.name],
  ];
  return {
    // Marks of direction are only for pages; a mail program sets the direction of the subject line itself.
    subject: subject.replaceAll(/[\u2066-\u2069]/g, ''),
    text: parts.join('\n\n'),
    page: {
      layout: plainLayout(subject, { ...brand, logoUrl }, messageLanguage(language)),
      preview: code === undefined ? text : fill('{label} {code}', { label: mail.passcode, code }),
      greeting: mail.greeting,
      text,
      changes,
      button: href === undefined ? undefined : { href, label: mail.button },
      passcode: code === undefined ? undefined : { label: mail.passcode, code },
      lines,
      colours: { accent: colours?.accent ?? '#1f5eff', onAccent: colours?.onAccent ?? '#ffffff' },
    },
  };
}

/** The mail to send. */
export function mailOf(
  { subject, text, page }: Message,
  { to, html }: { readonly to: string; readonly html: string },
): Mail {
  return { to, from: page.layout.brand.name, subject, text, html, language: page.layout.lang };
}

/** The message that a visitor requested at the sign-in page. `minutes`: how long it is valid. */
export function buildSignInMail(
  input: MessageInput & { readonly href: string; readonly code: string; readonly minutes: number },
): Message {
  const { mail } = messagesFor(input.language);
  const validity = fillCount(mail.validity, input.language, input.minutes);
  const { subject, text, ignore } = mail;
  return buildMessage(input, { subject, text, code: input.code, lines: [validity, ignore] });
}

/** The message with a link that a staff member had sent. `days`: how long it is valid. */
export function buildStaffLinkMail(
  input: MessageInput & { readonly href: string; readonly days: number },
): Message {
  const { mail } = messagesFor(input.language);
  const validity = fillCount(mail.linkValidity, input.language, input.days);
  const { subject, staffText, ignore } = mail;
  return buildMessage(input, { subject, text: staffText, lines: [validity, ignore] });
}

/** Number of items that the message names for one submission, which may have thousands. */
const mostItems = 20;

export interface ChangesMailInput extends MessageInput {
  readonly center: Center;
  /** The submissions, newest first. */
  readonly history: readonly RecordedSubmission[];
  readonly words: WordsOfThen;
  readonly hasMore: boolean;
  readonly contact: string | undefined;
}

/**
 * The message about changes for a person, made from "My record": each change with its time and channel. Its
 * link is the same for all people, and signs no one in.
 */
export function buildChangesMail(input: ChangesMailInput): Message {
  const { history, href, contact } = input;
  const messages = messagesFor(input.language);
  const { changed } = messages.mail;
  const shown = history.map((each) => ({ ...each, items: each.items.slice(0, mostItems) }));
  const hrefs = { result: () => '' };
  const entries = shown.map(createEntries({ ...input, history: shown, subject: undefined, hrefs }));
  const hasMore = input.hasMore || history.some(({ items }) => items.length > mostItems);
  return buildMessage(input, {
    subject: changed.subject,
    text: changed.text,
    changes: entries.map((entry) => ({
      title: `${writtenUtc(Date.parse(entry.at.iso), input.language)} · ${entry.channel}`,
      lines: linesOf(entry, messages),
    })),
    lines: [
      ...(hasMore ? [changed.more] : []),
      ...(href === undefined ? [] : [changed.back, changed.notYou]),
      ...(contact === undefined ? [] : [fill(changed.contact, { contact })]),
    ],
  });
}

function linesOf({ items, nothing, tags }: RecordEntry, messages: Messages): readonly string[] {
  return [
    ...items.map((item) => lineOf(item, messages)),
    ...(nothing === undefined ? [] : [nothing]),
    ...tags.map(({ text, at, rest = '' }) => (at === undefined ? text : `${text}${at.text}${rest}`)),
  ];
}

function lineOf({ name, move, text, choices }: RecordItem, { mistakes }: Messages): string {
  const parts = [
    ...(move === undefined ? [] : [`${move.from} → ${move.to}`]),
    ...(text === undefined ? [] : [text]),
    ...choices.map((choice) => `${choice.name.text} → ${choice.to}`),
  ];
  return parts.length === 0 ? name.text : fill(mistakes.named, { name: name.text, text: parts.join(' · ') });
}
