import { once } from 'node:events';
import type { ListenOptions, Server } from 'node:net';
import { hostname } from 'node:os';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config/environment.ts';
import type { Identifiers } from '../core/model/person/identifiers.ts';
import { withdraws } from '../core/model/submission/intent.ts';
import type { RunningDelivery } from '../delivery/delivery.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import { watchPlatform } from '../metrics/platform-watch.ts';
import type { Tracing } from '../metrics/tracing.ts';
import { operationNames } from '../upstream/operations.ts';
import { createDrain } from '../web/drain.ts';
import { type ClassOf, createLoadShedder, requestClasses } from '../web/load-shedder.ts';
import type { Logger } from '../web/log.ts';
import { watchLoopDelay } from '../web/loop-delay.ts';
import { metricsServer, operatorRoutes } from '../web/operator.ts';
import { createServerTiming, observeAnswers, traceAnswers } from '../web/timing.ts';
import type { Stores } from './stores.ts';

const build = { version: packageJson.version, host: hostname() };

/** Metrics are made before the parts that are counted. */
export function openMetrics({ database, centers = [] }: Config): Metrics {
  const known = { classes: requestClasses, operations: operationNames };
  const metrics = createMetrics({ ...known, build, hasDatabase: database !== undefined });
  for (const { center } of centers) metrics.platform.listed(center);
  return metrics;
}

/** Composes load shedding, draining, metrics and traces. */
export async function composeOperation(
  config: Config,
  { stores: { journal, clock }, metrics, log }: { stores: Stores; metrics: Metrics; log: Logger },
) {
  const drain = createDrain();
  const loop = watchLoopDelay();
  const timing = config.serverTiming ? createServerTiming() : undefined;
  const tracing = await composeTracing(config, log);
  metrics.watch({ journal, clock, loopDelay: loop.usual, inFlight: drain.inFlight });
  const loadShedder = createLoadShedder({ classOf, loopDelay: loop.usual, onShed: metrics.loadShedder });
  const platformWatch = watchPlatform(clock);
  const observer: Metrics['platform'] = {
    ...metrics.platform,
    breaker(operation, state) {
      metrics.platform.breaker(operation, state);
      platformWatch.breaker(operation, state);
    },
    call(operation, outcome, ms) {
      metrics.platform.call(operation, outcome, ms);
      platformWatch.call(operation, outcome);
      timing?.add(operation, ms);
      tracing?.call(operation, outcome, ms);
    },
  };
  const shown = {
    print: metrics.print,
    contentType: metrics.contentType,
    token: config.metricsToken?.reveal(),
  };
  const apart = config.metricsPort === undefined ? undefined : metricsServer(shown);
  if (apart !== undefined) await listening(apart, { port: config.metricsPort, host: config.host });
  return {
    /** The first middleware of every request. */
    first: [
      drain.middleware,
      observeAnswers(classOf, metrics.request),
      ...(timing === undefined ? [] : [timing.middleware]),
      ...(tracing === undefined ? [] : [traceAnswers(classOf, tracing.request)]),
    ],
    routes: operatorRoutes(apart === undefined ? shown : { ...shown, token: undefined }),
    loadShedder,
    drain,
    observer,
    platformWatch,
    /**
     * The same delivery, but it refuses identifiers that the tenant cannot take and, under overload,
     * submissions that grant.
     */
    admitting: (delivery: RunningDelivery, identifiers: Pick<Identifiers, 'admit'>): RunningDelivery => ({
      ...delivery,
      submit(request, options) {
        identifiers.admit(request.subject);
        if (!withdraws(request.intent)) loadShedder.admit('opt-in');
        return delivery.submit(request, options);
      },
    }),
    async close(): Promise<void> {
      apart?.close();
      loop.close();
      await tracing?.close();
    },
  };
}

/** Resolves when the server listens. Rejects if the port cannot be used. */
export async function listening(server: Server, where: ListenOptions): Promise<void> {
  server.listen(where);
  await once(server, 'listening');
}

/** OpenTelemetry is loaded only if it is used. */
async function composeTracing({ traces }: Config, log: Logger): Promise<Tracing | undefined> {
  if (traces === undefined) return undefined;
  const { createTracing } = await import('../metrics/tracing.ts');
  return createTracing({
    ...traces,
    ...build,
    onLost: (count) => log.warn({ count }, 'spans could not be sent'),
  });
}

/** The class of load of each route. A posted form counts as a withdrawal until it is read. */
export const classOf: ClassOf = ({ method, path }) => {
  if (/^\/(staff|reports|metrics)(\/|$)/i.test(path)) return 'staff';
  // Programs repeat their requests.
  if (/^\/api(\/|$)/i.test(path)) return 'read';
  if (/^\/u\/|\/(unsubscribe|one-click)(\/|$)/i.test(path)) return 'withdrawal';
  if (method === 'POST') return /\/(sign-in|sign-out)(\/|$)/i.test(path) ? 'read' : 'withdrawal';
  return /\/results(\/|$)/i.test(path) ? 'opt-in' : 'read';
};
