import type { PublicKey } from '../core/model/record-copy.ts';

/** The public keys of signed records: kept for ever, for what somebody took home must stay provable. */
export interface RecordKeys {
  /** Beside all that ever were, each once. What two processes publish at once is kept of both. */
  publish(keys: readonly PublicKey[]): Promise<void>;
  /** The earliest first. */
  all(): Promise<readonly PublicKey[]>;
}
