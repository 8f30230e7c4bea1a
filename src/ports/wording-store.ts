import type { Maintained } from './maintained.ts';

/** Texts by their digest, each once; JSON as it was digested. What is kept is never changed. */
export interface WordingStore extends Maintained {
  /** A wording with its texts. Resolves once a submission may point at it for thirty days. */
  keep(wording: KeptText, texts: readonly KeptText[]): Promise<void>;
  /** Without those that are not kept. */
  wordings(digests: readonly string[]): Promise<ReadonlyMap<string, string>>;
  texts(digests: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export interface KeptText {
  readonly digest: string;
  readonly content: string;
}
