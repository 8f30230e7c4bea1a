/** Finds changes in the store that the product did not make. Names no person. */
export interface EvidenceChecks {
  ofSubmissions(): AsyncIterable<EvidenceFinding>;
  /** Checks the words that people were shown. */
  ofWords(): AsyncIterable<EvidenceFinding>;
  /** Checks each closed day. Days before `since`, epoch milliseconds, have submissions that are deleted by now. */
  ofRoots(since: number): AsyncIterable<EvidenceFinding>;
  /** Submissions of which digests alone are left: an operator may have blanked more than people asked for. */
  erased(): Promise<number>;
}

export type EvidenceFinding =
  /** `unreadable`: no key opens it; `words`: it points at other words than those that were shown. */
  | { readonly what: 'unreadable' | 'changed' | 'words'; readonly center: string; readonly reference: string }
  | { readonly what: 'text-changed' | 'text-missing'; readonly digest: string }
  | ({ readonly what: 'dropped' | 'added'; readonly count: number } & CenterDay)
  /**
   * `day-changed`: the same number of submissions, with other content. `no-root`: the day is closed, and has none.
   * `root-before`: the root names another previous root.
   */
  | ({ readonly what: 'day-changed' | 'no-root' | 'root-replaced' | 'root-before' } & CenterDay);

export interface CenterDay {
  readonly center: string;
  /** `yyyy-MM-dd`. */
  readonly day: string;
}
