/**
 * A member or value of a center's schemas that is not honoured. `told`: something happens instead; `refused`: the
 * center opens for leaving only.
 */
export interface ToldMember {
  readonly verdict: 'told' | 'refused';
  /** The first of its kind, as `page schema: sections[2].conditionalRules`. */
  readonly path: string;
  /** Where it is a word, a number or a flag. */
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
