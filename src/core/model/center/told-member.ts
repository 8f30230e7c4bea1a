/**
 * A member or value of a center's schemas that is not honoured. `told`: something else happens instead; `refused`: the
 * center becomes leaving-only.
 */
export interface ToldMember {
  readonly verdict: 'told' | 'refused';
  /** Path of the first one of its kind, such as `page schema: sections[2].conditionalRules`. */
  readonly path: string;
  /** Its value, if that is a word, a number or a flag. */
  readonly value: string | undefined;
  /** What happens instead: a sentence without its subject. */
  readonly words: string;
  readonly count: number;
}

/** One plain sentence. */
export function toldSentence({ path, value, words, count }: ToldMember): string {
  const often = count > 1 ? ` (${count} times)` : '';
  return `${path}${value === undefined ? '' : ` = ${value}`}${often} ${words}`;
}
