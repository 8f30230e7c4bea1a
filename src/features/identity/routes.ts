import { type RequestHandler, Router } from 'express';
import { offersSignIn } from '../../core/model/center/center-config.ts';
import { addressOf, hrefOf, type IdentityParts } from './context.ts';
import { followLink } from './follow-link.ts';
import { trimToken } from './link-token.ts';
import { messageLinkRoutes } from './message-link.ts';
import { sessionRoutes } from './session-pages.ts';
import { signInRoutes } from './sign-in.ts';
import { singleSignOnRoutes } from './single-sign-on.ts';
import { askFirst, isSomebodyElse, switchPersonRoutes } from './switch-person.ts';

/**
 * The ways into a center. They stand before its pages and send visitors without a visit to the sign-in page.
 */
export function identityRoutes(parts: IdentityParts): Router {
  const router = Router({ mergeParams: true });
  router.get('/:center', openLink(parts));
  router.use(signInRoutes(parts), messageLinkRoutes(parts), switchPersonRoutes(parts));
  router.use(singleSignOnRoutes(parts), sessionRoutes(parts));
  router.get('/:center/signed-out', (_request, _response, next) => next('router'));
  router.get('/:center{/*rest}', redirectToSignIn(parts));
  return router;
}

/**
 * Opens a signed link: it starts a visit under a new session id and redirects to the clean address. A visitor
 * signed in as another person is asked first. A mail scanner may follow it, because it changes no choice.
 * Parameters of mail tools are dropped.
 */
function openLink(parts: IdentityParts): RequestHandler {
  const { sessions, links } = parts;
  return async (request, response, next) => {
    if (request.query['t'] === undefined) return next();
    const centerConfig = addressOf(parts, request);
    // A HEAD request must not use up a link that is good once.
    if (request.method === 'HEAD') return void response.status(200).end();
    const token = trimToken(request.query['t']);
    if (token !== undefined && sessions.visitOf(request, centerConfig.name) !== undefined) {
      const link = await links.read(token, centerConfig);
      if (link.kind === 'valid' && isSomebodyElse(parts, request, { centerConfig, subject: link.subject })) {
        return askFirst(parts, request, response, { centerConfig, token });
      }
    }
    await followLink(parts, request, response, { centerConfig, token });
  };
}

/** Sends visitors without a visit to the sign-in page. */
function redirectToSignIn({ registry, sessions }: IdentityParts): RequestHandler {
  return (request, response, next) => {
    const centerConfig = registry.find(String(request.params['center']));
    if (centerConfig === undefined || !offersSignIn(centerConfig)) return next();
    if (sessions.visitOf(request, centerConfig.name) !== undefined) return next();
    response.redirect(303, hrefOf(request, centerConfig, '/sign-in'));
  };
}
