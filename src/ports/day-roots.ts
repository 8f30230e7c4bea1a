import type { RootStanding } from '../core/model/day-root.ts';
import type { RecordCopy, RootProof, SignedRecord } from '../core/model/record-copy.ts';
import type { RecordSigner } from './signed-records.ts';

/**
 * Once a day and for each center, the root over the submissions that ended on it. A day is closed an hour after its end:
 * what ends on it later counts to the day after. Days are epoch milliseconds of UTC midnights.
 */
export interface DayRoots {
  /** Closes days that are over, and makes the roots of closed ones, each by one process; 0: nothing is to be done now. */
  make(by: RootMaker): Promise<number>;
  /** Signed `DayRoot`s of a center, the newest first. */
  list(
    center: string,
    part: { readonly before: number; readonly limit: number },
  ): Promise<readonly ListedRoot[]>;
  /** Of submissions of a center, by their references; without those that are in no root yet. */
  proofs(center: string, references: readonly string[]): Promise<ReadonlyMap<string, RootProof>>;
  /** Of the records of a genuine copy, in their order. */
  standings(copy: Pick<RecordCopy, 'records' | 'sayso:center'>): Promise<readonly RootStanding[]>;
}

export interface RootMaker {
  /** The address of this installation. */
  readonly issuer: string;
  readonly signer: Pick<RecordSigner, 'sign'>;
}

export interface ListedRoot {
  readonly day: number;
  readonly signed: SignedRecord;
}
