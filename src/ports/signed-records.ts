import type { PublicKey, SignedRecord } from '../core/model/record-copy.ts';

/** Signs what a person takes home, so that it can be proven later. */
export interface RecordSigner {
  /** As a flattened JWS (RFC 7515, 7.2.2). */
  sign(json: string): Promise<SignedRecord>;
  /** What it signed, be it under an earlier secret; undefined for anything else. */
  open(signed: unknown): Promise<object | undefined>;
  /** Of what is signed now and of all that ever was, as a key set's `keys` (RFC 7517). */
  keys(): Promise<readonly PublicKey[]>;
}

/** The public keys of signed records: kept for ever, for what somebody took home must stay provable. */
export interface RecordKeys {
  /** Beside all that ever were, each once. What two processes publish at once is kept of both. */
  publish(keys: readonly PublicKey[]): Promise<void>;
  /** The earliest first. */
  all(): Promise<readonly PublicKey[]>;
}
