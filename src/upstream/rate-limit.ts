import { Problem } from '../core/model/problem.ts';
import type { Clock } from '../ports/clock.ts';
import { type Answer, header } from './exchange.ts';
import type { SaidQuota } from './quota-said.ts';

const longest = 24 * 3_600;
const defaultWait = 5;
/** Milliseconds for which a reopened gate lets only calls with priority pass, such as withdrawals. */
const headStart = 1_000;

/**
 * Obeys Retry-After in full: after a 429 no call of the bulkhead goes out until its end. Then withdrawals go
 * first.
 */
export function createGate(clock: Clock) {
  let opensAt = Number.NEGATIVE_INFINITY;
  return {
    close(seconds: number): void {
      opensAt = Math.max(opensAt, clock.now() + seconds * 1_000);
    },
    /** Throws platform-busy with the seconds left. */
    check(priority: boolean): void {
      const leftMs = opensAt + (priority ? 0 : headStart) - clock.now();
      if (leftMs > 0) throw new Problem('platform-busy', { retryAfter: Math.ceil(leftMs / 1_000) });
    },
  };
}

/** Whole seconds of a Retry-After: a number, or a date measured by the answer's own Date. */
export function retryAfterSeconds(answer: Pick<Answer, 'headers'>, now: number): number | undefined {
  const text = header(answer, 'retry-after')?.trim() ?? '';
  if (/^\d{1,12}(\.\d+)?$/.test(text)) return bounded(Number(text));
  // An HTTP date begins with a letter; Date.parse would accept other texts.
  const at = /^[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  const sent = Date.parse(header(answer, 'date') ?? '');
  return bounded((at - (Number.isNaN(sent) ? now : sent)) / 1_000);
}

export function waitAfter429(answer: Pick<Answer, 'headers'>, now: number): number {
  return retryAfterSeconds(answer, now) ?? defaultWait;
}

function bounded(seconds: number): number {
  return Math.min(Math.max(Math.ceil(seconds), 1), longest);
}

/** The quota as an answer tells it; on live platforms only a 429 does. */
export function saidQuota(answer: Omit<Answer, 'body'>, prefix: 'ot' | 'svc', now: number): SaidQuota {
  const fields = limitFields(answer, prefix);
  const count = (name: string) => {
    const text = fields[name] ?? '';
    return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  const period = fields['period'];
  return {
    period: period === 'MINUTE' || period === 'HOUR' ? period : undefined,
    allowed: count('requests-allowed'),
    made: count('request-made'),
    waitSeconds: answer.status === 429 ? waitAfter429(answer, now) : undefined,
  };
}

/** The limit headers of a 429, under either prefix (docs/platform-api.md, Rate limits). */
export function limitFields(answer: Pick<Answer, 'headers'>, prefix: 'ot' | 'svc'): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of ['period', 'ratelimit-event-id', 'request-made', 'requests-allowed']) {
    const other = prefix === 'ot' ? 'svc' : 'ot';
    const value = header(answer, `${prefix}-${name}`) ?? header(answer, `${other}-${name}`);
    if (value !== undefined && /^[\w-]{1,64}$/.test(value)) fields[name] = value;
  }
  return fields;
}

/** Allows one repetition for ten successes. If everything fails, nothing is repeated. */
export class RetryBudget {
  #budget = 1;

  success(): void {
    this.#budget = Math.min(this.#budget + 0.1, 5);
  }

  take(): boolean {
    if (this.#budget < 1) return false;
    this.#budget -= 1;
    return true;
  }
}
