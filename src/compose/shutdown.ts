import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Drain } from '../web/drain.ts';
import type { Logger } from '../web/log.ts';
import { within } from '../web/within.ts';

/** The longest shutdown in milliseconds, whatever hangs. The journal keeps unfinished submissions. */
const longest = 18_000;
/** The part of it reserved for running submissions after the last request. */
const forDelivery = 4_000;

/**
 * Order: not ready and `Connection: close`; after the grace no new connections; open requests; running
 * deliveries; stores.
 */
export async function shutDown(parts: {
  readonly server: Server;
  readonly drain: Drain;
  /** How long it still answers but is not ready, so that load balancers look elsewhere. Milliseconds. */
  readonly grace: number;
  readonly log: Logger;
  readonly delivery: { stop(): Promise<void> };
  readonly platform: { close(): Promise<void> };
  /** Closed last, in this order; undefined: it was never opened. */
  readonly stores: readonly ({ close(): unknown } | undefined)[];
}): Promise<void> {
  const { server, drain, grace, log, delivery, platform, stores } = parts;
  const began = performance.now();
  const left = () => Math.max(0, longest - (performance.now() - began));
  drain.begin();
  log.info({ inFlight: drain.inFlight(), graceMs: grace }, 'draining');
  await pause(grace);
  const isClosed = await inTime(closed(server), left() - forDelivery);
  if (!isClosed) server.closeAllConnections();
  const stopped = delivery.stop();
  const isDelivered = await inTime(stopped, left() - 1_000);
  await platform.close();
  if (!isDelivered) await inTime(stopped, 1_000);
  for (const store of stores) await store?.close();
  log.info({ ms: Math.round(performance.now() - began), isClosed, isDelivered }, 'closed');
}

/** Ends idle connections again and again until the server is closed. */
async function closed(server: Server): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(sweep);
}

/** False if it failed, or did not end in time. */
function inTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  return within(
    ms,
    work.then(() => true),
    () => false,
  );
}
