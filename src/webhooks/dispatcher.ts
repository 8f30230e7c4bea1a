import { eventBody } from '../core/model/event-body.ts';
import { faultForLog } from '../core/model/logged-fault.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Events, QueuedEvent, WebhookSender } from '../ports/events.ts';
import type { Random } from '../ports/random.ts';

export interface Receiver {
  readonly id: string;
  readonly center: string;
  /** For the log: the rest of its address may be a secret. */
  readonly host: string;
  readonly url: string;
  readonly secrets: readonly string[];
}

export interface EventDispatcherOptions {
  readonly receivers: readonly Receiver[];
  readonly events: Pick<Events, 'dueOf' | 'claim' | 'sent' | 'postpone' | 'stop' | 'makeDue' | 'hold'>;
  readonly sender: WebhookSender;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Random;
  readonly log: {
    warn(fields: object, event: string): void;
    error(fields: object, event: string): void;
  };
  readonly observer: { sent(center: string, outcome: string, ms: number): void };
  /** 0 to 1; spreads retries. */
  readonly jitter?: (() => number) | undefined;
}

const second = 1_000;
const day = 86_400 * second;
/** At this node. */
const parallel = 8;
/** Longer than a call may take. */
const leaseMs = 20 * second;
const tickMs = second;
const firstRetryMs = 5 * second;
const longestRetryMs = 3_600 * second;
/** Then it is held for staff; not before it was tried so often, for the product may have been away as long. */
const retriedForMs = 3 * day;
const leastTries = 10;
/** So often in a row a receiver failed: from then on it is only probed. */
const missesBeforeProbing = 5;
const longestProbeMs = 60 * second;
/** Over how long what waits is spread when a receiver answers again. */
const returnSpreadMs = 20 * second;

/**
 * Calls those who want to be called: each receiver by itself, so that one that hangs or fails holds up no other one's
 * events; of a person one event after the other.
 */
