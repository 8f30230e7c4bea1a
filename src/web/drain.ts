import type { RequestHandler, Response } from 'express';
import { whenClosed } from './when-closed.ts';

export type Drain = ReturnType<typeof createDrain>;

/**
 * Ends connections without cutting requests. A server that just closes resets connections on which the next
 * request is already sent; `Connection: close` tells clients to send none.
 */
export function createDrain() {
  const answers = new Set<Response>();
  let draining = false;
  const middleware: RequestHandler = (_request, response, next) => {
    answers.add(response);
    whenClosed(response, () => answers.delete(response));
    if (draining) response.setHeader('Connection', 'close');
    next();
  };
  return {
    /** Counts open answers. This handler is the first one. */
    middleware,
    /** From now on every answer carries `Connection: close`, open ones included. */
    begin(): void {
      draining = true;
      for (const response of answers) if (!response.headersSent) response.setHeader('Connection', 'close');
    },
    isDraining: () => draining,
    /** The number of open answers. */
    inFlight: () => answers.size,
  };
}
