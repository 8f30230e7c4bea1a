/**
 * Milliseconds by which the clocks of two nodes may differ: a node accepts what another one dates slightly
 * ahead.
 */
export const tolerance = 1_000;

/**
 * Whether a thing made `at` is at most `life` old. A time beyond the tolerance in the future (the clock was
 * set back) has an unknown age, so the answer is no. All in milliseconds.
 */
export function isWithin(life: number, { at, now }: { at: number; now: number }): boolean {
  return at <= now + tolerance && now - at <= life;
}