export function createEventDispatcher(options: EventDispatcherOptions) {
  const { events, clock, timer } = options;
  const workers = new Map(
    options.receivers.map((receiver) => [receiver.id, createReceiverWorker(receiver, options)] as const),
  );
  let cancel: (() => void) | undefined;
  let isStopping = false;
  let isLooking = false;
  let isToLookAgain = false;
  let looking: Promise<void> = Promise.resolve();

  /** There is something new. */
  function nudge(): void {
    isToLookAgain = true;
    if (isLooking || workers.size === 0) return;
    isLooking = true;
    looking = look();
  }

  /** One question for all receivers, however many there are: most of them have nothing most of the time. */
  async function look(): Promise<void> {
    try {
      while (isToLookAgain && !isStopping) {
        isToLookAgain = false;
        for (const id of await events.dueOf([...workers.keys()], clock.now())) workers.get(id)?.run();
      }
    } catch (fault) {
      options.log.error({ code: codeOf(fault), fault: faultForLog(fault) }, 'events cannot be looked for');
    } finally {
      isLooking = false;
    }
  }

  function tick(): void {
    nudge();
    if (!isStopping) cancel = timer.after(tickMs, tick);
  }

  return {
    start(): void {
      if (workers.size > 0 && cancel === undefined) tick();
    },
    nudge,
    /** Takes nothing new; resolves when what is on its way has ended. */
    async stop(): Promise<void> {
      isStopping = true;
      cancel?.();
      await looking;
      await Promise.all([...workers.values()].map((worker) => worker.stop()));
    },
  };

  function createReceiverWorker(
    receiver: Receiver,
    { sender, random, log, observer }: EventDispatcherOptions,
  ) {
    const jitter = options.jitter ?? Math.random;
    const inFlight = new Set<Promise<void>>();
    let misses = 0;
    let failingSince: number | undefined;
    /** As it asked itself, which what it takes meanwhile does not end. */
    let askedToWaitUntil = 0;
    let probedAt = 0;
    let isClaiming = false;
    let isAskedAgain = false;
    let claiming: Promise<void> = Promise.resolve();

    const isProbing = () => misses >= missesBeforeProbing;
    const mayClaim = () =>
      !isStopping &&
      inFlight.size < (isProbing() ? 1 : parallel) &&
      clock.now() >= Math.max(askedToWaitUntil, probedAt);

    function run(): void {
      isAskedAgain = true;
      if (isClaiming || !mayClaim()) return;
      isClaiming = true;
      claiming = claimAll();
    }

    async function claimAll(): Promise<void> {
      try {
        while (isAskedAgain) {
          isAskedAgain = false;
          while (mayClaim() && (await claimNext()));
        }
      } catch (fault) {
        log.error(
          { center: receiver.center, code: codeOf(fault), fault: faultForLog(fault) },
          'events cannot be claimed',
        );
      } finally {
        isClaiming = false;
      }
    }

    async function claimNext(): Promise<boolean> {
      const now = clock.now();
      const queued = await events.claim(receiver.id, { owner: random.id(), now, until: now + leaseMs });
      if (queued === undefined) return false;
      const work = deliver(queued)
        .catch((fault: unknown) => {
          log.error(
            { center: receiver.center, code: codeOf(fault), fault: faultForLog(fault) },
            'an event could not be kept',
          );
        })
        .finally(() => {
          inFlight.delete(work);
          run();
        });
      inFlight.add(work);
      return true;
    }

    async function deliver(queued: QueuedEvent): Promise<void> {
      const { event } = queued;
      const began = clock.now();
      if (event === undefined) {
        return events.postpone(queued, { dueAt: began, problem: 'sealed', isHeld: true });
      }
      const { url, secrets } = receiver;
      const result = await sender.send({
        url,
        secrets,
        id: event.id,
        body: JSON.stringify(eventBody(event)),
      });
      const now = clock.now();
      const outcome = outcomeOf(result);
      observer.sent(receiver.center, outcome, now - began);
      if (result.kind === 'taken') {
        await events.sent(queued, now);
        return comeBack(now);
      }
      if (isStopping) return events.postpone(queued, { dueAt: now, problem: outcome, isHeld: false });
      if (result.kind === 'gone') {
        await events.stop(receiver.id, now);
        log.warn({ center: receiver.center, host: receiver.host }, 'a receiver of events wants no more');
        return events.postpone(queued, { dueAt: now, problem: outcome, isHeld: false });
      }
      await miss(queued, { problem: outcome, retryAfterMs: result.retryAfterMs, now });
    }

    async function comeBack(now: number): Promise<void> {
      const wasProbing = isProbing();
      misses = 0;
      failingSince = undefined;
      probedAt = 0;
      if (wasProbing) await events.makeDue(receiver.id, { now, spread: returnSpreadMs });
    }

    async function miss(
      queued: QueuedEvent,
      {
        problem,
        retryAfterMs,
        now,
      }: { readonly problem: string; readonly retryAfterMs: number; readonly now: number },
    ): Promise<void> {
      misses += 1;
      failingSince ??= now;
      if (misses === missesBeforeProbing)
        log.warn({ center: receiver.center, host: receiver.host, problem }, 'a receiver of events fails');
      const probeMs = isProbing()
        ? spread(Math.min(longestProbeMs, second * 2 ** (misses - missesBeforeProbing)))
        : 0;
      askedToWaitUntil = Math.max(askedToWaitUntil, now + retryAfterMs);
      probedAt = now + probeMs;
      const retryMs = spread(Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(queued.attempts, 20)));
      const isHeld = now - queued.since >= retriedForMs && queued.attempts + 1 >= leastTries;
      await events.postpone(queued, { dueAt: now + Math.max(retryAfterMs, retryMs), problem, isHeld });
      // A receiver that is only probed would have most of it tried never.
      if (now - failingSince >= retriedForMs) await events.hold(receiver.id, now - retriedForMs);
    }

    const spread = (ms: number) => ms * (0.75 + jitter() / 2);

    return {
      run,
      async stop() {
        await claiming;
        await Promise.all(inFlight);
      },
    };
  }
}

function outcomeOf(result: Awaited<ReturnType<WebhookSender['send']>>): string {
  if (result.kind === 'taken') return 'ok';
  return result.kind === 'gone' ? 'status-410' : result.problem;
}

function codeOf(fault: unknown): string {
  return fault instanceof Error && 'code' in fault ? String(fault.code) : 'unexpected';
}
