/** What every store offers to whoever runs it. */
export interface Maintained {
  /** Deletes some of what is over; of how many rows, 0 when there is no more. */
  sweep(): Promise<number>;
  /** What was deleted is then nowhere any more. */
  emptyLog(): Promise<void>;
  /** Rejects unless it answers: for readiness. */
  check(): Promise<void>;
}
