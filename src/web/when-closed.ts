import type { Response } from 'express';

const waiting = new WeakMap<Response, (() => void)[]>();

/**
 * Calls `act` when an answer was sent or broken off, in the order of registration. It adds one listener only:
 * a streamed answer adds seven, and Node warns above ten.
 */
export function whenClosed(response: Response, act: () => void): void {
  const acts = waiting.getOrInsertComputed(response, () => {
    response.once('close', () => {
      for (const each of acts) each();
    });
    return [];
  });
  acts.push(act);
}
