import { offersSignIn } from '../../core/model/center/center-config.ts';
import { readTypedAddress } from '../../core/model/person/mail-address.ts';
import { type CodeAnswer, passcodeDigits, readPasscodeDigits } from '../../core/model/person/passcode.ts';
import { Problem } from '../../core/model/problem.ts';
import { buildHeldPostPage, type OneButtonPage } from '../../pages/person/one-button.ts';
import {
  buildPasscodePage,
  buildSignInPage,
  type PasscodePageInput,
  resendAfter,
} from '../../pages/person/sign-in.ts';
import { openCenter } from '../../visits/call.ts';
import { allow } from '../../web/security.ts';
import { heldPostToken } from '../../web/tokens.ts';
import {
  type Call,
  type IdentityRouter,
  noteRefusal,
  type PageCall,
  showButton,
  signInByMail,
} from './context.ts';
import { mayGoOnAs, questionOf } from './links.ts';
import { type Receiver, sendMessage } from './messages.ts';
import { askedToken, here, signInFormToken } from './tokens.ts';

const refusals = { wrong: 'wrong-passcode', over: 'over', 'link-only': 'passcodes-not-taken' } as const;

type Asked = NonNullable<ReturnType<typeof askedOf>>;

const path = '/sign-in/passcode';

/** The sign-in page, and signing in with a passcode from a message. */
export function signInRoutes({ parts, get, post, postSignInForm }: IdentityRouter): void {
  get('/sign-in', (call) => showSignIn(call));

  postSignInForm('/sign-in', async (call) => {
    const page = await openCenter(call, '/sign-in');
    if (!call.centerConfig.signIn.mail) throw new Problem('not-found');
    const typed = String(call.request.body?.email ?? '').slice(0, 600);
    const subject = readTypedAddress(typed);
    if (subject === undefined) return showSignIn(call, typed);
    parts.identifiers.admit(subject);
    call.goTo(path, { k: await sendMessage(page, { subject, hasLink: false }) });
  });

  get(path, async (call) => {
    const page = await openCenter(call, path);
    const asked = askedOf(call, call.request.query['k']);
    if (asked === undefined) return call.goTo('/sign-in');
    await showPasscode(page, asked);
  });

  /** Reads the message from the address. Throws form-refused. The body may carry a held post. */
  const sent = {
    right(call: Call): Asked {
      const asked = askedOf(call, call.request.query['k']);
      if (asked === undefined) throw new Problem('form-refused');
      return asked;
    },
    size: 'page',
  } as const;

  post(path, sent, async (call, asked) => {
    const page = await openCenter(call, path);
    const question = askOfCode(page, asked);
    if (question !== undefined) return showButton(call, question);
    const since = parts.clock.now();
    const tried = await tryCode(call, asked);
    if (tried?.kind !== 'right') {
      noteRefusal(call, 'mail', tried === undefined ? 'wrong-passcode' : refusals[tried.kind]);
      return showPasscode(page, asked, tried ?? { kind: 'wrong', left: undefined });
    }
    const { subject } = tried;
    await signInByMail(call, { subject, since });
    const held = heldIn(call);
    if (held === undefined || held.subject !== subject) return call.goTo('');
    const token = held.fields.find(([name]) => name === 'token')?.[1] ?? '';
    const goOn = buildHeldPostPage({
      ...page,
      form: { action: call.hrefOf(held.path), token },
      fields: held.fields.filter(([name]) => name !== 'token'),
      isPartlyTaken: held.isPartlyTaken,
      backHref: call.hrefOf(held.path),
    });
    await showButton(call, goOn);
  });

  post('/sign-in/resend', sent, async (call, asked) => {
    const page = await openCenter(call, path);
    if (!call.centerConfig.signIn.mail) throw new Problem('form-refused');
    if (waitOf(call, asked) > 0) return showPasscode(page, asked);
    await answerSent(page, { subject: asked.subject, hasLink: false });
  });
}

/** Sends a message and shows the passcode page. The answer is the same for every address. */
export async function answerSent(page: PageCall, receiver: Receiver): Promise<void> {
  const token = await sendMessage(page, receiver);
  // A held post is too long for an address, so this answer shows the page itself.
  const asked = page.request.body?.held === undefined ? undefined : askedOf(page, token);
  if (asked !== undefined) return showPasscode(page, asked);
  page.goTo(path, { k: token });
}

