import type { RootStanding } from '../core/model/evidence/day-root.ts';
import type { RecordCopy, RootProof, SignedRecord } from '../core/model/evidence/record-copy.ts';
import type { RecordSigner } from './signed-records.ts';

/**
 * The root over the submissions that ended on a day in a center. A day is closed an hour after its end:
 * submissions that end on it later count to the next day. Days are epoch milliseconds of UTC midnights.
 */
export interface DayRoots {
  /**
   * Closes days that are over, and makes the roots of closed ones, each by one process; 0: nothing to do now.
   */
  make(by: RootMaker): Promise<number>;
  /** Signed `DayRoot`s of a center, the newest first. */
  list(
    center: string,
    part: { readonly before: number; readonly limit: number },
  ): Promise<readonly { readonly day: number; readonly signed: SignedRecord }[]>;
  /** Proofs of submissions of a center, by reference; without those that are in no root yet. */
  proofs(center: string, references: readonly string[]): Promise<ReadonlyMap<string, RootProof>>;
  /** Whether the records of a genuine copy are in their roots, in their order. */
  standings(copy: Pick<RecordCopy, 'records' | 'sayso:center'>): Promise<readonly RootStanding[]>;
}

export interface RootMaker {
  /** The address of this installation. */
  readonly issuer: string;
  readonly signer: Pick<RecordSigner, 'sign'>;
}
