import type { PublicKey, SignedRecord } from '../core/model/evidence/record-copy.ts';

/** Signs records that people keep, so that these can be verified later. */
export interface RecordSigner {
  /** Gives a flattened JWS (RFC 7515, 7.2.2). */
  sign(json: string): Promise<SignedRecord>;
  /** The content of a record that it signed, also under an earlier secret; undefined for any other. */
  open(signed: unknown): Promise<object | undefined>;
  /** The current and all former public keys, as a key set's `keys` (RFC 7517). */
  keys(): Promise<readonly PublicKey[]>;
}
