import { Router } from 'express';
import { offersSignIn } from '../../core/model/center/center-config.ts';
import { type HostedOutcome, readHostedLink } from '../../core/model/person/hosted-link.ts';
import { isEndedBySignOut } from '../../core/model/person/sign-out.ts';
import type { Visit } from '../../core/model/person/visit.ts';
import { Problem } from '../../core/model/problem.ts';
import { label } from '../../i18n/label.ts';
import { buildHostedLinkPage } from '../../pages/person/problem.ts';
import { createCall } from '../../visits/call.ts';
import { formBody } from '../../web/body.ts';
import { openPage } from '../../web/open-page.ts';
import { type IdentityParts, noteRefusal, signIn } from './context.ts';
import { askFirst, isSomebodyElse } from './links.ts';
import { hostedLinkFormToken } from './tokens.ts';

/** The life of the link behind the question "go on as another person?", in seconds. */
const questionLife = 600;
/** The page lists at most this many centers. */
const mostCenters = 30;

/**
 * `/ui/` answers links to the platform's hosted pages in old messages. Their data stands behind a `#`, which
 * no server receives, so a script posts it here. Without script the page leads to the sign-in.
 */
export function hostedLinkRoutes(parts: IdentityParts): Router {
  const { registry, limits, clock, brandOf, render } = parts;
  const router = Router();

  router.get('/', async (request, response) => {
    const { language, pageContext } = openPage(brandOf, request, {
      centerConfig: registry.listed?.length === 1 ? registry.listed[0] : undefined,
      center: undefined,
      frame: 'top',
      pageHref: () => '/ui/',
      languageHref: (lang) => `/ui/?lang=${encodeURIComponent(lang)}`,
    });
    const links = (await offering(parts)).map(({ centerConfig, center }) => ({
      href: createCall(parts, { request, response, centerConfig }).hrefOf('/sign-in'),
      label: center.title ?? label(center, language, 'sign-in-title'),
    }));
    const token = hostedLinkFormToken.seal(parts, {});
    const page = buildHostedLinkPage({ pageContext, language, token, links });
    await render(response, 'identity/hosted-link', page);
  });

  const button = formBody({ right: 'anyone', size: 'button' });

  router.post('/', button, async (request, response) => {
    if (hostedLinkFormToken.open(parts, request.body?.token) === undefined) throw new Problem('form-refused');
    const link = readHostedLink(request.body?.link);
    const centerConfig = link && registry.findByCenter(link.center);
    if (link === undefined || centerConfig === undefined) throw new Problem('link-invalid');
    if ((await parts.platform.findOpenCenter(centerConfig.center)) === undefined)
      throw new Problem('link-invalid');
    const call = createCall(parts, { request, response, centerConfig });
    await limits.hostedLink(request);
    const since = clock.now();
    const outcome = link.token === undefined ? 'sign-in' : await exchange(parts, link.token);
    const isOpened = typeof outcome !== 'string';
    await parts.hostedLinks.note(centerConfig.center, isOpened ? 'opened' : outcome);
    if (!isOpened) {
      if (outcome !== 'sign-in') noteRefusal(call, 'link', outcome === 'ended' ? 'over' : 'invalid');
      // If the center offers no sign-in, that page names the ways in that there are.
      return call.goTo('/sign-in');
    }
    const { subject, scope } = outcome;
    if (isSomebodyElse(call, subject)) {
      const { center } = centerConfig;
      return askFirst(call, parts.mint.mint({ subject, scope, center, lifetime: questionLife }));
    }
    await signIn(call, { subject, scope, channel: 'link', since });
    call.goTo('');
  });

  return router;
}

/**
 * Finds the person of a hosted-page token: it must be imported, and the platform must still know it. If the
 * platform cannot be asked, the import alone gives the right to withdraw.
 */
async function exchange(
  parts: IdentityParts,
  token: string,
): Promise<Exclude<HostedOutcome, 'opened'> | Pick<Visit, 'subject' | 'scope'>> {
  const { clock, hostedLinks, identifiers, platform, signedOutAt, warn } = parts;
  const row = await hostedLinks.find(token);
  if (row === undefined) return 'unknown';
  const subject = identifiers.admit(row.subject);
  if (row.endsAt <= clock.now() || isEndedBySignOut(row.madeAt, await signedOutAt(subject))) return 'ended';
  try {
    const known = await platform.findLinkToken(subject, token);
    if (known === undefined || known.endsAt <= clock.now()) return 'ended';
    return { subject, scope: 'manage' };
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault;
    warn('the platform did not say whose a hosted link is', fault);
    return { subject, scope: 'withdraw' };
  }
}

/** The centers that offer sign-in; empty if the platform does not list its centers. */
async function offering({ registry, platform }: IdentityParts) {
  const ids =
    registry.listed?.map(({ center }) => center) ?? (await platform.listOpenCenters().catch(() => []));
  const found = await Promise.all(
    ids.slice(0, mostCenters).map(async (id) => {
      const centerConfig = registry.findByCenter(id);
      if (centerConfig === undefined || !offersSignIn(centerConfig)) return [];
      const center = await platform.findOpenCenter(id).catch(() => undefined);
      return center === undefined ? [] : [{ centerConfig, center }];
    }),
  );
  return found.flat();
}
