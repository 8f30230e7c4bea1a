import { type Request, type RequestHandler, type Response, Router } from 'express';
import { type Address, type Addresses, offersSignIn } from '../../core/model/center-config.ts';
import { Problem } from '../../core/model/problem.ts';
import { builtIn } from '../../i18n/catalogue.ts';
import { choosePageLanguage } from '../../i18n/language.ts';
import { buildExpiredPage } from '../../pages/person/embed-expired.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CustomerTokens } from '../../ports/customer-tokens.ts';
import type { Platform } from '../../ports/platform.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import type { EmbedVisits } from '../../web/embed-visits.ts';
import type { Render } from '../../web/render.ts';
import { allowFraming } from '../../web/security.ts';
import { readWishes } from '../../web/wishes.ts';

export interface EmbedParts {
  readonly platform: Pick<Platform, 'findOpenCenter'>;
  readonly addresses: Addresses;
  readonly customers: CustomerTokens;
  readonly visits: EmbedVisits;
  readonly clock: Clock;
  readonly brandOf: BrandOf;
  readonly render: Render;
}

/** Lets the sites that a center lists frame what is below `/embed/<center>`: its pages and every refusal alike. */
export function embedFraming(addresses: Addresses): RequestHandler {
  return (request, response, next) => {
    const [, name = ''] = request.path.split('/');
    const address = addresses.find(name);
    if (address !== undefined) allowFraming(response, address.embedOrigins);
    next();
  };
}

/** The door of a frame: a ticket opens a visit, and whoever has none is told so. Mount it before a center's pages. */
export function embedRoutes(parts: EmbedParts): Router {
  const { addresses, visits, clock } = parts;
  const router = Router({ mergeParams: true });

  router.get('/:center', async (request, response, next) => {
    const address = addresses.find(request.params.center);
    if (address === undefined || request.query['ticket'] === undefined) return next();
    // Only who will see the page may use up its ticket.
    if (request.method === 'HEAD') return void response.status(200).end();
    // Before the ticket is looked at: a sign-out on all devices between the two ends the visit.
    const since = clock.now();
    const who = await redeem(parts, address, request.query['ticket']);
    if (who === undefined) return expired(parts, request, response, address);
    response.redirect(303, visits.begin(request, address, { ...who, since }));
  });

  router.use('/:center', async (request, response, next) => {
    const address = addresses.find(request.params.center);
    if (address === undefined) throw new Problem('not-found');
    if (visits.find(request, address) === undefined) return expired(parts, request, response, address);
    next();
  });

  return router;
}

/** Who a ticket names, the first time; undefined when it is used or too late. Throws link-invalid. */
async function redeem({ customers }: EmbedParts, address: Address, ticket: unknown) {
  const read = typeof ticket === 'string' ? await customers.redeem(ticket, address) : undefined;
  if (read === undefined || read.kind === 'invalid') throw new Problem('link-invalid');
  return read.kind === 'valid' ? read : undefined;
}

async function expired(
  { platform, brandOf, render }: EmbedParts,
  request: Request,
  response: Response,
  address: Address,
): Promise<void> {
  const center = await platform.findOpenCenter(address.center).catch(() => undefined);
  const wishes = { ...readWishes(request), subject: undefined };
  const name = encodeURIComponent(address.name);
  const page = buildExpiredPage({
    center,
    language: choosePageLanguage({ wishes, center: center ?? builtIn }),
    wasPosted: request.method === 'POST',
    signInHref: offersSignIn(address) ? `/centers/${name}/sign-in` : undefined,
    surroundings: {
      brand: brandOf(address, center?.title),
      subject: undefined,
      pageHref: () => `/embed/${name}`,
      languageHref: (lang) => `/embed/${name}?lang=${encodeURIComponent(lang)}`,
      signOut: undefined,
      recordHref: undefined,
      frame: 'embedded',
      hosts: address.embedOrigins,
      session: undefined,
    },
  });
  await render(response, 'embed/expired', page, { status: 401 });
}
