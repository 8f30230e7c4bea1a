/**
 * What becomes of a member or a value: it is `honoured`; it is `told` (something happens instead); it is `refused` (the
 * center opens for leaving only); or a page has no use for it (`unused`).
 */
export type Verdict = 'honoured' | 'told' | 'refused' | 'unused';

export interface Fate {
  readonly verdict: Verdict;
  /** One plain sentence without its subject: what Sayso does with it, or does instead. */
  readonly words: string;
}

export interface Member extends Fate {
  /** Values besides an absent or empty one that say nothing special; of a member that is told. */
  readonly quiet?: readonly unknown[];
  /** By their spelling in capitals. */
  readonly values?: Readonly<Record<string, Fate>>;
  /** Of a value that `values` lacks. */
  readonly otherValue?: Fate;
  /** Of a flag: what is told where it is on, and none of these beside it is. */
  readonly unless?: { readonly flags: readonly string[]; readonly fate: Fate };
  /** What the member holds: an object, or a list of them. */
  readonly holds?: ObjectTable;
  /** What the member holds under names that are free, as language tags. */
  readonly holdsByName?: ObjectTable;
}

/** The members of one kind of object, by their names with a small first letter. */
export interface ObjectTable {
  readonly name: string;
  readonly members: Readonly<Record<string, Member>>;
}

export function honoured(words: string, more: Omit<Member, keyof Fate> = {}): Member {
  return { verdict: 'honoured', words, ...more };
}

export function told(words: string, more: Omit<Member, keyof Fate> = {}): Member {
  return { verdict: 'told', words, ...more };
}

export function refused(words: string): Member {
  return { verdict: 'refused', words };
}

export function unused(words: string): Member {
  return { verdict: 'unused', words };
}

/** The values that are read, as `readAs` holds them, by what each is read as. */
export function honouredValues<Meaning extends string>(
  readAs: Readonly<Record<string, Meaning>>,
  words: Readonly<Record<Meaning, string>>,
): Readonly<Record<string, Fate>> {
  return Object.fromEntries(
    Object.entries<Meaning>(readAs).map(([value, meaning]) => [value, honoured(words[meaning])]),
  );
}

/** What a member that is in no table comes to. */
export const unknownMember: Fate = { verdict: 'told', words: 'is not known, and passed over' };

/** The single-page family writes `Label` where Multi Page writes `label`. */
export function foldedName(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
