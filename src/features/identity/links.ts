import { isEndedBySignOut } from '../../core/model/person/sign-out.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import type { FormView } from '../../pages/form.ts';
import {
  buildExpiredLinkPage,
  buildOpenLinkPage,
  buildSwitchPage,
  type OneButtonPage,
} from '../../pages/person/one-button.ts';
import { openCenter } from '../../visits/call.ts';
import { freshLinkToken } from '../../web/tokens.ts';
import {
  type Call,
  type IdentityRouter,
  noteRefusal,
  type PageCall,
  seenBy,
  showButton,
  signIn,
} from './context.ts';
import { trimToken } from './link-token.ts';
import { here, leavingToken, linkMakerToken, switchLinkToken } from './tokens.ts';

const path = '/sign-in/switch';

/**
 * Signed links, ours and those of customers. A signed-in visitor is asked before a link or passcode signs in
 * another person. Otherwise a link slipped to a visitor would let them act, and type their data, in another
 * person's name. The page itself changes nothing.
 */
export function linkRoutes({ parts, get, post }: IdentityRouter): void {
  // Opens a signed link: it starts a visit under a new session id and redirects to the clean address. A
  // visitor signed in as another person is asked first. A mail scanner may follow it, because it changes no
  // choice. Parameters of mail tools are dropped.
  get('', async (call, next) => {
    const { request, response, centerConfig } = call;
    if (request.query['t'] === undefined) return next();
    // A HEAD request must not use up a link that is good once.
    if (request.method === 'HEAD') return void response.status(200).end();
    const token = trimToken(request.query['t']);
    if (token !== undefined && call.visit !== undefined) {
      const link = await parts.links.read(token, centerConfig);
      if (link.kind === 'valid' && isSomebodyElse(call, link.subject)) return askFirst(call, token);
    }
    await followLink(call, token);
  });

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

/**
 * Redirects to the question whether to go on as another person. The link is sealed in the address, because it
 * names its person.
 */
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
  next: Pick<Parameters<typeof buildSwitchPage>[0], 'by' | 'subject' | 'form' | 'fields'>,
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

/** True if a POST may sign in this person: no other person is signed in, or the visitor was asked. */
export function mayGoOnAs(call: Call, subject: SubjectId): boolean {
  if (!isSomebodyElse(call, subject)) return true;
  const asked = here(call.centerConfig, leavingToken.open(call.parts, call.request.body?.leaving));
  return asked !== undefined && asked.here === call.visit?.subject;
}

/**
 * Signs in the person of a link under a new session id and redirects to the clean address. Throws
 * link-invalid.
 */
async function followLink(call: Call, token: string | undefined): Promise<void> {
  const { parts, centerConfig } = call;
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
  const { subject, scope } = link;
  const channel = linkMadeBy === undefined ? 'link' : 'staff-link';
  await signIn(call, { subject, scope, channel, linkMadeBy, since });
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

/** Returns the person in the address of that form. Throws form-refused. */
export async function requireOwner({ parts, request, centerConfig }: Call): Promise<SubjectId> {
  const opened = here(centerConfig, freshLinkToken.open(parts, request.query['k']));
  if (opened === undefined || isEndedBySignOut(opened.at, await parts.signedOutAt(opened.subject)))
    throw new Problem('form-refused');
  return opened.subject;
}
