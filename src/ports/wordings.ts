import type { Center } from '../core/model/center/center.ts';
import type { AskedWords, WordsOfThen } from '../core/model/evidence/wording.ts';
import type { Maintained } from './maintained.ts';

/** The words that people were shown. */
export interface Wordings {
  /**
   * The digest of a center's words in a language; they are stored soon. undefined: the center could not be
   * read.
   */
  shown(center: Center, language: string): Promise<string | undefined>;
  /** Resolves once a submission may point at it. */
  kept(digest: string): Promise<void>;
  /** The texts of purposes and fields in earlier wordings. */
  read(asked: readonly AskedWords[]): Promise<WordsOfThen>;
}

/** Texts by their digest, each once: JSON as it was digested. A text never changes. */
export interface WordingStore extends Maintained {
  /** Keeps a wording with its texts. Resolves once a submission may point at it for thirty days. */
  keep(wording: KeptText, texts: readonly KeptText[]): Promise<void>;
  /** Unknown digests are left out. */
  wordings(digests: readonly string[]): Promise<ReadonlyMap<string, string>>;
  texts(digests: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export interface KeptText {
  readonly digest: string;
  readonly content: string;
}
