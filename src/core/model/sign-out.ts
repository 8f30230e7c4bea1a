/**
 * Whether a person's sign-out on all devices ended what was issued to them. Epoch milliseconds; `signedOutAt` of the
 * last one, `issuedAt` at the earliest. What does not say when it was issued may have been there before.
 */
export function isEndedBySignOut(issuedAt: number | undefined, signedOutAt: number | undefined): boolean {
  return signedOutAt !== undefined && (issuedAt === undefined || issuedAt <= signedOutAt);
}
