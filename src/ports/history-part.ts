export interface HistoryPart {
  readonly limit: number;
  /** How many newer ones are left out. */
  readonly offset: number;
}
