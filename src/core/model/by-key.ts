/*
 * Look-ups in lists of which a person's record, or what they ask for, may hold thousands. A list is indexed when it is
 * first asked, and never changes: another state of it is another list.
 */

/** All that a list has under a key, in the order of the list. */
export function byKey<Item>(keyOf: (item: Item) => string) {
  const indexes = new WeakMap<readonly Item[], ReadonlyMap<string, readonly Item[]>>();
  const indexOf = (list: readonly Item[]) => Map.groupBy(list, keyOf);
  return (list: readonly Item[], key: string): readonly Item[] =>
    indexes.getOrInsertComputed(list, indexOf).get(key) ?? [];
}

/** The first that a list has under a key. */
export function firstByKey<Item>(keyOf: (item: Item) => string) {
  const found = byKey(keyOf);
  return (list: readonly Item[], key: string) => found(list, key)[0];
}

/** The list itself if nothing changed, so that its index stays. */
export function unlessSame<Item>(list: readonly Item[], changed: readonly Item[]): readonly Item[] {
  const isSame = changed.length === list.length && changed.every((item, index) => item === list[index]);
  return isSame ? list : changed;
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Below this size a set is not faster. */
const few = 16;

/** As `list.includes(key)`. */
export function has(list: readonly string[], key: string): boolean {
  if (list.length <= few) return list.includes(key);
  return sets.getOrInsertComputed(list, (keys) => new Set(keys)).has(key);
}
