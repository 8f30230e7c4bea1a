import { randomUUID } from 'node:crypto';
import timers from 'node:timers/promises';
import { Problem } from '../core/model/problem.ts';
import type { Clock } from '../ports/clock.ts';
import type { CallPriority } from '../ports/platform.ts';
import type { KeptQuota, QuotaStore } from '../ports/quota-store.ts';
import type { OperationName } from './operations.ts';
import {
  type Asked,
  emptyQuota,
  type Granted,
  grant,
  isQueueing,
  later,
  type Made,
  made,
  type Quota,
  type QuotaState,
  quotaShape,
  spansOf,
} from './quota.ts';
import { heard, type SaidQuota } from './quota-said.ts';
import { leftOf, partMs } from './quota-window.ts';
import type { PlatformLog, PlatformMetrics } from './watch.ts';

export interface PacerOptions {
  readonly quota: Quota;
  readonly store: QuotaStore;
  /** A clock that is the same for all processes that share the store, and never goes back. */
  readonly clock: Clock;
  /** Milliseconds for which a call waits for room before it is refused. */
  readonly longestWaitMs?: Readonly<Record<CallPriority, number>> | undefined;
  readonly log?: PlatformLog | undefined;
  readonly metrics?: PlatformMetrics | undefined;
}

interface Admission {
  readonly priority: CallPriority;
  /**
   * Number of calls. 2: a withdrawal's call and the call that must follow it at once; both get room, or
   * neither does.
   */
  readonly calls?: 1 | 2 | undefined;
  /** Key of the person's turn, which is kept across tries and nodes while there is no room. */
  readonly turnOf?: string | undefined;
  readonly signal: AbortSignal;
}

type Change = (state: QuotaState) => QuotaState;

interface Waiting extends Asked {
  answer(granted: Granted): void;
}

type Answers = readonly { readonly one: Waiting; readonly granted: Granted }[];

const admitted = (answers: Answers) =>
  answers.flatMap(({ one, granted }) => (granted.waitMs === 0 ? one : []));

const usualWaitMs: Readonly<Record<CallPriority, number>> = {
  withdrawal: 1_000,
  person: 1_200,
  background: 250,
};

/** Tries of one write to the store; a try fails if another process writes first. */
const mostTries = 20;
/** The shortest wait that is reported, in seconds. */
const shortestWait = 1;
/** Milliseconds for which a turn is kept after it came up. */
const turnKeptMs = 120_000;
/** The share of the quota that each process uses while the store does not answer. */
const aloneShare = 1 / 10;

export type Pacer = ReturnType<typeof createPacer>;

