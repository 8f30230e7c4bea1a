import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { CenterConfig, CenterRegistry } from '../../core/model/center/center-config.ts';
import { Problem } from '../../core/model/problem.ts';
import { buildExpiredPage } from '../../pages/person/problem.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CustomerTokens } from '../../ports/customer-tokens.ts';
import type { Platform } from '../../ports/platform.ts';
import type { EmbedVisits } from '../../visits/embed-visits.ts';
import type { SignInNotes } from '../../visits/sign-in-notes.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import { readFrameLook } from '../../web/frame-look.ts';
import { signInHref } from '../../web/href.ts';
import { openPage } from '../../web/open-page.ts';
import type { Render } from '../../web/render.ts';
import { allowFraming } from '../../web/security.ts';

export interface EmbedParts {
  readonly platform: Pick<Platform, 'findOpenCenter'>;
  readonly registry: CenterRegistry;
  readonly customers: CustomerTokens;
  readonly visits: EmbedVisits;
  readonly notes: SignInNotes;
  readonly clock: Clock;
  readonly brandOf: BrandOf;
  readonly render: Render;
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
  const { registry, visits, clock, customers, notes } = parts;
  const router = Router({ mergeParams: true });

  router.get('/:center', async (request, response, next) => {
    const centerConfig = registry.find(request.params.center);
    if (centerConfig === undefined || request.query['ticket'] === undefined) return next();
    // A HEAD request must not use up the ticket.
    if (request.method === 'HEAD') return void response.status(200).end();
    // The time before the ticket is checked, so that a sign-out on all devices meanwhile ends the visit.
    const since = clock.now();
    const ticket = request.query['ticket'];
    const who = typeof ticket === 'string' ? await customers.redeem(ticket, centerConfig) : undefined;
    const tried = { center: centerConfig.name, channel: 'embed' } as const;
    if (who === undefined || who.kind === 'invalid') {
      notes.refused(request, { ...tried, why: 'invalid' });
      throw new Problem('link-invalid');
    }
    if (who.kind === 'expired') {
      notes.refused(request, { ...tried, why: 'over' });
      return expired(parts, request, response, centerConfig);
    }
    notes.signedIn(request, { ...tried, scope: who.scope });
    response.redirect(303, visits.begin(request, centerConfig, { ...who, since }));
  });

  router.use('/:center', async (request, response, next) => {
    const centerConfig = registry.find(request.params.center);
    if (centerConfig === undefined) throw new Problem('not-found');
    await visits.load(request);
    if (visits.find(request, centerConfig) === undefined)
      return expired(parts, request, response, centerConfig);
    next();
  });

  return router;
}

/** A visit in a frame is over. Signing in is never framed: where it is offered, it opens on top. */
async function expired(
  { platform, visits, brandOf, render }: EmbedParts,
  request: Request,
  response: Response,
  centerConfig: CenterConfig,
): Promise<void> {
  const center = await platform.findOpenCenter(centerConfig.center).catch(() => undefined);
  const { language, pageContext } = openPage(brandOf, request, {
    centerConfig,
    center,
    frame: 'embedded',
    hosts: centerConfig.embedOrigins,
    look: readFrameLook(request),
    pageHref: () => visits.href(request, centerConfig, ''),
    languageHref: (lang) => visits.href(request, centerConfig, '', { lang }),
  });
  const isPost = request.method === 'POST';
  const href = signInHref(centerConfig);
  const page = buildExpiredPage({ pageContext, center, language, isPost, href });
  await render(response, 'embed/expired', page, { status: 401 });
}
