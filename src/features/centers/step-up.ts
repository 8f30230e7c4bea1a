import type { Request, RequestHandler, Response } from 'express';
import { offersSignIn } from '../../core/model/center/center-config.ts';
import { signInAddress } from '../../core/model/person/mail-address.ts';
import { buildStepUpPage } from '../../pages/person/one-button.ts';
import { centerHref, withQuery } from '../../web/href.ts';
import { freshLinkToken, type HeldPost, heldPostToken } from '../../web/tokens.ts';
import {
  type CenterContext,
  type CenterParts,
  loadContext,
  requireVisit,
  soon,
  type VisitContext,
} from './context.ts';

/**
 * Guards pages that have nothing to do with withdrawing: a visitor with the withdraw right is offered a link
 * with more rights.
 */
export function managersOnly(parts: CenterParts): RequestHandler {
  return async (request, response, next) => {
    if (requireVisit(parts, request).visit.scope === 'manage') return next();
    await offerStepUp(parts, request, response, '');
  };
}

/**
 * Refuses an act that the withdraw right does not allow, and offers a message with a stronger link. The
 * posted fields are sealed into the page, so that nothing is lost. `path` is where they were posted, within
 * the center.
 */
export async function offerStepUp(
  parts: CenterParts,
  request: Request,
  response: Response,
  path: string,
): Promise<void> {
  const context = await loadContext(parts, request, path, soon);
  const { centerConfig, visit } = context;
  const isFramed = parts.visits.frame === 'embedded';
  const signIn = signInPaths(context);
  const page = buildStepUpPage({
    ...context,
    subject: visit.subject,
    form: signInAddress(centerConfig, visit.subject)
      ? {
          action: signIn(
            '/fresh',
            freshLinkToken.seal(parts, { center: centerConfig.center, subject: visit.subject }),
          ),
          token: undefined,
        }
      : undefined,
    held: request.method === 'POST' ? heldPostToken.seal(parts, heldPost(request, context, path)) : undefined,
    signInHref: offersSignIn(centerConfig) ? signIn('') : undefined,
    backHref: parts.visits.href(request, centerConfig, ''),
  });
  await parts.render(response, 'identity/one-button', page, { status: isFramed ? 200 : 403 });
}

/** Where a visitor with the withdraw right can get more rights; undefined if the center offers no sign-in. */
export function stepUpHref(
  { visits }: CenterParts,
  request: Request,
  context: CenterContext,
): string | undefined {
  const { centerConfig, language } = context;
  if (!offersSignIn(centerConfig)) return undefined;
  return visits.frame === 'embedded'
    ? signInPaths(context)('')
    : visits.href(request, centerConfig, '/step-up', { lang: language });
}

/** Sign-in pages are never framed and do not know the record, so the link names the language. */
function signInPaths({ centerConfig, language }: CenterContext): (path: string, k?: string) => string {
  return (path, k) => withQuery(centerHref(centerConfig, `/sign-in${path}`), { lang: language, k });
}

function heldPost(request: Request, { centerConfig, visit }: VisitContext, path: string): HeldPost {
  const body: Readonly<Record<string, string | readonly string[]>> = request.body ?? {};
  const fields = Object.entries(body).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, String(value)] as const),
  );
  return { center: centerConfig.center, subject: visit.subject, path, fields };
}
