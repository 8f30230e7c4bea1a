import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The same page model, but reading a member that it does not have, and that no model may leave out, throws. A template
 * that misspells a member would otherwise print nothing, and stay unnoticed.
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
      if (found === undefined && !(member in target) && !Array.isArray(target) && !optional().has(member)) {
        throw new TypeError(`${path} has no member "${member}"`);
      }
      return typeof found === 'object' && found !== null ? guard(found, `${path}.${member}`) : found;
    },
  });
}

let names: ReadonlySet<string> | undefined;

/** As the models declare them: `readonly name?: …`. */
function optional(): ReadonlySet<string> {
  const cwd = join(import.meta.dirname, '../pages');
  names ??= new Set(
    globSync('**/*.ts', { cwd }).flatMap((file) =>
      [...readFileSync(join(cwd, file), 'utf8').matchAll(/readonly (\w+)\?:/g)].flatMap(
        ([, name]) => name ?? [],
      ),
    ),
  );
  return names;
}
