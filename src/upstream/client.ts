import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { eachName } from '../core/model/each-name.ts';
import { Problem } from '../core/model/problem.ts';
import type { CallOptions, CallPriority } from '../ports/platform.ts';
import { BreakerOpen, createBreaker } from './breaker.ts';
import { createBulkhead } from './bulkhead.ts';
import { type Answer, exchange, type Request, readJson } from './exchange.ts';
import { bulkheadNames, type OperationName, operationNames, operationOf, type Scope } from './operations.ts';
import type { Settings } from './options.ts';
import {
  createGate,
  limitFields,
  RetryBudget,
  retryAfterSeconds,
  saidQuota,
  waitAfter429,
} from './rate-limit.ts';
import { createTokens, type Tokens, tokenRequest } from './token.ts';

export interface Call {
  /** Path below the platform's address, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly priority?: CallPriority | undefined;
  readonly permits?: CallOptions['permits'];
  /** Key of the person who keeps a turn while the call waits for the quota. */
  readonly turnOf?: string | undefined;
  /** True if the call goes before other calls of its bulkhead, as a withdrawal does. */
  readonly isFirst?: boolean;
  readonly signal?: AbortSignal | undefined;
  /**
   * Accepts an error status that has a meaning of its own: the answer is no fault, and the call is not
   * repeated.
   */
  readonly means?: ((answer: Answer) => boolean) | undefined;
}

interface Admission extends Pick<Call, 'permits' | 'turnOf' | 'means'> {
  readonly priority: CallPriority;
  readonly isFirst: boolean;
  readonly signal: AbortSignal;
  readonly caller?: AbortSignal | undefined;
}

export type Client = ReturnType<typeof createClient>;

/**
 * Calls the platform within all limits. Returns answers that carry information (2xx, 4xx, and those that
 * `Call.means` accepts); throws Problem for any other.
 */
