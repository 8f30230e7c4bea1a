import { isGuid } from '../core/model/center/center-config.ts';
import { Problem } from '../core/model/problem.ts';
import { tooLarge } from './exchange.ts';
import type { About } from './notes.ts';

/*
 * Tolerant reading: unknown members are ignored, null is absent, a wrong type is absent. Both families are
 * read by the same shapes: the single-page family writes `Label` where Multi Page writes `label`, so the
 * first letter of a member's name does not count. The readers are written by hand: 5,000 purposes take 4 ms
 * of CPU where zod took 20, and a schema may hold ten times as many objects.
 */
export interface Reader<T> {
  /** Reads a value; undefined if it is absent or cannot be read. */
  readonly read: (value: unknown) => T;
  /** True if an object without this member cannot be read. */
  readonly isNeeded?: true;
  /** The member's name in the answer, if it differs from ours. */
  readonly called?: string;
}

/** The type that a reader reads. */
export type Read<R extends Reader<unknown>> = NonNullable<ReturnType<R['read']>>;

/** Reads a value; throws platform-unreadable if it cannot. `what`: the expected value, with its article. */
export function parse<T>(value: unknown, as: Reader<T | undefined>, what: string): T {
  const data = as.read(value);
  if (data === undefined) throw unreadableAs(`not ${what}`);
  return data;
}

/** The Problem of an unreadable answer. `why` contains no text of the answer. */
export function unreadableAs(why: string): Problem {
  return new Problem('platform-unreadable', { cause: new Error(why) });
}

export const text = { read: (value: unknown) => (typeof value === 'string' ? value : undefined) };

export const flag = { read: (value: unknown) => (typeof value === 'boolean' ? value : undefined) };

export const number = {
  read: (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
};

export const list = { read: (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []) };

/** The entries of an object, without names that every object has (`constructor`). */
export const entries = {
  read: (value: unknown) =>
    isRecord(value) ? Object.entries(value).filter(([name]) => isPlainKey(name)) : [],
};

/** An object, left as it is. */
export const record = { read: (value: unknown) => (isRecord(value) ? value : undefined) };

/** Anything, left as it is. */
export const anything = { read: (value: unknown) => value };

/** A GUID in lower case, or another short name as it is written. */
export const id = { read: readId, isNeeded: true } as const;

export const idOrNone = { read: readId };

export function readId(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.trim();
  if (!/^[\x21-\x7e]{1,100}$/.test(name) || !isPlainKey(name)) return undefined;
  return isGuid(name) ? name.toLowerCase() : name;
}

/** Names that every object inherits. */
const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

export function isPlainKey(name: string): boolean {
  return !inherited.has(name);
}

/** The members of an object; members without a reader are not read. */
type Members = Readonly<Record<string, Reader<unknown> | { readonly words: string }>>;
type Given<R> =
  R extends Reader<infer T> ? (R extends { readonly isNeeded: true } ? NonNullable<T> : T) : never;
type Shaped<M extends Members> = {
  readonly [name in keyof M as M[name] extends Reader<unknown> ? name : never]: Given<M[name]>;
};

/** A reader of an object whose members are found whether or not they begin with a capital. */
export function shape<M extends Members>(members: M): Reader<Shaped<M> | undefined> {
  const readers = Object.entries(members).flatMap(([own, member]) => {
    if (!('read' in member)) return [];
    const { called: name = own, read, isNeeded } = member;
    return { own, name, capital: name.charAt(0).toUpperCase() + name.slice(1), read, isNeeded };
  });
  const read = (value: unknown): Shaped<M> | undefined => {
    if (!isRecord(value)) return undefined;
    const data: Record<string, unknown> = {};
    for (const { own, name, capital, read, isNeeded } of readers) {
      const found = Object.hasOwn(value, name) ? name : capital;
      data[own] = read(Object.hasOwn(value, found) ? value[found] : undefined);
      if (isNeeded && data[own] === undefined) return undefined;
    }
    return data as Shaped<M>;
  };
  return { read };
}

/** A member that is an object of this shape; anything else reads as an empty one. */
export function part<T>(object: Reader<T>) {
  return { read: (value: unknown) => object.read(isRecord(value) ? value : {}), isNeeded: true } as const;
}

/** The items of a list that can be read. */
export function listOf<T>(item: Reader<T | undefined>) {
  return { read: (value: unknown): readonly T[] => readable(list.read(value), item) };
}

export function called<R>(name: string, as: R) {
  return { ...as, called: name };
}

/** The meaning of a known word. */
export function word<T>(words: Readonly<Record<string, T>>) {
  return { read: (value: unknown) => known(text.read(value), words) };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items of a list, the reader of an item, and the name of an item in notes. */
type Items<T> = About & { readonly items: readonly unknown[]; readonly as: Reader<T | undefined> };

/**
 * The most items of one list, more than any center has. A longer list is refused: a part of it would be half
 * a center, which is never shown.
 */
const mostItems = 10_000;

/** The items that can be read. */
export function readable<T>(items: readonly unknown[], as: Reader<T | undefined>): T[] {
  return items.flatMap((item) => as.read(item) ?? []);
}

/** Reads each item; an unreadable one is left out with a note. Throws if there are too many. */
export function readEach<T>({ items, as, notes, what }: Items<T>): T[] {
  if (items.length > mostItems) throw tooLarge('too many items in one list');
  const found: T[] = [];
  for (const item of items) {
    const one = as.read(item);
    if (one !== undefined) found.push(one);
    else notes.drop(`${what} that cannot be read was left out`);
  }
  return found;
}

type Identified = { readonly id: string };
type Ordered = { readonly order?: number | undefined };

/** The first item of each id. */
export function firstOfEach<T extends Identified>(items: readonly T[], { notes, what }: About): T[] {
  const seen = new Set<string>();
  return items.filter(({ id }) => {
    const isFirst = !seen.has(id);
    if (!isFirst) notes.drop(`${what} with an id that is already in use was left out`);
    seen.add(id);
    return isFirst;
  });
}

/** Sorts by `order`; items without one come last, in their given order. */
export function inOrder<T extends Ordered>(items: readonly T[]): T[] {
  const rank = ({ order = Number.MAX_SAFE_INTEGER }: T) => order;
  return items.toSorted((one, other) => rank(one) - rank(other));
}

/** Reads items in their order, each id once. `make` makes an item of what was read. */
export function readItems<T extends Ordered, Made extends Identified>(
  from: Items<T>,
  make: (raw: T) => Made | readonly Made[],
): Made[] {
  return firstOfEach(inOrder(readEach(from)).flatMap(make), from);
}

/** True if the value is absent or empty. */
export function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

/** The meaning of a known word in any case; undefined for an unknown word. */
export function known<T>(value: string | undefined, words: Readonly<Record<string, T>>): T | undefined {
  const word = value?.trim().toUpperCase();
  return word !== undefined && Object.hasOwn(words, word) ? words[word] : undefined;
}
