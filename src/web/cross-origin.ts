import type { Request, RequestHandler } from 'express';
import { Problem, type ProblemCode } from '../core/model/problem.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Passes a state-changing request only if one of our own pages sent it. The handler stands before every route
 * that takes a form. One-click routes stand before the handler: a mailbox provider is no browser.
 */
export function sameOriginOnly({ publicOrigin }: { publicOrigin: string }): RequestHandler {
  return (request, _response, next) => {
    const fault = safeMethods.has(request.method) ? undefined : crossOriginFault(request, publicOrigin);
    next(fault === undefined ? undefined : new Problem(fault));
  };
}

/**
 * Finds the fault of a request that another site sent:
 * - A page cannot forge Sec-Fetch-Site. `same-origin` passes; another site or a sibling is refused.
 * - If it is absent or `none`, Origin decides: it must be ours.
 * - A request with neither is refused.
 */
function crossOriginFault(request: Request, publicOrigin: string): ProblemCode | undefined {
  const site = request.get('sec-fetch-site');
  const origin = request.get('origin');
  if (site === 'same-origin') return undefined;
  if ((site === undefined || site === 'none') && origin === publicOrigin) return undefined;
  return origin === 'null' && request.get('sec-fetch-dest') === 'iframe' ? 'sandboxed-frame' : 'cross-site';
}
