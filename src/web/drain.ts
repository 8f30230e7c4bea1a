import type { RequestHandler, Response } from 'express';
import { whenClosed } from './when-closed.ts';

export interface Drain {
  /** Counts the answers on their way. The first handler of all. */
  readonly middleware: RequestHandler;
  /** From now on every answer says that its connection ends, those on their way included. */
  begin(): void;
  isDraining(): boolean;
  /** Answers on their way. */
  inFlight(): number;
}

/**
 * Leaving without cutting anyone off. A server that closes at once resets the connections on which the next
 * request is already on its way; one that says `Connection: close` first is not sent any.
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
