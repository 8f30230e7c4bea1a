import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { Problem } from '../core/model/problem.ts';
import type { CallOptions, CallPriority } from '../ports/platform.ts';
import { type Breaker, BreakerOpen, CallerLeft, createBreaker } from './breaker.ts';
import { Bulkhead } from './bulkhead.ts';
import { type Answer, exchange, readJson } from './exchange.ts';
import { type BulkheadName, bulkheadNames, type Operation, operationOf } from './operations.ts';
import { defaultLimits, defaultTimeouts, type OperationName, type PlatformOptions } from './options.ts';
import { Gate, limitFields, RetryBudget, retryAfterSeconds, saidQuota, waitAfter429 } from './rate-limit.ts';
import { createTokens, type Scope, type Tokens, tokenRequest } from './token.ts';

export interface Call {
  /** Path below the platform's address, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly priority?: CallPriority | undefined;
  readonly permits?: CallOptions['permits'];
  /** The person of the call, who keeps a turn while waiting for the quota. */
  readonly turnOf?: string | undefined;
  /** Goes before other calls of its bulkhead, like a withdrawal. */
  readonly isFirst?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Accepts an error status that has a meaning of its own: it is neither a fault nor repeated. */
  readonly means?: (answer: Answer) => boolean;
}

/**
 * Calls the platform within all limits. Returns answers that carry information (2xx, 4xx, and those that `Call.means`
 * accepts); throws Problem for any other.
 */
export interface Client {
  call(operation: OperationName, call: Call): Promise<Answer>;
  /** Fetches a token, or throws why there is none. */
  signIn(): Promise<void>;
  close(): Promise<void>;
}

interface Admission {
  readonly priority: CallPriority;
  readonly permits?: CallOptions['permits'];
  readonly turnOf?: string | undefined;
  readonly isFirst: boolean;
  readonly signal: AbortSignal;
}

interface BulkheadParts {
  readonly pool: Pool;
  readonly bulkhead: Bulkhead;
  readonly gate: Gate;
}

