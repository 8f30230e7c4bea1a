/**
 * Nonces of the submissions that one form can cause. The journal keeps them, also over updates: a form posted twice is
 * found by its nonce and carried out once.
 */
export const nonces = {
  /** The whole form. */
  ofForm: (form: string) => form,
  /** Its withdrawals, while the rest waits. */
  ofWithdrawals: (form: string) => `${form} off`,
  /** Its withdrawals of purposes that the page shows no more. */
  ofUnseen: (form: string) => `${form} unseen`,
  /** An objection: a double click is one submission, and a later one finds nothing left to object to. */
  ofObjection: (form: string, purposes: readonly string[]) => [form, ...purposes].join(' '),
  /** Withdrawals of a used form: after a grant of what it withdraws, or others than at first. */
  ofWithdrawingAgain: (form: string, since: string) => `${form} after ${since}`,
  /** A one-click has no form: each click is a submission. */
  ofClick: (id: string) => `one-click ${id}`,
} as const;
