import type { Submission } from '../../core/model/submission/submission.ts';

/** What is granted is saved within a minute, or not at all: then a page says which. Milliseconds, and one second more. */
const grantsEnd = 61_000;

/** Seconds until a page that waits looks again: soon at first, then seldom. */
export function refreshAfter(submission: Submission, now: number): number | undefined {
  const isInDoubt = submission.items.some(({ outcome }) => outcome === 'in-doubt');
  if (submission.state !== 'pending' && !isInDoubt) return undefined;
  const age = now - submission.submittedAt;
  if (age < 30_000) return 3;
  const untilSure = Math.ceil((grantsEnd - age) / 1000);
  if (untilSure > 0 && submission.items.some(({ outcome }) => outcome === 'in-progress'))
    return Math.min(15, untilSure);
  return age < 10 * 60_000 ? 15 : 60;
}
