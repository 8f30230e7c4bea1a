import { FormData } from 'undici';
import { z } from 'zod';
import { Problem } from '../core/model/problem.ts';
import { type Answer, type Request, readJson } from './exchange.ts';
import type { Scope } from './operations.ts';
import type { PlatformOptions } from './options.ts';

type Token = ReturnType<typeof readToken>;

const defaultLife = 300;
const longestLife = 366 * 86_400;
/** Milliseconds until a renewal is tried again after it failed, or after fresh tokens were refused. */
const firstPause = 1_000;
const longestPause = 30_000;
const denialPause = 10_000;

export type Tokens = ReturnType<typeof createTokens>;

/**
 * Holds one access token, which is fetched once for all waiting callers. The token is renewed at 80 % of its
 * life, and serves until the new one is there.
 */
export function createTokens(
  /** POST to the token endpoint, under its own limits; throws Problem. */
  fetchToken: () => Promise<Answer>,
  { clock, log }: Pick<PlatformOptions, 'clock' | 'log'>,
) {
  let current: Token | undefined;
  let fetching: Promise<Token> | undefined;
  /** The last failed renewal, until one succeeds. */
  let failed: { readonly problem: Problem; readonly times: number; readonly mayTryAt: number } | undefined;
  let deniedUntil = 0;

  const fetchOnce = () => (fetching ??= load().finally(() => (fetching = undefined)));

  const load = async (): Promise<Token> => {
    const askedAt = clock.now();
    try {
      current = readToken(await fetchToken(), askedAt);
      failed = undefined;
      return current;
    } catch (fault) {
      const problem = withNothingLost(fault);
      const times = (failed?.times ?? 0) + 1;
      const pauseMs = Math.min(firstPause * 2 ** (times - 1), longestPause);
      failed = { problem, times, mayTryAt: clock.now() + pauseMs };
      log?.warn('platform token not renewed', { outcome: problem.code, failures: times });
      throw problem;
    }
  };

  /** The problem because of which no renewal is tried yet. */
  const pausing = () => (failed !== undefined && clock.now() < failed.mayTryAt ? failed.problem : undefined);

  return {
    async get(signal: AbortSignal): Promise<string> {
      const now = clock.now();
      if (current !== undefined && now < current.endsAt) {
        if (now >= current.renewAt && pausing() === undefined) fetchOnce().catch(() => undefined);
        return current.value;
      }
      const why = fetching === undefined ? pausing() : undefined;
      if (why !== undefined) throw why;
      return (await untilAborted(fetchOnce(), signal)).value;
    },
    /**
     * Notes that the platform answered 401 to this token. Returns false if a fresh token was refused, too, so
     * that another one would not help.
     */
    refused(token: string): boolean {
      if (clock.now() < deniedUntil) return false;
      if (current?.value === token) current = undefined;
      return true;
    },
    /** Notes that a token fetched after a refusal was refused, too. */
    deny(): void {
      deniedUntil = clock.now() + denialPause;
    },
  };
}

/** The fault as a Problem whose answer is not lost, because the waiting call was not sent. */
function withNothingLost(fault: unknown): Problem {
  if (!(fault instanceof Problem)) return new Problem('platform-unreachable');
  return new Problem(fault.code, { cause: fault.cause, retryAfter: fault.retryAfter });
}

const tokenShape = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,16384}$/),
  expires_in: z
    .union([z.number(), z.string().trim().min(1).transform(Number)])
    .pipe(z.number().positive())
    .catch(defaultLife),
});

function readToken(answer: Answer, askedAt: number) {
  const read = tokenShape.safeParse(readJson(answer.body));
  if (!read.success)
    throw new Problem('platform-unreadable', { cause: new Error('the token answer has no token') });
  const life = Math.min(read.data.expires_in, longestLife) * 1_000;
  return { value: read.data.access_token, renewAt: askedAt + life * 0.8, endsAt: askedAt + life };
}

/** The request for a token, in one of three styles (docs/platform-api.md, Token). */
export function tokenRequest(
  { clientId, clientSecret, tokenStyle = 'multipart' }: PlatformOptions,
  { path, scope }: { path: string; scope: Scope | undefined },
): Request {
  const grant = { grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) };
  const client = { client_id: clientId, client_secret: clientSecret.reveal() };
  const accept = 'application/json';
  if (tokenStyle === 'multipart') {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...grant, ...client })) body.append(name, value);
    return { method: 'POST', path, headers: { accept }, body };
  }
  const isBasic = tokenStyle === 'basic';
  const basic = btoa(`${encodeURIComponent(client.client_id)}:${encodeURIComponent(client.client_secret)}`);
  return {
    method: 'POST',
    path,
    headers: {
      accept,
      'content-type': 'application/x-www-form-urlencoded',
      ...(isBasic ? { authorization: `Basic ${basic}` } : {}),
    },
    body: new URLSearchParams(isBasic ? grant : { ...grant, ...client }).toString(),
  };
}

/** Waits for a shared promise, no longer than the signal; the shared work goes on. */
export function untilAborted<T>(shared: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(new Problem('platform-slow', { cause: new Error('waited too long') }));
    if (signal.aborted) return leave();
    signal.addEventListener('abort', leave, { once: true });
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
