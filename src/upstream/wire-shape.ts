import { z } from 'zod';
import { isGuid } from '../core/address.ts';
import type { Notes } from './notes.ts';

/*
 * Tolerant reading: unknown members are ignored, null is absent, a wrong type is absent. Both families are read by
 * the same shapes: the single-page family writes `Label` where Multi Page writes `label`, so the first letter of a
 * member's name does not count.
 */
export const text = z
  .string()
  .nullish()
  .catch(undefined)
  .transform((value) => value ?? undefined);

export const flag = z
  .boolean()
  .nullish()
  .catch(undefined)
  .transform((value) => value ?? undefined);

export const number = z
  .number()
  .nullish()
  .catch(undefined)
  .transform((value) => value ?? undefined);

export const list = z
  .array(z.unknown())
  .nullish()
  .catch(undefined)
  .transform((value) => value ?? []);

/** An object as its own entries; names that every object has (`constructor`) are left out. */
export const entries = z
  .record(z.string(), z.unknown())
  .nullish()
  .catch(undefined)
  .transform((value) => Object.entries(value ?? {}).filter(([name]) => isPlainKey(name)));

/** An object, left as it is. */
export const record = z
  .unknown()
  .optional()
  .transform((value) => (isRecord(value) ? value : undefined));

/** A GUID in lower case, or another short name as it is written. */
export const id = z.string().transform((value, context) => {
  const read = readId(value);
  if (read !== undefined) return read;
  context.addIssue({ code: 'custom', message: 'no id' });
  return z.NEVER;
});

/** As `id`, for the hundreds of ids in every record. */
export function readId(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.trim();
  if (!/^[\x21-\x7e]{1,100}$/.test(name) || !isPlainKey(name)) return undefined;
  return isGuid(name) ? name.toLowerCase() : name;
}

/** Names that every object has. */
const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

export function isPlainKey(name: string): boolean {
  return !inherited.has(name);
}

/** An object whose members are found whether or not they begin with a capital. */
export function shape<S extends z.ZodRawShape>(members: S) {
  return z.preprocess(withSmallInitials, z.object(members));
}

/** A member that is an object of this shape; anything else reads as an empty one. */
export function part<S extends z.ZodRawShape>(members: S) {
  return z.preprocess((value) => withSmallInitials(isRecord(value) ? value : {}), z.object(members));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withSmallInitials(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const members = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    const small = name.charAt(0).toLowerCase() + name.slice(1);
    if (small === name || !members.has(small)) members.set(small, member);
  }
  return Object.fromEntries(members);
}

/** Reads each item; one that cannot be read is left out with a note. */
export function readEach<T>(
  items: readonly unknown[],
  read: z.ZodType<T>,
  { notes, what }: { notes: Notes; what: string },
): T[] {
  const found: T[] = [];
  for (const item of items) {
    const one = read.safeParse(item);
    if (one.success) found.push(one.data);
    else notes.drop(`${what} that cannot be read was left out`);
  }
  return found;
}

/** The first of each id. */
export function firstOfEach<T extends { readonly id: string }>(
  items: readonly T[],
  { notes, what }: { notes: Notes; what: string },
): T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    if (seen.has(item.id)) {
      notes.drop(`${what} with an id that is already in use was left out`);
      return false;
    }
    seen.add(item.id);
    return true;
  });
}

/** By `order`; what has none comes last, in the order in which it came. */
export function inOrder<T extends { readonly order?: number | undefined }>(items: readonly T[]): T[] {
  return items.toSorted((one, other) => rank(one.order) - rank(other.order));
}

function rank(order: number | undefined): number {
  return order ?? Number.MAX_SAFE_INTEGER;
}

/** One of the known words, whatever its case; anything else is undefined. */
export function known<T extends string>(
  value: string | undefined,
  words: Readonly<Record<string, T>>,
): T | undefined {
  const word = value?.trim().toUpperCase();
  return word !== undefined && Object.hasOwn(words, word) ? words[word] : undefined;
}
