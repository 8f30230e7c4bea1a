import { type Outcome, type Submission, shownOutcome } from '../model/submission/submission.ts';

/** Outcomes by which something changed, or may have changed. */
const changing: readonly Outcome[] = [
  'saved',
  'waiting',
  'being-carried-out',
  'in-progress',
  'in-doubt',
  'unconfirmed',
  'switched-off',
];

/**
 * True if a mail reports the submission: only if it changed something, or may have. "Everything" by one click
 * may have withdrawn purposes that no reading showed, unless everything was withdrawn just before
 * (`isRepeated`).
 */
export function changesSomething({ everything, state, items }: Submission, isRepeated: boolean): boolean {
  if (everything && state !== 'failed' && !isRepeated) return true;
  return items.some((item) => item.change === 'keep' || changing.includes(shownOutcome(item)));
}

/** True if a grant is in progress, whose result is known within a minute. */
export function isUnknownYet({ state, items }: Submission): boolean {
  return state === 'pending' && items.some(({ outcome }) => outcome === 'in-progress');
}
