import { type Request, type RequestHandler, Router } from 'express';
import { nonces } from '../../core/consent/nonce.ts';
import { isOver, type OneClick, oneClickIntent } from '../../core/consent/one-click.ts';
import { type CenterRegistry, offersSignIn } from '../../core/model/center-config.ts';
import type { Identifiers } from '../../core/model/identifiers.ts';
import { signInAddress } from '../../core/model/mail-address.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Submission } from '../../core/model/submission.ts';
import { buildOneClickDonePage, buildOneClickPage } from '../../pages/person/one-click.ts';
import type { OneButtonForm } from '../../pages/person/sign-in-view.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CustomerTokens } from '../../ports/customer-tokens.ts';
import type { Delivery } from '../../ports/delivery.ts';
import type { Platform } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { Seal } from '../../ports/seal.ts';
import { dropBody } from '../../web/body.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import { openPage } from '../../web/open-page.ts';
import type { Render } from '../../web/render.ts';
import { readRequestPreferences } from '../../web/request-preferences.ts';
import { freshLinkToken } from '../../web/tokens.ts';
import { within } from '../../web/within.ts';
import { oneClickPath, oneClickRoute, openOneClick } from './token.ts';

export interface UnsubscribeParts {
  readonly delivery: Pick<Delivery, 'submit'>;
  readonly platform: Pick<Platform, 'findCenter'>;
  readonly registry: CenterRegistry;
  readonly identifiers: Pick<Identifiers, 'admit'>;
  readonly customers: Pick<CustomerTokens, 'readOneClick'>;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly random: Random;
  readonly brandOf: BrandOf;
  readonly render: Render;
}

/** How long a page waits for the names of a center: it must be there while the platform is not. Milliseconds. */
const lookUpMs = { button: 1_500, done: 100 } as const;

/** How long a person's page waits, so that it can say "done"; a mailbox provider waits for nothing. Milliseconds. */
const submitTimeoutMs = 150;

/**
 * Unsubscribing by one click (RFC 8058). No session, no cookie, no redirect, no question where a post comes from: a
 * mailbox provider is no browser, and the sealed or signed token is all the right that is needed. Stands before the check of
 * forms. Durable before it is answered.
 */
export function unsubscribeRoutes(parts: UnsubscribeParts): Router {
  const { render } = parts;
  const router = Router();

  const show: RequestHandler = async (request, response) => {
    const asked = await read(parts, request);
    const { token } = asked;
    const page = buildOneClickPage({
      ...(await pageContextOf(parts, request, asked, lookUpMs.button)),
      form: { action: hrefOf(token, readRequestPreferences(request).visit), token },
    });
    await render(response, 'identity/one-button', page);
  };

  // Providers send the body as multipart or urlencoded, and some leave it out: nothing in it matters. It may be encoded,
  // too: a withdrawal is not refused for what is not read.
  const take: RequestHandler = async (request, response) => {
    const asked = await read(parts, request);
    dropBody(request, response);
    const { oneClick } = asked;
    const isPerson = request.accepts(['text/plain', 'text/html']) === 'text/html';
    const submission = await withdraw(parts, request, { oneClick, waitMs: isPerson ? submitTimeoutMs : 0 });
    if (!isPerson) return void response.type('text').send('accepted\n');
    const around = await pageContextOf(parts, request, asked, lookUpMs.done);
    await render(
      response,
      'identity/one-button',
      buildOneClickDonePage({ ...around, submission, undo: undoForm(parts, oneClick, around.language) }),
    );
  };

  return router.get(oneClickRoute, show).post(oneClickRoute, take);
}

/** Whether there is anything to do is for the journal to find out: where the same is on its way, it writes nothing. */
async function withdraw(
  { delivery, random }: UnsubscribeParts,
  request: Request,
  { oneClick, waitMs }: { oneClick: OneClick; waitMs: number },
): Promise<Submission> {
  const { center, subject } = oneClick;
  return delivery.submit(
    {
      nonce: nonces.ofClick(random.id()),
      center,
      subject,
      intent: oneClickIntent(oneClick),
      channel: 'one-click',
      scope: 'withdraw',
      globalPrivacyControl: readRequestPreferences(request).globalPrivacyControl,
      undoes: undefined,
      reasons: [],
      onBehalf: undefined,
    },
    { waitMs },
  );
}

/**
 * This address may only withdraw, and lies in mailboxes, archives and forwarded mails: to take it back is to agree, which
 * only the person may. So the button sends a link to their own address, as a link for withdrawing does.
 */
function undoForm(
  parts: UnsubscribeParts,
  { center, subject }: OneClick,
  language: string,
): OneButtonForm | undefined {
  const centerConfig = parts.registry.findByCenter(center);
  if (centerConfig === undefined || signInAddress(centerConfig, subject) === undefined) return undefined;
  const token = freshLinkToken.seal(parts, { center, subject });
  const query = new URLSearchParams({ lang: language, k: token });
  return {
    action: `/centers/${encodeURIComponent(centerConfig.name)}/sign-in/fresh?${query}`,
    token: undefined,
    fields: [],
  };
}

interface Asked {
  /** As it was made, without what was hung on it. */
  readonly token: string;
  readonly oneClick: OneClick;
}

/** By this installation's own seal, without a call, else by the key of a customer. */
async function read(
  { seal, clock, customers, registry, identifiers }: UnsubscribeParts,
  request: Request,
): Promise<Asked> {
  const token = tokenOf(request);
  const [sealed = ''] = token.split('.', 1);
  const own = openOneClick(seal, sealed);
  if (own !== undefined) {
    if (isOver(own, clock.now())) throw new Problem('link-expired');
    identifiers.admit(own.subject);
    return { token: sealed, oneClick: own };
  }
  const signed = await customers.readOneClick(token, registry);
  if (signed.kind === 'expired') throw new Problem('link-expired');
  if (signed.kind === 'invalid') throw new Problem('not-found');
  return { token, oneClick: signed };
}

/** Sealed or signed, without what programs that find addresses in texts hang on it. */
function tokenOf(request: Request): string {
  return /^[\w-]+(?:\.[\w-]+\.[\w-]+)?/.exec(String(request.params['token']))?.[0] ?? '';
}

/** What stands around the page, as far as it comes in time. */
async function pageContextOf(
  { platform, registry, brandOf }: UnsubscribeParts,
  request: Request,
  { token, oneClick }: Asked,
  longestMs: number,
) {
  const center = await within(longestMs, platform.findCenter(oneClick.center), () => undefined);
  const centerConfig = registry.findByCenter(oneClick.center);
  return {
    center,
    oneClick,
    choicesHref:
      centerConfig !== undefined && offersSignIn(centerConfig)
        ? `/centers/${encodeURIComponent(centerConfig.name)}/sign-in`
        : undefined,
    ...openPage(brandOf, request, {
      centerConfig,
      center,
      frame: 'top',
      pageHref: () => '/',
      languageHref: (lang) => hrefOf(token, lang),
    }),
  };
}

function hrefOf(token: string, lang: string | undefined): string {
  const query = lang === undefined ? '' : `?lang=${encodeURIComponent(lang)}`;
  return `${oneClickPath(token)}${query}`;
}
