export interface FormView {
  readonly action: string;
  /** undefined where the address says all that a token would. */
  readonly token?: string | undefined;
}

/** What is wrong with a field, at the top of its page. */
export interface MistakeView {
  /** `#` and the id of the field. */
  readonly href: string;
  readonly text: string;
}
