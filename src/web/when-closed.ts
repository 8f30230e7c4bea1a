import type { Response } from 'express';

const waiting = new WeakMap<Response, (() => void)[]>();

/**
 * Acts when an answer was sent or given up, in the order of the calls. One listener for all: a streamed answer adds
 * seven of its own, and above ten Node warns of a leak.
 */
export function whenClosed(response: Response, act: () => void): void {
  const known = waiting.get(response);
  if (known !== undefined) {
    known.push(act);
    return;
  }
  const acts = [act];
  waiting.set(response, acts);
  response.once('close', () => {
    for (const each of acts) each();
  });
}
