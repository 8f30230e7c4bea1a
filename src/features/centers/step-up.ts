import type { Request, RequestHandler, Response } from 'express';
import { offersSignIn } from '../../core/model/center-config.ts';
import { signInAddress } from '../../core/model/mail-address.ts';
import { buildStepUpPage } from '../../pages/person/one-button.ts';
import { freshLinkToken, type HeldPost, heldPostToken } from '../../web/tokens.ts';
import {
  type CenterContext,
  type CenterParts,
  loadContext,
  requireVisit,
  soon,
  type VisitContext,
} from './context.ts';

/** Before a page that is no part of withdrawing: who may not manage is offered a message that lets them. */
export function managersOnly(parts: CenterParts): RequestHandler {
  return async (request, response, next) => {
    if (requireVisit(parts, request).visit.scope === 'manage') return next();
    await offerStepUp(parts, request, response, '');
  };
}

/**
 * Refuses what a link for withdrawing does not allow, and offers a message that does: what was posted is sealed into
 * the form, so that nothing is lost on the way. `path`: where it was posted to, within the center.
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
  const visitContext = signInPaths(context);
  const page = buildStepUpPage({
    ...context,
    subject: visit.subject,
    form: signInAddress(centerConfig, visit.subject)
      ? {
          action: visitContext(
            '/fresh',
            freshLinkToken.seal(parts, { center: centerConfig.center, subject: visit.subject }),
          ),
          token: undefined,
        }
      : undefined,
    held: request.method === 'POST' ? heldPostToken.seal(parts, heldPost(request, context, path)) : undefined,
    signInHref: offersSignIn(centerConfig) ? visitContext('') : undefined,
    backHref: parts.visits.href(request, centerConfig, ''),
  });
  await parts.render(response, 'identity/one-button', page, { status: isFramed ? 200 : 403 });
}

/** Where somebody who may only withdraw here finds the way to more; undefined where the center offers none. */
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

/** Signing in is never framed, and knows no record: it goes on in the language of this page. */
function signInPaths({ centerConfig, language }: CenterContext): (path: string, token?: string) => string {
  const home = `/centers/${encodeURIComponent(centerConfig.name)}/sign-in`;
  return (path, token) => {
    const href = `${home}${path}?lang=${encodeURIComponent(language)}`;
    return token === undefined ? href : `${href}&k=${encodeURIComponent(token)}`;
  };
}

function heldPost(request: Request, { centerConfig, visit }: VisitContext, path: string): HeldPost {
  const body: Readonly<Record<string, string | readonly string[]>> = request.body ?? {};
  const fields = Object.entries(body).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, String(value)] as const),
  );
  return { center: centerConfig.center, subject: visit.subject, path, fields };
}
