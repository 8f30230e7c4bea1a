import type { SubjectId } from '../model/person/subject.ts';
import { grants, type Intent, noIntent } from '../model/submission/intent.ts';
import type { SubmissionRequest } from '../model/submission/submission-request.ts';

/** The content of an address for unsubscribing by one click (RFC 8058). */
export interface OneClick {
  readonly center: string;
  readonly subject: SubjectId;
  /** The purpose to withdraw; undefined: everything. */
  readonly purpose: string | undefined;
}

/** An address that this installation sealed. */
export interface SealedOneClick extends OneClick {
  /** Epoch milliseconds. */
  readonly madeAt: number;
}

const day = 24 * 60 * 60 * 1000;

/** Three years in milliseconds, for addresses of any maker: mails lie in a mailbox for long. */
export const oneClickLife = 3 * 366 * day;

export function isOver({ madeAt }: Pick<SealedOneClick, 'madeAt'>, now: number): boolean {
  return now - madeAt > oneClickLife;
}

export function oneClickIntent({ purpose }: OneClick): Intent {
  if (purpose === undefined) return { ...noIntent, everything: 'withdraw' };
  return { ...noIntent, purposes: [{ kind: 'off', purpose }] };
}

/**
 * True for a withdrawal that a mail, an archive or a script may repeat without limit: a repetition writes no
 * new row. A staff entry has a reason, and is always written.
 */
export function isBounded({ channel, scope, intent, undoes, onBehalf }: SubmissionRequest): boolean {
  if (channel === 'one-click') return true;
  if (onBehalf !== undefined || undoes !== undefined) return false;
  if (intent.dataElements.length > 0 || intent.language !== undefined) return false;
  return intent.everything === 'withdraw' || (scope === 'withdraw' && !grants(intent));
}

/** The number of repeated one-clicks of a person in an hour that are carried out at once. */
export const repeatsAtOnce = 8;

/** Milliseconds that later clicks wait. They are carried out together. */
export const repeatWait = 600_000;
