/**
 * A schema member or value that is not honoured. `told`: `words` say what happens instead; `refused`: the
 * center becomes leaving-only.
 */
export interface ToldMember {
  readonly verdict: 'told' | 'refused';
  /** Path of the first member of this kind, such as `page schema: sections[2].conditionalRules`. */
  readonly path: string;
  /** The member's value, if it is a word, a number or a flag. */
  readonly value: string | undefined;
  /** A sentence without its subject that says what happens instead. */
  readonly words: string;
  readonly count: number;
}

/** A plain sentence for the editor. */
export function toldSentence({ path, value, words, count }: ToldMember): string {
  const often = count > 1 ? ` (${count} times)` : '';
  return `${path}${value === undefined ? '' : ` = ${value}`}${often} ${words}`;
}
