/** Caches a function of a text. Safe for texts from outside: it holds `most` values, then starts again. */
export function remembering<T extends string | object>(most: number, make: (text: string) => T) {
  const made = new Map<string, T>();
  return (text: string): T => {
    if (made.size >= most && !made.has(text)) made.clear();
    return made.getOrInsertComputed(text, make);
  };
}
