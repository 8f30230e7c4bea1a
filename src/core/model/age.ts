/** Milliseconds that the clocks of nodes may differ: what one node has dated, another may open at once. */
export const tolerance = 1_000;

/**
 * Whether a thing made `at` is at most `life` old. A time further in the future than that (clock set back) has an unknown
 * age, and is not. All in milliseconds.
 */
export function isWithin(life: number, { at, now }: { at: number; now: number }): boolean {
  return at <= now + tolerance && now - at <= life;
}
