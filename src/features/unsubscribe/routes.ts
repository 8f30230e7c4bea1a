import { type Request, Router } from 'express';
import { nonces } from '../../core/consent/nonce.ts';
import { isOver, type OneClick, oneClickIntent } from '../../core/consent/one-click.ts';
import type { Identifiers } from '../../core/model/person/identifiers.ts';
import { signInAddress } from '../../core/model/person/mail-address.ts';
import { Problem } from '../../core/model/problem.ts';
import type { OneButtonForm } from '../../pages/person/one-button.ts';
import { buildOneClickDonePage, buildOneClickPage } from '../../pages/person/one-click.ts';
import type { CustomerTokens } from '../../ports/customer-tokens.ts';
import type { Delivery } from '../../ports/delivery.ts';
import type { Platform } from '../../ports/platform.ts';
import { dropBody } from '../../web/body.ts';
import { centerHref, signInHref, withQuery } from '../../web/href.ts';
import { openPage } from '../../web/open-page.ts';
import type { PageParts } from '../../web/page-parts.ts';
import { readRequestPreferences } from '../../web/request-preferences.ts';
import { freshLinkToken } from '../../web/tokens.ts';
import { within } from '../../web/within.ts';
import { oneClickPath, oneClickRoute, openOneClick } from './token.ts';

export interface UnsubscribeParts extends PageParts {
  readonly delivery: Pick<Delivery, 'submit'>;
  readonly platform: Pick<Platform, 'findCenter'>;
  readonly identifiers: Pick<Identifiers, 'admit'>;
  readonly customers: Pick<CustomerTokens, 'readOneClick'>;
}

/** Milliseconds that a page waits for the center's names: it must work while the platform fails. */
const lookUpMs = { button: 1_500, done: 100 } as const;

/**
 * Milliseconds that a visitor's page waits, so that it can say "done". A mailbox provider does not wait.
 */
const submitTimeoutMs = 150;

/**
 * One-click unsubscribing (RFC 8058). It has no session, cookie, redirect or cross-origin check: a mailbox
 * provider is no browser, and the sealed or signed token is the right. The withdrawal is durable before the
 * answer.
 */
export function unsubscribeRoutes(parts: UnsubscribeParts): Router {
  const { render } = parts;
  const router = Router();

  router.get(oneClickRoute, async (request, response) => {
    const asked = await read(parts, request);
    const { token } = asked;
    const { visit: lang } = readRequestPreferences(request);
    const page = buildOneClickPage({
      ...(await pageContextOf(parts, request, asked, lookUpMs.button)),
      form: { action: withQuery(oneClickPath(token), { lang }), token },
    });
    await render(response, 'identity/one-button', page);
  });

  // Providers send a multipart or urlencoded body, an encoded one, or none. Nothing in it matters, so it is
  // never a reason to refuse a withdrawal.
  router.post(oneClickRoute, async (request, response) => {
    const asked = await read(parts, request);
    dropBody(request, response);
    const { oneClick } = asked;
    const isPerson = request.accepts(['text/plain', 'text/html']) === 'text/html';
    // The journal decides whether anything is to be done: if the same withdrawal is pending, it writes
    // nothing.
    const submission = await parts.delivery.submit(
      {
        nonce: nonces.ofClick(parts.random.id()),
        center: oneClick.center,
        subject: oneClick.subject,
        intent: oneClickIntent(oneClick),
        channel: 'one-click',
        scope: 'withdraw',
        globalPrivacyControl: readRequestPreferences(request).globalPrivacyControl,
        undoes: undefined,
        reasons: [],
        onBehalf: undefined,
      },
      { waitMs: isPerson ? submitTimeoutMs : 0 },
    );
    if (!isPerson) return void response.type('text').send('accepted\n');
    const context = await pageContextOf(parts, request, asked, lookUpMs.done);
    const undo = undoForm(parts, oneClick, context.language);
    await render(response, 'identity/one-button', buildOneClickDonePage({ ...context, submission, undo }));
  });

  return router;
}

/**
 * Undoing is granting, which only the person may do, and this address lies in mailboxes, archives and
 * forwarded mails. So the button sends a link to the person's own address.
 */
function undoForm(
  parts: UnsubscribeParts,
  { center, subject }: OneClick,
  language: string,
): OneButtonForm | undefined {
  const centerConfig = parts.registry.findByCenter(center);
  if (centerConfig === undefined || signInAddress(centerConfig, subject) === undefined) return undefined;
  const token = freshLinkToken.seal(parts, { center, subject });
  const action = withQuery(centerHref(centerConfig, '/sign-in/fresh'), { lang: language, k: token });
  return { action, token: undefined, fields: [] };
}

type Asked = Awaited<ReturnType<typeof read>>;

/**
 * Opens our own sealed token without any call, otherwise reads a token signed by the customer. Returns the
 * token as it was made, without text that programs appended.
 */
async function read(parts: UnsubscribeParts, request: Request) {
  const { seal, clock, customers, registry, identifiers } = parts;
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

/** The token without text appended by programs that find addresses in texts. */
function tokenOf(request: Request): string {
  return /^[\w-]+(?:\.[\w-]+\.[\w-]+)?/.exec(String(request.params['token']))?.[0] ?? '';
}

/** The context of the page, with the names that come in time. */
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
    choicesHref: signInHref(centerConfig),
    ...openPage(brandOf, request, {
      centerConfig,
      center,
      frame: 'top',
      pageHref: () => '/',
      languageHref: (lang) => withQuery(oneClickPath(token), { lang }),
    }),
  };
}
