/*
 * Look-ups in lists of which a person's record, or what they ask for, may hold thousands. A list is indexed when it is
 * first asked, and never changes: another state of it is another list.
 */

/** All that a list has under a key, in the order of the list. */
export function byKey<Item>(
  keyOf: (item: Item) => string,
): (list: readonly Item[], key: string) => readonly Item[] {
  const indexes = new WeakMap<readonly Item[], ReadonlyMap<string, readonly Item[]>>();
  return (list, key) => {
    let index = indexes.get(list);
    if (index === undefined) {
      index = Map.groupBy(list, keyOf);
      indexes.set(list, index);
    }
    return index.get(key) ?? [];
  };
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** As `list.includes(key)`. */
export function has(list: readonly string[], key: string): boolean {
  let set = sets.get(list);
  if (set === undefined) {
    set = new Set(list);
    sets.set(list, set);
  }
  return set.has(key);
}
