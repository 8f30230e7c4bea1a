import { Router } from 'express';
import type { Mail } from '../../core/model/mail.ts';
import { Problem } from '../../core/model/problem.ts';
import { direction, htmlLanguage } from '../../i18n/language.ts';
import type { MailboxPage } from '../../pages/every-page.ts';
import type { BrandView } from '../../pages/layout.ts';
import { plainLayout } from '../../pages/person/layout.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import type { Render } from '../../web/render.ts';

type Kept = Mail & { readonly id: number; readonly at: number };

export interface MailboxParts {
  readonly mailbox: {
    list(): readonly Kept[];
    find(id: number): Kept | undefined;
  };
  readonly brandOf: BrandOf;
  readonly render: Render;
}

/** The messages that the sandbox would have sent. */
export function mailboxRoutes({ mailbox, brandOf, render }: MailboxParts): Router {
  const router = Router();

  router.get('/sandbox/mailbox', (_request, response) =>
    render(response, 'start/mailbox', buildMailboxPage(mailbox.list(), brandOf(undefined, undefined))),
  );

  router.get('/sandbox/mailbox/:id', (request, response) => {
    const mail = mailbox.find(Number(request.params['id']));
    if (mail === undefined) throw new Problem('not-found');
    // A mail has inline styles and is no page of ours.
    response.setHeader(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src https:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
    response.setHeader('Content-Language', mail.language);
    response.type('html').send(mail.html);
  });

  return router;
}

export function buildMailboxPage(mails: readonly Kept[], brand: BrandView): MailboxPage {
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
      parts: withLinks(mail.text),
      htmlHref: `/sandbox/mailbox/${mail.id}`,
      htmlLabel: 'As a mail program shows it',
    })),
  };
}

function withLinks(text: string): MailboxPage['mails'][number]['parts'] {
  return text.split(/(https?:\/\/\S+)/).map((part, index) => ({
    text: part,
    href: index % 2 === 1 ? part : undefined,
  }));
}
