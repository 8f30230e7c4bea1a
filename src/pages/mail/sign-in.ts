import { type Brand, brandColours } from '../../core/model/brand.ts';
import { messageLanguage, messagesFor } from '../../i18n/catalogue.ts';
import { fill, fillCount } from '../../i18n/fill.ts';
import type { BrandView, Layout } from '../layout.ts';
import { buildLayout } from '../person/layout.ts';
import type { MailPage } from '../person/sign-in-view.ts';

/** A message that lets somebody in: as a page for the HTML part, as text, and its subject line. */
export interface SignInMail {
  readonly subject: string;
  readonly text: string;
  readonly page: MailPage;
}

interface MailInput {
  readonly language: string;
  readonly brand: BrandView;
  readonly colours: Brand | undefined;
  readonly href: string;
}

/** What somebody asked for at the sign-in page. `minutes`: how long it is good. */
export function buildSignInMail(
  input: MailInput & { readonly code: string; readonly minutes: number },
): SignInMail {
  const { mail } = messagesFor(input.language);
  return buildMail(input, {
    text: mail.text,
    code: input.code,
    validity: fillCount(mail.validity, messageLanguage(input.language), input.minutes),
  });
}

/** A link that a member of the staff had sent. `days`: how long it is good. */
export function buildStaffLinkMail(input: MailInput & { readonly days: number }): SignInMail {
  const { mail } = messagesFor(input.language);
  return buildMail(input, {
    text: mail.staffText,
    code: undefined,
    validity: fillCount(mail.linkValidity, messageLanguage(input.language), input.days),
  });
}

function buildMail(
  { language, brand, href, ...input }: MailInput,
  says: { readonly text: string; readonly code: string | undefined; readonly validity: string },
): SignInMail {
  const { mail } = messagesFor(language);
  const { code } = says;
  const subject = fill(mail.subject, { brand: brand.name });
  const text = fill(says.text, { brand: brand.name });
  const lines = [says.validity, mail.ignore];
  const colours = input.colours === undefined ? undefined : brandColours(input.colours);
  const passcode = code === undefined ? [] : [mail.passcode, '', code, ''];
  return {
    subject: withoutMarks(subject),
    text: [mail.greeting, '', text, '', href, '', ...passcode, ...lines, '', brand.name].join('\n'),
    page: {
      layout: mailLayout(messageLanguage(language), subject, brand),
      preview: code === undefined ? text : fill('{label} {code}', { label: mail.passcode, code }),
      greeting: mail.greeting,
      text,
      button: { href, label: mail.button },
      passcode: code === undefined ? undefined : { label: mail.passcode, code },
      lines,
      colours: { accent: colours?.accent ?? '#1f5eff', onAccent: colours?.onAccent ?? '#ffffff' },
    },
  };
}

/** Of the furniture of a page a message has only its head. */
function mailLayout(language: string, title: string, brand: BrandView): Layout {
  const nowhere = () => '';
  return buildLayout({
    center: undefined,
    language,
    title,
    pageContext: {
      brand: { ...brand, logoUrl: brand.logoUrl?.startsWith('https:') ? brand.logoUrl : undefined },
      subject: undefined,
      signOut: undefined,
      recordHref: undefined,
      session: undefined,
      pageHref: nowhere,
      languageHref: nowhere,
      frame: 'top',
    },
  });
}

/** Marks of direction help a page; a mail program sets the subject line itself. */
function withoutMarks(text: string): string {
  return text.replaceAll(/[\u2066-\u2069]/g, '');
}
