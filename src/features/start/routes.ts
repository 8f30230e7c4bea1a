import { Router } from 'express';
import { Problem } from '../../core/model/problem.ts';
import {
  buildMailboxPage,
  buildPlainStartPage,
  buildStartPage,
  type KeptMail,
  type More,
  type ReadyMade,
} from '../../pages/start.ts';
import type { PageParts } from '../../web/page-parts.ts';

export interface StartParts extends Pick<PageParts, 'brandOf' | 'render'> {
  /** undefined with a tenant: the start page then shows no person. */
  readonly readyMade: (() => readonly ReadyMade[]) | undefined;
  /** The messages that the sandbox would have sent; undefined with a tenant, or if messages are sent. */
  readonly mailbox: { list(): readonly KeptMail[]; find(id: number): KeptMail | undefined } | undefined;
  readonly more: More;
}

const mailboxLink = {
  href: '/sandbox/mailbox',
  label: 'Mailbox',
  text: 'The messages that would have been sent.',
};

/**
 * The page at `/`: in the sandbox an overview of what to try, otherwise a page that says how to get a link.
 */
export function startRoutes({ readyMade, mailbox, more, brandOf, render }: StartParts): Router {
  const router = Router();

  router.get('/', (_request, response) => {
    const brand = brandOf(undefined, undefined);
    if (readyMade === undefined) return render(response, 'start/plain', buildPlainStartPage(brand));
    const links = mailbox === undefined ? more : [mailboxLink, ...more];
    return render(response, 'start/sandbox', buildStartPage(readyMade(), links, brand));
  });
  if (mailbox === undefined) return router;

  router.get(mailboxLink.href, (_request, response) =>
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
