import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { Problem } from '../../src/core/model/problem.ts';
import { createPlatform, type HttpPlatform, type PlatformOptions } from '../../src/upstream/platform.ts';
import { singlePageId, subjectId } from './recorded.ts';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Scripted =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | ((response: ServerResponse) => void);

export type ScriptedPlatform = Awaited<ReturnType<typeof startScripted>>;

type Script = (seen: Seen, place: number) => Scripted | Promise<Scripted>;

/**
 * A server that answers by a script. Tokens are `token-1`, `token-2` …, unless the script answers for them.
 */
export async function startScripted(answer: Script, token?: Script) {
  /** All calls but those for a token. */
  const calls: Seen[] = [];
  const tokenCalls: Seen[] = [];
  const server = createServer(async (request, response) => {
    request.setEncoding('utf8');
    let body = '';
    for await (const chunk of request) body += chunk;
    const seen = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
    const isToken = seen.path.endsWith('/oauth/token');
    const list = isToken ? tokenCalls : calls;
    list.push(seen);
    const scripted = isToken
      ? await (token?.(seen, list.length) ?? goodToken(list.length))
      : await answer(seen, list.length);
    if (typeof scripted === 'function') return scripted(response);
    const text = typeof scripted.body === 'string' ? scripted.body : JSON.stringify(scripted.body ?? {});
    response.writeHead(scripted.status ?? 200, { 'content-type': 'application/json', ...scripted.headers });
    response.end(text);
  });
  server.on('clientError', (_fault, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    tokenCalls,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function goodToken(place: number, life: unknown = 3600): Scripted {
  return { body: { access_token: `token-${place}`, token_type: 'bearer', expires_in: life } };
}

/** A clock that moves only by `advance`. */
export function stoppedClock(start = 1_800_000_000_000): { now(): number; advance(ms: number): void } {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}

/** Collects log lines and counts, to assert on them and to search them for secrets. */
export function witness() {
  const lines: unknown[] = [];
  const outcomes: unknown[] = [];
  const states: string[] = [];
  const drops: unknown[] = [];
  return {
    lines,
    outcomes,
    states,
    drops,
    log: { warn: (event: string, fields: object) => void lines.push({ event, fields }) },
    metrics: {
      call: (operation: string, outcome: string) => void outcomes.push({ operation, outcome }),
      breaker: (operation: string, state: string) => void states.push(`${operation} ${state}`),
      dropped: (center: string, count: number) => void drops.push({ center, count }),
    },
  };
}

export const anna = subjectId('anna@example.org');
/** The answer for a person with nothing on record. */
export const emptyRecord = { body: { DataSubjectId: anna, Purposes: [] } };

/** The Problem with which a call fails. */
export async function faultOf(call: Promise<unknown>): Promise<Problem> {
  const fault = await call.then(
    () => assert.fail('the call succeeded'),
    (error: unknown) => error,
  );
  assert.ok(fault instanceof Problem, String(fault));
  return fault;
}

/** The code of the fault, or `ok`. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  const isAnswered = await call.then(
    () => true,
    () => false,
  );
  return isAnswered ? 'ok' : (await faultOf(call)).code;
}

export const secretText = 'canary-client-secret';

export function platformAt(url: string, options: Partial<PlatformOptions> = {}): HttpPlatform {
  return createPlatform({
    url,
    clientId: 'client-7',
    clientSecret: { reveal: () => secretText },
    clock: stoppedClock(),
    random: () => 0,
    ...options,
  });
}

/** A platform over a scripted server; both are closed after the test, or with `await using`. */
export async function openPlatform(
  t: Pick<TestContext, 'after'> | undefined,
  script: {
    /** The script of the answers; by default, nothing is on record. */
    readonly answer?: Script;
    readonly token?: Script;
    readonly options?: Partial<PlatformOptions>;
  },
) {
  const server = await startScripted(script.answer ?? (() => emptyRecord), script.token);
  const platform = platformAt(server.url, script.options);
  const close = async () => {
    await platform.close();
    await server.close();
  };
  t?.after(close);
  return {
    platform,
    server,
    [Symbol.asyncDispose]: close,
    // The calls of one person.
    read: (options?: Parameters<HttpPlatform['readSubject']>[2]) =>
      platform.readSubject(singlePageId, anna, options),
    withdraw: () => platform.withdrawAll(singlePageId, anna),
    update: (options?: Parameters<HttpPlatform['updateConsent']>[3]) =>
      platform.updateConsent(singlePageId, anna, noUpdate, options),
  };
}

const noUpdate = { purposes: [], dataElements: {}, language: undefined };
