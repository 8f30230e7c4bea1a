import type { RequestHandler, Response } from 'express';
import { whenClosed } from './when-closed.ts';

export interface Drain {
  /** Counts open answers. It is the first handler. */
  readonly middleware: RequestHandler;
  /** From now on every answer carries `Connection: close`, open ones included. */
  begin(): void;
  isDraining(): boolean;
  /** The number of open answers. */
  inFlight(): number;
}

/**
 * Ends connections without cutting requests. A server that just closes resets connections on which the next
 * request is already sent; `Connection: close` tells clients to send none.
 */
export function createDrain(): Drain {
  const answers = new Set<Response>();
  let draining = false;
  return {
    middleware: (_request, response, next) => {
      answers.add(response);
      whenClosed(response, () => answers.delete(response));
      if (draining) response.setHeader('Connection', 'close');
      next();
    },
    begin() {
      draining = true;
      for (const response of answers) if (!response.headersSent) response.setHeader('Connection', 'close');
    },
    isDraining: () => draining,
    inFlight: () => answers.size,
  };
}
