/** The same text always gives the same hash; without the key it says nothing. */
export interface KeyedHash {
  hash(purpose: string, text: string): string;
  /** Under every key still in use, the newest first: to find what was written before a rotation. */
  hashes(purpose: string, text: string): readonly string[];
}
