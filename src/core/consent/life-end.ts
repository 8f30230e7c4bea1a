/** When a consent ends by the life span of its purpose. */
export interface LifeEnd {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Within a week: the page offers to renew it. */
  readonly isSoon: boolean;
}

const week = 7 * 86_400_000;

/** undefined if that is past: a purpose that is still on then ends at an unknown time. */
export function lifeEnd(at: number, now: number): LifeEnd | undefined {
  return at > now ? { at, isSoon: at - now <= week } : undefined;
}
