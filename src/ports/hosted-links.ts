import type { HostedCount, HostedOutcome } from '../core/model/hosted-link.ts';
import type { SubjectId } from '../core/model/subject.ts';
import type { Maintained } from './maintained.ts';

/** One token of the platform's hosted pages. Times are epoch milliseconds. */
export interface HostedToken {
  readonly token: string;
  readonly subject: SubjectId;
  readonly madeAt: number;
  readonly endsAt: number;
}

/** Whose the tokens of the platform's hosted pages are, until they end, and how many of such links still come. */
export interface HostedLinks extends Maintained {
  /** Tokens are kept as keyed hashes, people sealed. One that is there already is kept as it is given now. */
  add(tokens: readonly HostedToken[]): Promise<void>;
  find(token: string): Promise<Omit<HostedToken, 'token'> | undefined>;
  /** Counts one link that came. */
  note(center: string, outcome: HostedOutcome): Promise<void>;
  /** Of the days from then on, newest first. */
  counts(since: number): Promise<readonly HostedCount[]>;
}
