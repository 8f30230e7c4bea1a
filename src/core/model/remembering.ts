/**
 * Caches a function of a text. The cache is emptied at `most` values, so texts from outside cannot fill the
 * memory.
 */
export function remembering<T extends string | object>(most: number, make: (text: string) => T) {
  const made = new Map<string, T>();
  return (text: string): T => {
    if (made.size >= most && !made.has(text)) made.clear();
    return made.getOrInsertComputed(text, make);
  };
}
