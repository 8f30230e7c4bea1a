/**
 * What one form may ask for, each part a submission of its own. The journal keeps these names: a form that is posted
 * again, be it after an update, is found by them and carried out once.
 */
export const nonces = {
  /** All of it. */
  ofForm: (form: string) => form,
  /** What it withdraws, where the rest waits. */
  ofWithdrawals: (form: string) => `${form} off`,
  /** What it withdraws that the page does not show any more. */
  ofUnseen: (form: string) => `${form} unseen`,
  /** Pressed twice at once it is one; pressed again later it finds nothing left to object to. */
  ofObjection: (form: string, purposes: readonly string[]) => [form, ...purposes].join(' '),
  /** Of leaving everything: pressed again after something was switched on, it leaves that, too. */
  ofLeavingAgain: (form: string, since: string) => `${form} after ${since}`,
  /** Of no form: every click is one. */
  ofClick: (id: string) => `one-click ${id}`,
} as const;