/** Keeps calls within the platform's quota, over all processes that share its store. */
export function createPacer(options: PacerOptions) {
  const { quota, store, clock, longestWaitMs = usualWaitMs, log, metrics } = options;
  const aloneQuota = {
    perMinute: Math.ceil(quota.perMinute * aloneShare),
    perHour: Math.ceil(quota.perHour * aloneShare),
  };
  const spans = spansOf(quota);
  const aloneSpans = spansOf(aloneQuota);
  const closing = new AbortController();
  let asked: Waiting[] = [];
  let isAsking = false;
  /** The last known state of the store. */
  let kept: { readonly state: QuotaState; readonly version: number } | undefined;
  /** Changes that the store does not have yet. */
  let unstored: Change[] = [];
  /**
   * A write that the store may have kept: its id, the number of changes in it, and the changes that undo its
   * calls, which were not made.
   */
  let doubt: { readonly by: string; readonly written: number; readonly undo: readonly Change[] } | undefined;
  /** The calls of this process while the store does not answer. */
  let alone = emptyQuota;
  /** Milliseconds by which the clock lags behind the time of the quota, which never goes back. */
  let leadMs = 0;
  const now = () => clock.now() + leadMs;

  function take({ text, version }: KeptQuota): void {
    const state = readState(text);
    leadMs = Math.max(leadMs, state.at - clock.now());
    if (doubt !== undefined && state.by === doubt.by)
      unstored = [...doubt.undo, ...unstored.slice(doubt.written)];
    doubt = undefined;
    kept = { state, version };
  }

  /** Grants a batch of calls in one write to the store; repeats the write if another process writes first. */
  async function update(batch: readonly Waiting[]): Promise<Answers> {
    if (kept === undefined) {
      const found = await store.read();
      if (found !== undefined) take(found);
    }
    for (let tries = 1; tries <= mostTries; tries += 1) {
      const { state: before, version } = kept ?? { state: emptyQuota, version: 0 };
      const written = unstored.length;
      const current = later(before, spans, now());
      const counted = unstored.reduce((state, change) => change(state), current);
      const { state, answers } = grant(counted, spans, batch);
      const by = randomUUID();
      const undo = admitted(answers).map((one) => changeOf(one, -one.calls, state.at));
      doubt = { by, written, undo };
      const text = JSON.stringify({ ...state, by });
      const found = await store.keep(text, version);
      if (found.text !== text) {
        take(found);
        continue;
      }
      doubt = undefined;
      unstored = unstored.slice(written);
      kept = { state, version: found.version };
      return answers;
    }
    throw new Problem('store-unavailable', { cause: new Error('others were always first') });
  }

  function changeOf({ endpoint, priority }: Pick<Made, 'endpoint' | 'priority'>, calls: number, at: number) {
    return (state: QuotaState) => made(state, spans, { endpoint, priority, calls, at });
  }

  /**
   * Grants within this process's own share, by the same rules; the calls are stored as soon as the store
   * answers.
   */
  function updateAlone(batch: readonly Waiting[]): Answers {
    kept = undefined;
    const own = batch.map((one) => ({ ...one, turn: undefined }));
    const { state, answers } = grant(later(alone, aloneSpans, now()), aloneSpans, own);
    alone = state;
    unstored.push(...admitted(answers).map((one) => changeOf(one, one.calls, state.at)));
    // Turn numbers of this process alone are dropped.
    return answers.map(({ one, granted: { waitMs } }) => ({ one, granted: { waitMs } }));
  }

  /** Writes once at a time; calls that come during a write go with the next one. */
  async function ask(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    do {
      const batch = asked;
      asked = [];
      const answers = await update(batch).catch(() => updateAlone(batch));
      for (const { one, granted } of answers) one.answer(granted);
    } while (asked.length > 0);
    isAsking = false;
  }

  function answerTo(one: Asked): Promise<Granted> {
    const { promise, resolve } = Promise.withResolvers<Granted>();
    asked.push({ ...one, answer: resolve });
    void ask();
    return promise;
  }

  const findTurn = async (key: string | undefined) =>
    key === undefined ? undefined : store.findTurn(key).catch(() => undefined);

  return {
    /**
     * Resolves with the time of admission; the call must go out at once (`isFresh`). Throws quota-used-up
     * with the seconds until there is room, platform-slow when the signal ends first, or draining; then the
     * call must not go out.
     */
    async admit(
      endpoint: OperationName,
      { priority: wanted, calls = 1, turnOf, signal }: Admission,
    ): Promise<number> {
      const priority = calls === 2 ? 'withdrawal' : wanted;
      const key = priority === 'person' && turnOf !== undefined ? `${endpoint} ${turnOf}` : undefined;
      const leavesAt = now() + longestWaitMs[priority];
      const stop = AbortSignal.any([signal, closing.signal]);
      let isTurnRead = kept === undefined || isQueueing(kept.state, endpoint);
      let held = isTurnRead ? await findTurn(key) : undefined;
      let turn = held;
      for (let hasWaited = false; ; hasWaited = true) {
        throwIfStopped(stop);
        const { waitMs, turn: given = turn } = await answerTo({ endpoint, priority, calls, turn });
        if (waitMs === 0 && stop.aborted) unstored.push(changeOf({ endpoint, priority }, -calls, now()));
        throwIfStopped(stop);
        if (waitMs === 0) {
          if (hasWaited) metrics?.paced?.(endpoint, priority, 'waited');
          if (key !== undefined && held !== undefined) void store.dropTurn(key).catch(() => undefined);
          return now();
        }
        if (!isTurnRead) {
          isTurnRead = true;
          held = await findTurn(key);
          if (held !== undefined) {
            turn = held;
            continue;
          }
        }
        turn = given;
        if (now() + waitMs > leavesAt) {
          if (key !== undefined && turn !== undefined && turn !== held) {
            const lifeMs = waitMs + turnKeptMs;
            await store.keepTurn(key, { number: turn, lifeMs }).catch(() => undefined);
          }
          metrics?.paced?.(endpoint, priority, 'refused');
          throw new Problem('quota-used-up', { retryAfter: Math.max(shortestWait, waitMs / 1_000) });
        }
        // The call goes by the module, because tests replace its timers.
        await timers.setTimeout(waitMs, undefined, { signal: stop }).catch(() => undefined);
      }
    },
    isFresh: (admittedAt: number) => now() - admittedAt < partMs / 2,
    /** Notes what an answer said about the quota. */
    hear(endpoint: OperationName, said: SaidQuota): void {
      const state = kept?.state ?? alone;
      if (heard(later(state, spans, now()), quota, endpoint, said) === undefined) return;
      unstored.push((before) => heard(before, quota, endpoint, said) ?? before);
      alone = heard(alone, aloneQuota, endpoint, { ...said, allowed: undefined, made: undefined }) ?? alone;
      const { waitSeconds, ...counts } = said;
      log?.warn('platform quota', { operation: endpoint, ...counts });
      void ask();
    },
    /**
     * The quota as this process knows it; undefined before the first call, and while the store does not
     * answer.
     */
    look() {
      if (kept === undefined) return undefined;
      const { account, endpoints, at } = later(kept.state, spans, now());
      const [minute, hour] = spans;
      const left = Object.entries(endpoints).map(([name, own]) => [name, leftOf(own, minute, at)] as const);
      return { account: leftOf(account, hour, at), endpoints: new Map(left) };
    },
    close: (): void => closing.abort(),
  };

  function throwIfStopped({ aborted }: AbortSignal): void {
    if (closing.signal.aborted) throw new Problem('draining');
    if (aborted) throw new Problem('platform-slow', { cause: new Error('waited for the quota') });
  }
}

/** Reads a stored state; a state of another release counts as empty. */
function readState(text: string): QuotaState {
  try {
    return quotaShape.parse(JSON.parse(text));
  } catch {
    return emptyQuota;
  }
}
