/** What ends by itself in a store. */
export interface Maintained {
  /** Deletes some of what is over, and does some of what else is to be done for many rows; 0 when there is no more. */
  sweep(): Promise<number>;
}
