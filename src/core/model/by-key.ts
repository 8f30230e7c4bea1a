/*
 * Look-ups in lists of a person's record or submission, which may hold thousands of items. A list is indexed
 * at the first look-up and never changes: a changed state is a new list.
 */

/** All items of the list with the key, in the order of the list. */
export function byKey<Item>(keyOf: (item: Item) => string) {
  const indexes = new WeakMap<readonly Item[], ReadonlyMap<string, readonly Item[]>>();
  const indexOf = (list: readonly Item[]) => Map.groupBy(list, keyOf);
  return (list: readonly Item[], key: string): readonly Item[] =>
    indexes.getOrInsertComputed(list, indexOf).get(key) ?? [];
}

/** The first item of the list with the key. */
export function firstByKey<Item>(keyOf: (item: Item) => string) {
  const found = byKey(keyOf);
  return (list: readonly Item[], key: string) => found(list, key)[0];
}

/** The old list if nothing changed, so that its index stays in use. */
export function unlessSame<Item>(list: readonly Item[], changed: readonly Item[]): readonly Item[] {
  const isSame = changed.length === list.length && changed.every((item, index) => item === list[index]);
  return isSame ? list : changed;
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** List length up to which a set is not faster. */
const few = 16;

/** Same result as `list.includes(key)`, fast for long lists. */
export function has(list: readonly string[], key: string): boolean {
  if (list.length <= few) return list.includes(key);
  return sets.getOrInsertComputed(list, (keys) => new Set(keys)).has(key);
}
