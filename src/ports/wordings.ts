import type { Center } from '../core/model/center.ts';
import type { AskedWords, WordsOfThen } from '../core/model/wording.ts';
import type { Maintained } from './maintained.ts';

/** The words that people were shown. */
export interface Wordings {
  /** The digest of what a center says in a language; kept soon. undefined: a center that could not be read. */
  shown(center: Center, language: string): Promise<string | undefined>;
  /** Resolves once a submission may point at it. */
  kept(digest: string): Promise<void>;
  /** What was said in these wordings about these purposes and fields. */
  read(asked: readonly AskedWords[]): Promise<WordsOfThen>;
}

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
