/** What keeps the journal itself. */
export interface JournalUpkeep {
  /**
   * The platform whose submissions these are: the given one where it was none yet, or `movedFrom`. Any other answer
   * means that nothing of this journal may be carried out there.
   */
  bindTo(platform: string, movedFrom: string | undefined): Promise<string>;
  /**
   * Deletes some of what is over; gives of how many rows, 0 when there is no more. Of an entry done before
   * `workBefore` only what was changed remains, until `evidenceBefore`. Epoch milliseconds.
   */
  sweep(over: JournalOver): Promise<number>;
  /** Rejects unless a row can be written now: for readiness. */
  check(): Promise<void>;
  /** Once, or again. */
  close(): Promise<void>;
}

export interface JournalOver {
  readonly now: number;
  readonly workBefore: number;
  readonly evidenceBefore: number;
  readonly reasonsBefore: number;
}
