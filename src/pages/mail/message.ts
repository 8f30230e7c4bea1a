import { type Brand, brandColours } from '../../core/model/center/brand.ts';
import type { Mail } from '../../core/model/mail.ts';
import { fill, messageLanguage, messagesFor } from '../../i18n/catalogue.ts';
import type { BrandView } from '../layout.ts';
import { plainLayout } from '../person/layout.ts';

export interface MessageInput {
  readonly language: string;
  readonly brand: BrandView;
  readonly colours: Brand | undefined;
  /** Where its button leads; undefined: it has none. */
  readonly href: string | undefined;
}

interface Says {
  readonly subject: string;
  readonly text: string;
  /** A passcode, where it may be typed. */
  readonly code?: string | undefined;
  readonly changes?: readonly { readonly title: string; readonly lines: readonly string[] }[];
  readonly lines: readonly string[];
}

export type Message = ReturnType<typeof buildMessage>;
export type MailPage = Message['page'];

/** A message: as a page for the HTML part, as text, and its subject line. */
export function buildMessage({ language, brand, href, ...input }: MessageInput, says: Says) {
  const { mail } = messagesFor(language);
  const { code, changes = [], lines } = says;
  const subject = fill(says.subject, { brand: brand.name });
  const text = fill(says.text, { brand: brand.name });
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
    subject: withoutMarks(subject),
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

/** As it is sent. */
export function mailOf(
  { subject, text, page }: Message,
  { to, html }: { readonly to: string; readonly html: string },
): Mail {
  return { to, from: page.layout.brand.name, subject, text, html, language: page.layout.lang };
}

/** Marks of direction help a page; a mail program sets the subject line itself. */
function withoutMarks(text: string): string {
  return text.replaceAll(/[\u2066-\u2069]/g, '');
}
