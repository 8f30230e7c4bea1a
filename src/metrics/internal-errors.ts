export type InternalErrors = ReturnType<typeof countInternalErrors>;

/** Counts logged faults of the product itself, by name or code. */
export function countInternalErrors() {
  const counts = new Map<string, number>();
  return {
    count: (error: string): void => void counts.set(error, (counts.get(error) ?? 0) + 1),
    counts: (): ReadonlyMap<string, number> => counts,
  };
}
