import type { Request, RequestHandler } from 'express';
import { Problem, type ProblemCode } from '../core/model/problem.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Lets a state-changing request through only when our own page sent it. Mount it before every route that takes a
 * form; one-click unsubscribing stands before it, because a mailbox provider is no browser.
 */
export function sameOriginOnly({ publicOrigin }: { publicOrigin: string }): RequestHandler {
  return (request, _response, next) => {
    const fault = safeMethods.has(request.method) ? undefined : crossOriginFault(request, publicOrigin);
    next(fault === undefined ? undefined : new Problem(fault));
  };
}

/**
 * 1. Sec-Fetch-Site says where a request came from, and no page can forge it: same-origin passes, a sibling or
 *    another site is refused.
 * 2. Without it, or when the browser says that no page sent it, Origin decides: it must be ours.
 * 3. Neither: refused.
 */
function crossOriginFault(request: Request, publicOrigin: string): ProblemCode | undefined {
  const site = request.get('sec-fetch-site');
  const origin = request.get('origin');
  if (site === 'same-origin') return undefined;
  if ((site === undefined || site === 'none') && origin === publicOrigin) return undefined;
  return origin === 'null' && request.get('sec-fetch-dest') === 'iframe' ? 'sandboxed-frame' : 'cross-site';
}
