/** What every store offers to whoever runs it. */
export interface Maintained {
  /** Deletes some of what is over, and does some of what else is to be done for many rows; 0 when there is no more. */
  sweep(): Promise<number>;
  /** What was deleted is then nowhere any more. */
  emptyLog(): Promise<void>;
  /** Rejects unless it answers: for readiness. */
  check(): Promise<void>;
}
