import { type Outcome, type Submission, shownOutcome } from '../model/submission.ts';

/** By these something is no longer as it was, or may not be. */
const changing: readonly Outcome[] = [
  'saved',
  'waiting',
  'being-carried-out',
  'in-progress',
  'in-doubt',
  'unconfirmed',
  'switched-off',
];

/** A person is told of it by mail: of what changed nothing they are not. */
export function changesSomething({ everything, state, items }: Submission): boolean {
  if (everything && state !== 'failed') return true;
  return items.some((item) => item.change === 'keep' || changing.includes(shownOutcome(item)));
}

/** Something is granted in it of which it is known within a minute. */
export function isUnknownYet({ state, items }: Submission): boolean {
  return state === 'pending' && items.some(({ outcome }) => outcome === 'in-progress');
}
