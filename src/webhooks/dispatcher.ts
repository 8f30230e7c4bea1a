import { faultForLog } from '../core/model/logged-fault.ts';
import { eventBody } from '../core/model/submission/event-body.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Events, QueuedEvent, WebhookSender } from '../ports/events.ts';
import type { Leased, LeasedQueue, SendResult } from '../ports/leased-queue.ts';
import type { Random } from '../ports/random.ts';

export interface Receiver {
  readonly id: string;
  readonly center?: string;
  /** For the log; the rest of the address may be a secret. */
  readonly host: string;
}

export interface EventReceiver extends Receiver {
  readonly center: string;
  readonly url: string;
  readonly secrets: readonly string[];
}

export interface DispatcherOptions<To extends Receiver, Queued extends Leased> {
  readonly receivers: readonly To[];
  readonly queue: LeasedQueue<Queued> & Partial<Pick<Events, 'stop' | 'hold'>>;
  /** Never throws. undefined: no key opens the queued thing. */
  readonly send: (receiver: To, queued: Queued) => Promise<SendResult | undefined>;
  /** For the log: `events` and `a receiver of events`. */
  readonly words: { readonly queued: string; readonly receiver: string };
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Random;
  readonly log: {
    warn(fields: object, event: string): void;
    error(fields: object, event: string): void;
  };
  /** Longer than any call. */
  readonly leaseMs?: number;
  /** 0 to 1; spreads retries. */
  readonly jitter?: (() => number) | undefined;
}

const second = 1_000;
const day = 86_400 * second;
/** Calls to one receiver at a time, at this node. */
const parallel = 8;
const usualLeaseMs = 20 * second;
const tickMs = second;
const firstRetryMs = 5 * second;
const longestRetryMs = 3_600 * second;
/** After this time a thing is held for staff, but not before `leastTries`: the product itself may have been away. */
const retriedForMs = 3 * day;
const leastTries = 10;
/** After so many failures in a row a receiver is only probed. */
const missesBeforeProbing = 5;
const longestProbeMs = 60 * second;
/** How long waiting things are spread over when a receiver answers again. */
const returnSpreadMs = 20 * second;

/** Sends events to receivers; one event at a time for each person. */
export function createEventDispatcher({
  events,
  sender,
  observer,
  ...options
}: Omit<DispatcherOptions<EventReceiver, QueuedEvent>, 'queue' | 'send' | 'words'> & {
  readonly events: Pick<Events, 'dueOf' | 'claim' | 'sent' | 'postpone' | 'stop' | 'makeDue' | 'hold'>;
  readonly sender: WebhookSender;
  readonly observer: { sent(center: string, outcome: string, ms: number): void };
}) {
  const { clock } = options;
  return createDispatcher({
    ...options,
    queue: events,
    words: { queued: 'events', receiver: 'a receiver of events' },
    async send({ center, url, secrets }, { event }) {
      if (event === undefined) return undefined;
      const began = clock.now();
      const result = await sender.send({
        url,
        secrets,
        id: event.id,
        body: JSON.stringify(eventBody(event)),
      });
      observer.sent(center, result.kind === 'taken' ? 'ok' : result.problem, clock.now() - began);
      return result;
    },
  });
}

