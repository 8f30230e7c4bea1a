import { type Intent, noIntent } from './intent.ts';
import type { SubjectId } from './subject.ts';
import type { Submission } from './submission-result.ts';

/** What an address for unsubscribing by one click (RFC 8058) says. */
export interface OneClick {
  readonly center: string;
  readonly subject: SubjectId;
  /** undefined: everything. */
  readonly purpose: string | undefined;
  /** Epoch milliseconds. */
  readonly madeAt: number;
}

const day = 24 * 60 * 60 * 1000;

/** Three years, in milliseconds: mails lie in a mailbox for long. */
export const oneClickLife = 3 * 366 * day;

export function isOver({ madeAt }: OneClick, now: number): boolean {
  return now - madeAt > oneClickLife;
}

export function oneClickIntent({ purpose }: OneClick): Intent {
  if (purpose === undefined) return { ...noIntent, everything: 'withdraw' };
  return { ...noIntent, purposes: [{ kind: 'off', purpose }] };
}

/**
 * The submission that already carries this out; undefined when another one is needed.
 * 1. Mailbox providers send twice: while a one-click withdrawal of the same is still open, that is the one.
 * 2. One that is done proves nothing: it may be on again since, by whatever way. Where it is not, the new one finds
 *    nothing to do, and calls nobody.
 * 3. What came in later by another door may have switched it on again: then the open one is no longer enough.
 * `history`: newest first.
 */
export function findOpenOneClick(
  { purpose }: OneClick,
  history: readonly Submission[],
): Submission | undefined {
  for (const submission of history) {
    if (submission.door !== 'one-click') return undefined;
    if (submission.state === 'pending' && covers(submission, purpose)) return submission;
  }
  return undefined;
}

function covers({ everything, items }: Submission, purpose: string | undefined): boolean {
  if (everything) return true;
  return items.some((item) => item.what === 'purpose' && item.id === purpose && item.wish === 'off');
}
