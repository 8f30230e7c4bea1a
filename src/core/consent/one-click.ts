import { grants, type Intent, noIntent } from '../model/intent.ts';
import type { SubjectId } from '../model/subject.ts';
import type { SubmissionRequest } from '../model/submission-request.ts';

/** What an address for unsubscribing by one click (RFC 8058) says. */
export interface OneClick {
  readonly center: string;
  readonly subject: SubjectId;
  /** undefined: everything. */
  readonly purpose: string | undefined;
}

/** One that this installation sealed. */
export interface SealedOneClick extends OneClick {
  /** Epoch milliseconds. */
  readonly madeAt: number;
}

const day = 24 * 60 * 60 * 1000;

/** Three years, in milliseconds, of any maker: mails lie in a mailbox for long. */
export const oneClickLife = 3 * 366 * day;

export function isOver({ madeAt }: Pick<SealedOneClick, 'madeAt'>, now: number): boolean {
  return now - madeAt > oneClickLife;
}

export function oneClickIntent({ purpose }: OneClick): Intent {
  if (purpose === undefined) return { ...noIntent, everything: 'withdraw' };
  return { ...noIntent, purposes: [{ kind: 'off', purpose }] };
}

/**
 * A submission that may be said without end, by an address from a mail or an archive, or by a script: said again it
 * writes nothing new. What staff enter has a reason of its own, and is always written.
 */
export function isBounded({ channel, scope, intent, undoes, onBehalf }: SubmissionRequest): boolean {
  if (channel === 'one-click') return true;
  if (onBehalf !== undefined || undoes !== undefined) return false;
  if (intent.dataElements.length > 0 || intent.language !== undefined) return false;
  return intent.everything === 'withdraw' || (scope === 'withdraw' && !grants(intent));
}

/** So often within an hour a person's one-clicks of what was withdrawn already are carried out once more at once. */
export const repeatsAtOnce = 8;

/** After that one at a time waits this long, and stands for all that come meanwhile. Milliseconds. */
export const repeatWait = 10 * 60 * 1000;
