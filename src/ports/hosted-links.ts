import type { HostedCount, HostedOutcome } from '../core/model/person/hosted-link.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import type { Maintained } from './maintained.ts';

/** One token of the platform's hosted pages. Times are epoch milliseconds. */
export interface HostedToken {
  readonly token: string;
  readonly subject: SubjectId;
  readonly madeAt: number;
  readonly endsAt: number;
}

/**
 * The people of the tokens of the platform's hosted pages, until the tokens end; and counts of such links.
 */
export interface HostedLinks extends Maintained {
  /** Tokens are kept as keyed hashes, people sealed. A known token is replaced. */
  add(tokens: readonly HostedToken[]): Promise<void>;
  find(token: string): Promise<Omit<HostedToken, 'token'> | undefined>;
  /** Counts one link that came. */
  note(center: string, outcome: HostedOutcome): Promise<void>;
  /** Counts of the days since then, newest first. */
  counts(since: number): Promise<readonly HostedCount[]>;
}
