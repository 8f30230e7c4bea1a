import { systemTimer } from '../clock.ts';
import { within } from '../web/within.ts';
import { sendEvents } from '../webhooks/events.ts';
import { createWebhookSender } from '../webhooks/sender.ts';
import type { ProductParts } from './parts.ts';
import { receiversOf } from './receivers.ts';

/**
 * Milliseconds that a stop waits for running calls. A call that is cut is repeated after the restart.
 */
const graceMs = 3_000;
const mostCounted = 10_000;

/** Calls the receivers of events. */
export function composeEvents({
  config: { centers, platform, eventsToPrivateNetworks },
  stores: { events, journal, forwardClock },
  random,
  log,
  metrics: { events: observer },
}: ProductParts) {
  const receivers = receiversOf(centers);
  const nowhereElse = platform === undefined ? 'loopback' : 'nothing-else';
  const sender = createWebhookSender({
    clock: forwardClock,
    allows: eventsToPrivateNetworks ? 'private-networks' : nowhereElse,
  });
  const dispatcher = sendEvents({
    receivers,
    events,
    sender,
    random,
    log,
    observer,
    clock: forwardClock,
    timer: systemTimer,
  });
  const ignoreNews = journal.onNews(dispatcher.nudge);
  if (receivers.length > 0)
    observer.watch(async () => {
      const queues = await events.queuesOf(
        receivers.map(({ id }) => id),
        mostCounted,
      );
      return queues.flatMap(({ waiting, held, stoppedAt }, index) => {
        const center = receivers[index]?.center ?? '';
        const counts = { waiting, held, stopped: Number(stoppedAt !== undefined) };
        return Object.entries(counts).map(([state, count]) => [count, { center, state }] as const);
      });
    });
  return {
    start: dispatcher.start,
    /** Looks for queued events now. */
    nudge: dispatcher.nudge,
    async close(): Promise<void> {
      ignoreNews();
      const stopped = dispatcher.stop();
      await within(graceMs, stopped, () => undefined);
      await sender.close();
      await stopped;
    },
  };
}
