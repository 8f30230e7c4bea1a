import express, { type Express, type Router } from 'express';
import { systemClock } from '../clock.ts';
import { faultForLog } from '../core/model/logged-fault.ts';
import { wellKnownRoutes } from '../features/centers/record.ts';
import { centerRoutes } from '../features/centers/routes.ts';
import { embedFraming, embedRoutes } from '../features/embed/routes.ts';
import { eventRoutes } from '../features/events/routes.ts';
import { startRoutes } from '../features/start/routes.ts';
import { unsubscribeRoutes } from '../features/unsubscribe/routes.ts';
import { rootRoutes, verifyRoutes } from '../features/verify/routes.ts';
import type { Delivery } from '../ports/delivery.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { embedVisits } from '../visits/embed-visits.ts';
import { createPageReads } from '../visits/page-reads.ts';
import { createRecentRecords } from '../visits/recent-records.ts';
import { sameOriginOnly } from '../web/cross-origin.ts';
import { embedScript } from '../web/embed-script.ts';
import { createErrors } from '../web/errors.ts';
import { healthRoutes } from '../web/health.ts';
import { linkHref, signInHref } from '../web/href.ts';
import { createRejection } from '../web/load-shedder.ts';
import { requestLog } from '../web/log.ts';
import { createProblemPage } from '../web/problem.ts';
import { reportRoutes } from '../web/reports.ts';
import { securityHeaders } from '../web/security.ts';
import type { Identity } from './identity.ts';
import type { ProductParts } from './parts.ts';
import { forStaff, type Staff } from './staff.ts';

/** Seconds that other sites may cache the script: a new version reaches them within the hour. */
const scriptAge = 3_600;
/** Days until the link of a ready-made person expires. */
const linkDays = 30;

/** The demo's entry on the start page of the sandbox. */
const demoLink = {
  label: 'A customer’s site',
  text: 'A made-up shop whose account page shows the preferences in a frame.',
};
const staffLink = {
  href: '/staff',
  label: 'Staff pages',
  text: 'Opened by the one-time address that was printed at the start.',
};

/** The HTTP stack, in the order of a request. `delivery` is the delivery of people's own pages. */
export async function createApp(
  parts: ProductParts,
  { identity, staff, delivery }: { identity: Identity; staff: Staff; delivery: Delivery },
): Promise<Express> {
  const { config, log, stores, registry, platform, operation, assets, brandOf, render, toHtml } = parts;
  const { customers, notes, sessions } = identity;
  const problemPage = forStaff(
    staff,
    createProblemPage({ registry, brandOf, keptCenter: platform.keptCenter }),
  );
  const errors = createErrors({ render, log, problemPage });
  /** The parts of all routes except those of staff and of signing in. */
  const shared = {
    ...stores,
    ...parts,
    delivery,
    customers,
    notes,
    recent: createRecentRecords({ clock: stores.forwardClock }),
    reads: createPageReads(config.quota?.perMinute),
  };
  const visits = embedVisits({ seal: parts.seal, clock: stores.clock, signedOutAt: identity.signedOutAt });

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.trustProxy.length === 0 ? false : config.trustProxy);
  app.set('query parser', 'simple');

  if (config.platform === undefined) {
    // Ready-made links and the mailbox need no sign-in, so requests must name a known host.
    const { hostGuard } = await import('../sandbox/hosts.ts');
    app.use(hostGuard({ hosts: config.sandbox.hosts, checksOrigin: false }));
  }
  app.use(...operation.first);
  app.use(requestLog(log));
  app.use(...securityHeaders(parts));
  // This middleware names the sites that may frame an answer, on every answer below it, refusals included.
  app.use('/embed', embedFraming(registry));
  app.use(assets.handler);
  app.use(
    healthRoutes({
      isLeaving: operation.drain.isDraining,
      clock: systemClock,
      isReady: readinessOf(parts),
    }),
  );
  app.use(operation.routes);
  // Refuses requests under overload.
  app.use(operation.loadShedder.middleware(createRejection({ problemPage, toHtml })));
  app.use(reportRoutes({ log, clock: systemClock }));
  // These routes have no session and no cross-origin check: API, one-click, public keys, the script for other
  // sites.
  app.use(eventRoutes({ ...shared, observer: parts.metrics.events, centers: registry.listed ?? [] }));
  app.use(unsubscribeRoutes(shared), wellKnownRoutes(parts), rootRoutes(shared));
  app.get('/embed.js', assets.fixed('embed.js', { maxAge: scriptAge, edit: embedScript }));

  app.use(sameOriginOnly({ publicOrigin: parts.publicUrl.origin }));
  app.use('/ui', sessions.middleware, identity.hostedLinkRouter);
  const ownPages = centerRoutes({ ...shared, visits: identity.visits });
  app.use('/centers', sessions.middleware, identity.router, ownPages);
  // These pages are shown in another site's frame, without a cookie.
  app.use('/embed', embedRoutes({ ...shared, visits }), centerRoutes({ ...shared, visits }));
  app.use(verifyRoutes(shared));
  app.use('/staff', staff.router);
  app.use(startPage(parts, identity));
  if (parts.gallery !== undefined) app.use('/dev/gallery', parts.gallery);

  app.use(errors.notFound);
  app.use(errors.handler);
  return app;
}

/** The start page. In the sandbox it links to ready-made people and to the other parts that can be tried. */
function startPage(parts: ProductParts, { mailbox }: Identity): Router {
  const { sandbox, demo } = parts;
  return startRoutes({
    ...parts,
    readyMade: sandbox === undefined ? undefined : () => readyMade(sandbox, parts),
    mailbox,
    more: [...(demo === undefined ? [] : [{ href: demo.origin, ...demoLink }]), staffLink],
  });
}

/** The people of the sandbox, each with a link. */
function readyMade(sandbox: Sandbox, { registry, identifiers, mint }: ProductParts) {
  return sandbox.people().flatMap(({ center, identifier, description, ...person }) => {
    const centerConfig = registry.findByCenter(center);
    const subject = identifiers.read(identifier);
    if (centerConfig === undefined || subject === undefined) return [];
    const claims = { subject, scope: 'manage', center: centerConfig.center } as const;
    const href = linkHref(centerConfig, mint.mint({ ...claims, lifetime: linkDays * 86_400 }));
    const shown = { name: subject, about: description, href, signInHref: signInHref(centerConfig) };
    return [{ ...person, ...shown }];
  });
}

/** Logs the cause once when readiness is lost, and once when it is back. */
function readinessOf({ stores, log }: ProductParts): () => Promise<boolean> {
  let wasReady = true;
  return async () => {
    const fault = await stores.check().then(
      () => undefined,
      (thrown: unknown) => faultForLog(thrown) ?? { name: typeof thrown },
    );
    const isReady = fault === undefined;
    if (wasReady && !isReady)
      log.error({ fault }, 'not ready: the stores do not answer, or cannot be written');
    if (!wasReady && isReady) log.info('ready again');
    wasReady = isReady;
    return isReady;
  };
}
