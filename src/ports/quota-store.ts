import type { Maintained } from './maintained.ts';

/** The platform's quota, and the turns of waiting people, shared by all processes of a store. */
export interface QuotaStore extends Maintained {
  /** undefined: nothing is kept yet. */
  read(): Promise<KeptQuota | undefined>;
  /**
   * Keeps `text` as the version after `after` (0: the first), unless another process was first. Gives the
   * kept version.
   */
  keep(text: string, after: number): Promise<KeptQuota>;
  /** The number kept for `key`; undefined: there is none, or it has expired. */
  findTurn(key: string): Promise<number | undefined>;
  keepTurn(key: string, turn: { readonly number: number; readonly lifeMs: number }): Promise<void>;
  dropTurn(key: string): Promise<void>;
}

export interface KeptQuota {
  readonly text: string;
  readonly version: number;
}
