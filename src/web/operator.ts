import { createHash, timingSafeEqual } from 'node:crypto';
import { type Request, Router } from 'express';

export interface OperatorParts {
  readonly print: () => Promise<string>;
  readonly contentType: string;
  /** undefined: only a client on this machine itself is answered. */
  readonly token: string | undefined;
}

/** `/metrics`: with the token from anywhere, without one from loopback only, and else it is not there. */
export function operatorRoutes({ print, contentType, token }: OperatorParts): Router {
  const router = Router();
  router.get('/metrics', async (request, response, next) => {
    if (!(token === undefined ? isOnThisMachine(request) : hasToken(request, token))) return next();
    response.setHeader('Content-Type', contentType);
    response.end(await print());
  });
  return router;
}

/** What came through a proxy on this machine is not from here. */
function isOnThisMachine(request: Request): boolean {
  const address = request.socket.remoteAddress ?? '';
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some(
    (name) => request.headers[name] !== undefined,
  );
  return !isForwarded && /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/.test(address);
}

function hasToken(request: Request, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(request.get('authorization') ?? ''), digest(`Bearer ${token}`));
}
