/** The end of a consent by the life span of its purpose. */
export interface LifeEnd {
  /** Epoch milliseconds. */
  readonly at: number;
  /** True within a week of the end: the page offers to renew the consent. */
  readonly isSoon: boolean;
}

const week = 7 * 86_400_000;

/** Returns undefined for a past time: a purpose that is still on then ends at an unknown time. */
export function lifeEnd(at: number, now: number): LifeEnd | undefined {
  return at > now ? { at, isSoon: at - now <= week } : undefined;
}
