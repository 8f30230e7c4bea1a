import type { Maintained } from './maintained.ts';

/** Things that may be used once. */
export interface ReplayGuard extends Maintained {
  /** True the first time only, over all processes. Kept until `until` (epoch milliseconds). */
  spend(use: string, id: string, until: number): Promise<boolean>;
  /** Reads only; `spend` decides. */
  isUsed(use: string, id: string): Promise<boolean>;
}
