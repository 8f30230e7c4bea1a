/**
 * Nonces of the submissions that one form can cause. The journal keeps them, also over updates: a form posted
 * twice is found by its nonce and carried out once.
 */
export const nonces = {
  /** The nonce of the whole form. */
  ofForm: (form: string) => form,
  /** The nonce of a form's withdrawals, while the rest waits. */
  ofWithdrawals: (form: string) => `${form} off`,
  /** The nonce of a form's withdrawals of purposes that the page shows no more. */
  ofUnseen: (form: string) => `${form} unseen`,
  /**
   * The nonce of an objection: a double click is one submission, and a later one finds no purpose to object
   * to.
   */
  ofObjection: (form: string, purposes: readonly string[]) => [form, ...purposes].join(' '),
  /**
   * The nonce of withdrawals of a used form: after a grant of the same purposes, or other withdrawals than at
   * first.
   */
  ofWithdrawingAgain: (form: string, since: string) => `${form} after ${since}`,
  /** The nonce of a one-click, which has no form: each click is a submission. */
  ofClick: (id: string) => `one-click ${id}`,
} as const;
