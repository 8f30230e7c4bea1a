import { type Request, type Response, Router } from 'express';
import { type CenterConfig, offersSignIn } from '../../core/model/center/center-config.ts';
import { readTypedAddress } from '../../core/model/person/mail-address.ts';
import {
  type CodeAnswer,
  type PasscodeDigits,
  passcodeDigits,
  readPasscodeDigits,
} from '../../core/model/person/passcode.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import type { OneButtonPage } from '../../pages/person/one-button.ts';
import { buildHeldPostPage } from '../../pages/person/one-button.ts';
import {
  buildPasscodePage,
  buildSignInPage,
  type PasscodePageInput,
  resendAfter,
} from '../../pages/person/sign-in.ts';
import { formBody } from '../../web/body.ts';
import { readRequestPreferences } from '../../web/request-preferences.ts';
import { allow } from '../../web/security.ts';
import { heldPostToken } from '../../web/tokens.ts';
import {
  addressOf,
  checkSignInForm,
  formAt,
  hrefOf,
  type IdentityParts,
  loadSignInContext,
  type SignInContext,
  signInByMail,
} from './context.ts';
import { mayGoOnAs, questionOf } from './switch-person.ts';
import { askedToken, here, signInFormToken } from './tokens.ts';

const refusals = { wrong: 'wrong-passcode', over: 'over', 'link-only': 'passcodes-not-taken' } as const;

/** The message whose passcode may be tried in this browser: to whom it went, and when. */
interface Asked {
  readonly id: string;
  readonly subject: SubjectId;
  readonly at: number;
  readonly digits: PasscodeDigits;
}

/** The sign-in page, and signing in with a passcode from a message. */
export function signInRoutes(parts: IdentityParts): Router {
  const { notes, clock } = parts;
  const router = Router({ mergeParams: true });

  router.get('/:center/sign-in', async (request, response) => {
    await showSignIn(parts, request, response, {});
  });

  const button = formBody({ right: 'anyone', size: 'button' });

  router.post('/:center/sign-in', button, async (request, response) => {
    const context = await loadSignInContext(parts, request, '/sign-in');
    if (!context.centerConfig.signIn.mail) throw new Problem('not-found');
    checkSignInForm(parts, context.centerConfig, request.body?.token);
    const typed = String(request.body?.email ?? '').slice(0, 600);
    const subject = readTypedAddress(typed);
    if (subject === undefined) return showSignIn(parts, request, response, { typed });
    parts.identifiers.admit(subject);
    const asked = await sendMessage(parts, request, { context, subject, hasLink: false });
    response.redirect(303, hrefOf(request, context.centerConfig, '/sign-in/passcode', { k: asked }));
  });

  router.get('/:center/sign-in/passcode', async (request, response) => {
    const context = await loadSignInContext(parts, request, '/sign-in/passcode');
    const asked = openAsked(parts, context.centerConfig, request.query['k']);
    if (asked === undefined) return response.redirect(303, hrefOf(request, context.centerConfig, '/sign-in'));
    await showPasscode(parts, request, response, { context, token: String(request.query['k']), asked });
  });

  /** Reads the message from the address. Throws form-refused. */
  function requireAsked(request: Request): Asked {
    const asked = openAsked(parts, addressOf(parts, request), request.query['k']);
    if (asked === undefined) throw new Problem('form-refused');
    return asked;
  }
  // The body may carry a held post.
  const answer = formBody({ right: requireAsked, size: 'page' });

  router.post('/:center/sign-in/passcode', answer, async (request, response) => {
    const context = await loadSignInContext(parts, request, '/sign-in/passcode');
    const { centerConfig } = context;
    const asked = requireAsked(request);
    const question = askOfCode(parts, request, { context, asked });
    if (question !== undefined) return parts.render(response, 'identity/one-button', question);
    const since = clock.now();
    const tried = await tryCode(parts, request, { context, asked });
    if (tried?.kind !== 'right') {
      const why = tried === undefined ? 'wrong-passcode' : refusals[tried.kind];
      notes.refused(request, { center: centerConfig.name, channel: 'mail', why });
      const token = String(request.query['k']);
      return showPasscode(parts, request, response, {
        context,
        token,
        asked,
        held: request.body?.held,
        tried: tried ?? { kind: 'wrong', left: undefined },
      });
    }
    const { subject } = tried;
    await signInByMail(parts, request, response, { center: centerConfig.name, subject, since });
    const held = here(centerConfig, heldPostToken.open(parts, request.body?.held));
    if (held === undefined || held.subject !== subject) {
      return response.redirect(303, hrefOf(request, centerConfig, ''));
    }
    const token = held.fields.find(([name]) => name === 'token')?.[1] ?? '';
    const page = buildHeldPostPage({
      ...context,
      form: { action: hrefOf(request, centerConfig, held.path), token },
      fields: held.fields.filter(([name]) => name !== 'token'),
      backHref: hrefOf(request, centerConfig, held.path),
    });
    await parts.render(response, 'identity/one-button', page);
  });

  router.post('/:center/sign-in/resend', answer, async (request, response) => {
    const context = await loadSignInContext(parts, request, '/sign-in/passcode');
    const token = String(request.query['k']);
    const asked = requireAsked(request);
    if (!context.centerConfig.signIn.mail) throw new Problem('form-refused');
    const held: unknown = request.body?.held;
    if (waitOf(parts, asked) > 0) {
      return showPasscode(parts, request, response, { context, token, asked, held });
    }
    await answerSent(parts, request, response, { context, subject: asked.subject, held, hasLink: false });
  });

  return router;
}

