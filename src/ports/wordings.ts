import type { Center } from '../core/model/center.ts';
import type { AskedWords, WordsOfThen } from '../core/model/wording.ts';

/** The words that people were shown. */
export interface Wordings {
  /** The digest of what a center says in a language; kept soon. undefined: a center that nobody could read. */
  shown(center: Center, language: string): Promise<string | undefined>;
  /** Resolves once a submission may point at it. */
  kept(digest: string): Promise<void>;
  /** What was said in these wordings about these purposes and fields. */
  read(asked: readonly AskedWords[]): Promise<WordsOfThen>;
}
