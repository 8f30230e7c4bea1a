import type { Request, Response } from 'express';
import type { CenterConfig } from '../../core/model/center/center-config.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import { buildExpiredLinkPage } from '../../pages/person/one-button.ts';
import {
  freshLinkForm,
  hrefOf,
  type IdentityParts,
  loadSignInContext,
  type SignInContext,
  signInHref,
} from './context.ts';
import { linkMakerToken } from './tokens.ts';

/**
 * Signs in the person of a link under a new session id and redirects to the clean address. Throws
 * link-invalid.
 */
export async function followLink(
  parts: IdentityParts,
  request: Request,
  response: Response,
  { centerConfig, token }: { centerConfig: CenterConfig; token: string | undefined },
): Promise<void> {
  const since = parts.clock.now();
  const link = token === undefined ? undefined : await parts.links.take(token, centerConfig);
  const tried = { center: centerConfig.name, channel: 'link' } as const;
  const linkMadeBy = link?.kind === 'valid' ? linkMakerToken.open(parts, link.actor) : undefined;
  const isForged = link?.kind === 'valid' && link.actor !== undefined && linkMadeBy === undefined;
  if (link === undefined || link.kind === 'invalid' || isForged) {
    parts.notes.refused(request, { ...tried, why: 'invalid' });
    throw new Problem('link-invalid');
  }
  if (link.kind === 'expired') {
    parts.notes.refused(request, { ...tried, why: 'over' });
    const context = await loadSignInContext(parts, request, '/sign-in');
    return showExpired(parts, request, response, { context, subject: link.subject });
  }
  const { subject, scope } = link;
  await parts.sessions.signIn(request, {
    subject,
    scope,
    center: centerConfig.name,
    ...(linkMadeBy === undefined ? { channel: 'link' } : { channel: 'staff-link', linkMadeBy }),
    since,
  });
  response.redirect(303, hrefOf(request, centerConfig, ''));
}

/** Shows that a once valid link is over. */
export async function showExpired(
  parts: IdentityParts,
  request: Request,
  response: Response,
  { context, subject }: { context: SignInContext; subject: SubjectId },
): Promise<void> {
  const { centerConfig } = context;
  const page = buildExpiredLinkPage({
    ...context,
    form: centerConfig.signIn.mail ? freshLinkForm(parts, request, { centerConfig, subject }) : undefined,
    signInHref: signInHref(request, centerConfig),
  });
  await parts.render(response, 'identity/one-button', page, { status: 410 });
}
