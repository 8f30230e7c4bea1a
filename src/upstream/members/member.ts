import { known, type Reader, shape, text } from '../wire-shape.ts';

/**
 * The treatment of a member or a value: it is `honoured`; it is `told` (Sayso does something else, and says
 * so); it is `refused` (the center opens for leaving only); or it is `unused` (a page has no use for it).
 */
export type Verdict = 'honoured' | 'told' | 'refused' | 'unused';

export interface Fate {
  readonly verdict: Verdict;
  /** One plain sentence without its subject: it says how Sayso treats the member. */
  readonly words: string;
}

export interface Member extends Fate {
  /** Values of a `told` member that are not told, besides an absent or empty one. */
  readonly quiet?: readonly unknown[];
  /** Fates of known values, by the spelling of the values in capitals. */
  readonly values?: Readonly<Record<string, Fate>>;
  /** Fate of a value that `values` lacks. */
  readonly otherValue?: Fate;
  /** Fate of a flag that is true while none of these flags beside it is true. */
  readonly unless?: { readonly flags: readonly string[]; readonly fate: Fate };
  /** Table of the object that the member holds, or of each object in its list. */
  readonly holds?: ObjectTable;
  /** Table of each object that the member holds under a free name, such as a language tag. */
  readonly holdsByName?: ObjectTable;
}

/** The members of one kind of object, by their names with a small first letter. */
export interface ObjectTable {
  readonly name: string;
  readonly members: Readonly<Record<string, Member>>;
}

type More = Omit<Member, keyof Fate>;

/** Makes the table of one kind of object, and the reader of its members. */
export function object<Members extends Readonly<Record<string, Member>>>(name: string, members: Members) {
  return { name, members, ...shape(members) };
}

/** An honoured member that `reader` reads. */
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

/** The known words of a member, each with its meaning and a sentence about its treatment. */
export type Words<Meaning extends string> = Readonly<Record<string, readonly [Meaning, string]>>;

/** Fates of known words, all of them honoured. */
export function fates(words: Words<string>): Readonly<Record<string, Fate>> {
  return Object.fromEntries(Object.entries(words).map(([word, [, fate]]) => [word, honoured(fate)]));
}

/** An honoured member whose known words are read as their meaning. */
export function worded<Meaning extends string>(known: Words<Meaning>, words: string, otherValue: Fate) {
  const reader = { read: (value: unknown) => meaning(text.read(value), known) };
  return read(reader, words, { values: fates(known), otherValue });
}

/** The meaning of a known word in any case; undefined for an unknown word. */
export function meaning<Meaning extends string>(value: string | undefined, words: Words<Meaning>) {
  return known(value, words)?.[0];
}

/** The fate of a member that is in no table. */
export const unknownMember: Fate = { verdict: 'told', words: 'is not known, and passed over' };

/** The single-page family writes `Label` where Multi Page writes `label`. */
export function foldedName(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
