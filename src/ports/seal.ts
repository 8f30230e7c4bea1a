/** `row`: the id of the one row for which it is sealed; in another one it does not open. */
export type SealPurpose = string | { readonly purpose: string; readonly row: string };

/** Authenticated encryption of small values. `purpose` binds a token to its use: one made for another does not open. */
export interface Seal {
  seal(purpose: SealPurpose, value: unknown): string;
  /** undefined for anything forged, foreign, or sealed under a key that is gone. */
  open(purpose: SealPurpose, token: string): unknown;
  /** The same of bytes: a purpose seals either bytes or values. */
  sealBytes(purpose: SealPurpose, bytes: Uint8Array): string;
  openBytes(purpose: SealPurpose, token: string): Uint8Array | undefined;
  /** Twenty bytes fewer, for an address in a mail. The same bytes of one use always make the same token. */
  sealShort(use: string, bytes: Uint8Array): string;
  openShort(use: string, token: string): Uint8Array | undefined;
}

/** The same text always gives the same hash; without the key it says nothing. */
export interface KeyedHash {
  hash(purpose: string, text: string): string;
  /** Under every key still in use, the newest first: to find what was written before a rotation. */
  hashes(purpose: string, text: string): readonly string[];
}
