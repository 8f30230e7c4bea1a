import type { Mail } from '../core/model/mail.ts';
import { direction, htmlLanguage } from '../i18n/language.ts';
import type { BrandView } from './layout.ts';
import { languageNameAmong, plainLayout } from './person/layout.ts';

/** A sandbox person, with a link that opens their page. */
export interface ReadyMade {
  readonly centerName: string;
  readonly template: string;
  readonly name: string;
  readonly language: string;
  readonly about: string;
  readonly href: string;
  /** The address of the sign-in; undefined if the center has none. */
  readonly signInHref: string | undefined;
}

/** Links to further pages of the sandbox. */
export type More = readonly { readonly href: string; readonly label: string; readonly text: string }[];

export function buildPlainStartPage(brand: BrandView) {
  return {
    layout: plainLayout('Your preferences', brand),
    lines: [
      'Open this page by the link in a message that you received, or from the site that sent you here.',
      'The link knows which preferences are yours.',
    ],
    links: [],
  };
}

export type StartPage = ReturnType<typeof buildStartPage>;

export function buildStartPage(people: readonly ReadyMade[], more: More, brand: BrandView) {
  return {
    layout: plainLayout('Sayso, on its sandbox', brand),
    lines: [
      'Nothing here leaves this machine: a built-in platform holds made-up centers and people. Open anyone’s page, change it, and see what is kept.',
    ],
    centers: byCenter(people),
    more: { title: 'What else is here', links: more },
  };
}

const signIn = { label: 'Sign in', text: 'As one of them does it; messages land in the mailbox below.' };

function byCenter(people: readonly ReadyMade[]) {
  const groups = Map.groupBy(people, (person) => person.centerName);
  return [...groups].map(([name, members]) => {
    const [{ template = '', signInHref: href } = {}] = members;
    return {
      name,
      template: templateName(template),
      people: members.map(({ language, ...person }) => {
        const inItself = languageNameAmong([language], language);
        const own = { text: inItself, lang: htmlLanguage(language), dir: direction(language) };
        return { ...person, language: own };
      }),
      signIn: href === undefined ? undefined : { href, ...signIn },
    };
  });
}

function templateName(template: string): string {
  if (template === 'MULTIPAGE') return 'Multi Page template';
  return `${template.slice(0, 1)}${template.slice(1).toLowerCase()} template`;
}

/** A message that would have been sent, kept by the sandbox. */
export type KeptMail = Mail & { readonly id: number; readonly at: number };

export type MailboxPage = ReturnType<typeof buildMailboxPage>;

export function buildMailboxPage(mails: readonly KeptMail[], brand: BrandView) {
  return {
    layout: plainLayout('Mailbox of the sandbox', brand),
    lines: [
      mails.length === 0
        ? 'Nothing has been sent yet. Ask for a message on the sign-in page of a center: the start page leads there.'
        : 'Nothing leaves this machine: these are the messages that would have been sent, the newest first.',
    ],
    back: { href: '/', label: 'To the start page' },
    mails: mails.map((mail) => ({
      subject: mail.subject,
      to: mail.to,
      at: new Date(mail.at).toISOString().slice(0, 19).replace('T', ' '),
      lang: htmlLanguage(mail.language),
      dir: direction(mail.language),
      // Every second part is an address.
      parts: mail.text.split(/(https?:\/\/\S+)/).map((text, index) => ({
        text,
        href: index % 2 === 1 ? text : undefined,
      })),
      htmlHref: `/sandbox/mailbox/${mail.id}`,
      htmlLabel: 'As a mail program shows it',
    })),
  };
}
