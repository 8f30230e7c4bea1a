/**
 * Whether a sign-out on all devices ended a session or link of the person. Times are epoch milliseconds.
 * Without `issuedAt` it may be older than the sign-out, so it counts as ended.
 */
export function isEndedBySignOut(issuedAt: number | undefined, signedOutAt: number | undefined): boolean {
  return signedOutAt !== undefined && (issuedAt === undefined || issuedAt <= signedOutAt);
}
