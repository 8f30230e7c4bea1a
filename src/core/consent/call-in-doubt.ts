import type { CallMade, Work } from '../model/journal-entry.ts';

/** How long a call without an answer stays in doubt, and what was said here is looked at. */
export const believedFor = 10 * 60_000;

/** Milliseconds within which a platform may still show what was before a write that it answered. */
export const usualLag = 10_000;

/** A call without an answer of which nobody knows that it did nothing. */
export function isInDoubt(call: CallMade | undefined): boolean {
  return call !== undefined && call.answer === undefined && !didNothing(call);
}

/** The platform said itself that it did nothing. */
export function didNothing({ problem, isUnsent }: CallMade): boolean {
  if (isUnsent === true) return true;
  return problem === 'platform-refused' || problem === 'identifier-refused' || problem === 'platform-busy';
}

/** It may land until its doubt is over, and a reading may be older than that by the usual lag. */
export function mayStillShow({ at }: CallMade, now: number): boolean {
  return now - at < believedFor + usualLag;
}

export function carriedInDoubt({ calls }: Work, now: number): readonly string[] {
  return calls
    .filter((call) => isInDoubt(call) && mayStillShow(call, now))
    .flatMap(({ update }) => update?.purposes.map(({ id }) => id) ?? []);
}
