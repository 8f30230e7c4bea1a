import { known, type Reader, shape, text } from '../wire-shape.ts';

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

type More = Omit<Member, keyof Fate>;

/** A kind of object: its members are read and told from one table. */
export function object<Members extends Readonly<Record<string, Member>>>(name: string, members: Members) {
  return { name, members, ...shape(members) };
}

/** An honoured member, as `reader` reads it. */
export function read<R extends Reader<unknown>>(reader: R, words: string, more: More = {}): Member & R {
  return { ...reader, ...honoured(words, more) };
}

function fated(verdict: Verdict) {
  return (words: string, more: More = {}): Member => ({ verdict, words, ...more });
}

export const honoured = fated('honoured');
export const told = fated('told');
export const refused = fated('refused');
export const unused = fated('unused');

/** The known words of a member: what each is read as, and what becomes of it. */
export type Words<Meaning extends string> = Readonly<Record<string, readonly [Meaning, string]>>;

/** All of these words are honoured. */
export function fates(words: Words<string>): Readonly<Record<string, Fate>> {
  return Object.fromEntries(Object.entries(words).map(([word, [, fate]]) => [word, honoured(fate)]));
}

/** A member of known words, read as their meaning. */
export function worded<Meaning extends string>(known: Words<Meaning>, words: string, otherValue: Fate) {
  const reader = { read: (value: unknown) => meaning(text.read(value), known) };
  return read(reader, words, { values: fates(known), otherValue });
}

/** The meaning of a known word in any case; undefined: unknown. */
export function meaning<Meaning extends string>(value: string | undefined, words: Words<Meaning>) {
  return known(value, words)?.[0];
}

/** What a member that is in no table comes to. */
export const unknownMember: Fate = { verdict: 'told', words: 'is not known, and passed over' };

/** The single-page family writes `Label` where Multi Page writes `label`. */
export function foldedName(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
