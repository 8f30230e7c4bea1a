import type { Request, RequestHandler, Response } from 'express';
import { readBody, readJson } from './body.ts';
import { type CallLog, describeRequest, queryOf } from './calls.ts';
import type { Fault, Faults, Lag } from './faults.ts';
import { readIdentifier } from './identifier.ts';
import { isTooDeep, type Json, parseJson } from './json.ts';
import type { LateCalls, Wait } from './late-calls.ts';
import type { Operation, Scope } from './operations.ts';
import { type HeaderPrefix, type QuotaGuard, tooMany } from './quota.ts';
import { Refusal } from './refusal.ts';
import { type Tokens, unauthorized } from './token.ts';

/** One call, passed to a handler. */
export interface Call {
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly identifier: string | undefined;
  /** The fault that strikes; a handler itself performs `refuse`, `ignore` and `unknown-subject`. */
  readonly fault: Fault | undefined;
  /** Lags that decide how old the state is that the call reads. */
  readonly lags: readonly Lag[];
  parameter(name: string): string;
  /** Parses the body as JSON; throws 400 or 415. */
  json(): Json;
}

/** A handler's answer: `body` to write as JSON, or `text` that is JSON already. */
export interface Answer {
  readonly status?: number;
  readonly body?: Json | undefined;
  readonly text?: string;
  readonly headers?: Record<string, string>;
}

export type Handler = (call: Call) => Answer | Promise<Answer>;

/** Wraps each handler: faults, token, scope and quota come before it, the log of calls after it. */
export type Endpoint = (operation: Operation, scopes: readonly Scope[], handler: Handler) => RequestHandler;

export interface EndpointParts {
  readonly tokens: Tokens;
  readonly faults: Faults;
  readonly calls: CallLog;
  readonly quotaGuard: QuotaGuard;
  readonly prefix: HeaderPrefix;
  readonly now: () => Date;
  readonly wait: Wait;
  readonly lateCalls: LateCalls;
  /** Aborts when the sandbox closes; ends all waits. */
  readonly closing: AbortSignal;
  readonly log: (line: string) => void;
}

interface Sent {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Thrown to send no answer: the connection is cut or, with `silent`, left open. */
class Unanswered extends Error {
  readonly silent: boolean;
  constructor({ silent }: { silent: boolean }) {
    super('No answer');
    this.silent = silent;
  }
}

export function createEndpoint(parts: EndpointParts): Endpoint {
  const { tokens, faults, calls, quotaGuard, now } = parts;

  async function answer(
    call: Call,
    operation: Operation,
    scopes: readonly Scope[],
    handler: Handler,
  ): Promise<Sent> {
    if (call.fault?.when === 'before') strike(call.fault, parts.prefix);
    if (call.fault?.kind === 'garbage' && call.fault.when === 'before' && !call.fault.truncate)
      return garbage(call.fault);
    // The token endpoint needs no token; a receipt carries another kind of token in its body.
    const isOpen = scopes.length === 0;
    const counted = quotaGuard.admit(
      isOpen ? tokens.client : tokens.admit(call.request.headers.authorization, scopes),
      operation,
      now(),
    );
    const answered =
      call.fault?.kind === 'late' ? await late(call, call.fault, handler) : write(await handler(call));
    const sent = { ...answered, headers: { ...answered.headers, ...counted } };
    if (call.fault?.when === 'after') strike(call.fault, parts.prefix);
    if (call.fault?.kind !== 'garbage') return sent;
    return call.fault.truncate
      ? { ...sent, text: sent.text.slice(0, sent.text.length / 2) }
      : garbage(call.fault);
  }

  /** Delays the handler. Without an answer, the client cannot know whether the call was refused. */
  async function late(call: Call, fault: Fault, handler: Handler): Promise<Sent> {
    const sent = parts.lateCalls.add(fault.milliseconds, async () => write(await handler(call)));
    if (fault.answer === 'late') return sent;
    sent.catch((reason: unknown) => {
      if (!(reason instanceof Refusal) && !parts.closing.aborted)
        parts.log(`sandbox: late: ${String(reason)}`);
    });
    throw new Unanswered({ silent: fault.answer === 'never' });
  }

  return (operation, scopes, handler) => async (request, response) => {
    const at = now().toISOString();
    const query = new URLSearchParams(queryOf(request.originalUrl));
    const identifier = readIdentifier(request.headers['identifier'], query.get('identifier') ?? undefined);
    let body: Buffer = Buffer.alloc(0);
    let sent: Sent | undefined;
    let silent = false;
    try {
      if (request.method === 'POST' || request.method === 'PUT') body = await readBody(request);
      const mishap = faults.strike(operation, { identifier, path: request.path });
      if (mishap.delay > 0) await parts.wait(mishap.delay, parts.closing);
      const call = makeCall({ request, query, body, identifier, fault: mishap.fault, lags: mishap.lags });
      sent = await answer(call, operation, scopes, handler);
    } catch (fault) {
      if (fault instanceof Refusal) sent = write(fault);
      else if (fault instanceof Unanswered) silent = fault.silent;
      else if (!parts.closing.aborted) throw fault;
    } finally {
      calls.record({
        ...describeRequest(request),
        at,
        operation,
        identifier,
        body: operation === 'token' ? undefined : shown(body),
        status: sent?.status ?? 0,
      });
    }
    if (sent !== undefined) send(response, sent);
    else if (!silent) request.socket.destroy();
  };
}

function makeCall(parts: Omit<Call, 'parameter' | 'json'>): Call {
  return {
    ...parts,
    parameter: (name) => String(parts.request.params[name] ?? ''),
    json() {
      checkType(parts.request.headers['content-type']);
      return readJson(parts.body.toString());
    },
  };
}

/** Accepts a missing type: many clients send none. */
function checkType(given: string | undefined): void {
  const type = (given ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === '' || /^application\/([\w.-]+\+)?json$/.test(type)) return;
  throw new Refusal(415, `A body is application/json, not ${type}`);
}

/** Throws the answer of the fault; other kinds are handled elsewhere. */
function strike(fault: Fault, prefix: HeaderPrefix): void {
  if (fault.kind === 'drop') throw new Unanswered({ silent: false });
  if (fault.kind === '401') throw unauthorized('The access token is not valid');
  if (fault.kind === '500')
    throw new Refusal(fault.status, 'Something went wrong in the sandbox, as it was told to');
  if (fault.kind !== '429') return;
  const { period, retryAfter, allowed } = fault;
  throw tooMany(prefix, { period, retryAfter, made: allowed + 1, allowed });
}

function garbage(fault: Fault): Sent {
  return { status: fault.status, headers: { 'Content-Type': fault.contentType }, text: fault.body };
}

function write(answer: Answer): Sent {
  const text = answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body));
  return {
    status: answer.status ?? 200,
    headers: { ...(text === '' ? {} : { 'Content-Type': 'application/json' }), ...answer.headers },
    text,
  };
}

function send(response: Response, { status, headers, text }: Sent): void {
  response.writeHead(status, {
    ...headers,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  response.end(text);
}

/** The log of calls holds only the length of a longer body. */
const SHOWN_BYTES = 64 * 1024;

function shown(body: Buffer): Json | undefined {
  if (body.length === 0) return undefined;
  if (body.length > SHOWN_BYTES) return `(${body.length} bytes)`;
  const source = body.toString();
  if (isTooDeep(source)) return source;
  try {
    return parseJson(source);
  } catch {
    return source;
  }
}
