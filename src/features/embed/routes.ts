import type { RequestHandler, Router } from 'express';
import type { CenterRegistry } from '../../core/model/center/center-config.ts';
import { Problem } from '../../core/model/problem.ts';
import { buildExpiredPage } from '../../pages/person/problem.ts';
import type { CustomerTokens } from '../../ports/customer-tokens.ts';
import { type Call, type CallParts, centerRouter } from '../../visits/call.ts';
import type { EmbedVisits } from '../../visits/embed-visits.ts';
import type { SignInNotes } from '../../visits/sign-in-notes.ts';
import { readFrameLook } from '../../web/frame-look.ts';
import { signInHref } from '../../web/href.ts';
import { openPage } from '../../web/open-page.ts';
import { allowFraming } from '../../web/security.ts';

export interface EmbedParts extends CallParts {
  readonly customers: CustomerTokens;
  readonly visits: EmbedVisits;
  readonly notes: SignInNotes;
}

/** Allows the sites listed by a center to frame everything below `/embed/<center>`, refusals included. */
export function embedFraming(registry: CenterRegistry): RequestHandler {
  return (request, response, next) => {
    const [, name = ''] = request.path.split('/');
    const centerConfig = registry.find(name);
    if (centerConfig !== undefined) allowFraming(response, centerConfig.embedOrigins);
    next();
  };
}

/** Opens a visit with a ticket, and refuses requests without a visit. It stands before the center's pages. */
export function embedRoutes(parts: EmbedParts): Router {
  const { visits, clock, customers, notes } = parts;
  const { router, callOf, get } = centerRouter(parts);

  get('', async (call, next) => {
    const { request, response, centerConfig } = call;
    const { ticket } = request.query;
    if (ticket === undefined) return next();
    // A HEAD request must not use up the ticket.
    if (request.method === 'HEAD') return void response.status(200).end();
    // This is the time before the ticket is checked, so that a sign-out on all devices meanwhile ends the
    // visit.
    const since = clock.now();
    const redeemed = typeof ticket === 'string' ? await customers.redeem(ticket, centerConfig) : undefined;
    const tried = { center: centerConfig.name, channel: 'embed' } as const;
    if (redeemed?.kind !== 'valid') {
      const isOver = redeemed?.kind === 'expired';
      notes.refused(request, { ...tried, why: isOver ? 'over' : 'invalid' });
      if (isOver) return expired(call);
      throw new Problem('link-invalid');
    }
    notes.signedIn(request, { ...tried, scope: redeemed.scope });
    response.redirect(303, visits.begin(request, centerConfig, { ...redeemed, since }));
  });

  router.use('/:center', async (request, response, next) => {
    await visits.load(request);
    const call = callOf(request, response);
    if (call.visit === undefined) return expired(call);
    next();
  });

  return router;
}

/** Shows that a visit in a frame is over. Signing in is never framed: if it is offered, it opens on top. */
async function expired({ parts, request, response, centerConfig, hrefOf }: Call<EmbedParts>): Promise<void> {
  const center = await parts.platform.findOpenCenter(centerConfig.center).catch(() => undefined);
  const page = openPage(parts.brandOf, request, {
    centerConfig,
    center,
    frame: 'embedded',
    hosts: centerConfig.embedOrigins,
    look: readFrameLook(request),
    pageHref: () => hrefOf(''),
    languageHref: (lang) => hrefOf('', { lang }),
  });
  const isPost = request.method === 'POST';
  const expiredPage = buildExpiredPage({ ...page, center, isPost, href: signInHref(centerConfig) });
  await parts.render(response, 'embed/expired', expiredPage, { status: 401 });
}
