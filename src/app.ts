import express, { type Express, type RequestHandler, type Router } from 'express';
import type { Assets } from './web/assets.ts';
import { sameOriginOnly } from './web/cross-origin.ts';
import type { Errors } from './web/errors.ts';
import { type HealthParts, healthRoutes } from './web/health.ts';
import { type Logger, requestLog } from './web/log.ts';
import { securityHeaders } from './web/security.ts';

export interface AppParts {
  readonly log: Logger;
  readonly https: boolean;
  readonly publicOrigin: string;
  readonly trustProxy: readonly string[];
  readonly assets: Assets;
  /** Before everything: what counts, times and drains. */
  readonly first: readonly RequestHandler[];
  /** Metrics. */
  readonly operator: Router;
  /** Turns requests away under overload. */
  readonly loadShedder: RequestHandler;
  /** What browsers report about the security policy. */
  readonly reports: Router;
  readonly health: HealthParts;
  readonly publicRoutes: PublicRoutes;
  readonly sessions: RequestHandler;
  readonly identity: Router;
  /** Links of the platform's hosted pages. */
  readonly hostedLinks: Router;
  readonly mailbox: Router | undefined;
  readonly start: Router;
  /** undefined but for who works on the product (`npm run dev`): every page in every state. */
  readonly gallery: Router | undefined;
  readonly staff: Router;
  readonly errors: Errors;
}

/** What a person may open. */
export interface PublicRoutes {
  /** Says on every answer below `/embed`, refusals included, who may frame it. */
  readonly framing: RequestHandler;
  /** What anyone may call, from anywhere: one-click unsubscribing, the script for other sites, public keys. */
  readonly open: Router;
  /** A center's pages in another site's frame, without a cookie. */
  readonly embed: Router;
  /** A center's pages in the person's own session. */
  readonly centers: Router;
  /** Whether a signed copy is genuine. */
  readonly verify: Router;
}

/** The HTTP stack, in the order in which a request meets it. */
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
