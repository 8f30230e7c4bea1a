import { Router } from 'express';
import type { PublicRoutes } from '../app.ts';
import type { Config } from '../config/environment.ts';
import type { CenterRegistry } from '../core/model/center-config.ts';
import type { Identifiers } from '../core/model/identifiers.ts';
import { wellKnownRoutes } from '../features/centers/record.ts';
import { centerRoutes } from '../features/centers/routes.ts';
import { embedFraming, embedRoutes } from '../features/embed/routes.ts';
import { eventRoutes } from '../features/events/routes.ts';
import { unsubscribeRoutes } from '../features/unsubscribe/routes.ts';
import type { Delivery } from '../ports/delivery.ts';
import type { Platform } from '../ports/platform.ts';
import type { Random } from '../ports/random.ts';
import type { Seal } from '../ports/seal.ts';
import type { Wordings } from '../ports/wordings.ts';
import { createRecordSigner } from '../store/record-signer.ts';
import type { Assets } from '../web/assets.ts';
import type { BrandOf } from '../web/brand-view.ts';
import { embedScript } from '../web/embed-script.ts';
import { embedVisits } from '../web/embed-visits.ts';
import { createPageReads } from '../web/page-reads.ts';
import { createRecentRecords } from '../web/recent-records.ts';
import type { Render } from '../web/render.ts';
import { sessionVisits } from '../web/visits.ts';
import type { Identity } from './identity.ts';
import { deriveKey } from './secret.ts';
import type { Stores } from './stores.ts';

export interface PublicRoutesDeps {
  readonly config: Config;
  readonly secrets: readonly string[];
  readonly platform: Platform;
  readonly delivery: Delivery;
  readonly registry: CenterRegistry;
  readonly identifiers: Identifiers;
  readonly identity: Pick<Identity, 'customers' | 'notes' | 'sessions' | 'signedOutAt'>;
  readonly stores: Pick<Stores, 'recordKeys' | 'clock' | 'forwardClock' | 'events'>;
  readonly seal: Seal;
  readonly wordings: Wordings;
  readonly random: Random;
  readonly assets: Assets;
  readonly brandOf: BrandOf;
  readonly render: Render;
  readonly observer: { wrongApiKey(): void };
}

/** Seconds for which other sites may keep the script: a new version reaches them within the hour. */
const scriptAge = 3_600;

/** What a person may open: their pages, in their own session and in another site's frame, and what needs none. */
export async function composePublicRoutes(deps: PublicRoutesDeps): Promise<PublicRoutes> {
  const { config, registry, identity, assets } = deps;
  const signer = await createRecordSigner({
    seeds: deps.secrets.map((secret) => deriveKey(secret, 'record signature')),
    keys: deps.stores.recordKeys,
  });
  const { clock, forwardClock } = deps.stores;
  const parts = {
    ...deps,
    clock,
    forwardClock,
    signer,
    publicUrl: config.publicUrl,
    recent: createRecentRecords({ clock: forwardClock }),
    reads: createPageReads({ perMinute: config.quota?.perMinute }),
    events: deps.stores.events,
  };
  const visits = embedVisits({
    seal: deps.seal,
    clock,
    signedOutAt: identity.signedOutAt,
  });

  const open = Router();
  open.use(eventRoutes({ ...parts, ...deps.stores, centers: registry.listed ?? [] }));
  open.use(unsubscribeRoutes({ ...parts, customers: identity.customers }), wellKnownRoutes(parts));
  const script = { maxAge: scriptAge, crossOrigin: true, edit: embedScript };
  open.get('/embed.js', assets.fixed('embed.js', script));

  const embed = Router();
  embed.use(embedRoutes({ ...parts, visits, customers: identity.customers, notes: identity.notes }));
  embed.use(centerRoutes({ ...parts, visits }));

  const centers = centerRoutes({ ...parts, visits: sessionVisits(identity.sessions) });
  return { framing: embedFraming(registry), open, embed, centers };
}