/**
 * The message whose passcode may be tried in this browser, with its receiver and its time. `token` seals the
 * other members.
 */
function askedOf({ parts, centerConfig }: Call, token: unknown) {
  const opened = here(centerConfig, askedToken.open(parts, token));
  return opened && { ...opened, token: String(token), digits: readPasscodeDigits(opened.digits) };
}

function heldIn({ parts, request, centerConfig }: Call) {
  return here(centerConfig, heldPostToken.open(parts, request.body?.held));
}

/** Seconds until the next message may be asked for. */
function waitOf({ parts }: Call, asked: Asked): number {
  return Math.max(0, Math.ceil((asked.at - parts.clock.now()) / 1000) + resendAfter);
}

/**
 * Reads digits of any script, with spaces and dashes between them; undefined if no passcode has this length.
 */
function codeIn({ request }: Call): string | undefined {
  const value: unknown = request.body?.code;
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
  call: Call,
  asked: Asked,
): Promise<CodeAnswer | { readonly kind: 'link-only' } | undefined> {
  const { limits, passcodes } = call.parts;
  const code = codeIn(call);
  if (code === undefined) return undefined;
  const { center } = call.centerConfig;
  if (!(await passcodes.isTryable(asked.id, center))) return { kind: 'over' };
  const digits = readPasscodeDigits(code.length);
  const attempt = await limits.attempt(call.request, { subject: asked.subject, digits });
  if (attempt === 'link-only') return { kind: 'link-only' };
  const tried = await passcodes.tryCode(asked.id, center, code);
  await attempt.settle(tried.kind);
  return tried.kind === 'wrong' && tried.left === 0 ? { kind: 'over' } : tried;
}

/**
 * Asks before the code is tried, if the visitor is signed in as another person: the question must not use up
 * the code.
 */
function askOfCode(page: PageCall, { subject, token }: Asked): OneButtonPage | undefined {
  const code = codeIn(page);
  if (code === undefined || mayGoOnAs(page, subject)) return undefined;
  const held = heldIn(page) && { name: 'held', value: String(page.request.body.held) };
  return questionOf(atPasscode(page, token), {
    by: 'passcode',
    subject,
    form: { action: page.hrefOf(path, { k: token }) },
    fields: [{ name: 'code', value: code }, ...(held === undefined ? [] : [held])],
  });
}

/** The language links of every answer to a passcode lead to the passcode page. */
function atPasscode(page: PageCall, token: string): PageCall {
  const languageHref = (lang: string) => page.hrefOf(path, { lang, k: token });
  return { ...page, pageContext: { ...page.pageContext, languageHref } };
}

/** `typed` is the text that was typed and is no address. */
async function showSignIn(call: Call, typed?: string): Promise<void> {
  const { parts, request, response, centerConfig } = call;
  const page = await openCenter(call, '/sign-in');
  if (!offersSignIn(centerConfig)) throw new Problem('not-signed-in');
  const { mail, singleSignOn } = centerConfig.signIn;
  const token = signInFormToken.seal(parts, { center: centerConfig.center });
  const formTo = (address: string) => ({ action: call.hrefOf(address), token });
  if (singleSignOn !== undefined) allow(response, 'form-action', await parts.openId.targets(singleSignOn));
  const signIn = buildSignInPage({
    ...page,
    typed,
    hasFailed: request.query['failed'] !== undefined,
    mail: mail ? formTo('/sign-in') : undefined,
    singleSignOn: singleSignOn && { form: formTo('/sign-in/start'), label: singleSignOn.label },
  });
  await parts.render(response, 'identity/sign-in', signIn, { status: typed === undefined ? 200 : 422 });
}

async function showPasscode(page: PageCall, asked: Asked, tried?: PasscodePageInput['tried']): Promise<void> {
  const { token, subject, digits } = asked;
  const passcode = buildPasscodePage({
    ...atPasscode(page, token),
    subject,
    digits,
    tried,
    form: { action: page.hrefOf(path, { k: token }) },
    held: heldIn(page) && String(page.request.body.held),
    resend: { action: page.hrefOf('/sign-in/resend', { k: token }) },
    wait: waitOf(page, asked),
    otherHref: page.hrefOf('/sign-in'),
  });
  const status = tried === undefined ? 200 : tried.kind === 'link-only' ? 429 : 422;
  await page.parts.render(page.response, 'identity/passcode', passcode, { status });
}
