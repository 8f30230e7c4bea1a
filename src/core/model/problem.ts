/** Every fault that has a name. Only `web/errors.ts` says how each looks. */
export type ProblemCode =
  | 'not-found'
  | 'bad-request'
  | 'form-refused'
  | 'cross-site'
  | 'sandboxed-frame'
  | 'not-signed-in'
  | 'link-expired'
  | 'link-invalid'
  | 'not-allowed'
  | 'nonce-reused'
  | 'too-many-requests'
  | 'too-large'
  | 'too-slow'
  | 'encoded-body'
  | 'identifier-refused'
  | 'keys-unreachable'
  | 'platform-unreachable'
  | 'platform-slow'
  | 'platform-busy'
  | 'quota-used-up'
  | 'platform-refused'
  | 'platform-unreadable'
  | 'platform-denied'
  | 'wrong-subject'
  | 'store-unavailable'
  | 'overloaded'
  | 'draining'
  | 'unexpected';

/**
 * A fault with a name. `retryAfter` in seconds, if known; `cause` stays in the log. `answerLost`: the call may have
 * been carried out, only its answer is missing.
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