/** Sends a message and shows the passcode page. The answer is the same for every address. */
export async function answerSent(
  parts: IdentityParts,
  request: Request,
  response: Response,
  change: { context: SignInContext; subject: SubjectId; held: unknown; hasLink: boolean },
): Promise<void> {
  const { context, held } = change;
  const token = await sendMessage(parts, request, change);
  // A held post is too long for an address, so this answer shows the page itself.
  const asked = held === undefined ? undefined : openAsked(parts, context.centerConfig, token);
  if (asked !== undefined) return showPasscode(parts, request, response, { context, token, asked, held });
  response.redirect(303, hrefOf(request, context.centerConfig, '/sign-in/passcode', { k: token }));
}

async function sendMessage(
  parts: IdentityParts,
  request: Request,
  { context, subject, hasLink }: { context: SignInContext; subject: SubjectId; hasLink: boolean },
): Promise<string> {
  const { centerConfig, center: schema, language } = context;
  const { center } = centerConfig;
  const allowance = await parts.limits.message(request, { center, subject, hasLink });
  const lang = readRequestPreferences(request).visit;
  const sent = { centerConfig, title: schema.title, subject, language, lang, allowance };
  const { id, digits } = await parts.messages.send(sent);
  return askedToken.seal(parts, { id, digits, center, subject });
}

function openAsked(parts: IdentityParts, centerConfig: CenterConfig, token: unknown): Asked | undefined {
  const opened = here(centerConfig, askedToken.open(parts, token));
  return opened && { ...opened, digits: readPasscodeDigits(opened.digits) };
}

/** Seconds until the next message may be asked for. */
function waitOf({ clock }: IdentityParts, asked: Asked): number {
  return Math.max(0, Math.ceil((asked.at - clock.now()) / 1000) + resendAfter);
}

/**
 * Reads digits of any script, with spaces and dashes between them; undefined if no passcode has this length.
 */
function readCode(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const code = value
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll(/[\s\u200e\u200f-]/g, '');
  return /^[0-9]+$/.test(code) && passcodeDigits.some((digits) => digits === code.length) ? code : undefined;
}

/**
 * undefined if the text cannot be a passcode. A message that is over counts nowhere, so that repeated
 * requests write nothing.
 */
