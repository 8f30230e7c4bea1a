import { faultForLog } from '../core/model/logged-fault.ts';
import type { EventQueue } from '../ports/events.ts';
import type { Leased, LeasedQueue, SendResult } from '../ports/leased-queue.ts';
import { createAvailability } from './availability.ts';
import { backoffMs } from './backoff.ts';
import { type ClaimLoopOptions, createClaimLoop } from './claim-loop.ts';
import { createSingleRun } from './single-run.ts';
import { createTicks } from './ticks.ts';

export interface Receiver {
  readonly id: string;
  readonly center?: string;
  /** For the log; the rest of the address may be a secret. */
  readonly host: string;
}

export interface ReceiversOptions<To extends Receiver, Queued extends Leased>
  extends Pick<ClaimLoopOptions<Queued>, 'clock' | 'timer' | 'random'> {
  readonly receivers: readonly To[];
  readonly queue: LeasedQueue<Queued> & Partial<Pick<EventQueue, 'stop' | 'hold'>>;
  /** Never throws. undefined: no key opens the queued thing. */
  readonly send: (receiver: To, queued: Queued) => Promise<SendResult | undefined>;
  /** For the log: `events` and `a receiver of events`. */
  readonly words: { readonly queued: string; readonly receiver: string };
  readonly log: {
    warn(fields: object, event: string): void;
    error(fields: object, event: string): void;
  };
  /** Longer than any call. */
  readonly leaseMs?: number;
  /** A number from 0 to 1, which spreads retries. */
  readonly jitter?: (() => number) | undefined;
}

const second = 1_000;
const day = 86_400 * second;
/** Calls to one receiver at a time, at this node. */
const parallel = 8;
const usualLeaseMs = 20 * second;
const tickMs = second;
/**
 * Milliseconds after which a thing is held for staff, but not before `leastTries`: the product itself may
 * have been away.
 */
const retriedForMs = 3 * day;
const leastTries = 10;
/** Milliseconds over which waiting things are spread when a receiver answers again. */
const returnSpreadMs = 20 * second;

/** Sends queued things, each receiver by itself: one that hangs or fails does not hold up the others. */
export function sendToReceivers<To extends Receiver, Queued extends Leased>(
  options: ReceiversOptions<To, Queued>,
) {
  const { queue, clock, timer, random, log, words, leaseMs = usualLeaseMs } = options;
  const jitter = options.jitter ?? Math.random;
  const probes = { firstMs: second, longestMs: 60 * second, jitter };
  const retries = { firstMs: 5 * second, longestMs: 3_600 * second, jitter };
  const loops = new Map(options.receivers.map((receiver) => [receiver.id, createLoop(receiver)] as const));
  const looks = createSingleRun(look);
  const ticks = createTicks(timer, async () => {
    looks.ask();
    await looks.ended();
    return tickMs;
  });
  let isStopping = false;

  /** One query for all receivers: most of them have nothing most of the time. */
  async function look(): Promise<void> {
    if (isStopping || loops.size === 0) return;
    try {
      for (const id of await queue.dueOf([...loops.keys()], clock.now())) loops.get(id)?.wake();
    } catch (fault) {
      log.error(failed(fault), `due ${words.queued} cannot be read`);
    }
  }

  return {
    start(): void {
      if (loops.size > 0) ticks.start();
    },
    /** Something new is queued. */
    nudge: looks.ask,
    /** Takes nothing new; resolves when running calls have ended. */
    async stop(): Promise<void> {
      isStopping = true;
      ticks.stop();
      await Promise.all([looks.ended(), ...[...loops.values()].map((loop) => loop.stop())]);
    },
  };

  function createLoop(receiver: To) {
    const { center, host } = receiver;
    const availability = createAvailability(clock, probes);
    const loop = createClaimLoop<Queued>({
      clock,
      timer,
      random,
      leaseMs,
      parallel: () => (availability.isProbing() ? 1 : parallel),
      mayClaim: () => clock.now() >= Math.max(availability.heldUntil(), availability.probedAt()),
      claim: (lease) => queue.claim(receiver.id, lease),
      async work(queued) {
        try {
          await deliver(queued);
        } catch (fault) {
          log.error({ center, ...failed(fault) }, `the result of ${words.queued} could not be stored`);
        }
        // The next thing of the same person may be due now.
        loop.wake();
      },
      onFault: (fault) => log.error({ center, ...failed(fault) }, `${words.queued} cannot be claimed`),
    });
    return loop;

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
      if (loop.isStopping()) return queue.postpone(queued, { dueAt: now, problem, isHeld: false });
      if (result.kind === 'gone') {
        await queue.stop?.(receiver.id, now);
        log.warn({ center, host }, `${words.receiver} wants no more`);
        return queue.postpone(queued, { dueAt: now, problem, isHeld: false });
      }
      await miss(queued, { ...result, now });
    }

    async function comeBack(now: number): Promise<void> {
      const wasProbing = availability.isProbing();
      availability.answered();
      if (wasProbing) await queue.makeDue(receiver.id, { now, spread: returnSpreadMs });
    }

    async function miss(
      queued: Queued,
      { problem, retryAfterMs, isOfThis, now }: NotTaken & { readonly now: number },
    ): Promise<void> {
      if (isOfThis === undefined) noteMiss(problem, retryAfterMs);
      const pauseMs = Math.max(retryAfterMs, backoffMs(retries, queued.attempts));
      const isHeld = now - queued.since >= retriedForMs && queued.attempts + 1 >= leastTries;
      await queue.postpone(queued, { dueAt: now + pauseMs, problem, isHeld });
      // Most things of a receiver that is only probed would never be tried.
      const failingSince = availability.failingSince() ?? now;
      if (now - failingSince >= retriedForMs) await queue.hold?.(receiver.id, now - retriedForMs);
    }

    function noteMiss(problem: string, retryAfterMs: number): void {
      const wasProbing = availability.isProbing();
      availability.failed({ isMiss: true });
      availability.hold(retryAfterMs);
      if (availability.isProbing() && !wasProbing)
        log.warn({ center, host, problem }, `${words.receiver} fails`);
    }
  }
}

type NotTaken = Extract<SendResult, { readonly kind: 'not-taken' }>;

function failed(fault: unknown): object {
  const code = fault instanceof Error && 'code' in fault ? String(fault.code) : 'unexpected';
  return { code, fault: faultForLog(fault) };
}
