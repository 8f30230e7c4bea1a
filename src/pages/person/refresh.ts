import type { Submission } from '../../core/model/submission.ts';

/** Seconds until a page that waits looks again: soon at first, then seldom. */
export function refreshAfter(submission: Submission, now: number): number | undefined {
  const isInDoubt = submission.items.some(({ outcome }) => outcome === 'in-doubt');
  if (submission.state !== 'pending' && !isInDoubt) return undefined;
  const age = now - submission.submittedAt;
  if (age < 30_000) return 3;
  return age < 10 * 60_000 ? 15 : 60;
}
