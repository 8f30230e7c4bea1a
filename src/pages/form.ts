export interface FormView {
  readonly action: string;
  /** The form's token; undefined if its address says all that a token would. */
  readonly token?: string | undefined;
}

/** A mistake in a field, shown at the top of its page. */
export interface MistakeView {
  /** `#` and the id of the field. */
  readonly href: string;
  readonly text: string;
}
