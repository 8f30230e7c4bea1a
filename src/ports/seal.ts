/** `row`: the id of the only row in which the value opens. */
export type SealPurpose = string | { readonly purpose: string; readonly row: string };

/** Authenticated encryption of small values. A token opens for its `purpose` only. */
export interface Seal {
  seal(purpose: SealPurpose, value: unknown): string;
  /** undefined for anything forged, foreign, or sealed under a key that is gone. */
  open(purpose: SealPurpose, token: string): unknown;
  /** The same for bytes: a purpose seals either bytes or values. */
  sealBytes(purpose: SealPurpose, bytes: Uint8Array): string;
  openBytes(purpose: SealPurpose, token: string): Uint8Array | undefined;
  /** Twenty bytes shorter, for an address in a mail. The same bytes and use always give the same token. */
  sealShort(use: string, bytes: Uint8Array): string;
  openShort(use: string, token: string): Uint8Array | undefined;
}

/** A keyed hash: the same for the same text, and no hint about the text without the key. */
export interface KeyedHash {
  hash(purpose: string, text: string): string;
  /** Hashes under every key in use, the newest first: to find rows written before a rotation. */
  hashes(purpose: string, text: string): readonly string[];
}
