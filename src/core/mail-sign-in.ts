import { type Brand, brandColours } from './brand.ts';
import type { MailPage } from './identity-pages.ts';
import { messageLanguage, messagesFor } from './messages/catalogue.ts';
import { fill, fillCount } from './messages/fill.ts';
import type { BrandView, Shell } from './shell.ts';
import { buildShell } from './shell-page.ts';
import { messageLife } from './sign-in-page.ts';

/** The message that lets somebody in: as a page for the HTML part, as text, and its subject line. */
export interface SignInMail {
  readonly subject: string;
  readonly text: string;
  readonly page: MailPage;
}

export function buildSignInMail(input: {
  readonly language: string;
  readonly brand: BrandView;
  readonly colours: Brand | undefined;
  readonly href: string;
  readonly code: string;
}): SignInMail {
  const { language, brand, href, code } = input;
  const { mail } = messagesFor(language);
  const tag = messageLanguage(language);
  const subject = fill(mail.subject, { brand: brand.name });
  const text = fill(mail.text, { brand: brand.name });
  const lines = [fillCount(mail.validity, tag, messageLife), mail.ignore];
  const colours = input.colours === undefined ? undefined : brandColours(input.colours);
  return {
    subject: withoutMarks(subject),
    text: [mail.greeting, '', text, '', href, '', mail.passcode, '', code, '', ...lines, '', brand.name].join(
      '\n',
    ),
    page: {
      shell: mailShell(tag, subject, brand),
      preview: fill('{label} {code}', { label: mail.passcode, code }),
      greeting: mail.greeting,
      text,
      button: { href, label: mail.button },
      passcode: { label: mail.passcode, code },
      lines,
      colours: { accent: colours?.accent ?? '#1f5eff', onAccent: colours?.onAccent ?? '#ffffff' },
    },
  };
}

/** Of the furniture of a page a message has only its head. */
function mailShell(language: string, title: string, brand: BrandView): Shell {
  const nowhere = () => '';
  return buildShell({
    center: undefined,
    language,
    title,
    surroundings: {
      brand: { ...brand, logoUrl: brand.logoUrl?.startsWith('https:') ? brand.logoUrl : undefined },
      subject: undefined,
      pageHref: nowhere,
      languageHref: nowhere,
      signOut: undefined,
      recordHref: undefined,
      frame: 'top',
      session: undefined,
    },
  });
}

/** Marks of direction help a page; a subject line is set by whoever shows it. */
function withoutMarks(text: string): string {
  return text.replaceAll(/[\u2066-\u2069]/g, '');
}
