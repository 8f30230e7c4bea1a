import { type RequestHandler, Router } from 'express';
import { offersSignIn } from '../../core/address.ts';
import { Problem } from '../../core/problem.ts';
import { openLinkMaker } from './link-maker.ts';
import { trimToken } from './link-token.ts';
import { messageLinkRoutes, showExpired } from './message-link.ts';
import { addressOf, hrefOf, type IdentityParts, openRoom } from './room.ts';
import { sessionRoutes } from './session-pages.ts';
import { signInRoutes } from './sign-in.ts';
import { singleSignOnRoutes } from './single-sign-on-routes.ts';

/** The ways into a center. Stands before its pages: who is not signed in is led to the door. */
export function identityRoutes(parts: IdentityParts): Router {
  const router = Router({ mergeParams: true });
  router.get('/:center', openLink(parts));
  router.use(signInRoutes(parts), messageLinkRoutes(parts), singleSignOnRoutes(parts), sessionRoutes(parts));
  router.get('/:center/signed-out', (_request, _response, next) => next('router'));
  router.get('/:center{/*rest}', leadToDoor(parts));
  return router;
}

/**
 * A signed link opens the person's session under a new id and goes on to the clean address. It changes nothing
 * that a person has chosen, so a mail scanner may follow it; parameters that mail tools add are dropped.
 */
function openLink(parts: IdentityParts): RequestHandler {
  const { sessions, links, clock } = parts;
  return async (request, response, next) => {
    if (request.query['t'] === undefined) return next();
    const address = addressOf(parts, request);
    // Only who will see the page may use up a link that is good once.
    if (request.method === 'HEAD') return void response.status(200).end();
    const since = clock.now();
    const token = trimToken(request.query['t']);
    const link = token === undefined ? undefined : await links.take(token, address);
    if (link === undefined || link.kind === 'invalid') throw new Problem('link-invalid');
    if (link.kind === 'expired') {
      const room = await openRoom(parts, request, '/sign-in');
      return showExpired(parts, request, response, { room, subject: link.subject });
    }
    const { subject, scope } = link;
    const linkMadeBy = link.actor === undefined ? undefined : openLinkMaker(parts.seal, link.actor);
    if (link.actor !== undefined && linkMadeBy === undefined) throw new Problem('link-invalid');
    await sessions.signIn(request, {
      subject,
      scope,
      center: address.name,
      ...(linkMadeBy === undefined ? { door: 'link' } : { door: 'staff-link', linkMadeBy }),
      since,
    });
    response.redirect(303, hrefOf(request, address, ''));
  };
}

/** Who is not signed in goes to where one may, in the language chosen here. */
function leadToDoor({ addresses, sessions }: IdentityParts): RequestHandler {
  return (request, response, next) => {
    const address = addresses.find(String(request.params['center']));
    if (address === undefined || !offersSignIn(address)) return next();
    if (sessions.visitOf(request, address.name) !== undefined) return next();
    response.redirect(303, hrefOf(request, address, '/sign-in'));
  };
}
