/**
 * Whether what was made `at` is at most `life` old. What lies in the future, because a clock was set back, is of an
 * unknown age, and is not. All in milliseconds.
 */
export function isWithin(life: number, { at, now }: { at: number; now: number }): boolean {
  return at <= now && now - at <= life;
}
