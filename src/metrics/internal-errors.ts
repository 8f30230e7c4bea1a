/** Faults of the product's own that were logged, by name or code. */
export interface InternalErrors {
  count(error: string): void;
  counts(): ReadonlyMap<string, number>;
}

export function countInternalErrors(): InternalErrors {
  const counts = new Map<string, number>();
  return {
    count: (error) => void counts.set(error, (counts.get(error) ?? 0) + 1),
    counts: () => counts,
  };
}
