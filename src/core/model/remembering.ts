/** Caches a function of a text. Safe for texts from outside: it holds `most` values, then starts again. */
export function remembering<T extends string | object>(
  most: number,
  make: (text: string) => T,
): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined) return known;
    const value = make(text);
    if (made.size >= most) made.clear();
    made.set(text, value);
    return value;
  };
}
