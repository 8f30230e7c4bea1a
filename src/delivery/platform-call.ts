import { type DesiredCenter, purposeOf, wordsIn } from '../core/consent/desired-state.ts';
import type { MadeCall } from '../core/consent/person.ts';
import type { CallEnd, Plan } from '../core/consent/step-call.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import type { ConsentAnswer, ConsentUpdate } from '../core/model/submission/consent-update.ts';
import type { CallOptions, Platform } from '../ports/platform.ts';
import { codeOf, isRefusal, isUnsent } from './backoff.ts';
import { priorityOf } from './priority.ts';

export interface CallMadeNow {
  readonly end: CallEnd;
  /** The fault of the call; undefined: it was answered. */
  readonly problem: unknown;
}

/**
 * Makes the call of a plan. A refusal is recorded by a PUT that includes the assumed purpose, and at once one
 * without it, even if the answer to the first was lost. The first is made only if the quota has room for
 * both.
 */
export async function makeCall(
  platform: Pick<Platform, 'updateConsent' | 'withdrawAll'>,
  call: {
    readonly center: string;
    readonly subject: SubjectId;
    readonly plan: Plan;
    readonly isOften: boolean;
  },
): Promise<CallMadeNow> {
  const { center, subject, plan } = call;
  const { update, refusals } = plan;
  const priority = priorityOf(plan, call.isOften);
  const isPair = refusals.length > 0 && update !== undefined;

  function send(given: ConsentUpdate | undefined, options: CallOptions): Promise<ConsentAnswer> {
    return given === undefined
      ? platform.withdrawAll(center, subject, options)
      : platform.updateConsent(center, subject, given, options);
  }

  let lost: CallMadeNow | undefined;
  if (isPair) {
    const assumed = refusals.map((id) => ({ id, topics: [], preferences: [] }));
    try {
      await send({ ...update, purposes: [...update.purposes, ...assumed] }, { priority, permits: 2 });
    } catch (problem) {
      const failed = { end: endOf(problem), problem };
      if (failed.end.kind !== 'lost') return failed;
      lost = failed;
    }
  }
  try {
    const answer = await send(update, isPair ? { priority, permits: 0 } : { priority });
    return lost ?? { end: { kind: 'answered', answer }, problem: undefined };
  } catch (problem) {
    // The first PUT of a pair has switched the purpose on.
    return lost ?? { end: isPair ? { kind: 'lost' } : endOf(problem), problem };
  }
}

/** Submissions whose words the call carries out. */
export function callersOf(center: DesiredCenter, { order }: Plan): ReadonlySet<string> {
  return new Set(wordsIn(center).flatMap(({ by, call }) => (call === order ? by : [])));
}

/** The calls as they are kept with these submissions. */
export function callsOf({ order, update, refusals, keys }: Plan, at: number): readonly MadeCall[] {
  const changes = keys.map((key) => {
    const purpose = purposeOf(key);
    return purpose === '' ? key.replace('element ', 'data-element:') : `purpose:${purpose}`;
  });
  const call = {
    order,
    at,
    update,
    answer: undefined,
    problem: undefined,
    changes: [...new Set(changes)],
    kind: update === undefined ? ('delete' as const) : ('put' as const),
  };
  const last: MadeCall = { ...call, why: 'change' };
  return refusals.length === 0 ? [last] : [{ ...call, why: 'record-refusal' }, last];
}

/** The first few calls and the latest: a withdrawal may be tried for days. */
export function bounded(calls: readonly MadeCall[]): readonly MadeCall[] {
  return calls.length > 50 ? [...calls.slice(0, 10), ...calls.slice(-40)] : calls;
}

function endOf(problem: unknown): CallEnd {
  const code = codeOf(problem);
  if (isUnsent(problem) || code === 'platform-busy') return { kind: 'nothing-done' };
  return isRefusal(code) ? { kind: 'refused' } : { kind: 'lost' };
}
