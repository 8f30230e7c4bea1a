/**
 * Every named fault and its answer: the HTTP status, the level in the log, and the seconds to wait before a
 * retry unless the fault states them. The platform's own status is never passed on.
 */
export const problems = {
  'not-found': { status: 404, level: 'info' },
  'bad-request': { status: 400, level: 'info' },
  'form-refused': { status: 400, level: 'warn' },
  'cross-site': { status: 403, level: 'warn' },
  'sandboxed-frame': { status: 403, level: 'warn' },
  'not-signed-in': { status: 401, level: 'info' },
  'link-expired': { status: 410, level: 'info' },
  'link-invalid': { status: 400, level: 'warn' },
  'not-allowed': { status: 403, level: 'warn' },
  'nonce-reused': { status: 409, level: 'warn' },
  'too-many-requests': { status: 429, level: 'warn', retryAfter: 60 },
  'too-large': { status: 413, level: 'info' },
  'too-slow': { status: 408, level: 'info', told: 'bad-request' },
  'encoded-body': { status: 415, level: 'info', told: 'bad-request' },
  'identifier-refused': { status: 400, level: 'info' },
  'keys-unreachable': { status: 503, level: 'error', retryAfter: 30, told: 'platform-unreachable' },
  'platform-unreachable': { status: 503, level: 'error', retryAfter: 30 },
  'platform-slow': { status: 503, level: 'error', retryAfter: 30, told: 'platform-unreachable' },
  'platform-busy': { status: 503, level: 'warn', retryAfter: 30 },
  'quota-used-up': { status: 503, level: 'info', retryAfter: 10, told: 'platform-busy' },
  'platform-refused': { status: 502, level: 'error', told: 'unexpected' },
  'platform-unreadable': { status: 502, level: 'error', told: 'unexpected' },
  'platform-denied': { status: 502, level: 'error', told: 'unexpected' },
  'wrong-subject': { status: 502, level: 'error', told: 'unexpected' },
  'store-unavailable': { status: 503, level: 'error', retryAfter: 10, told: 'platform-busy' },
  overloaded: { status: 503, level: 'warn', retryAfter: 5, told: 'platform-busy' },
  draining: { status: 503, level: 'info', retryAfter: 5, told: 'platform-busy' },
  unexpected: { status: 500, level: 'error' },
} as const satisfies Readonly<Record<string, ProblemAnswer>>;
export type ProblemCode = keyof typeof problems;

export interface ProblemAnswer {
  readonly status: number;
  readonly level: 'info' | 'warn' | 'error';
  readonly retryAfter?: number;
  /** The code whose texts the page shows instead, because the difference does not help a visitor. */
  readonly told?: 'bad-request' | 'platform-unreachable' | 'platform-busy' | 'unexpected';
}

/**
 * A named fault. `retryAfter`: seconds, if known. `cause` is only logged. `answerLost`: the platform may have
 * acted on the call, only its answer is missing.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly retryAfter: number | undefined;
  readonly answerLost: boolean;

  constructor(
    code: ProblemCode,
    options: { cause?: unknown; retryAfter?: number | undefined; answerLost?: boolean | undefined } = {},
  ) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.answerLost = options.answerLost ?? false;
  }
}
