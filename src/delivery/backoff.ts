import { Problem, type ProblemCode } from '../core/model/problem.ts';
import { backoffMs } from '../queue/backoff.ts';

const firstMs = 1_000;
const longestMs = 300_000;

/** Milliseconds to wait after a refusal by the platform: a person has to change a setting first. */
const refused = 300_000;

/** Milliseconds to the next try: 1 s … 5 min with full jitter, and never before a Retry-After has ended. */
export function retryDelay(retry: { attempts: number; problem: unknown; jitter: () => number }): number {
  const { problem } = retry;
  const isRefused = isRefusal(codeOf(problem));
  const delay = isRefused ? refused : backoffMs({ ...retry, firstMs, longestMs }, retry.attempts);
  const asked = problem instanceof Problem ? (problem.retryAfter ?? 0) * 1_000 : 0;
  return asked > 0 ? asked + retry.jitter() * firstMs : delay;
}

export function codeOf(problem: unknown): ProblemCode {
  return problem instanceof Problem ? problem.code : 'unexpected';
}

/**
 * True if a call surely did not reach the platform: only then may a grant be sent again. A store that fails,
 * or closes, did so while the call waited for the quota.
 */
export function isUnsent(problem: unknown): boolean {
  if (!(problem instanceof Problem) || problem.answerLost) return false;
  const { code } = problem;
  return (
    code === 'platform-unreachable' ||
    code === 'platform-slow' ||
    code === 'platform-denied' ||
    code === 'overloaded' ||
    code === 'quota-used-up' ||
    code === 'store-unavailable' ||
    code === 'draining'
  );
}

/** True if the platform refused: an immediate retry changes nothing. */
export function isRefusal(code: ProblemCode): boolean {
  return code === 'platform-refused' || code === 'identifier-refused' || code === 'not-found';
}
