/**
 * The same page model, but reading a member that it does not have throws. A template that misspells a member would
 * otherwise print nothing, and stay unnoticed.
 */
export function guardPage<T extends object>(page: T): T {
  return guard(page, 'page');
}

function guard<T extends object>(value: T, path: string): T {
  // A copy: a proxy may not give another value for a member of a frozen object.
  const copy = Array.isArray(value) ? value.slice() : { ...value };
  return new Proxy(copy as T, {
    get(target, member, receiver) {
      const found: unknown = Reflect.get(target, member, receiver);
      if (typeof member === 'symbol' || typeof found === 'function') return found;
      if (found === undefined && !(member in target) && !Array.isArray(target)) {
        throw new TypeError(`${path} has no member "${member}"`);
      }
      return typeof found === 'object' && found !== null ? guard(found, `${path}.${member}`) : found;
    },
  });
}
