import type { SubjectId } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import type { FormView } from '../../pages/form.ts';
import {
  buildOpenLinkPage,
  buildSwitchPage,
  type OneButtonForm,
  type OneButtonPage,
} from '../../pages/person/one-button.ts';
import { openCenter } from '../../visits/call.ts';
import { type Call, type IdentityRouter, type PageCall, seenBy, showButton } from './context.ts';
import { followLink, showExpired } from './follow-link.ts';
import { here, leavingToken, switchLinkToken } from './tokens.ts';

const path = '/sign-in/switch';

/**
 * Asks a signed-in visitor before a link or passcode signs in another person. Otherwise a link slipped to a
 * visitor would let them act, and type their data, in another person's name. The page itself changes nothing.
 */
export function switchPersonRoutes({ parts, get, post }: IdentityRouter): void {
  get(path, async (call) => {
    const sealed = String(call.request.query['k']);
    const page = await openCenter(call, path, sealed);
    const link = await parts.links.read(requireLink(call), call.centerConfig);
    if (link.kind === 'invalid') throw new Problem('link-invalid');
    if (link.kind === 'expired') return showExpired(page, link.subject);
    await showLink(page, link.subject, { action: call.hrefOf(path, { k: sealed }) });
  });

  post(path, { right: requireLink, size: 'button' }, async (call, token) => {
    const link = await parts.links.read(token, call.centerConfig);
    if (link.kind === 'invalid') throw new Problem('link-invalid');
    if (!mayGoOnAs(call, link.subject)) return askFirst(call, token);
    await followLink(call, token);
  });
}

/** Opens the sealed link in the address. Throws link-invalid. */
function requireLink({ parts, request, centerConfig }: Call): string {
  const opened = here(centerConfig, switchLinkToken.open(parts, request.query['k']));
  if (opened === undefined) throw new Problem('link-invalid');
  return opened.token;
}

/** Redirects to the question. The link is sealed in the address, because it names its person. */
export function askFirst(call: Call, token: string): void {
  call.goTo(path, { k: switchLinkToken.seal(call.parts, { center: call.centerConfig.center, token }) });
}

/** Shows the page of a link with one button; it asks first if another person is signed in. */
export function showLink(page: PageCall, subject: SubjectId, form: FormView): Promise<void> {
  const question = questionOf(page, { by: 'link', subject, form, fields: [] });
  return showButton(page, question ?? buildOpenLinkPage({ ...page, subject, form }));
}

/** The question and the fields sent with its answer; undefined if no other person is signed in. */
export function questionOf(
  page: PageCall,
  next: {
    readonly by: 'link' | 'passcode';
    readonly subject: SubjectId;
    readonly form: FormView;
    readonly fields: OneButtonForm['fields'];
  },
): OneButtonPage | undefined {
  const { visit } = page;
  if (visit === undefined || visit.subject === next.subject) return undefined;
  return buildSwitchPage({
    ...seenBy(page, visit),
    ...next,
    here: visit,
    leaving: leavingToken.seal(page.parts, { center: page.centerConfig.center, here: visit.subject }),
    backHref: page.hrefOf(''),
  });
}

export function isSomebodyElse({ visit }: Call, subject: SubjectId): boolean {
  return visit !== undefined && visit.subject !== subject;
}

/** Whether a POST may sign in this person: no other person is signed in, or the visitor was asked. */
export function mayGoOnAs(call: Call, subject: SubjectId): boolean {
  if (!isSomebodyElse(call, subject)) return true;
  const asked = here(call.centerConfig, leavingToken.open(call.parts, call.request.body?.leaving));
  return asked !== undefined && asked.here === call.visit?.subject;
}
