/** An object with a value for each name. */
export function eachName<Name extends string, T>(names: readonly Name[], make: (name: Name) => T) {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Readonly<Record<Name, T>>;
}
