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
  /** undefined: the body of an error answer could not be read. */
  readonly body: Uint8Array | undefined;
}

/** A header of an answer, the first if there are several. */
export function header(answer: Pick<Answer, 'headers'>, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * One request and its whole answer, within the signal. No redirects, no repetition, no cache. Throws platform-slow,
 * platform-unreachable or platform-unreadable; any status is an answer. `onHead` gets status and headers before the
 * body has come.
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

/** Why an answer that exceeds a limit of ours is not read. */
export class TooLarge extends Error {}

/** `what` contains nothing of the answer. */
export function tooLarge(what: string): Problem {
  return new Problem('platform-unreadable', { cause: new TooLarge(what) });
}

/** The limits of one answer, counted by brackets and commas. Schemas of thousands of purposes hold less. */
const most = { objects: 50_000, members: 200_000 };

/**
 * The share of these limits: counts in a few milliseconds, where parsing would cost many times as much. Above 1 it
 * counts no further. By index: of 4 MiB, a fifth of the CPU of an iterator.
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

/** JSON of an answer, or platform-unreadable. The text never reaches the message. `crowding`: where it is known. */
export function readJson(body: Uint8Array | undefined, crowding = crowdingOf(body)): unknown {
  if (crowding > 1) throw tooLarge('the answer has too many members');
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    throw new Problem('platform-unreadable', { cause: new Error('the answer is not JSON') });
  }
}

const decoder = new TextDecoder();

/** Codes of failed connections: nothing was sent. */
const unsent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** undici's faults can carry addresses and headers: only the fault's own code is kept. */
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
