import { createHash, timingSafeEqual } from 'node:crypto';
import type { Server } from 'node:http';
import { type Request, Router } from 'express';
import { http } from './http.ts';

export interface OperatorParts {
  readonly print: () => Promise<string>;
  readonly contentType: string;
  /** The token that callers send as `Authorization: Bearer …`. */
  readonly token: string | undefined;
}

/**
 * `/metrics` beside the pages, only with the token; without a token the route does not exist. The caller's
 * address proves nothing: behind a proxy or in a container network all callers look local.
 */
export function operatorRoutes({ print, contentType, token }: OperatorParts): Router {
  const router = Router();
  router.get('/metrics', async (request, response, next) => {
    if (token === undefined || !hasToken(request, token)) return next();
    response.setHeader('Content-Type', contentType);
    response.end(await print());
  });
  return router;
}

/** `/metrics` on a port of its own, for hosts that can reach it; if there is a token, it is required too. */
export function metricsServer({ print, contentType, token }: OperatorParts): Server {
  return http.createServer({ maxHeaderSize: 16_384, requestTimeout: 10_000 }, async (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const isAsked = request.method === 'GET' && request.url === '/metrics';
    if (!isAsked || (token !== undefined && !hasToken(request, token))) {
      response.writeHead(404).end();
      return;
    }
    const text = await print().catch(() => undefined);
    response.writeHead(text === undefined ? 500 : 200, { 'Content-Type': contentType }).end(text);
  });
}

function hasToken({ headers }: Pick<Request, 'headers'>, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}
