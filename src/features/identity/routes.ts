import type { Router } from 'express';
import { offersSignIn } from '../../core/model/center/center-config.ts';
import { type IdentityParts, identityRouter } from './context.ts';
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
  const routes = identityRouter(parts);
  const { router, get } = routes;

  // Opens a signed link: it starts a visit under a new session id and redirects to the clean address. A visitor
  // signed in as another person is asked first. A mail scanner may follow it, because it changes no choice.
  // Parameters of mail tools are dropped.
  get('', async (call, next) => {
    const { request, response, centerConfig } = call;
    if (request.query['t'] === undefined) return next();
    // A HEAD request must not use up a link that is good once.
    if (request.method === 'HEAD') return void response.status(200).end();
    const token = trimToken(request.query['t']);
    if (token !== undefined && call.visit !== undefined) {
      const link = await parts.links.read(token, centerConfig);
      if (link.kind === 'valid' && isSomebodyElse(call, link.subject)) return askFirst(call, token);
    }
    await followLink(call, token);
  });
  for (const add of [signInRoutes, messageLinkRoutes, switchPersonRoutes, singleSignOnRoutes, sessionRoutes])
    add(routes);
  get('/signed-out', (_call, next) => next('router'));
  // Sends visitors without a visit to the sign-in page.
  get('{/*rest}', (call, next) => {
    if (!offersSignIn(call.centerConfig) || call.visit !== undefined) return next();
    call.goTo('/sign-in');
  });
  return router;
}
