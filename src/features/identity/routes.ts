import type { Router } from 'express';
import { offersSignIn } from '../../core/model/center/center-config.ts';
import { type IdentityParts, identityRouter } from './context.ts';
import { linkRoutes } from './links.ts';
import { messageLinkRoutes } from './message-link.ts';
import { sessionRoutes } from './session-pages.ts';
import { signInRoutes } from './sign-in.ts';
import { singleSignOnRoutes } from './single-sign-on.ts';

/**
 * The ways into a center. They stand before its pages and send visitors without a visit to the sign-in page.
 */
export function identityRoutes(parts: IdentityParts): Router {
  const routes = identityRouter(parts);
  const { router, get } = routes;
  for (const add of [signInRoutes, messageLinkRoutes, linkRoutes, singleSignOnRoutes, sessionRoutes])
    add(routes);
  get('/signed-out', (_call, next) => next('router'));
  // Sends visitors without a visit to the sign-in page.
  get('{/*rest}', (call, next) => {
    if (!offersSignIn(call.centerConfig) || call.visit !== undefined) return next();
    call.goTo('/sign-in');
  });
  return router;
}
