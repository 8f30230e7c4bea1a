/** Things that may be used once. */
export interface Spent {
  /** True the first time only, on whatever process. Kept until `until` (epoch milliseconds). */
  spend(use: string, id: string, until: number): boolean;
  isSpent(use: string, id: string): boolean;
}
