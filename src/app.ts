import express, { type Express, type RequestHandler, type Router } from 'express';
import type { Assets } from './web/assets.ts';
import { sameOriginOnly } from './web/cross-origin.ts';
import type { Errors } from './web/errors.ts';
import { type HealthParts, healthRoutes } from './web/health.ts';
import type { ClassOf } from './web/load-shedder.ts';
import { type Logger, requestLog } from './web/log.ts';
import { securityHeaders } from './web/security.ts';

export interface AppParts {
  readonly log: Logger;
  readonly https: boolean;
  readonly publicOrigin: string;
  readonly trustProxy: readonly string[];
  readonly assets: Assets;
  /** Runs before everything else: drain, metrics, timing, traces. */
  readonly first: readonly RequestHandler[];
  readonly operator: Router;
  /** Refuses requests under overload. */
  readonly loadShedder: RequestHandler;
  /** Reports of browsers about the content security policy. */
  readonly reports: Router;
  readonly health: HealthParts;
  readonly publicRoutes: PublicRoutes;
  readonly sessions: RequestHandler;
  readonly identity: Router;
  /** Links of the platform's hosted pages. */
  readonly hostedLinks: Router;
  readonly mailbox: Router | undefined;
  readonly start: Router;
  /** Every page in every state. Only `npm run dev` sets it. */
  readonly gallery: Router | undefined;
  readonly staff: Router;
  readonly errors: Errors;
}

/** The routes of a person. */
export interface PublicRoutes {
  /** Says on every answer below `/embed`, refusals included, which sites may frame it. */
  readonly framing: RequestHandler;
  /**
   * Routes without a session and without the cross-origin check: one-click, the script for other sites,
   * public keys.
   */
  readonly open: Router;
  /** A center's pages in another site's frame, without a cookie. */
  readonly embed: Router;
  /** A center's pages in the person's own session. */
  readonly centers: Router;
  /** Checks the signature of a record copy. */
  readonly verify: Router;
}

/** The HTTP stack, in the order of a request. */
export function createApp(parts: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', parts.trustProxy.length === 0 ? false : [...parts.trustProxy]);
  app.set('query parser', 'simple');

  app.use(...parts.first);
  app.use(requestLog(parts.log));
  app.use(...securityHeaders({ https: parts.https }));
  app.use('/embed', parts.publicRoutes.framing);
  app.use(parts.assets.handler);
  app.use(healthRoutes(parts.health));
  app.use(parts.operator);
  app.use(parts.loadShedder);
  app.use(parts.reports);
  app.use(parts.publicRoutes.open);

  app.use(sameOriginOnly({ publicOrigin: parts.publicOrigin }));
  app.use('/ui', parts.sessions, parts.hostedLinks);
  app.use('/centers', parts.sessions, parts.identity, parts.publicRoutes.centers);
  app.use('/embed', parts.publicRoutes.embed);
  app.use(parts.publicRoutes.verify);
  app.use('/staff', parts.staff);
  if (parts.mailbox !== undefined) app.use(parts.mailbox);
  app.use(parts.start);
  if (parts.gallery !== undefined) app.use('/dev/gallery', parts.gallery);

  app.use(parts.errors.notFound);
  app.use(parts.errors.handler);
  return app;
}

/** The class of load of each route. A posted form counts as a withdrawal until it is read. */
export const classOf: ClassOf = ({ method, path }) => {
  if (/^\/(staff|reports|metrics)(\/|$)/i.test(path)) return 'staff';
  // Programs repeat their requests.
  if (/^\/api(\/|$)/i.test(path)) return 'read';
  if (/^\/u\/|\/(unsubscribe|one-click)(\/|$)/i.test(path)) return 'withdrawal';
  if (method === 'POST') return /\/(sign-in|sign-out)(\/|$)/i.test(path) ? 'read' : 'withdrawal';
  return /\/results(\/|$)/i.test(path) ? 'opt-in' : 'read';
};
