import { Router } from 'express';
import { Problem } from '../../core/model/problem.ts';
import { buildMailboxPage, type KeptMail } from '../../pages/start.ts';
import type { PageParts } from '../../web/page-parts.ts';

export interface MailboxParts extends Pick<PageParts, 'brandOf' | 'render'> {
  readonly mailbox: {
    list(): readonly KeptMail[];
    find(id: number): KeptMail | undefined;
  };
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
