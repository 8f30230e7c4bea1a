/** Resolves to the result of `asked`, or to `otherwise()` if it fails or takes longer than `longestMs`. */
export async function within<T, U>(longestMs: number, asked: Promise<T>, otherwise: () => U): Promise<T | U> {
  const late = Promise.withResolvers<U>();
  const timer = setTimeout(() => late.resolve(otherwise()), longestMs);
  try {
    return await Promise.race([asked.catch(otherwise), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
