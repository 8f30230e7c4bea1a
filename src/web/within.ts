/** What was asked for, or what `otherwise` gives where it fails or takes longer. Milliseconds. */
export async function within<T, U>(longestMs: number, asked: Promise<T>, otherwise: () => U): Promise<T | U> {
  const late = Promise.withResolvers<U>();
  const timer = setTimeout(() => late.resolve(otherwise()), longestMs);
  try {
    return await Promise.race([asked.catch(otherwise), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
