/** Sentences about the data that stays after a person is erased, and why. */
export const whatStays = [
  'the center, the day, the state and the digests that the signed root of that day is made of: nothing can be read from them',
  'counts by state and day',
  'reasons for leaving in the words of the person, kept without a name, for REASON_DAYS',
  'keyed hashes of what was withdrawn: may-send goes on saying no. --forget-withdrawals erases them, too',
  'what staff did, by a keyed hash of the person, for AUDIT_DAYS',
  'keyed hashes of the person, so that a backup that is restored is erased again',
  'keyed hashes of sign-outs, sessions and limits, which end by themselves within weeks',
] as const;