export function createClient(options: Settings) {
  const { clock, log, metrics, pacer, timeouts, limits } = options;
  const { random = Math.random, rateLimitPrefix = 'ot' } = options;
  const base = new URL(options.url);
  const prefix = base.pathname.replace(/\/+$/, '');
  const budget = new RetryBudget();
  const tokens = new Map<Scope | undefined, Tokens>();

  const bulkheads = eachName(bulkheadNames, (name) => ({
    pool: new Pool(base.origin, {
      connections: limits[name],
      pipelining: 1,
      allowH2: false,
      maxResponseSize: name === 'schemas' ? limits.schemaBytes : limits.answerBytes,
      connect: { timeout: timeouts.connect },
    }),
    places: createBulkhead({ capacity: limits[name], queueLimit: limits.waiting }),
    gate: createGate(clock),
  }));
  /** The operations, each with its breaker and with the pool, places and gate of its bulkhead. */
  const lanes = eachName(operationNames, (name) => {
    const operation = operationOf(name);
    return { ...operation, ...bulkheads[operation.bulkhead], breaker: createBreaker(name, options) };
  });
  type Lane = (typeof lanes)[OperationName];

  const tokensFor = (scope: Scope): Tokens => {
    const key = options.tokenPerScope === true ? scope : undefined;
    return tokens.getOrInsertComputed(key, () => createTokens(() => fetchToken(key), options));
  };

  const fetchToken = async (scope: Scope | undefined): Promise<Answer> => {
    const lane = lanes.token;
    const request = tokenRequest(options, { path: `${prefix}/api/access/v1/oauth/token`, scope });
    const signal = AbortSignal.timeout(timeouts[lane.deadline]);
    // All other calls wait for the token, so its call has the highest priority.
    const admission = { priority: 'withdrawal', isFirst: false, signal } as const;
    const answer = await measured('token', () =>
      admitted(lane, admission, () => send(lane, admission, request)),
    );
    if (answer.status >= 400)
      throw new Problem('platform-denied', { cause: new Error(`token: ${answer.status}`) });
    return answer;
  };

  const admitted = async (lane: Lane, asked: Admission, run: (admittedAt?: number) => Promise<Answer>) => {
    const { name, gate, breaker, places } = lane;
    const { priority, permits = 1, turnOf, isFirst, signal } = asked;
    gate.check(isFirst);
    breaker.check();
    const admittedAt =
      permits === 0 ? undefined : await pacer?.admit(name, { priority, calls: permits, turnOf, signal });
    await places.enter({ priority: isFirst, signal });
    try {
      return await run(admittedAt);
    } finally {
      places.leave();
    }
  };

  /** Sends one request. Throws failures of the platform, so that the breaker counts them. */
  const send = (lane: Lane, asked: Admission, request: Request): Promise<Answer> => {
    const { name, pool, gate, breaker } = lane;
    const { isFirst, signal, caller, means } = asked;
    const onHead = (head: Omit<Answer, 'body'>) => {
      const said = saidQuota(head, rateLimitPrefix, clock.now());
      pacer?.hear(name, said);
      const seconds = said.waitSeconds;
      if (seconds === undefined) return;
      gate.close(seconds);
      log?.warn('platform rate limit', { operation: name, seconds, ...limitFields(head, rateLimitPrefix) });
    };
    // A 429 may have come while this call waited.
    gate.check(isFirst);
    return breaker.run(async () => {
      const answer = await exchange(pool, request, { signal, onHead });
      if (means?.(answer) === true) return answer;
      if (answer.status === 429)
        throw new Problem('platform-busy', { retryAfter: waitAfter429(answer, clock.now()) });
      const cause = new Error(`status ${answer.status}`);
      if (answer.status >= 500) {
        const retryAfter = retryAfterSeconds(answer, clock.now());
        const answerLost = request.method !== 'GET';
        throw new Problem('platform-unreachable', { cause, retryAfter, answerLost });
      }
      if (answer.status >= 300 && answer.status < 400) throw new Problem('platform-unreadable', { cause });
      return answer;
    }, caller);
  };

  const attempt = (lane: Lane, call: Call, signal: AbortSignal): Promise<Answer> => {
    const { priority = 'person', permits, turnOf, means } = call;
    const isFirst = call.isFirst === true || priority === 'withdrawal';
    const admission = { priority, permits, turnOf, isFirst, signal, caller: call.signal, means };
    const held = tokensFor(lane.scope);
    return admitted(lane, admission, async (admittedAt) => {
      const once = (token: string): Promise<Answer> => {
        const headers = {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...call.headers,
        };
        const body = call.body === undefined ? undefined : JSON.stringify(call.body);
        return send(lane, admission, { method: lane.method, path: prefix + call.path, headers, body });
      };
      const token = await held.get(signal);
      // A call that waited long for a connection or a token would reach the platform in a later minute than
      // counted.
      if (admittedAt !== undefined && pacer?.isFresh(admittedAt) === false)
        await pacer.admit(lane.name, { priority, calls: permits === 2 ? 2 : 1, signal });
      const answer = await once(token);
      if (answer.status !== 401 || !held.refused(token)) return answer;
      const fresh = await held.get(signal);
      // A call that must follow another at once (`permits: 0`) does not wait here either.
      if (permits !== 0) await pacer?.admit(lane.name, { priority, signal });
      const second = await once(fresh);
      if (second.status === 401) held.deny();
      return second;
    });
  };

  const measured = async (name: OperationName, run: () => Promise<Answer>): Promise<Answer> => {
    const startedAt = performance.now();
    let outcome = 'unexpected';
    try {
      const answer = await run();
      outcome = isDenied(answer) ? 'platform-denied' : 'ok';
      return answer;
    } catch (fault) {
      if (fault instanceof Problem) outcome = fault.code;
      throw fault;
    } finally {
      metrics?.call(name, outcome, performance.now() - startedAt);
    }
  };

  return {
    async call(name: OperationName, call: Call): Promise<Answer> {
      const lane = lanes[name];
      const deadline = AbortSignal.timeout(timeouts[lane.deadline]);
      const signal = call.signal === undefined ? deadline : AbortSignal.any([deadline, call.signal]);
      const answer = await measured(name, async () => {
        try {
          const answered = await attempt(lane, call, signal);
          budget.success();
          return answered;
        } catch (fault) {
          // A write whose answer was lost may have been carried out.
          if (lane.method !== 'GET' || !mayRepeat(fault) || !budget.take()) throw fault;
          await pause(50 + random() * 200, undefined, { signal }).catch(() => undefined);
          return await attempt(lane, call, signal);
        }
      });
      if (isDenied(answer))
        throw new Problem('platform-denied', { cause: new Error(`status ${answer.status}`) });
      return answer;
    },
    /** Fetches a token; throws the Problem if the platform gives none. */
    async signIn(): Promise<void> {
      await tokensFor('CONSENT').get(AbortSignal.timeout(timeouts.token));
    },
    async close(): Promise<void> {
      pacer?.close();
      await Promise.all(Object.values(bulkheads).map(({ pool }) => pool.destroy()));
    },
  };
}

function isDenied({ status }: Answer): boolean {
  return status === 401 || status === 403;
}

/** True if the platform could not be reached, and named no Retry-After: such a failure may be short. */
function mayRepeat(fault: unknown): boolean {
  return (
    fault instanceof Problem &&
    fault.code === 'platform-unreachable' &&
    fault.retryAfter === undefined &&
    !(fault.cause instanceof BreakerOpen)
  );
}

/** The JSON of a successful answer. Throws platform-refused for an error status. */
export function successJson({ status, body }: Answer, crowding?: number): unknown {
  if (status >= 400) throw new Problem('platform-refused', { cause: new Error(`status ${status}`) });
  return readJson(body, crowding);
}
