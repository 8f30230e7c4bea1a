import { isEndedBySignOut } from '../../core/model/person/sign-out.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import type { FormView } from '../../pages/form.ts';
import { buildExpiredLinkPage } from '../../pages/person/one-button.ts';
import { openCenter } from '../../visits/call.ts';
import { freshLinkToken } from '../../web/tokens.ts';
import { type Call, noteRefusal, type PageCall, showButton } from './context.ts';
import { here, linkMakerToken } from './tokens.ts';

/**
 * Signs in the person of a link under a new session id and redirects to the clean address. Throws
 * link-invalid.
 */
export async function followLink(call: Call, token: string | undefined): Promise<void> {
  const { parts, request, centerConfig } = call;
  const since = parts.clock.now();
  const link = token === undefined ? undefined : await parts.links.take(token, centerConfig);
  if (link?.kind === 'expired') {
    noteRefusal(call, 'link', 'over');
    return showExpired(await openCenter(call, '/sign-in'), link.subject);
  }
  const linkMadeBy = link?.kind === 'valid' ? linkMakerToken.open(parts, link.actor) : undefined;
  if (link?.kind !== 'valid' || (link.actor !== undefined && linkMadeBy === undefined)) {
    noteRefusal(call, 'link', 'invalid');
    throw new Problem('link-invalid');
  }
  await parts.sessions.signIn(request, {
    subject: link.subject,
    scope: link.scope,
    center: centerConfig.name,
    ...(linkMadeBy === undefined ? { channel: 'link' } : { channel: 'staff-link', linkMadeBy }),
    since,
  });
  call.goTo('');
}

/** Shows that a once valid link is over. */
export function showExpired(page: PageCall, subject: SubjectId): Promise<void> {
  const form = page.centerConfig.signIn.mail ? freshLinkForm(page, subject) : undefined;
  return showButton(page, buildExpiredLinkPage({ ...page, form, signInHref: page.signInHref() }), 410);
}

/** The form of the button that sends a fresh link to the person's own address. */
export function freshLinkForm(call: Call, subject: SubjectId): FormView {
  const token = freshLinkToken.seal(call.parts, { center: call.centerConfig.center, subject });
  return { action: call.hrefOf('/sign-in/fresh', { k: token }) };
}

/** The person of such a form's address. Throws form-refused. */
export async function requireOwner({ parts, request, centerConfig }: Call): Promise<SubjectId> {
  const opened = here(centerConfig, freshLinkToken.open(parts, request.query['k']));
  if (opened === undefined || isEndedBySignOut(opened.at, await parts.signedOutAt(opened.subject)))
    throw new Problem('form-refused');
  return opened.subject;
}
