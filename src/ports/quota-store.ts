import type { Maintained } from './maintained.ts';

/** What all processes that share a store know of the platform's quota, and the turns of people that wait for it. */
export interface QuotaStore extends Maintained {
  /** undefined: nothing was ever kept. */
  read(): Promise<KeptQuota | undefined>;
  /**
   * Keeps `text` as the version after `after` (0: the first), unless another process was first. Gives what is kept then.
   */
  keep(text: string, after: number): Promise<KeptQuota>;
  /** The number that was kept for `key`; undefined where there is none, or it is over. */
  findTurn(key: string): Promise<number | undefined>;
  keepTurn(key: string, turn: Turn): Promise<void>;
  dropTurn(key: string): Promise<void>;
}

export interface KeptQuota {
  readonly text: string;
  readonly version: number;
}

export interface Turn {
  readonly number: number;
  readonly lifeMs: number;
}