/** Sends queued things, each receiver by itself: one that hangs or fails does not hold up the others. */
export function createDispatcher<To extends Receiver, Queued extends Leased>(
  options: DispatcherOptions<To, Queued>,
) {
  const { queue, clock, timer, words } = options;
  const workers = new Map(
    options.receivers.map((receiver) => [receiver.id, createReceiverWorker(receiver)] as const),
  );
  let cancel: (() => void) | undefined;
  let isStopping = false;
  let isLooking = false;
  let isToLookAgain = false;
  let looking: Promise<void> = Promise.resolve();

  /** Something new is queued. */
  function nudge(): void {
    isToLookAgain = true;
    if (isLooking || workers.size === 0) return;
    isLooking = true;
    looking = look();
  }

  /** One query for all receivers: most of them have nothing most of the time. */
  async function look(): Promise<void> {
    try {
      while (isToLookAgain && !isStopping) {
        isToLookAgain = false;
        for (const id of await queue.dueOf([...workers.keys()], clock.now())) workers.get(id)?.run();
      }
    } catch (fault) {
      options.log.error(
        { code: codeOf(fault), fault: faultForLog(fault) },
        `due ${words.queued} cannot be read`,
      );
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
    /** Takes nothing new; resolves when running calls have ended. */
    async stop(): Promise<void> {
      isStopping = true;
      cancel?.();
      await looking;
      await Promise.all([...workers.values()].map((worker) => worker.stop()));
    },
  };

  function createReceiverWorker(receiver: To) {
    const { random, log, leaseMs = usualLeaseMs } = options;
    const jitter = options.jitter ?? Math.random;
    const inFlight = new Set<Promise<void>>();
    let misses = 0;
    let failingSince: number | undefined;
    /** Until the end of its Retry-After, which a success meanwhile does not shorten. */
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
          `${words.queued} cannot be claimed`,
        );
      } finally {
        isClaiming = false;
      }
    }

    async function claimNext(): Promise<boolean> {
      const now = clock.now();
      const queued = await queue.claim(receiver.id, { owner: random.id(), now, until: now + leaseMs });
      if (queued === undefined) return false;
      const work = deliver(queued)
        .catch((fault: unknown) => {
          log.error(
            { center: receiver.center, code: codeOf(fault), fault: faultForLog(fault) },
            `the result of ${words.queued} could not be stored`,
          );
        })
        .finally(() => {
          inFlight.delete(work);
          run();
        });
      inFlight.add(work);
      return true;
    }

    async function deliver(queued: Queued): Promise<void> {
      const result = await options.send(receiver, queued);
      const now = clock.now();
      if (result === undefined)
        return queue.postpone(queued, { dueAt: now, problem: 'sealed', isHeld: true });
      if (result.kind === 'taken' || result.kind === 'refused') {
        await queue.sent(queued, now);
        return comeBack(now);
      }
      const { problem } = result;
      if (isStopping) return queue.postpone(queued, { dueAt: now, problem, isHeld: false });
      if (result.kind === 'gone') {
        await queue.stop?.(receiver.id, now);
        log.warn({ center: receiver.center, host: receiver.host }, `${words.receiver} wants no more`);
        return queue.postpone(queued, { dueAt: now, problem, isHeld: false });
      }
      await miss(queued, { ...result, now });
    }

    async function comeBack(now: number): Promise<void> {
      const wasProbing = isProbing();
      misses = 0;
      failingSince = undefined;
      probedAt = 0;
      if (wasProbing) await queue.makeDue(receiver.id, { now, spread: returnSpreadMs });
    }

    async function miss(
      queued: Queued,
      { problem, retryAfterMs, isOfThis, now }: NotTaken & { readonly now: number },
    ): Promise<void> {
      if (isOfThis === undefined) noteMiss(problem, now + retryAfterMs, now);
      const retryMs = spread(Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(queued.attempts, 20)));
      const isHeld = now - queued.since >= retriedForMs && queued.attempts + 1 >= leastTries;
      await queue.postpone(queued, { dueAt: now + Math.max(retryAfterMs, retryMs), problem, isHeld });
      // Most things of a receiver that is only probed would never be tried.
      if (failingSince !== undefined && now - failingSince >= retriedForMs)
        await queue.hold?.(receiver.id, now - retriedForMs);
    }

    function noteMiss(problem: string, waitUntil: number, now: number): void {
      misses += 1;
      failingSince ??= now;
      if (misses === missesBeforeProbing)
        log.warn({ center: receiver.center, host: receiver.host, problem }, `${words.receiver} fails`);
      const probeMs = isProbing()
        ? spread(Math.min(longestProbeMs, second * 2 ** (misses - missesBeforeProbing)))
        : 0;
      askedToWaitUntil = Math.max(askedToWaitUntil, waitUntil);
      probedAt = now + probeMs;
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

type NotTaken = Extract<SendResult, { readonly kind: 'not-taken' }>;

function codeOf(fault: unknown): string {
  return fault instanceof Error && 'code' in fault ? String(fault.code) : 'unexpected';
}
