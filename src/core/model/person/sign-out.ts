/**
 * Whether a sign-out on all devices ended something issued to the person. Epoch milliseconds. Without `issuedAt` it may
 * be older, so it is ended.
 */
export function isEndedBySignOut(issuedAt: number | undefined, signedOutAt: number | undefined): boolean {
  return signedOutAt !== undefined && (issuedAt === undefined || issuedAt <= signedOutAt);
}