async function tryCode(
  { limits, passcodes }: IdentityParts,
  request: Request,
  { context, asked }: { context: SignInContext; asked: Asked },
): Promise<CodeAnswer | { readonly kind: 'link-only' } | undefined> {
  const code = readCode(request.body?.code);
  if (code === undefined) return undefined;
  const { center } = context.centerConfig;
  if (!(await passcodes.isTryable(asked.id, center))) return { kind: 'over' };
  const digits = readPasscodeDigits(code.length);
  const attempt = await limits.attempt(request, { subject: asked.subject, digits });
  if (attempt === 'link-only') return { kind: 'link-only' };
  const tried = await passcodes.tryCode(asked.id, center, code);
  await attempt.settle(tried.kind);
  return tried.kind === 'wrong' && tried.left === 0 ? { kind: 'over' } : tried;
}

/**
 * Asks before the code is tried, if the visitor is signed in as another person: the question must not use up
 * the code.
 */
function askOfCode(
  parts: IdentityParts,
  request: Request,
  { context, asked: { subject } }: { context: SignInContext; asked: Asked },
): OneButtonPage | undefined {
  const { centerConfig } = context;
  const { held }: Readonly<Record<string, unknown>> = request.body ?? {};
  const token = String(request.query['k']);
  const code = readCode(request.body?.code);
  if (code === undefined || mayGoOnAs(parts, request, { centerConfig, subject })) return undefined;
  const isHeld = here(centerConfig, heldPostToken.open(parts, held)) !== undefined;
  return questionOf(parts, request, {
    by: 'passcode',
    context: atPasscode(request, context, token),
    subject,
    form: formAt(request, centerConfig, { path: '/sign-in/passcode', token }),
    fields: [{ name: 'code', value: code }, ...(isHeld ? [{ name: 'held', value: String(held) }] : [])],
  });
}

/** The language links of every answer to a passcode lead to the passcode page. */
function atPasscode(request: Request, context: SignInContext, token: string): SignInContext {
  const languageHref = (lang: string) =>
    hrefOf(request, context.centerConfig, '/sign-in/passcode', { lang, k: token });
  return { ...context, pageContext: { ...context.pageContext, languageHref } };
}

async function showSignIn(
  parts: IdentityParts,
  request: Request,
  response: Response,
  { typed }: { typed?: string },
): Promise<void> {
  const context = await loadSignInContext(parts, request, '/sign-in');
  const { centerConfig } = context;
  const { mail, singleSignOn } = centerConfig.signIn;
  if (!offersSignIn(centerConfig)) throw new Problem('not-signed-in');
  const token = signInFormToken.seal(parts, { center: centerConfig.center });
  if (singleSignOn !== undefined) allow(response, 'form-action', await parts.openId.targets(singleSignOn));
  const page = buildSignInPage({
    ...context,
    typed,
    hasFailed: request.query['failed'] !== undefined,
    mail: mail ? { action: hrefOf(request, centerConfig, '/sign-in'), token } : undefined,
    singleSignOn:
      singleSignOn === undefined
        ? undefined
        : {
            form: { action: hrefOf(request, centerConfig, '/sign-in/start'), token },
            label: singleSignOn.label,
          },
  });
  await parts.render(response, 'identity/sign-in', page, { status: typed === undefined ? 200 : 422 });
}

async function showPasscode(
  parts: IdentityParts,
  request: Request,
  response: Response,
  shown: {
    readonly context: SignInContext;
    readonly token: string;
    readonly asked: Asked;
    readonly held?: unknown;
    readonly tried?: PasscodePageInput['tried'];
  },
): Promise<void> {
  const { context, token, asked, held, tried } = shown;
  const { centerConfig } = context;
  const page = buildPasscodePage({
    ...atPasscode(request, context, token),
    form: formAt(request, centerConfig, { path: '/sign-in/passcode', token }),
    held: here(centerConfig, heldPostToken.open(parts, held)) === undefined ? undefined : String(held),
    resend: formAt(request, centerConfig, { path: '/sign-in/resend', token }),
    wait: waitOf(parts, asked),
    otherHref: hrefOf(request, centerConfig, '/sign-in'),
    subject: asked.subject,
    digits: asked.digits,
    tried,
  });
  const status = tried === undefined ? 200 : tried.kind === 'link-only' ? 429 : 422;
  await parts.render(response, 'identity/passcode', page, { status });
}
