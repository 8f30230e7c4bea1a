/** A store whose data expires. */
export interface Maintained {
  /** Deletes some expired data, and does some other upkeep of many rows; 0: none left. */
  sweep(): Promise<number>;
}
