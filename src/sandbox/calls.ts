import type { IncomingMessage } from 'node:http';
import type { Json } from './json.ts';
import type { Operation } from './operations.ts';

/** One call with its answer; `status` is 0 when no answer was sent. */
export interface CallEntry {
  readonly number: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** The query string with its secrets hidden; undefined when the address has none. */
  readonly query: string | undefined;
  /** Headers that describe the body and the caller, never a credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined when the path is unknown, or has no such method. */
  readonly operation?: Operation | undefined;
  readonly identifier?: string | undefined;
  readonly body?: Json | undefined;
  readonly status: number;
}

/** The most recent calls, oldest first. */
export interface CallLog {
  record(call: Omit<CallEntry, 'number'>): void;
  list(): CallEntry[];
  clear(): void;
}

const NAMED_HEADERS = [
  'accept',
  'accept-language',
  'content-length',
  'content-type',
  'identifier',
  'traceparent',
  'user-agent',
];

const SECRET_PARAMETER =
  /secret|token|passw|pwd|assertion|auth|bearer|jwt|credential|(api|access).?key|^key$/i;
/** Finds a secret by its form under any name: `Bearer …`, `Basic …`, or a JSON Web Token. */
const SECRET_VALUE = /^(bearer|basic) |^ey[\w-]+\.[\w-]+\.[\w-]*$/i;

/** The parts of a request that the log of calls may keep. */
export function describeRequest(
  request: IncomingMessage & { readonly path: string; readonly originalUrl: string },
): Pick<CallEntry, 'method' | 'path' | 'query' | 'headers'> {
  const source = queryOf(request.originalUrl);
  return {
    method: request.method ?? '',
    path: request.path,
    query: source === '' ? undefined : withoutSecrets(source),
    headers: Object.fromEntries(
      NAMED_HEADERS.flatMap((name) => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, String(value)]];
      }),
    ),
  };
}

export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

function withoutSecrets(query: string): string {
  const parameters = [...new URLSearchParams(query)];
  const isSecret = ([name, value]: [string, string]) =>
    SECRET_PARAMETER.test(name) || SECRET_VALUE.test(value);
  if (!parameters.some(isSecret)) return query;
  const kept = parameters.map(([name, value]): [string, string] =>
    isSecret([name, value]) ? [name, '(hidden)'] : [name, value],
  );
  return new URLSearchParams(kept).toString();
}

export function createCallLog(capacity = 2000): CallLog {
  let ring: CallEntry[] = [];
  let next = 0;
  let number = 0;
  return {
    record(call) {
      number += 1;
      ring[next] = { number, ...call };
      next = (next + 1) % capacity;
    },
    list: () => (ring.length < capacity ? [...ring] : [...ring.slice(next), ...ring.slice(0, next)]),
    clear() {
      ring = [];
      next = 0;
    },
  };
}
