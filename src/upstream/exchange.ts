import { errors, type FormData, type Pool } from 'undici';
import { faultCode } from '../core/model/fault-code.ts';
import { Problem } from '../core/model/problem.ts';

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Bytes of the body; undefined if the body of an error answer could not be read. */
  readonly body: Uint8Array | undefined;
}

/** A header of an answer, the first if there are several. */
export function header(answer: Pick<Answer, 'headers'>, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * Sends one request and reads its whole answer before the signal ends. Follows no redirect, repeats nothing
 * and caches nothing. Throws platform-slow, platform-unreachable or platform-unreadable; returns an answer of
 * any status. `onHead` gets status and headers before the body arrives.
 */
export async function exchange(
  pool: Pool,
  request: Request,
  { signal, onHead }: { signal: AbortSignal; onHead: (head: Omit<Answer, 'body'>) => void },
): Promise<Answer> {
  try {
    const asked = { ...request, body: request.body ?? null, signal };
    const { statusCode: status, headers, body } = await pool.request(asked);
    onHead({ status, headers });
    if (status < 400) return { status, headers, body: await body.bytes() };
    return { status, headers, body: await body.bytes().catch(() => undefined) };
  } catch (fault) {
    throw faultOf(fault, { signal, method: request.method });
  }
}

/** The cause of a Problem: an answer exceeds a limit of ours. */
export class TooLarge extends Error {}

/** The Problem of an answer that exceeds a limit. `what` contains no text of the answer. */
export function tooLarge(what: string): Problem {
  return new Problem('platform-unreadable', { cause: new TooLarge(what) });
}

/**
 * The largest answer that is parsed; objects and members are counted by brackets and commas. Schemas of
 * thousands of purposes hold less.
 */
const most = { objects: 50_000, members: 200_000 };

/**
 * The share of these limits that an answer uses. Counting takes a few milliseconds, where parsing would cost
 * many times as much, and stops above 1. The loop goes by index: for 4 MiB it takes a fifth of the CPU of an
 * iterator.
 */
export function crowdingOf(body: Uint8Array = new Uint8Array()): number {
  let objects = 0;
  let members = 0;
  for (let at = 0; at < body.length && objects <= most.objects && members <= most.members; at += 1) {
    const byte = body[at];
    if (byte === 0x7b) objects += 1;
    else if (byte === 0x2c || byte === 0x5b) members += 1;
  }
  return Math.max(objects / most.objects, members / most.members);
}

/**
 * The JSON of an answer; throws platform-unreadable, without any text of the answer. `crowding`: passed if it
 * is known.
 */
export function readJson(body: Uint8Array | undefined, crowding = crowdingOf(body)): unknown {
  if (crowding > 1) throw tooLarge('the answer has too many members');
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    throw new Problem('platform-unreadable', { cause: new Error('the answer is not JSON') });
  }
}

const decoder = new TextDecoder();

/** Codes of failed connections, after which nothing was sent. */
const unsent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Faults of undici can carry addresses and headers: only the fault's own code is kept. */
function faultOf(fault: unknown, { signal, method }: { signal: AbortSignal; method: string }): Problem {
  if (fault instanceof Problem) return fault;
  const code = codeOf(fault);
  const isLarge = fault instanceof errors.ResponseExceededMaxSizeError;
  const about = {
    cause: isLarge ? new TooLarge(code) : new Error(code),
    answerLost: method !== 'GET' && !unsent.has(code),
  };
  if (signal.aborted || slow.some((kind) => fault instanceof kind))
    return new Problem('platform-slow', about);
  if (unreadable.some((kind) => fault instanceof kind)) return new Problem('platform-unreadable', about);
  return new Problem('platform-unreachable', about);
}

const slow = [errors.HeadersTimeoutError, errors.BodyTimeoutError, errors.ConnectTimeoutError];
const unreadable = [errors.ResponseExceededMaxSizeError, errors.HTTPParserError, errors.HeadersOverflowError];

function codeOf(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unknown fault';
  const code = faultCode(fault) ?? '';
  return /^[A-Z_0-9]{1,60}$/.test(code) ? code : fault.name;
}
