/** Things that may be used once. */
export interface ReplayGuard {
  /** True the first time only, on whatever process. Kept until `until` (epoch milliseconds). */
  spend(use: string, id: string, until: number): boolean;
  isUsed(use: string, id: string): boolean;
}
