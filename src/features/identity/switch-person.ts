import { type Request, type Response, Router } from 'express';
import * as z from 'zod';
import type { CenterConfig } from '../../core/model/center-config.ts';
import { Problem } from '../../core/model/problem.ts';
import type { SubjectId } from '../../core/model/subject.ts';
import type { FormView } from '../../pages/form.ts';
import { buildOpenLinkPage, buildSwitchPage } from '../../pages/person/one-button.ts';
import type { OneButtonForm, OneButtonPage } from '../../pages/person/sign-in-view.ts';
import { formBody } from '../../web/body.ts';
import { sealedToken } from '../../web/sealed-token.ts';
import {
  addressOf,
  formAt,
  hrefOf,
  type IdentityParts,
  loadSignInContext,
  type SignInContext,
} from './context.ts';
import { followLink, showExpired } from './follow-link.ts';

const path = '/sign-in/switch';

/** Who was told that they leave for somebody else. */
const leavingToken = sealedToken({
  use: 'leaving',
  schema: z.object({ center: z.string(), here: z.string() }),
  maxAgeMs: 24 * 60 * 60 * 1000,
});
/** The link itself says how long it is good. */
const switchLinkToken = sealedToken({
  use: 'switch link',
  schema: z.object({ center: z.string(), token: z.string() }),
  maxAgeMs: 'unlimited',
});

/**
 * The question before somebody who is signed in goes on as somebody else: a link that was slipped to a person would
 * otherwise have them act, and type what is theirs, in another one's name; so would the address of a page for a passcode.
 * Looking changes nothing.
 */
export function switchPersonRoutes(parts: IdentityParts): Router {
  const { links, render } = parts;
  const router = Router({ mergeParams: true });

  router.get(`/:center${path}`, async (request, response) => {
    const context = await loadSignInContext(parts, request, path);
    const { centerConfig, pageContext } = context;
    const sealed = String(request.query['k']);
    const token = openSealedLink(parts, centerConfig, sealed);
    const link = token === undefined ? undefined : await links.read(token, centerConfig);
    if (link === undefined || link.kind === 'invalid') throw new Problem('link-invalid');
    if (link.kind === 'expired')
      return showExpired(parts, request, response, { context, subject: link.subject });
    const page = buildLinkPage(parts, request, {
      context: {
        ...context,
        pageContext: {
          ...pageContext,
          languageHref: (lang) => hrefOf(request, centerConfig, path, { lang, k: sealed }),
        },
      },
      subject: link.subject,
      form: formAt(request, centerConfig, { path, token: sealed }),
    });
    await render(response, 'identity/one-button', page);
  });

  /** The link that the address holds, sealed. Throws link-invalid. */
  function requireLink(request: Request): string {
    const token = openSealedLink(parts, addressOf(parts, request), request.query['k']);
    if (token === undefined) throw new Problem('link-invalid');
    return token;
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

/** Leads to the question; the link itself is sealed on the way, since it names its person. */
export function askFirst(
  parts: IdentityParts,
  request: Request,
  response: Response,
  { centerConfig, token }: { centerConfig: CenterConfig; token: string },
): void {
  const k = switchLinkToken.seal(parts, { center: centerConfig.center, token });
  response.redirect(303, hrefOf(request, centerConfig, path, { k }));
}

/** The page of a link with one button; who is here as somebody else is told so. */
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

/** The question, with what is to be sent when it is answered; undefined where no other person is here. */
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
  const here = parts.sessions.visitOf(request, centerConfig.name);
  if (here === undefined || here.subject === subject) return undefined;
  return buildSwitchPage({
    ...context,
    ...next,
    pageContext: { ...context.pageContext, subject: here.subject },
    here,
    leaving: leavingToken.seal(parts, { center: centerConfig.center, here: here.subject }),
    backHref: hrefOf(request, centerConfig, ''),
  });
}

export function isSomebodyElse(
  { sessions }: IdentityParts,
  request: Request,
  { centerConfig, subject }: { centerConfig: CenterConfig; subject: SubjectId },
): boolean {
  const here = sessions.visitOf(request, centerConfig.name)?.subject;
  return here !== undefined && here !== subject;
}

/** Whether a post may let this person in: no other person is here, or the one here was asked. */
export function mayGoOnAs(
  parts: IdentityParts,
  request: Request,
  next: { centerConfig: CenterConfig; subject: SubjectId },
): boolean {
  if (!isSomebodyElse(parts, request, next)) return true;
  const asked = leavingToken.open(parts, request.body?.leaving);
  if (asked?.center !== next.centerConfig.center) return false;
  return asked.here === parts.sessions.visitOf(request, next.centerConfig.name)?.subject;
}

function openSealedLink(
  parts: IdentityParts,
  centerConfig: CenterConfig,
  sealed: unknown,
): string | undefined {
  const opened = switchLinkToken.open(parts, sealed);
  return opened?.center === centerConfig.center ? opened.token : undefined;
}
