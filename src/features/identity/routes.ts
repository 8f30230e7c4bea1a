import { type RequestHandler, Router } from 'express';
import { offersSignIn } from '../../core/model/center-config.ts';
import { addressOf, hrefOf, type IdentityParts } from './context.ts';
import { followLink } from './follow-link.ts';
import { trimToken } from './link-token.ts';
import { messageLinkRoutes } from './message-link.ts';
import { sessionRoutes } from './session-pages.ts';
import { signInRoutes } from './sign-in.ts';
import { singleSignOnRoutes } from './single-sign-on-routes.ts';
import { askFirst, isSomebodyElse, switchPersonRoutes } from './switch-person.ts';

/** The ways into a center. Stands before its pages: who is not signed in is led to the sign-in page. */
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
 * A signed link opens the person's session under a new id and goes on to the clean address; who is here as somebody
 * else is asked first. It changes nothing that a person has chosen, so a mail scanner may follow it; parameters that
 * mail tools add are dropped.
 */
function openLink(parts: IdentityParts): RequestHandler {
  const { sessions, links } = parts;
  return async (request, response, next) => {
    if (request.query['t'] === undefined) return next();
    const centerConfig = addressOf(parts, request);
    // Only who will see the page may use up a link that is good once.
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

/** Who is not signed in goes to where one may, in the language chosen here. */
function redirectToSignIn({ registry, sessions }: IdentityParts): RequestHandler {
  return (request, response, next) => {
    const centerConfig = registry.find(String(request.params['center']));
    if (centerConfig === undefined || !offersSignIn(centerConfig)) return next();
    if (sessions.visitOf(request, centerConfig.name) !== undefined) return next();
    response.redirect(303, hrefOf(request, centerConfig, '/sign-in'));
  };
}