export function createClient(options: PlatformOptions): Client {
  const { clock, log, metrics, pacer, random = Math.random, rateLimitPrefix = 'ot' } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const limits = { ...defaultLimits, ...options.limits };
  const base = new URL(options.url);
  const prefix = base.pathname.replace(/\/+$/, '');
  const budget = new RetryBudget();
  const breakers = new Map<OperationName, Breaker>();
  const tokens = new Map<Scope | undefined, Tokens>();

  const bulkheads = new Map<BulkheadName, BulkheadParts>(
    bulkheadNames.map((name) => {
      const capacity = limits[name];
      const pool = new Pool(base.origin, {
        connections: capacity,
        pipelining: 1,
        allowH2: false,
        maxResponseSize: name === 'schemas' ? limits.schemaBytes : limits.answerBytes,
        connect: { timeout: timeouts.connect },
      });
      return [
        name,
        { pool, bulkhead: new Bulkhead({ capacity, queueLimit: limits.waiting }), gate: new Gate(clock) },
      ];
    }),
  );

  const breakerOf = (name: OperationName): Breaker => {
    let breaker = breakers.get(name);
    if (breaker === undefined) {
      breaker = createBreaker(name, { openFor: timeouts.breakerOpen, metrics });
      breakers.set(name, breaker);
    }
    return breaker;
  };

  const tokensFor = (scope: Scope): Tokens => {
    const key = options.tokenPerScope === true ? scope : undefined;
    let found = tokens.get(key);
    if (found === undefined) {
      found = createTokens({ clock, log, fetchToken: () => fetchToken(key) });
      tokens.set(key, found);
    }
    return found;
  };

  const fetchToken = async (scope: Scope | undefined): Promise<Answer> => {
    const operation = operationOf('token');
    const signal = AbortSignal.timeout(timeouts[operation.deadline]);
    const boundary = `sayso${randomBytes(16).toString('hex')}`;
    const request = tokenRequest(options, { path: `${prefix}/api/access/v1/oauth/token`, scope, boundary });
    const answer = await measured('token', () =>
      // All other calls wait for the token.
      withinBulkhead(operation, { priority: 'withdrawal', isFirst: false, signal }, ({ pool, gate }) =>
        breakerOf('token').run(() => send({ pool, gate, operation, signal }, request)),
      ),
    );
    if (answer.status >= 400)
      throw new Problem('platform-denied', { cause: new Error(`token: ${answer.status}`) });
    return answer;
  };

  const withinBulkhead = async <T>(
    operation: Operation,
    { priority, permits = 1, turnOf, isFirst, signal }: Admission,
    run: (parts: BulkheadParts & { readonly admittedAt: number | undefined }) => Promise<T>,
  ): Promise<T> => {
    const parts = bulkheads.get(operation.bulkhead);
    if (parts === undefined) throw new Error(`no bulkhead ${operation.bulkhead}`);
    parts.gate.check(isFirst);
    breakerOf(operation.name).check();
    const admittedAt =
      permits === 0
        ? undefined
        : await pacer?.admit(operation.name, { priority, calls: permits, turnOf, signal });
    const place = parts.bulkhead.enter({ priority: isFirst, signal });
    if (place !== undefined) await place;
    try {
      // A 429 or an open breaker may have come while this call waited.
      parts.gate.check(isFirst);
      return await run({ ...parts, admittedAt });
    } finally {
      parts.bulkhead.leave();
    }
  };

  /** One exchange; throws failures of the platform, so that the breaker counts them. */
  const send = async (
    to: Pick<BulkheadParts, 'pool' | 'gate'> & {
      operation: Operation;
      signal: AbortSignal;
      caller?: AbortSignal | undefined;
    },
    request: Parameters<typeof exchange>[1],
    means?: (answer: Answer) => boolean,
  ): Promise<Answer> => {
    const onHead = (head: Omit<Answer, 'body'>) => {
      pacer?.hear(to.operation.name, saidQuota(head, { prefix: rateLimitPrefix, now: clock.now() }));
      if (head.status !== 429) return;
      const seconds = waitAfter429(head, clock.now());
      to.gate.close(seconds);
      log?.warn('platform rate limit', {
        operation: to.operation.name,
        seconds,
        ...limitFields(head, rateLimitPrefix),
      });
    };
    const answer = await exchange(to.pool, request, { signal: to.signal, onHead }).catch((fault: unknown) => {
      if (to.caller?.aborted !== true) throw fault;
      const answerLost = fault instanceof Problem && fault.answerLost;
      throw new Problem('platform-slow', { cause: new CallerLeft('the caller left'), answerLost });
    });
    if (means?.(answer) === true) return answer;
    if (answer.status === 429) {
      throw new Problem('platform-busy', { retryAfter: waitAfter429(answer, clock.now()) });
    }
    if (answer.status >= 500) {
      const retryAfter = retryAfterSeconds(answer, clock.now());
      const answerLost = request.method !== 'GET';
      const cause = new Error(`status ${answer.status}`);
      throw new Problem('platform-unreachable', { cause, retryAfter, answerLost });
    }
    if (answer.status >= 300 && answer.status < 400) {
      throw new Problem('platform-unreadable', { cause: new Error(`status ${answer.status}`) });
    }
    return answer;
  };

  const attempt = (operation: Operation, call: Call, signal: AbortSignal): Promise<Answer> => {
    const priority = call.priority ?? 'person';
    const isFirst = call.isFirst === true || priority === 'withdrawal';
    const breaker = breakerOf(operation.name);
    const held = tokensFor(operation.scope);
    const { permits, turnOf } = call;
    return withinBulkhead(
      operation,
      { priority, permits, turnOf, isFirst, signal },
      async ({ pool, gate, admittedAt }) => {
        const once = (token: string): Promise<Answer> => {
          gate.check(isFirst);
          return breaker.run(() =>
            send(
              { pool, gate, operation, signal, caller: call.signal },
              {
                method: operation.method,
                path: prefix + call.path,
                headers: {
                  accept: 'application/json',
                  authorization: `Bearer ${token}`,
                  ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
                  ...call.headers,
                },
                body: call.body === undefined ? undefined : JSON.stringify(call.body),
              },
              call.means,
            ),
          );
        };
        const token = await held.get(signal);
        // A call admitted long ago, because it waited for a connection or a token, would reach the platform in another
        // minute.
        if (admittedAt !== undefined && pacer?.isFresh(admittedAt) === false) {
          await pacer.admit(operation.name, { priority, calls: permits === 2 ? 2 : 1, signal });
        }
        const answer = await once(token);
        if (answer.status !== 401 || !held.refused(token)) return answer;
        const fresh = await held.get(signal);
        // A call that must follow at once does not wait here either.
        if (permits !== 0) await pacer?.admit(operation.name, { priority, signal });
        const second = await once(fresh);
        if (second.status === 401) held.deny();
        return second;
      },
    );
  };

  const measured = async (name: OperationName, run: () => Promise<Answer>): Promise<Answer> => {
    const startedAt = performance.now();
    try {
      const answer = await run();
      metrics?.call(
        name,
        answer.status === 401 || answer.status === 403 ? 'platform-denied' : 'ok',
        performance.now() - startedAt,
      );
      return answer;
    } catch (fault) {
      metrics?.call(
        name,
        fault instanceof Problem ? fault.code : 'unexpected',
        performance.now() - startedAt,
      );
      throw fault;
    }
  };

  return {
    async call(name, call) {
      const operation = operationOf(name);
      const deadline = AbortSignal.timeout(timeouts[operation.deadline]);
      const signal = call.signal === undefined ? deadline : AbortSignal.any([deadline, call.signal]);
      const answer = await measured(name, async () => {
        try {
          const answered = await attempt(operation, call, signal);
          budget.success();
          return answered;
        } catch (fault) {
          // A write whose answer was lost may have been carried out.
          if (operation.method !== 'GET' || !mayRepeat(fault) || !budget.take()) throw fault;
          await pause(50 + random() * 200, undefined, { signal }).catch(() => undefined);
          return await attempt(operation, call, signal);
        }
      });
      if (answer.status === 401 || answer.status === 403) {
        throw new Problem('platform-denied', { cause: new Error(`status ${answer.status}`) });
      }
      return answer;
    },
    async signIn() {
      await tokensFor('CONSENT').get(AbortSignal.timeout(timeouts.token));
    },
    async close() {
      pacer?.close();
      await Promise.all([...bulkheads.values()].map(({ pool }) => pool.destroy()));
    },
  };
}

/** Only a short failure without a Retry-After. */
function mayRepeat(fault: unknown): boolean {
  return (
    fault instanceof Problem &&
    fault.code === 'platform-unreachable' &&
    fault.retryAfter === undefined &&
    !(fault.cause instanceof BreakerOpen)
  );
}

/** JSON of a successful answer. Any other status: platform-refused. */
export function successJson({ status, body }: Answer): unknown {
  if (status >= 400) {
    throw new Problem('platform-refused', { cause: new Error(`status ${status}`) });
  }
  return readJson(body);
}
