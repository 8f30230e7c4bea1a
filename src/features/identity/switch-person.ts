import { type Request, type Response, Router } from 'express';
import type { CenterConfig } from '../../core/model/center/center-config.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import type { FormView } from '../../pages/form.ts';
import type { OneButtonForm, OneButtonPage } from '../../pages/person/one-button.ts';
import { buildOpenLinkPage, buildSwitchPage } from '../../pages/person/one-button.ts';
import { formBody } from '../../web/body.ts';
import {
  addressOf,
  formAt,
  hrefOf,
  type IdentityParts,
  loadSignInContext,
  type SignInContext,
} from './context.ts';
import { followLink, showExpired } from './follow-link.ts';
import { here, leavingToken, switchLinkToken } from './tokens.ts';

const path = '/sign-in/switch';

/**
 * Asks a signed-in visitor before a link or passcode signs in another person. Otherwise a link slipped to a
 * visitor would let them act, and type their data, in another person's name. The page itself changes nothing.
 */
export function switchPersonRoutes(parts: IdentityParts): Router {
  const { links, render } = parts;
  const router = Router({ mergeParams: true });

  router.get(`/:center${path}`, async (request, response) => {
    const sealed = String(request.query['k']);
    const context = await loadSignInContext(parts, request, path, sealed);
    const { centerConfig } = context;
    const token = here(centerConfig, switchLinkToken.open(parts, sealed))?.token;
    const link = token === undefined ? undefined : await links.read(token, centerConfig);
    if (link === undefined || link.kind === 'invalid') throw new Problem('link-invalid');
    if (link.kind === 'expired')
      return showExpired(parts, request, response, { context, subject: link.subject });
    const page = buildLinkPage(parts, request, {
      context,
      subject: link.subject,
      form: formAt(request, centerConfig, { path, token: sealed }),
    });
    await render(response, 'identity/one-button', page);
  });

  /** Opens the sealed link in the address. Throws link-invalid. */
  function requireLink(request: Request): string {
    const opened = here(addressOf(parts, request), switchLinkToken.open(parts, request.query['k']));
    if (opened === undefined) throw new Problem('link-invalid');
    return opened.token;
  }
  const button = formBody({ right: requireLink, size: 'button' });

  router.post(`/:center${path}`, button, async (request, response) => {
    const centerConfig = addressOf(parts, request);
    const token = requireLink(request);
    const link = await links.read(token, centerConfig);
    if (link.kind === 'invalid') throw new Problem('link-invalid');
    if (!mayGoOnAs(parts, request, { centerConfig, subject: link.subject })) {
      return askFirst(parts, request, response, { centerConfig, token });
    }
    await followLink(parts, request, response, { centerConfig, token });
  });

  return router;
}

/** Redirects to the question. The link is sealed in the address, because it names its person. */
export function askFirst(
  parts: IdentityParts,
  request: Request,
  response: Response,
  { centerConfig, token }: { centerConfig: CenterConfig; token: string },
): void {
  const k = switchLinkToken.seal(parts, { center: centerConfig.center, token });
  response.redirect(303, hrefOf(request, centerConfig, path, { k }));
}

/** The page of a link with one button; it asks first if another person is signed in. */
export function buildLinkPage(
  parts: IdentityParts,
  request: Request,
  link: {
    readonly context: SignInContext;
    readonly subject: SubjectId;
    readonly form: FormView;
  },
): OneButtonPage {
  return (
    questionOf(parts, request, { ...link, by: 'link', fields: [] }) ??
    buildOpenLinkPage({ ...link.context, ...link })
  );
}

/** The question and the fields sent with its answer; undefined if no other person is signed in. */
export function questionOf(
  parts: IdentityParts,
  request: Request,
  next: {
    readonly by: 'link' | 'passcode';
    readonly context: SignInContext;
    readonly subject: SubjectId;
    readonly form: FormView;
    readonly fields: OneButtonForm['fields'];
  },
): OneButtonPage | undefined {
  const { context, subject } = next;
  const { centerConfig } = context;
  const visit = parts.sessions.visitOf(request, centerConfig.name);
  if (visit === undefined || visit.subject === subject) return undefined;
  return buildSwitchPage({
    ...context,
    ...next,
    pageContext: { ...context.pageContext, subject: visit.subject },
    here: visit,
    leaving: leavingToken.seal(parts, { center: centerConfig.center, here: visit.subject }),
    backHref: hrefOf(request, centerConfig, ''),
  });
}

export function isSomebodyElse(
  { sessions }: IdentityParts,
  request: Request,
  { centerConfig, subject }: { centerConfig: CenterConfig; subject: SubjectId },
): boolean {
  const signedIn = sessions.visitOf(request, centerConfig.name)?.subject;
  return signedIn !== undefined && signedIn !== subject;
}

/** Whether a POST may sign in this person: no other person is signed in, or the visitor was asked. */
export function mayGoOnAs(
  parts: IdentityParts,
  request: Request,
  next: { centerConfig: CenterConfig; subject: SubjectId },
): boolean {
  if (!isSomebodyElse(parts, request, next)) return true;
  const asked = here(next.centerConfig, leavingToken.open(parts, request.body?.leaving));
  return (
    asked !== undefined && asked.here === parts.sessions.visitOf(request, next.centerConfig.name)?.subject
  );
}
