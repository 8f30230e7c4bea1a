import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Wraps a page model: reading a member that it lacks throws, unless the models declare it as optional.
 * Otherwise a template that misspells a member would print nothing.
 */
export function guardPage<T extends object>(page: T): T {
  return guard(page, 'page');
}

function guard<T extends object>(value: T, path: string): T {
  // A copy, because a proxy must return the original value for a member of a frozen object.
  const copy = Array.isArray(value) ? value.slice() : { ...value };
  return new Proxy(copy as T, {
    get(target, member, receiver) {
      const found: unknown = Reflect.get(target, member, receiver);
      if (typeof member === 'symbol' || typeof found === 'function') return found;
      if (found === undefined && !(member in target) && !Array.isArray(target) && !optional().has(member)) {
        throw new TypeError(`${path} has no member "${member}"`);
      }
      return typeof found === 'object' && found !== null ? guard(found, `${path}.${member}`) : found;
    },
  });
}

let names: ReadonlySet<string> | undefined;

/** The optional members of all models: `readonly name?: …`. */
function optional(): ReadonlySet<string> {
  const cwd = join(import.meta.dirname, '../../src/pages');
  names ??= new Set(
    globSync('**/*.ts', { cwd }).flatMap((file) =>
      [...readFileSync(join(cwd, file), 'utf8').matchAll(/readonly (\w+)\?:/g)].flatMap(
        ([, name]) => name ?? [],
      ),
    ),
  );
  return names;
}
