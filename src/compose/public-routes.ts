import { Router } from 'express';
import type { PublicRoutes } from '../app.ts';
import { wellKnownRoutes } from '../features/centers/record.ts';
import { centerRoutes } from '../features/centers/routes.ts';
import { embedFraming, embedRoutes } from '../features/embed/routes.ts';
import { eventRoutes } from '../features/events/routes.ts';
import { unsubscribeRoutes } from '../features/unsubscribe/routes.ts';
import { rootRoutes, verifyRoutes } from '../features/verify/routes.ts';
import type { Delivery } from '../ports/delivery.ts';
import type { RecordSigner } from '../ports/signed-records.ts';
import { embedVisits } from '../visits/embed-visits.ts';
import { createPageReads } from '../visits/page-reads.ts';
import { createRecentRecords } from '../visits/recent-records.ts';
import { sessionVisits } from '../visits/visits.ts';
import type { Assets } from '../web/assets.ts';
import { embedScript } from '../web/embed-script.ts';
import type { Identity } from './identity.ts';
import type { ProductParts } from './parts.ts';

/** How long other sites may cache the script, in seconds: a new version reaches them within the hour. */
const scriptAge = 3_600;

/** Composes a person's pages, in their own session and in frames, and the routes without a session. */
export function composePublicRoutes(
  deps: ProductParts & {
    readonly delivery: Delivery;
    readonly identity: Identity;
    readonly assets: Assets;
    readonly signer: RecordSigner;
    readonly observer: { wrongApiKey(): void };
  },
): PublicRoutes {
  const { config, registry, identity, assets } = deps;
  const { clock, forwardClock } = deps.stores;
  const parts = {
    ...deps.stores,
    ...deps,
    recent: createRecentRecords({ clock: forwardClock }),
    reads: createPageReads({ perMinute: config.quota?.perMinute }),
  };
  const visits = embedVisits({ seal: deps.seal, clock, signedOutAt: identity.signedOutAt });

  const open = Router();
  open.use(eventRoutes({ ...parts, centers: registry.listed ?? [] }));
  open.use(
    unsubscribeRoutes({ ...parts, customers: identity.customers }),
    wellKnownRoutes(parts),
    rootRoutes(parts),
  );
  open.get('/embed.js', assets.fixed('embed.js', { maxAge: scriptAge, edit: embedScript }));

  const embed = Router();
  embed.use(embedRoutes({ ...parts, visits, customers: identity.customers, notes: identity.notes }));
  embed.use(centerRoutes({ ...parts, visits }));

  const centers = centerRoutes({ ...parts, visits: sessionVisits(identity.sessions) });
  return { framing: embedFraming(registry), open, embed, centers, verify: verifyRoutes(parts) };
}
