/** What is known of the platform's quota, the same for all processes that share a store. Its words are its user's. */
export interface QuotaLedger {
  /** undefined: nothing was ever kept. */
  read(): Promise<KeptQuota | undefined>;
  /** Keeps `text` as the version `after` that one; undefined, and nothing is kept, where another process was first. */
  keep(text: string, after: number | undefined): Promise<number | undefined>;
  close(): Promise<void>;
}

export interface KeptQuota {
  readonly text: string;
  readonly version: number;
}
